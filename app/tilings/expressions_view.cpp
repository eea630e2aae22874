#include "app/tilings/expressions_view.h"

#include <QCheckBox>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "app/panels/listing_panel.h"
#include "app/shell/code_view.h"
#include "app/shell/controls.h"
#include "app/tilings/table_look.h"
#include "app/tilings/tilings_words.h"
#include "app/words/words.h"
#include "core/json/json_io.h"
#include "core/program/array_program.h"
#include "core/tilings/schedule.h"

namespace blockscope {

namespace {

constexpr int kExpressionRole = Qt::UserRole;
constexpr int kBesideFrom = 900;  // pixels: from here on the tree stands beside the table

// Rows of a placed expression: loops hold loops and statements.
void add_rows(QStandardItem& to, const tilings::Placed& placed, int at, const tilings::Chain& chain) {
    for (const tilings::PlacedLoop::Item& item : placed.loops[static_cast<std::size_t>(at)].items) {
        if (item.statement >= 0) {
            const tilings::Statement& statement = placed.statements[static_cast<std::size_t>(item.statement)];
            const QString array = QString::fromStdString(statement.array);
            QString does;
            switch (statement.kind) {
                case tilings::StatementKind::Load:
                    does = ExpressionsView::tr("load a tile of %1").arg(array);
                    break;
                case tilings::StatementKind::Compute:
                    does = ExpressionsView::tr("compute a tile of %1").arg(array);
                    break;
                case tilings::StatementKind::Store:
                    does = ExpressionsView::tr("store a tile of %1").arg(array);
                    break;
            }
            to.appendRow(new QStandardItem(
                QStringLiteral("%1  %2").arg(QString::fromStdString(tilings::to_string(statement)), does)));
            continue;
        }
        const int loop = placed.loops[static_cast<std::size_t>(item.loop)].loop;
        auto* row = new QStandardItem(ExpressionsView::tr("for %1").arg(
            QString::fromStdString(chain.loops[static_cast<std::size_t>(loop)].name)));
        add_rows(*row, placed, item.loop, chain);
        to.appendRow(row);
    }
}

}  // namespace

ExpressionsView::ExpressionsView(Services& services, QWidget* parent) : QWidget(parent), services_(services) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 8, 0, 0);
    all_ = new QSplitter(Qt::Vertical, this);  // until there is room beside each other
    all_->setChildrenCollapsible(false);
    table_ = new QTreeWidget(all_);
    table_->setHeaderLabels({tr("Expression"), tr("Kind"), tr("Dropped by rule"), tr("State")});
    set_up_tilings_table(*table_, tr("Expressions"));
    table_->headerItem()->setToolTip(Kind, tr("Deep: one nest of all loops; flat: some stand beside others"));
    table_->headerItem()->setToolTip(
        State, tr("The step of the fusion algorithm's run whose loops are those of a thread block"));
    table_->setSortingEnabled(true);
    table_->header()->setSortIndicatorClearable(true);
    parts_ = new QSplitter(Qt::Vertical, all_);
    parts_->setChildrenCollapsible(false);
    parts_->addWidget(make_tree());
    parts_->addWidget(make_state());
    all_->addWidget(table_);
    all_->addWidget(parts_);
    all_->setStretchFactor(0, 1);
    all_->setStretchFactor(1, 1);
    column->addWidget(all_, 1);
    setFocusProxy(table_);
    connect(table_, &QTreeWidget::currentItemChanged, this, &ExpressionsView::show_expression);
    connect(table_, &QTreeWidget::itemActivated, this, &ExpressionsView::open);
    connect(open_, &QToolButton::clicked, this, &ExpressionsView::open);
}

