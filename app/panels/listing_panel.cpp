#include "app/panels/listing_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QScrollBar>
#include <QSet>
#include <QToolButton>
#include <QVBoxLayout>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "app/costs/costs.h"
#include "app/costs/step_cost.h"
#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/shell/progress.h"
#include "app/shell/telling.h"
#include "app/words/words.h"
#include "core/graph/node.h"
#include "core/print/print.h"
#include "core/story/recognised.h"

namespace blockscope {

namespace {

bool is_word(QChar c) {
    return (c.isLetterOrNumber() && c.unicode() < 128) || c == QLatin1Char('_');
}

QSet<QString> operator_names() {
    QSet<QString> names;
    for (const FunctionalOperator& row : kFunctionalOperators)
        names.insert(QString::fromStdString(std::string(row.name)));
    return names;
}

// `word` stands before `next`, the first character behind it; `in_access` inside load(...) or store(...).
ListingWord kind_of(const QString& word, QChar next, bool in_access) {
    static const QSet<QString> loops{"forall", "for", "in", "range"};
    static const QSet<QString> operators = operator_names();
    if (word[0].isDigit()) return ListingWord::Number;
    if (loops.contains(word)) return ListingWord::Loop;
    if (word == QLatin1String("load") || word == QLatin1String("store")) return ListingWord::Memory;
    if (word == QLatin1String("inf")) return ListingWord::Number;
    if (next == QLatin1Char('[')) return ListingWord::Array;
    if (next == QLatin1Char('('))
        return operators.contains(word) ? ListingWord::Operator : ListingWord::Function;
    const bool temporary = word[0] == QLatin1Char('t') && word.size() > 1 &&
                           std::all_of(word.begin() + 1, word.end(), [](QChar c) { return c.isDigit(); });
    if (temporary) return ListingWord::Plain;
    if (in_access) return ListingWord::Array;
    // What is left are loop variables, numbers of blocks, and sizes: "DD".
    const bool doubled = word.size() % 2 == 0 && word.left(word.size() / 2) == word.mid(word.size() / 2);
    return doubled ? ListingWord::Number : ListingWord::Plain;
}

}  // namespace

std::vector<ListingToken> listing_tokens(const QString& line) {
    std::vector<ListingToken> tokens;
    bool access = false;
    int brackets = 0;
    for (int i = 0; i < line.size();) {
        if (line[i] == QLatin1Char('[')) ++brackets;
        if (line[i] == QLatin1Char(']')) --brackets;
        if (!is_word(line[i])) {
            ++i;
            continue;
        }
        int end = i;
        const auto in_number = [&] {
            if (!line[i].isDigit()) return false;
            if (line[end] == QLatin1Char('.')) return true;
            return (line[end] == QLatin1Char('-') || line[end] == QLatin1Char('+')) &&
                   line[end - 1] == QLatin1Char('e');
        };
        while (end < line.size() && (is_word(line[end]) || in_number())) ++end;
        const QString word = line.mid(i, end - i);
        const QChar next = end < line.size() ? line[end] : QChar();
        const ListingWord kind = brackets > 0 ? ListingWord::Plain : kind_of(word, next, access);
        if (kind == ListingWord::Memory) access = true;
        if (kind != ListingWord::Plain) tokens.push_back({i, end - i, kind});
        i = end;
    }
    return tokens;
}

ListingHighlighter::ListingHighlighter(QTextDocument* document, Appearance& appearance)
    : LazyHighlighter(document), appearance_(appearance) {}

bool ListingHighlighter::set_struck(std::vector<bool> lines) {
    std::swap(struck_, lines);
    return std::count(lines.begin(), lines.end(), true) + std::count(struck_.begin(), struck_.end(), true) >
           0;
}

void ListingHighlighter::colour(const QString& text) {
    const Theme& theme = appearance_.theme();
    const auto line = static_cast<std::size_t>(currentBlock().blockNumber());
    if (line < struck_.size() && struck_[line]) {
        QTextCharFormat gone;
        gone.setFontStrikeOut(true);
        gone.setForeground(appearance_.colors().muted);
        int start = 0;
        while (start < text.size() && text[start] == QLatin1Char(' ')) ++start;
        setFormat(start, static_cast<int>(text.size()) - start, gone);
        return;
    }
    for (const ListingToken& token : listing_tokens(text)) {
        QTextCharFormat format;
        switch (token.word) {
            case ListingWord::Plain:
                break;
            case ListingWord::Loop:
                format.setForeground(theme.frame_rim);
                format.setFontWeight(QFont::Bold);
                break;
            case ListingWord::Memory:
                format.setForeground(theme.buffered);
                break;
            case ListingWord::Array:
                format.setForeground(theme.array_rim);
                format.setFontWeight(QFont::Bold);
                break;
            case ListingWord::Operator:
                format.setForeground(theme.box_rim);
                break;
            case ListingWord::Function:
                format.setForeground(theme.formula_rim);
                break;
            case ListingWord::Number:
                format.setForeground(theme.search);
                break;
        }
        setFormat(token.start, token.length, format);
    }
}

namespace {

constexpr int kQuickListing = 1000;     // listings of fewer nodes take a few milliseconds
constexpr int kListingOverlayTop = 12;  // of what says that the listing is late

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
    column->addWidget(make_foot());
    note_->setWordWrap(true);
    note_->setContentsMargins(10, 4, 10, 6);
    note_->hide();
    summary_->setWordWrap(true);
    view_->setAccessibleName(tr("Listing"));
    setFocusProxy(view_);
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
    connect(&Telling::of(document_), &Telling::told_now, this, &ListingPanel::heat);
    connect(filler_, &LineFiller::filled, links_, &CodeLinks::refresh);
    connect(&background_, &Background::failed, summary_, &QLabel::setText);
    const auto* late = new ProgressOverlay(background_, kListingOverlayTop, view_);
    connect(late, &ProgressOverlay::cancelled, this, &ListingPanel::stop_waiting);
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
    paper_ =
        make_bar_button(bar, tr("Paper"), tr("Paper"),
                        tr("Shows the paper's loops, one for each map, instead of those that are built"));
    for (QToolButton* button : {removed_, safe_, paper_}) button->setCheckable(true);
    connect(removed_, &QToolButton::toggled, this, &ListingPanel::refresh);
    connect(safe_, &QToolButton::toggled, this, [this](bool on) {
        document_.show_safe(on);
        removed_->setEnabled(!on);  // lines of the state itself
        refresh();
    });
    connect(&document_, &Document::safe_changed, safe_,
            [this] { safe_->setChecked(document_.shows_safe()); });
    connect(safe_, &QToolButton::toggled, this, &ListingPanel::safe_shown);
    paper_->setChecked(services_.settings.paper_loops());
    connect(paper_, &QToolButton::toggled, this, [this](bool on) {
        services_.settings.set_paper_loops(on);
        refresh();
    });
    connect(&services_.settings, &Settings::changed, paper_,
            [this] { paper_->setChecked(services_.settings.paper_loops()); });
    row->addWidget(baseline_);
    row->addWidget(removed_);
    row->addWidget(safe_);
    row->addWidget(paper_);
    return bar;
}

// Below the lines: what there is of them, and what to do with all of them.
QWidget* ListingPanel::make_foot() {
    auto* foot = new QWidget(this);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(10, 2, 8, 2);
    row->setSpacing(4);
    row->addWidget(summary_, 1);
    auto* copy = make_bar_button(foot, tr("Copy"), tr("Copy the listing"),
                                 tr("Copies the whole listing; Ctrl+C copies the selected part"));
    connect(copy, &QToolButton::clicked, this, &ListingPanel::copy_all);
    row->addWidget(copy);
    return foot;
}

void ListingPanel::show_safe(bool on) {
    safe_->setChecked(on);
}

bool ListingPanel::shows_safe() const {
    return safe_->isChecked();
}

void ListingPanel::show_paper(bool on) {
    paper_->setChecked(on);
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
    Form form = safe_form(safe_->isChecked());
    if (paper_->isChecked()) form = form.as_in_paper();
    const bool removed = removed_->isChecked();
    if (program_ == content->program() && before_ == before && shown_form_ == form &&
        shown_removed_ == removed)
        return;
    program_ = content->program();
    before_ = before;
    shown_form_ = form;
    shown_removed_ = removed;

    const Background::Job job = [this, content, other, form,
                                 removed](const Stop& stop) -> Background::Finish {
        const auto stopped = [&stop] { return static_cast<bool>(stop); };
        const State shown(content->program(), form);
        const Form own = {{}, form.stored, form.loops};
        const StateLines lines = state_lines(shown);
        const StateLines own_lines = form == own ? lines : state_lines(shown.in_form(own));
        if (stopped()) return {};
        ListingComparison comparison;
        if (other) {
            const StateLines old = state_lines(State(content->history.state(*other).program, own));
            if (stopped()) return {};
            const Ancestry ancestry(content->history, *other, content->current);
            comparison = listing_rows(old.lines, own_lines.lines, ancestry, removed && form == own, stopped);
            if (form != own) comparison = marked_as(comparison, lines.lines);
        } else {
            comparison = listing_rows(lines.lines);
        }
        if (stopped()) return {};
        const Text online = form.safe ? online_softmax_text(shown) : Text();
        // Shared, so that large ones are not copied on their way.
        const auto made = std::make_shared<Made>(Made{.comparison = std::move(comparison),
                                                      .links = ProgramLinks(content->program()),
                                                      .exponentials = lines.exponentials,
                                                      .online = online,
                                                      .compared = other.has_value()});
        return [this, made]() { take(std::move(*made)); };
    };
    if (node_count(*program_) < kQuickListing)
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
        looks.push_back({.number = row.number, .mark = mark, .gap = row.gap});
        const bool gone = row.kind == ListingRow::Kind::Removed;
        lines.push_back({row.node, gone ? std::nullopt : row.value, gone});
    }
    links_->show(std::move(made.links), std::move(lines));
    const int scrolled = view_->verticalScrollBar()->value();
    const bool recolour = highlighter_->set_struck(std::move(struck));
    filler_->change(comparison_.rows.size(),
                    [this](std::size_t row) { return QString::fromStdString(comparison_.rows[row].text); });
    if (recolour) highlighter_->recolour();
    looks_ = std::move(looks);
    heat();
    view_->verticalScrollBar()->setValue(scrolled);
    links_->refresh();
    if (document_.selection().empty() && first_change >= 0) view_->show_lines(first_change, first_change);
    summarise(made);
}

