// The diagram step by step: axes are chosen, renamed, grouped and streamed in the picture itself.
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>

#include "app/circuit/circuit_page.h"
#include "app/circuit/steps_text.h"
#include "app/window/actions.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

using ActionKind = circuit::CircuitAction::Kind;

constexpr int kNameWidth = 130;

}  // namespace

void CircuitPage::say(const QString& text) {
    if (services_.say) services_.say(text);
}

void CircuitPage::connect_steps() {
    name_->hide();
    name_->setAccessibleName(tr("Name of the axis"));
    name_->setToolTip(tr("A name, or a name and a size: q = 4096"));
    connect(name_, &QLineEdit::editingFinished, this, [this] { finish_name(name_->hasFocus()); });
    connect(&steps_, &CircuitSteps::changed, this, [this] {
        const SessionPtr& session = steps_.session();
        services_.actions.enable("circuit.back", session && session->can_go_back());
        services_.actions.enable("circuit.on", session && session->can_go_on());
        refresh();
    });
    connect(&steps_, &CircuitSteps::axis_changed, this, [this] {
        refresh();
        relight();
    });
    connect(&steps_, &CircuitSteps::refused, this, &CircuitPage::say);
    connect(&steps_, &CircuitSteps::diagram_wanted, this, &CircuitPage::set_stepping);
    connect(&steps_.work(), &Work::failed, this, &CircuitPage::say);
    connect(&work_, &Work::failed, this, &CircuitPage::say);
    name_->installEventFilter(this);
    connect(argument_, &QLabel::linkActivated, this, [this] { steps_.show_step(-1); });
    connect(view_, &CircuitView::double_clicked, this, [this](const CircuitPart& part, QPointF at) {
        choose(part);
        if (stepping() && part.kind == CircuitPart::Kind::Wire) edit_name(at);
    });
    connect(view_, &CircuitView::menu_wanted, this, [this](const CircuitPart& part, const QPoint& global) {
        choose(part);
        QMenu* menu = make_menu();
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(global);
    });
}

void CircuitPage::connect_actions() {
    Actions& actions = services_.actions;
    actions.on(
        "circuit.steps",
        [this] {
            if (document_.empty()) return;
            if (services_.show_panel) services_.show_panel("panel.circuit_steps");
            if (services_.show_panel) services_.show_panel("panel.circuit");
            set_stepping();
        },
        this);
    actions.on(
        "circuit.group", [this] { split(ActionKind::Group); }, this);
    actions.on(
        "circuit.stream", [this] { split(ActionKind::Stream); }, this);
    actions.on(
        "circuit.join", [this] { split(ActionKind::Join); }, this);
    actions.on(
        "circuit.rename",
        [this] {
            if (!stepping() || steps_.axis().value < 0)
                return say(tr("Choose an axis of the circuit first."));
            edit_name(QPointF(24, 24));
        },
        this);
    actions.on(
        "circuit.back", [this] { steps_.back(); }, this);
    actions.on(
        "circuit.on", [this] { steps_.on(); }, this);
    actions.enable("circuit.back", false);
    actions.enable("circuit.on", false);
    actions.on(
        "circuit.export", [this] { ask_and_export(); }, this);
}

void CircuitPage::refresh_steps() {
    repeat_->hide();
    steps_.want();
    if (!steps_.session()) {
        work_.cancel();  // what was drawn before would stand in place of the message
        shown_.reset();
        circuit_.reset();
        if (!steps_.why_not().isEmpty()) view_->set_message(tr("No diagram of this"), steps_.why_not());
        return;
    }
    const circuit::AxisId axis = steps_.shown_step() >= 0 ? steps_.axis() : circuit::AxisId{};
    start_drawing(
        {nullptr,
         {},
         kind_->currentIndex(),
         numbers_->currentIndex(),
         steps_.session()->shared(steps_.session()->tree().current),
         axis,
         steps_.shown_step()},
        [session = steps_.session(), axis, step = steps_.shown_step()]() -> Result<circuit::Circuit> {
            return step_circuit(*session, axis, step);
        });
}