QWidget* ExpressionsView::make_tree() {
    auto* part = new QWidget(parts_);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    ones_bar_ = new FlowBar(part);
    auto* row = new FlowLayout(ones_bar_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* label = new QLabel(tr("Loops of one iteration:"), ones_bar_);
    label->setToolTip(tr("The third stage leaves these loops out before it moves loads and stores"));
    row->addWidget(label);
    column->addWidget(ones_bar_);
    tree_ = new QTreeView(part);
    tree_->setModel(&model_);
    set_up_tilings_table(*tree_, tr("The expression in its three stages"));
    tree_->setRootIsDecorated(true);
    tree_->setHeaderHidden(true);
    column->addWidget(tree_, 1);
    return part;
}

QWidget* ExpressionsView::make_state() {
    auto* part = new QWidget(parts_);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto* bar = new QWidget(part);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    state_ = make_tilings_text(bar, tr("The state that has these loops"));
    row->addWidget(state_, 1);
    open_ = make_bar_button(bar, tr("Open as a program"),
                            tr("Opens the block program that has these loops in a window of its own; so does "
                               "Return in the table, or a double click"));
    row->addWidget(open_, 0, Qt::AlignTop);
    column->addWidget(bar);
    listing_ = new CodeView(services_.appearance, part);
    listing_->setReadOnly(true);
    listing_->setTabChangesFocus(true);
    listing_->setAccessibleName(tr("The listing of that state"));
    new ListingHighlighter(listing_->document(), services_.appearance);
    column->addWidget(listing_, 1);
    return part;
}

void ExpressionsView::show_space(const RankedSpacePtr& ranked) {
    if (ranked == ranked_) return;
    ranked_ = ranked;
    states_ = nullptr;
    fill_ones();
    fill_table();
}

void ExpressionsView::fill_ones() {
    for (QCheckBox* box : ones_) delete box;
    ones_.clear();
    if (!ranked_) return;
    const tilings::Chain& chain = ranked_->space.chain;
    for (const tilings::Loop& loop : chain.loops) {
        auto* box = new QCheckBox(QString::fromStdString(loop.name), ones_bar_);
        box->setAccessibleName(tr("Loop %1 has one iteration").arg(box->text()));
        box->setChecked(static_cast<int>(ones_.size()) == chain.products.front().depth);
        connect(box, &QCheckBox::toggled, this, &ExpressionsView::show_expression);
        ones_bar_->layout()->addWidget(box);
        ones_.push_back(box);
    }
}

void ExpressionsView::fill_table() {
    const int before = std::max(0, chosen());
    const QSignalBlocker quiet(table_);
    table_->clear();
    model_.clear();
    if (!ranked_) return;
    const tilings::Space& space = ranked_->space;
    table_->header()->setSortIndicator(-1, Qt::AscendingOrder);
    for (std::size_t i = 0; i < space.expressions.size(); ++i) {
        auto* item = new QTreeWidgetItem(table_);
        item->setData(Expression, kExpressionRole, static_cast<int>(i));
        item->setText(Expression, expression_title(space, static_cast<int>(i)));
        item->setText(Kind, space.expressions[i].expression.flat ? tr("flat") : tr("deep"));
        item->setText(Rule, rule_of_expression(space, static_cast<int>(i)));
    }
    fill_states();
    const int count = table_->topLevelItemCount();
    if (count > 0) table_->setCurrentItem(table_->topLevelItem(std::min(before, count - 1)));
    show_expression();
}

void ExpressionsView::show_states(const ExpressionStatesPtr& states) {
    if (states == states_) return;
    states_ = states;
    fill_states();
    show_state();
}

void ExpressionsView::fill_states() {
    for (int i = 0; i < table_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = table_->topLevelItem(i);
        const int expression = item->data(Expression, kExpressionRole).toInt();
        const tilings::MatchedState* state = state_of(expression);
        const tilings::BuiltProgram* built = built_of(expression);
        item->setText(State, state   ? matched_state_text(*state)
                             : built ? built_program_text(*built)
                                     : QString());
    }
}

const tilings::MatchedState* ExpressionsView::state_of(int expression) const {
    const auto at = static_cast<std::size_t>(expression);
    if (!states_ || expression < 0 || at >= states_->matched.size()) return nullptr;
    return states_->matched[at] ? &*states_->matched[at] : nullptr;
}

const tilings::BuiltProgram* ExpressionsView::built_of(int expression) const {
    const auto at = static_cast<std::size_t>(expression);
    if (!states_ || expression < 0 || at >= states_->built.size()) return nullptr;
    return states_->built[at] ? &*states_->built[at] : nullptr;
}

int ExpressionsView::chosen() const {
    return table_->currentItem() ? table_->currentItem()->data(Expression, kExpressionRole).toInt() : -1;
}

void ExpressionsView::choose(int expression) {
    for (int i = 0; i < table_->topLevelItemCount(); ++i)
        if (table_->topLevelItem(i)->data(Expression, kExpressionRole).toInt() == expression)
            table_->setCurrentItem(table_->topLevelItem(i));
}

void ExpressionsView::show_expression() {
    model_.clear();
    if (!ranked_ || chosen() < 0) return;
    const tilings::Space& space = ranked_->space;
    const tilings::LoopForest& roots = space.expressions[static_cast<std::size_t>(chosen())].expression.roots;
    std::vector<int> ones;
    for (std::size_t loop = 0; loop < ones_.size(); ++loop)
        if (ones_[loop]->isChecked()) ones.push_back(static_cast<int>(loop));
    for (const tilings::Stage stage :
         {tilings::Stage::Default, tilings::Stage::Hoisted, tilings::Stage::Reduced}) {
        const tilings::Placed placed = tilings::place(space.chain, roots, stage, ones);
        auto* item = new QStandardItem(QStringLiteral("%1:  %2").arg(
            stage_title(stage), QString::fromStdString(tilings::to_string(placed, space.chain))));
        add_rows(*item, placed, 0, space.chain);
        model_.appendRow(item);
    }
    tree_->expandAll();
    show_state();
}

void ExpressionsView::show_state() {
    const int expression = ranked_ ? chosen() : -1;
    const tilings::MatchedState* state = state_of(expression);
    const tilings::BuiltProgram* built = built_of(expression);
    open_->setEnabled(state || (built && !as_document(expression).isEmpty()));
    const std::string listing = state ? state->listing : built ? built->listing : std::string();
    listing_->setPlainText(QString::fromStdString(listing).trimmed());
    state_->setText(expression < 0 ? QString() : said_of(expression));
}

QString ExpressionsView::said_of(int expression) const {
    const QString name = expression_title(ranked_->space, expression);
    const auto proof = [](bool proven) {
        return proven ? tr("; it is proven equal to the program in exact arithmetic.")
                      : tr("; it is not equal to the program in exact arithmetic.");
    };
    if (!states_)
        return tr("Looking for the state of the fusion algorithm that has the loops of %1.").arg(name);
    if (const tilings::MatchedState* state = state_of(expression))
        return (state->same_order
                    ? tr("%1 is the state of step %2 of the fusion algorithm's run")
                    : tr("%1 is the state of step %2 of the fusion algorithm's run, with the loops of "
                         "the grid in another order"))
                   .arg(name)
                   .arg(state->step) +
               proof(state->proven);
    const tilings::BuiltProgram* built = built_of(expression);
    if (!built)
        return tr("No state of the fusion algorithm's run has the loops of %1; a program that has them is "
                  "being built.")
            .arg(name);
    if (!built->why_not.empty())
        return tr("No state of the fusion algorithm's run has the loops of %1, and no program is built: %2. "
                  "It "
                  "runs on this processor all the same.")
            .arg(name, translated(built->why_not));
    QString said =
        tr("No state of the fusion algorithm's run has the loops of %1. This program is built of it")
            .arg(name) +
        proof(built->proven);
    if (!built->missing.empty()) said += QLatin1Char(' ') + as_sentence(built->missing);
    if (as_document(expression).isEmpty())
        said += QLatin1Char(' ') +
                tr("It cannot be opened, as no file holds a list whose columns lie before its rows.");
    return said;
}

QString ExpressionsView::listing() const {
    return listing_->toPlainText();
}

QString ExpressionsView::state_text() const {
    return state_->text();
}

// Of an expression that is dropped those of the one that stands for it.
std::vector<std::int64_t> ExpressionsView::best_tiles(int expression) const {
    const tilings::Space& space = ranked_->space;
    const tilings::JudgedExpression& judged = space.expressions[static_cast<std::size_t>(expression)];
    const int shown = judged.same_as >= 0 ? judged.same_as : expression;
    for (const int candidate : ranked_->order)
        if (space.candidates[static_cast<std::size_t>(candidate)].expression == shown)
            return space.candidates[static_cast<std::size_t>(candidate)].tiles;
    return tilings::few_tiles(space.chain);
}

QString ExpressionsView::as_document(int expression) const {
    if (const tilings::MatchedState* state = state_of(expression)) return state_document(*state, expression);
    const tilings::BuiltProgram* built = built_of(expression);
    if (!built || !built->why_not.empty()) return {};
    const tilings::Space& space = ranked_->space;
    const Result<tilings::Schedule> made = tilings::schedule_of(
        space.chain, space.expressions[static_cast<std::size_t>(expression)], best_tiles(expression));
    if (!made) return {};
    // Files hold no list whose columns lie before its rows: such a program is shown as a listing alone.
    const std::string text = write_json(*made->program);
    return read_any(text, "tiling") ? QString::fromStdString(text) : QString();
}

QString ExpressionsView::state_document(const tilings::MatchedState& state, int expression) const {
    const tilings::Space& space = ranked_->space;
    const std::vector<std::int64_t> tiles = best_tiles(expression);
    ArrayProgram program = ranked_->program;
    std::set<DimId> taken;  // of two loops along one dimension the first has its block
    for (std::size_t loop = 0; loop < space.chain.loops.size(); ++loop) {
        const DimId id = space.chain.loops[loop].dim;
        Dim& dim = program.dims[id.value];
        if (dim.kind == DimKind::Blocked && taken.insert(id).second)
            dim.block = std::clamp<std::int64_t>(tiles[loop], 1, dim.size);
    }
    Result<Content> content =
        content_of_source(print_program(program), expression_title(space, expression).toStdString());
    if (!content) return {};
    Content run = run_algorithm(std::move(content).value(), 0);
    const std::vector<StateId> way = run.history.path(run.history.branch(run.branch).tip);
    const auto step = static_cast<std::size_t>(state.step);
    if (step < way.size()) run.current = way[step];
    return QString::fromStdString(write_document(run));
}

void ExpressionsView::open() {
    const QString text = ranked_ ? as_document(chosen()) : QString();
    if (text.isEmpty() || !services_.open_program) return;
    services_.open_program(expression_title(ranked_->space, chosen()), text, {});
}

void ExpressionsView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    all_->setOrientation(width() >= kBesideFrom ? Qt::Horizontal : Qt::Vertical);
}

}  // namespace blockscope