void ListingPanel::summarise(const Made& made) {
    int lines = 0;
    for (const ListingRow& row : comparison_.rows) lines += row.kind != ListingRow::Kind::Removed;
    QStringList changes;
    if (comparison_.added > 0) changes << tr("+%1 added").arg(comparison_.added);
    if (comparison_.removed > 0) changes << tr("\u2212%1 removed").arg(comparison_.removed);
    if (comparison_.changed > 0) changes << tr("~%1 changed").arg(comparison_.changed);
    if (made.compared && changes.isEmpty()) changes << tr("nothing changed");
    // States are compared as they are; the safe form only shows the marks.
    const bool plain = !changes.isEmpty() && shown_form_.safe && made.exponentials > 0;
    if (plain) changes = {tr("plain form: %1").arg(changes.join(QStringLiteral(", ")))};
    changes.prepend(lines == 1 ? tr("1 line") : tr("%1 lines").arg(lines));
    summary_->setText(changes.join(QStringLiteral("  \u00b7  ")));
    note_->setVisible(shown_form_.safe.has_value());
    if (!made.online.empty())
        note_->setText(tr("Numerically safe form. %1").arg(translated(made.online)));
    else
        note_->setText(
            made.exponentials == 0
                ? tr("Numerically safe form: this state has no exponential that could overflow, so "
                     "nothing changes.")
                : tr("Numerically safe form: what an exponential reaches is kept as a significand and an "
                     "exponent, so that nothing overflows."));
}

