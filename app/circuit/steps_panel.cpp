#include "app/circuit/steps_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>
#include <limits>

#include "app/circuit/circuit_steps.h"
#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/shell/progress.h"
#include "app/shell/step_look.h"

namespace blockscope {

namespace {

using circuit::AxisId;
using ActionKind = circuit::CircuitAction::Kind;

constexpr int kAxisColumns = 4;
constexpr int kIdRole = Qt::UserRole;
constexpr int kOverlayTop = 4;  // pixels below the upper edge

}  // namespace

StepsPanel::StepsPanel(Document& document, Services& services, QWidget* parent)
    : QWidget(parent), document_(document), services_(services), steps_(CircuitSteps::of(document)) {
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(make_numbers());
    splitter->addWidget(make_axes());
    splitter->addWidget(make_states());
    splitter->setSizes({200, 360, 150});
    splitter->setChildrenCollapsible(false);
    auto* area = new QScrollArea(this);  // what a low window has no room for
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidgetResizable(true);
    area->setWidget(splitter);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(area, 1);
    setFocusProxy(axes_);
    connect_parts();
    refresh();
}

QWidget* StepsPanel::make_numbers() {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    const auto [bar, row] = make_panel_bar(box);
    title_ = new QLabel(bar);
    title_->setFont(scaled_font(*this, 1.0, true));
    title_->setWordWrap(true);
    back_ =
        make_bar_button(bar, QStringLiteral("←"), tr("One step of the circuit back"), tr("One step back"));
    on_ = make_bar_button(bar, QStringLiteral("→"), tr("One step of the circuit on"), tr("One step on"));
    row->addWidget(title_, 1);
    row->addWidget(back_);
    row->addWidget(on_);
    column->addWidget(bar);
    auto* area = new QScrollArea(box);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    numbers_ = new QLabel(area);
    numbers_->setTextFormat(Qt::RichText);
    numbers_->setWordWrap(true);
    numbers_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    numbers_->setContentsMargins(10, 4, 10, 4);
    numbers_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* inside = new QWidget(area);
    auto* lines = new QVBoxLayout(inside);
    lines->setContentsMargins(0, 0, 0, 6);
    picture_ = new QLabel(inside);
    picture_->setWordWrap(true);
    picture_->setContentsMargins(10, 0, 10, 0);
    lines->addWidget(numbers_);
    lines->addWidget(picture_);
    lines->addStretch(1);
    area->setWidget(inside);
    area->setAccessibleName(tr("What the circuit costs"));
    const auto* late = new ProgressOverlay(counting_, kOverlayTop, area);
    connect(late, &ProgressOverlay::cancelled, this, [this] {
        picture_->setText(
            tr("Not compared with the picture: that was cancelled. It goes on with the next step."));
    });
    column->addWidget(area, 1);
    return box;
}

QWidget* StepsPanel::make_axes() {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    axes_ = new QTreeWidget(box);
    axes_->setAccessibleName(tr("Axes of the circuit"));
    axes_->setColumnCount(kAxisColumns);
    axes_->setHeaderLabels({tr("Axis"), tr("Size"), tr("Now"), tr("Can be")});
    axes_->setRootIsDecorated(false);
    axes_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    axes_->header()->setStretchLastSection(true);
    axes_->setMinimumHeight(5 * fontMetrics().height() + axes_->header()->sizeHint().height());
    column->addWidget(axes_, 2);
    column->addWidget(make_split());
    message_ = new QLabel(box);
    message_->setWordWrap(true);
    message_->setContentsMargins(10, 0, 10, 6);
    message_->hide();
    column->addWidget(message_);
    why_ = new QTextBrowser(box);
    why_->setOpenLinks(false);
    why_->setAccessibleName(tr("What can be done with the axis, and why"));
    why_->document()->setDocumentMargin(8);
    column->addWidget(why_, 3);
    return box;
}

QWidget* StepsPanel::make_split() {
    auto* bar = new FlowBar(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(4);
    size_ = new QSpinBox(bar);
    size_->setRange(1, std::numeric_limits<int>::max());
    size_->setAccessibleName(tr("Size of the parts"));
    size_->setToolTip(tr("Values of the axis in one part"));
    size_->setGroupSeparatorShown(true);
    const auto add = [&](const QString& text, const QString& help, ActionKind kind) {
        auto* made = new QPushButton(text, bar);
        made->setToolTip(help);
        made->setAccessibleDescription(help);
        connect(made, &QPushButton::clicked, this, [this, kind] { split(kind); });
        row->addWidget(made);
        return made;
    };
    size_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    row->addWidget(size_);
    group_ = add(tr("Group"), tr("Parts go to different processors"), ActionKind::Group);
    stream_ = add(tr("Stream"), tr("Parts come one after the other"), ActionKind::Stream);
    join_ = add(tr("Whole"), tr("The axis is not split any more"), ActionKind::Join);
    return bar;
}

QWidget* StepsPanel::make_states() {
    auto* splitter = new QSplitter(Qt::Vertical, this);
    states_ = new QTreeWidget(splitter);
    states_->setAccessibleName(tr("States of the circuit"));
    states_->setHeaderHidden(true);
    states_->setIndentation(14);
    states_->setRootIsDecorated(false);
    note_ = new QPlainTextEdit(splitter);
    note_->setAccessibleName(tr("Note of the circuit's state"));
    note_->setPlaceholderText(tr("What is worth remembering of this state?"));
    note_->setUndoRedoEnabled(false);  // the document's undo takes notes back
    note_->setTabChangesFocus(true);
    note_->setMinimumHeight(2 * fontMetrics().height());
    splitter->addWidget(states_);
    splitter->addWidget(note_);
    splitter->setSizes({130, 50});
    splitter->setChildrenCollapsible(false);
    return splitter;
}

void StepsPanel::connect_parts() {
    connect(&steps_, &CircuitSteps::changed, this, &StepsPanel::refresh);
    connect(&document_, &Document::current_changed, this, &StepsPanel::compare_picture);
    connect(&steps_, &CircuitSteps::noted, this, &StepsPanel::show_states);
    connect(&steps_, &CircuitSteps::noted, this, &StepsPanel::show_note);
    connect(&steps_, &CircuitSteps::axis_changed, this, &StepsPanel::show_axis);
    connect(&steps_, &CircuitSteps::refused, this, [this](const QString& why) {
        message_->setText(why);
        message_->show();
    });
    connect(&services_.appearance, &Appearance::changed, this, &StepsPanel::refresh);
    connect(back_, &QToolButton::clicked, &steps_, &CircuitSteps::back);
    connect(on_, &QToolButton::clicked, &steps_, &CircuitSteps::on);
    // A current row need not be selected: where no axis is chosen, the arrows begin at the first.
    connect(axes_, &QTreeWidget::itemSelectionChanged, this, [this] {
        const QList<QTreeWidgetItem*> selected = axes_->selectedItems();
        if (filling_ || selected.isEmpty()) return;
        steps_.choose(AxisId{selected.front()->data(0, kIdRole).toInt()});
        steps_.want_diagram();
    });
    connect(states_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (filling_ || !item) return;
        // Going to a state fills the tree anew, which has to wait until the tree's own signal has returned.
        const int state = item->data(0, kIdRole).toInt();
        QMetaObject::invokeMethod(
            &steps_, [this, state] { steps_.go_to(state); }, Qt::QueuedConnection);
        steps_.want_diagram();
    });
    connect(why_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        steps_.want_diagram();
        if (services_.show_panel) services_.show_panel("panel.circuit");
        steps_.show_step(link.toString().toInt());
    });
    connect(note_, &QPlainTextEdit::textChanged, this, [this] {
        if (!filling_ && steps_.session())
            steps_.set_note(steps_.session()->current().id, note_->toPlainText());
    });
}

void StepsPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    steps_.want();
    compare_picture();
}

void StepsPanel::split(ActionKind kind) {
    if (steps_.axis().value >= 0) steps_.act({kind, steps_.axis(), size_->value(), {}});
    steps_.want_diagram();
}

QString StepsPanel::picture() const {
    return picture_->text();
}

QString StepsPanel::numbers() const {
    return numbers_->text();
}

QString StepsPanel::arguments() const {
    return why_->toHtml();
}

QString StepsPanel::message() const {
    return message_->isHidden() ? QString() : message_->text();
}

void StepsPanel::refresh() {
    const SessionPtr& session = steps_.session();
    message_->hide();
    back_->setEnabled(session && session->can_go_back());
    on_->setEnabled(session && session->can_go_on());
    if (!session) {
        title_->setText(document_.empty() ? tr("No program") : tr("No circuit"));
        numbers_->setText(steps_.why_not());
    } else {
        title_->setText(state_title(*session, session->current().id));
        numbers_->setText(numbers_html(*session, colors_of(*this).muted.name()));
    }
    compare_picture();
    show_axes();
    show_states();
    show_note();
}

// What the panel of the step-by-step circuit shows.

namespace {

using circuit::AxisId;

enum AxisColumn { AxisName, AxisSize, AxisSplit, AxisCan, AxisColumns };

constexpr int kRowIdRole = Qt::UserRole;

QTreeWidgetItem* item_of(QTreeWidget& tree, int id) {
    for (QTreeWidgetItemIterator it(&tree); *it; ++it)
        if ((*it)->data(0, kRowIdRole).toInt() == id) return *it;
    return nullptr;
}

}  // namespace

