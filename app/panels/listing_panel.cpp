#include "app/panels/listing_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "app/costs/costs.h"
#include "app/costs/heat_lights.h"
#include "app/costs/heat_source.h"
#include "app/costs/step_cost.h"
#include "app/panels/elided_combo.h"
#include "app/panels/flow_layout.h"
#include "app/panels/panel_bar.h"
#include "app/window/appearance.h"
#include "app/window/late_bar.h"

namespace blockscope {

namespace {

constexpr int kQuickNodes = 1000;  // listings of fewer nodes take a few milliseconds
constexpr int kLateTop = 12;       // of what says that the listing is late

QString state_label(const HistoryState& state, int step) {
    return ListingPanel::tr("Step %1, rule %2")
        .arg(step)
        .arg(QString::fromStdString(to_string(state.step->match.rule)));
}

QString label_on_its_branch(const Content& content, StateId state) {
    const History& history = content.history;
    const Branch& branch = history.branch(history.branch_through(state, content.branch));
    return ListingPanel::tr("%1, branch %2")
        .arg(state_label(history.state(state), history.depth(state)), QString::fromStdString(branch.name));
}

}  // namespace

ListingPanel::ListingPanel(Document& document, Services& services, QWidget* parent)
    : QWidget(parent),
      document_(document),
      services_(services),
      note_(new QLabel(this)),
      view_(new CodeView(services.appearance, this)),
      filler_(new LineFiller(*view_)),
      links_(new CodeLinks(document, *view_)),
      highlighter_(new ListingHighlighter(view_->document(), services.appearance)),
      summary_(new QLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(make_bar());
    column->addWidget(note_);
    column->addWidget(view_, 1);
    column->addWidget(summary_);
    note_->setWordWrap(true);
    note_->setContentsMargins(10, 4, 10, 6);
    note_->hide();
    summary_->setContentsMargins(10, 4, 10, 4);
    summary_->setWordWrap(true);
    view_->setAccessibleName(tr("Listing"));
    view_->setReadOnly(true);
    view_->setUndoRedoEnabled(false);
    view_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);

    connect(view_, &CodeView::restyled, highlighter_, &LazyHighlighter::recolour);
    connect(view_, &CodeView::heat_clicked, this, qOverload<int>(&ListingPanel::ask_for_number));
    const Costs& costs = Costs::of(document_);
    connect(&costs, &Costs::heat_changed, this, &ListingPanel::heat);
    connect(&costs, &Costs::counted, this, [this, &costs] {
        if (costs.heat() != HeatMetric::None) heat();
    });
    connect(&document_, &Document::content_changed, this, &ListingPanel::refresh);
    connect(filler_, &LineFiller::filled, links_, &CodeLinks::refresh);
    connect(&background_, &Background::failed, summary_, &QLabel::setText);
    const auto* late = new LateBar(background_, kLateTop, view_);
    connect(late, &LateBar::cancelled, this, &ListingPanel::stop_waiting);
    refresh();
}

QWidget* ListingPanel::make_bar() {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(4);
    baseline_ = new ElidedCombo(bar);
    baseline_->setAccessibleName(tr("Compared with"));
    baseline_->setToolTip(tr("The state against which changed lines are marked"));
    baseline_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    baseline_->setMinimumContentsLength(6);
    baseline_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    baseline_->setMaxVisibleItems(20);
    // Of thousands of states each would be measured, and again with every change of the style.
    if (auto* states = qobject_cast<QListView*>(baseline_->view())) states->setUniformItemSizes(true);
    connect(baseline_, &QComboBox::activated, this, &ListingPanel::choose_baseline);
    removed_ = make_bar_button(bar, tr("Removed"), tr("Removed"),
                               tr("Shows the lines that are gone, struck through"));
    safe_ = make_bar_button(bar, tr("Safe"), tr("Safe"), tr("Shows the numerically safe form of this state"));
    for (QToolButton* button : {removed_, safe_}) button->setCheckable(true);
    connect(removed_, &QToolButton::toggled, this, &ListingPanel::refresh);
    connect(safe_, &QToolButton::toggled, this, &ListingPanel::refresh);
    auto* copy = make_bar_button(bar, tr("Copy"), tr("Copy the listing"),
                                 tr("Copies the whole listing; Ctrl+C copies the selected part"));
    connect(copy, &QToolButton::clicked, this, &ListingPanel::copy_all);
    row->addWidget(baseline_);
    row->addWidget(removed_);
    row->addWidget(safe_);
    row->addWidget(copy);
    return bar;
}