// Counts are of the listing that is shown, but not of the paper's loops.
bool ListingPanel::is_counted(const StateCostsPtr& counted) const {
    if (!counted || shown_form_.loops != LoopForm::Built) return false;
    const bool same = !counted->safe && counted->plain.expired();  // in both forms
    return same || counted->state.form().safe == shown_form_.safe;
}

void ListingPanel::heat() {
    const Costs& costs = Costs::of(document_);
    StateCostsPtr counted = program_ ? costs.of(program_) : nullptr;
    if (!is_counted(counted)) counted = nullptr;
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
    for (std::size_t row = 0; row < looks_.size() && row < comparison_.rows.size(); ++row)
        looks_[row].note = array_of(comparison_.rows[row]);
    view_->set_looks(looks_);
}

// "# S" of a line that makes or moves that array, unless it says so itself.
QString ListingPanel::array_of(const ListingRow& row) const {
    const StateTold* told = Telling::of(document_).current();
    if (!told || !told->names || row.kind == ListingRow::Kind::Removed) return {};
    const ProgramNames& names = *told->names;
    const Node* node = names.find(row.node);
    if (&names.program() != program_.get() || !node || node->is<Map>()) return {};
    const std::string name = names.value(row.value ? *row.value : ValueRef{row.node});
    if (name.empty() || row.text.find("range(") != std::string::npos ||
        row.text.find(name + "[") != std::string::npos || row.text.find(name + "T[") != std::string::npos)
        return {};
    return QStringLiteral("# ") + QString::fromStdString(name);
}

// Rows are those of the comparison; the number in the margin is the line's own.
void ListingPanel::ask_for_number(int row) const {
    if (document_.empty() || row < 0 || row >= static_cast<int>(comparison_.rows.size()) ||
        !is_counted(Costs::of(document_).of(program_)))
        return;
    const int number = comparison_.rows[static_cast<std::size_t>(row)].number;
    if (number < 1 || program_ != document_.content().program()) return;
    Costs& costs = Costs::of(document_);
    CostPlace place;
    place.line = number - 1;
    costs.ask_for_derivation(document_.content().current, heat_column(costs.heat()), place);
}

}  // namespace blockscope