// What the picture beside it costs: the two are the same where a state is these groups and streams.
void StepsPanel::compare_picture() {
    if (!isVisible() || !steps_.session() || document_.empty()) {
        counting_.cancel();
        return picture_->clear();
    }
    const Content& content = document_.content();
    const auto job = [this, session = steps_.session(), program = content.program(),
                      step = content.history.depth(content.current)](const Stop&) -> Work::Finish {
        return [this, text = picture_text(*session, *program, step)] { picture_->setText(text); };
    };
    counting_.start(tr("Comparing the circuit with the picture"), job);
}

void StepsPanel::show_axes() {
    filling_ = true;
    axes_->clear();
    for (const circuit::AxisVerdict& verdict : steps_.verdicts()) {
        const circuit::Axis& axis = circuit::axis_of(steps_.session()->current().flow->axes, verdict.axis);
        QStringList can;
        if (verdict.group) can << tr("grouped");
        if (verdict.stream) can << tr("streamed");
        auto* item = new QTreeWidgetItem(
            axes_, {axis_name(steps_, verdict.axis), QLocale().toString(static_cast<qlonglong>(axis.size)),
                    split_text(steps_.part(verdict.axis)), can.join(QStringLiteral(", "))});
        item->setTextAlignment(AxisSize, Qt::AlignRight | Qt::AlignVCenter);
        item->setData(0, kRowIdRole, verdict.axis.value);
    }
    filling_ = false;
    show_axis();
}

void StepsPanel::show_axis() {
    filling_ = true;
    const AxisId axis = steps_.axis();
    const circuit::AxisVerdict* verdict = steps_.verdict(axis);
    axes_->setCurrentItem(verdict ? item_of(*axes_, axis.value) : nullptr);
    if (!verdict)
        axes_->selectionModel()->setCurrentIndex(axes_->model()->index(0, 0), QItemSelectionModel::NoUpdate);
    size_->setEnabled(verdict);
    group_->setEnabled(verdict && verdict->group);
    stream_->setEnabled(verdict && verdict->stream);
    join_->setEnabled(steps_.part(axis).has_value());
    if (verdict) {
        const auto whole = circuit::axis_of(steps_.session()->current().flow->axes, axis).size;
        size_->setMaximum(static_cast<int>(std::min<std::int64_t>(whole, std::numeric_limits<int>::max())));
        size_->setValue(static_cast<int>(steps_.part_size(axis)));
    }
    why_->setHtml(verdict_html(steps_, axis));
    filling_ = false;
}

// A way without forks is a list; other branches stand under the state that they leave.
void StepsPanel::add_states(int state, QTreeWidgetItem* around) {
    const circuit::CircuitSession& session = *steps_.session();
    for (int at = state; at >= 0;) {
        QString text = state_title(session, at);
        if (!session.note(at).empty()) text += QStringLiteral(" ✎");
        auto* item = around ? new QTreeWidgetItem(around, {text}) : new QTreeWidgetItem(states_, {text});
        item->setData(0, kRowIdRole, at);
        item->setToolTip(0, QString::fromStdString(session.note(at)));
        const std::vector<int> next = session.children(at);
        for (std::size_t i = 1; i < next.size(); ++i) add_states(next[i], item);
        item->setExpanded(true);
        at = next.empty() ? -1 : next.front();
    }
}

void StepsPanel::show_states() {
    filling_ = true;
    states_->clear();
    if (steps_.session()) {
        add_states(0, nullptr);
        states_->setCurrentItem(item_of(*states_, steps_.session()->current().id));
    }
    filling_ = false;
}

void StepsPanel::show_note() {
    filling_ = true;
    note_->setEnabled(steps_.session() != nullptr);
    const QString text =
        steps_.session() ? QString::fromStdString(steps_.session()->note(steps_.session()->tree().current))
                         : QString();
    if (text != note_->toPlainText()) note_->setPlainText(text);
    filling_ = false;
}

}  // namespace blockscope
