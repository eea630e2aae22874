#include "app/panels/search_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/panels/panel_bar.h"
#include "app/panels/search.h"
#include "app/window/actions.h"
#include "app/words/words.h"

namespace blockscope {

SearchPanel::SearchPanel(Document& document, Services& services, QWidget* parent)
    : QWidget(parent),
      document_(document),
      services_(services),
      status_(new QLabel(this)),
      results_(new QListView(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(make_bar());
    column->addWidget(status_);
    column->addWidget(results_, 1);
    status_->setWordWrap(true);
    status_->setContentsMargins(10, 0, 10, 8);
    results_->setAccessibleName(tr("Found nodes"));
    results_->setUniformItemSizes(true);
    setFocusProxy(text_);

    results_->setModel(&rows_);
    connect(results_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) { chosen(now.row()); });
    connect(results_, &QListView::clicked, this, [this](const QModelIndex& index) { chosen(index.row()); });
    connect(&document_, &Document::current_changed, this, [this] {
        const ProgramPtr program = document_.empty() ? nullptr : document_.content().program();
        if (program == program_) return;
        if (isVisible()) return refresh();
        light(false);
        stale_ = true;
    });
    services_.actions.on(
        "edit.find_next", [this] { go(1); }, this);
    services_.actions.on(
        "edit.find_previous", [this] { go(-1); }, this);
    refresh();
}

QWidget* SearchPanel::make_bar() {
    const auto [bar, row] = make_panel_bar(this);
    text_ = new QLineEdit(bar);
    text_->setPlaceholderText(tr("exp   op:dot   type:block[M,N]   in:M   buffered"));
    text_->setAccessibleName(tr("Find nodes"));
    text_->setToolTip(
        tr("Words that all have to match: parts of names and formulas, ids (n12), op:dot, "
           "type:f32, in:M, buffered"));
    text_->setClearButtonEnabled(true);
    text_->installEventFilter(this);
    regular_ = make_bar_button(bar, QStringLiteral(".*"), tr("Regular expression"), tr("Regular expression"));
    regular_->setCheckable(true);
    previous_ = make_bar_button(bar, QStringLiteral("\u2191"), tr("Previous match"), tr("Previous match"));
    next_ = make_bar_button(bar, QStringLiteral("\u2193"), tr("Next match"), tr("Next match"));
    connect(text_, &QLineEdit::textChanged, this, &SearchPanel::refresh);
    connect(regular_, &QToolButton::toggled, this, &SearchPanel::refresh);
    connect(previous_, &QToolButton::clicked, this, [this] { go(-1); });
    connect(next_, &QToolButton::clicked, this, [this] { go(1); });
    row->addWidget(text_, 1);
    row->addWidget(regular_);
    row->addWidget(previous_);
    row->addWidget(next_);
    return bar;
}

void SearchPanel::look_for(const QString& text, bool regular) {
    regular_->setChecked(regular);
    text_->setText(text);
}

QString SearchPanel::status() const {
    return status_->text();
}

void SearchPanel::refresh() {
    stale_ = false;
    program_ = document_.empty() ? nullptr : document_.content().program();
    found_.clear();
    problem_.clear();
    if (program_) {
        const Result<std::vector<NodeId>> result =
            search(*program_, {text_->text().toStdString(), regular_->isChecked()});
        if (result)
            found_ = *result;
        else
            problem_ = in_words(result.problems().front().message);
    }
    list();
    light(isVisible());
    say();
}

void SearchPanel::list() {
    previous_->setEnabled(!found_.empty());
    next_->setEnabled(!found_.empty());
    rows_.show(program_, found_);
}

void SearchPanel::say() {
    const int row = results_->currentIndex().row();
    const auto count = static_cast<int>(found_.size());
    QString text = problem_;
    if (text.isEmpty() && !text_->text().trimmed().isEmpty()) {
        if (count == 0)
            text = nothing_matches();
        else if (row >= 0)
            text = tr("%1 of %2").arg(row + 1).arg(count);
        else
            text = count == 1 ? tr("1 match") : tr("%1 matches").arg(count);
    }
    status_->setText(text);
    status_->setVisible(!text.isEmpty());
}

QString SearchPanel::nothing_matches() const {
    const QString none = tr("Nothing in this state matches.");
    static const QRegularExpression special(QStringLiteral("[*^$|\\\\+?]"));
    if (regular_->isChecked() || !text_->text().contains(special)) return none;
    return none + QLatin1Char(' ') + tr("It is read as it stands; .* reads it as a regular expression.");
}

void SearchPanel::light(bool on) {
    if (on && !found_.empty())
        document_.set_glow({Glow::Kind::Search, found_});
    else if (document_.glow().kind == Glow::Kind::Search)
        document_.set_glow({});
}

void SearchPanel::go(int by) {
    if (stale_) refresh();
    if (found_.empty()) return;
    const int count = rows_.rowCount();
    const int row = results_->currentIndex().row();
    const int next = row < 0 ? (by > 0 ? 0 : count - 1) : (row + by + count) % count;
    light(true);
    results_->setCurrentIndex(rows_.index(next));
}

void SearchPanel::chosen(int row) {
    if (row < 0 || row >= static_cast<int>(found_.size())) return;
    document_.reveal(found_[static_cast<std::size_t>(row)]);
    say();
}

void SearchPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    light(false);
}

void SearchPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) return refresh();
    light(true);
}

// Return and the arrows go through the matches while the text keeps the focus.
bool SearchPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == text_ && event->type() == QEvent::FocusIn) {
        // Another text replaces the old one, whose nodes light up again until then.
        if (static_cast<QFocusEvent*>(event)->reason() == Qt::OtherFocusReason) text_->selectAll();
        light(true);
    }
    if (watched != text_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    const bool backwards = (key->modifiers() & Qt::ShiftModifier) != 0;
    if (enter || key->key() == Qt::Key_Down || key->key() == Qt::Key_Up) {
        go(key->key() == Qt::Key_Up || (enter && backwards) ? -1 : 1);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace blockscope