// A wire or its name chooses the axis; any other place none.
void CircuitPage::choose(const CircuitPart& part) {
    if (!stepping() || !view_->drawing() || part.kind == CircuitPart::Kind::Glyph) return;
    circuit::AxisId axis;
    if (part.kind == CircuitPart::Kind::Wire)
        axis = view_->drawing()->wires.at(static_cast<std::size_t>(part.index)).axis;
    // Diagrams of the theorem's steps belong to the axis that is chosen.
    if (steps_.shown_step() < 0) steps_.choose(whole_axis(view_->drawing()->axes, axis));
}

void CircuitPage::split(ActionKind kind) {
    if (!stepping() || steps_.axis().value < 0)
        return say(tr("Choose an axis first: click a wire of the step-by-step circuit."));
    steps_.act({kind, steps_.axis(), steps_.part_size(steps_.axis()), {}});
}

QMenu* CircuitPage::make_menu() {
    auto* menu = new QMenu(this);
    Actions& actions = services_.actions;
    if (!stepping()) {
        menu->addAction(actions.get("circuit.steps"));
        menu->addAction(actions.get("circuit.export"));
        return menu;
    }
    const circuit::AxisVerdict* verdict = steps_.verdict(steps_.axis());
    if (verdict) {
        const QString name = axis_name(steps_, steps_.axis());
        const auto sizes = [&](const QString& title, ActionKind kind, bool possible, const QString& why) {
            QMenu* parts = menu->addMenu(title.arg(name));
            parts->setToolTipsVisible(true);
            if (!possible) {
                parts->addAction(why)->setEnabled(false);
                return;
            }
            for (const std::int64_t size : part_sizes(steps_, steps_.axis()))
                parts->addAction(tr("in parts of %L1").arg(size), this, [this, kind, size] {
                    steps_.act({kind, steps_.axis(), size, {}});
                });
        };
        sizes(tr("Group %1"), ActionKind::Group, verdict->group, short_reason(verdict->group_reasons));
        sizes(tr("Stream %1"), ActionKind::Stream, verdict->stream, short_reason(verdict->stream_reasons));
        QAction* join = menu->addAction(actions.get("circuit.join")->text(), actions.get("circuit.join"),
                                        &QAction::trigger);
        join->setEnabled(steps_.part(steps_.axis()).has_value());
        menu->addAction(actions.get("circuit.rename"));
        menu->addSeparator();
    }
    menu->addAction(actions.get("circuit.back"));
    menu->addAction(actions.get("circuit.on"));
    menu->addSeparator();
    menu->addAction(actions.get("circuit.export"));
    return menu;
}

void CircuitPage::edit_name(QPointF at) {
    if (!steps_.verdict(steps_.axis())) return;
    name_->setText(axis_name(steps_, steps_.axis()));
    name_->setGeometry(static_cast<int>(at.x()) - 8,
                       static_cast<int>(at.y()) - name_->sizeHint().height() / 2, kNameWidth,
                       name_->sizeHint().height());
    name_->show();
    name_->selectAll();
    name_->setFocus();
}

// Escape is the editor's while it is open, and not the window's.
bool CircuitPage::eventFilter(QObject* watched, QEvent* event) {
    const bool key = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    if (watched != name_ || !key || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
        return QWidget::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress) finish_name(false);
    return true;
}

// Return takes the name; going elsewhere leaves the old one.
void CircuitPage::finish_name(bool keep) {
    if (!name_->isVisible()) return;
    const QString text = name_->text();
    name_->hide();
    view_->setFocus();
    if (keep && text != axis_name(steps_, steps_.axis())) steps_.rename(steps_.axis(), text);
}

void CircuitPage::show_argument() {
    const circuit::AxisVerdict* verdict = steps_.verdict(steps_.axis());
    const int step = steps_.shown_step();
    const bool shown = stepping() && step >= 0 && verdict != nullptr &&
                       step < static_cast<int>(verdict->stream_reasons.size());
    argument_->setVisible(shown);
    if (!shown) return;
    const circuit::Reason& reason = verdict->stream_reasons[static_cast<std::size_t>(step)];
    argument_->setText(
        tr("<b>Step %1 of %2, %3.</b> %4 <a href=\"back\">Back to the diagram</a>")
            .arg(step + 1)
            .arg(verdict->stream_reasons.size())
            .arg(in_words(reason.theorem).toHtmlEscaped(), in_words(reason.sentence).toHtmlEscaped()));
}

}  // namespace blockscope