void ListingPanel::show_safe(bool on) {
    safe_->setChecked(on);
}

void ListingPanel::show_removed(bool on) {
    removed_->setChecked(on);
}

void ListingPanel::copy_all() {
    QString text;
    for (const ListingRow& row : comparison_.rows)
        if (row.kind != ListingRow::Kind::Removed)
            text += QString::fromStdString(row.text) + QLatin1Char('\n');
    QApplication::clipboard()->setText(text);
    if (services_.say) services_.say(tr("The listing is on the clipboard."));
}

// ---- What is compared

void ListingPanel::list_states() {
    std::vector<std::optional<StateId>> choices;
    QStringList labels;
    const auto add = [&](const QString& label, std::optional<StateId> state) {
        labels << label;
        choices.push_back(state);
    };
    add(tr("Step before"), std::nullopt);
    if (!document_.empty()) {
        const Content& content = document_.content();
        add(tr("Initial program"), 0);
        const std::vector<StateId> way = content.history.path(content.history.branch(content.branch).tip);
        int snapshot = 0;
        for (std::size_t i = 1; i < way.size(); ++i)
            if (content.history.state(way[i]).snapshot)
                add(tr("Snapshot %1, step %2").arg(++snapshot).arg(i), way[i]);
        for (std::size_t i = 1; i < way.size(); ++i)
            add(state_label(content.history.state(way[i]), static_cast<int>(i)), way[i]);
        if (content.baseline && std::find(choices.begin(), choices.end(), content.baseline) == choices.end())
            add(label_on_its_branch(content, *content.baseline), content.baseline);
    }
    if (choices != choices_ || labels != labels_) {
        choices_ = choices;
        labels_ = labels;
        baseline_->clear();
        baseline_->addItems(labels);
    }
    int item = 0;
    if (!document_.empty() && document_.content().baseline) {
        const auto it = std::find(choices_.begin(), choices_.end(), document_.content().baseline);
        item = static_cast<int>(it - choices_.begin());
    }
    baseline_->setCurrentIndex(item);
}

void ListingPanel::choose_baseline(int item) {
    document_.set_baseline(choices_.at(static_cast<std::size_t>(item)));
}

std::optional<StateId> ListingPanel::compared_state() const {
    const Content& content = document_.content();
    if (content.baseline) return content.baseline;
    if (content.state().parent < 0) return std::nullopt;
    return content.state().parent;
}

// A hidden listing waits until it is shown.
void ListingPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
    links_->refresh();
}

void ListingPanel::refresh() {
    if (!isVisible()) return;
    list_states();
    if (document_.empty()) {
        background_.cancel();
        program_ = before_ = nullptr;
        take({});
        return;
    }
    const ContentPtr content = document_.snapshot();
    const std::optional<StateId> other = compared_state();
    const ProgramPtr before = other ? content->history.state(*other).program : nullptr;
    const bool safe = safe_->isChecked();
    const bool removed = removed_->isChecked();
    if (program_ == content->program() && before_ == before && shown_safe_ == safe &&
        shown_removed_ == removed)
        return;
    program_ = content->program();
    before_ = before;
    shown_safe_ = safe;
    shown_removed_ = removed;

    const Background::Job job = [this, content, other, safe,
                                 removed](const Stop& stop) -> Background::Finish {
        const auto stopped = [&stop] { return static_cast<bool>(stop); };
        StateLines lines = state_lines(*content->program(), safe);
        if (stopped()) return {};
        ListingComparison comparison;
        if (other) {
            const StateLines old = state_lines(*content->history.state(*other).program, safe);
            if (stopped()) return {};
            const Ancestry ancestry(content->history, *other, content->current);
            comparison = listing_rows(old.lines, lines.lines, ancestry, removed, stopped);
        } else {
            comparison = listing_rows(lines.lines);
        }
        if (stopped()) return {};
        // Shared, so that large ones are not copied on their way.
        const auto made = std::make_shared<Made>(Made{std::move(comparison), ProgramLinks(content->program()),
                                                      lines.exponentials, other.has_value()});
        return [this, made]() { take(std::move(*made)); };
    };
    if (node_count(*program_) < kQuickNodes)
        background_.run_now(job);
    else
        background_.start(tr("Writing the listing"), job);
}

// The lines of another state would be taken for this one's.
void ListingPanel::stop_waiting() {
    program_ = before_ = nullptr;
    take({});
    summary_->setText(tr("Writing the listing was cancelled. Any step asks for it again."));
}

void ListingPanel::take(Made made) {
    comparison_ = std::move(made.comparison);
    std::vector<LineLook> looks;
    std::vector<CodeLinks::Line> lines;
    std::vector<bool> struck;
    int first_change = -1;
    for (const ListingRow& row : comparison_.rows) {
        LineMark mark = LineMark::None;
        if (row.kind == ListingRow::Kind::Added) mark = LineMark::Added;
        if (row.kind == ListingRow::Kind::Removed) mark = LineMark::Removed;
        if (row.kind == ListingRow::Kind::Changed) mark = LineMark::Changed;
        if (first_change < 0 && mark != LineMark::None) first_change = static_cast<int>(looks.size());
        struck.push_back(row.kind == ListingRow::Kind::Removed);
        looks.push_back({row.number, mark, row.gap, 0});
        const bool gone = row.kind == ListingRow::Kind::Removed;
        lines.push_back({row.node, gone ? std::nullopt : row.value, gone});
    }
    links_->show(std::move(made.links), std::move(lines));
    const int scrolled = view_->verticalScrollBar()->value();
    highlighter_->set_struck(std::move(struck));
    filler_->fill(comparison_.rows.size(),
                  [this](std::size_t row) { return QString::fromStdString(comparison_.rows[row].text); });
    looks_ = std::move(looks);
    heat();
    view_->verticalScrollBar()->setValue(scrolled);
    links_->refresh();
    if (document_.selection().empty() && first_change >= 0) view_->show_lines(first_change, first_change);
    summarise(made.compared, made.exponentials);
}

void ListingPanel::summarise(bool compared, int exponentials) {
    int lines = 0;
    for (const ListingRow& row : comparison_.rows) lines += row.kind != ListingRow::Kind::Removed;
    QStringList parts{lines == 1 ? tr("1 line") : tr("%1 lines").arg(lines)};
    if (comparison_.added > 0) parts << tr("+%1 added").arg(comparison_.added);
    if (comparison_.removed > 0) parts << tr("\u2212%1 removed").arg(comparison_.removed);
    if (comparison_.changed > 0) parts << tr("~%1 changed").arg(comparison_.changed);
    if (compared && parts.size() == 1) parts << tr("nothing changed");
    summary_->setText(parts.join(QStringLiteral("  \u00b7  ")));
    note_->setVisible(shown_safe_);
    note_->setText(
        exponentials == 0
            ? tr("Numerically safe form: this state has no exponential that could overflow, so "
                 "nothing changes.")
            : tr("Numerically safe form: what an exponential reaches is kept as a significand and an "
                 "exponent, so that nothing overflows. The picture shows the state without it."));
}

// The heat map is of the state's own listing, not of its numerically safe form.
void ListingPanel::heat() {
    const Costs& costs = Costs::of(document_);
    const StateCostsPtr counted = program_ && !shown_safe_ ? costs.of(program_) : nullptr;
    const bool shown = counted && program_ == document_.content().program();
    const HeatSource source = shown ? heat_source(document_, document_.content().current) : HeatSource{};
    const Heat heat = counted ? heat_of(*counted, costs.heat(), source) : Heat{};
    const double hottest = hottest_line(heat);
    for (LineLook& look : looks_) {
        const auto line = static_cast<std::size_t>(look.number) - 1;  // removed lines have no number
        const bool heated = look.number > 0 && hottest > 0 && line < heat.lines.size();
        look.heat = heated ? heat.lines[line] / hottest : 0;
        look.heat_text = look.heat > 0 ? heat_text(heat.lines[line], heat.unit) : QString();
    }
    view_->set_looks(looks_);
}

// Rows are those of the comparison; the number in the margin is the line's own.
void ListingPanel::ask_for_number(int row) const {
    if (document_.empty() || shown_safe_ || row < 0 || row >= static_cast<int>(comparison_.rows.size()))
        return;
    const int number = comparison_.rows[static_cast<std::size_t>(row)].number;
    if (number < 1 || program_ != document_.content().program()) return;
    Costs& costs = Costs::of(document_);
    CostPlace place;
    place.line = number - 1;
    costs.ask_for_derivation(document_.content().current, heat_column(costs.heat()), place);
}

}  // namespace blockscope
