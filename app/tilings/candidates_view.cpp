#include "app/tilings/candidates_view.h"

#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/charts/chart.h"
#include "app/costs/cost_table.h"
#include "app/tilings/table_look.h"
#include "app/tilings/tilings_words.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

std::size_t place(int index) {
    return static_cast<std::size_t>(index);
}

}  // namespace

// ---- The table.

void CandidateTable::show_space(const RankedSpacePtr& ranked) {
    beginResetModel();
    ranked_ = ranked;
    times_.clear();
    known_.clear();
    filter_ = {};
    if (ranked_) {
        const std::size_t loops = ranked_->space.chain.loops.size();
        filter_.tiles.resize(loops);
        const std::size_t count = ranked_->space.candidates.size();
        times_.resize(count);
        known_.resize(count);
    }
    arrange();
    endResetModel();
}

void CandidateTable::show_times(std::vector<std::optional<double>> times, std::vector<char> known) {
    times_ = std::move(times);
    known_ = std::move(known);
    if (sorted_by_ == Measured) return sort(Measured, order_);
    if (!rows_.empty()) Q_EMIT dataChanged(index(0, Measured), index(rowCount() - 1, Measured));
}

void CandidateTable::show_only(const tilings::CandidateFilter& filter) {
    beginResetModel();
    filter_ = filter;
    arrange();
    endResetModel();
}

void CandidateTable::arrange() {
    rows_.clear();
    if (!ranked_) return;
    std::vector<char> takes;
    for (std::size_t i = 0; i < ranked_->space.expressions.size(); ++i)
        takes.push_back(filter_.takes_expression(ranked_->space, static_cast<int>(i)) ? 1 : 0);
    tilings::CandidateFilter tiles = filter_;
    tiles.words.clear();
    for (const int candidate : ranked_->order) {
        const tilings::Candidate& one = ranked_->space.candidates[place(candidate)];
        if (takes[place(one.expression)] && tiles.takes(ranked_->space, one)) rows_.push_back(candidate);
    }
    if (sorted_by_ == Rank && order_ == Qt::AscendingOrder) return;
    const bool falling = order_ == Qt::DescendingOrder;
    const auto less = [&](int a, int b) {
        if (sorted_by_ == Expression || sorted_by_ == Tiles) {
            const tilings::Candidate &x = ranked_->space.candidates[place(a)],
                                     &y = ranked_->space.candidates[place(b)];
            const bool by_expression = sorted_by_ == Expression;
            return by_expression ? (falling ? y.expression < x.expression : x.expression < y.expression)
                                 : (falling ? y.tiles < x.tiles : x.tiles < y.tiles);
        }
        const double x = number(a, sorted_by_), y = number(b, sorted_by_);
        // What was not measured is last, however it is sorted.
        if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
        return falling ? y < x : x < y;
    };
    std::stable_sort(rows_.begin(), rows_.end(), less);
}

void CandidateTable::sort(int column, Qt::SortOrder order) {
    sorted_by_ = column < 0 ? static_cast<int>(Rank) : column;
    order_ = column < 0 ? Qt::AscendingOrder : order;
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<int> candidates;
    for (const QModelIndex& index : before) candidates.push_back(candidate(index.row()));
    arrange();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after << index(row_of(candidates[static_cast<std::size_t>(i)]), before[i].column());
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
}

int CandidateTable::row_of(int candidate) const {
    const auto found = std::find(rows_.begin(), rows_.end(), candidate);
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int CandidateTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CandidateTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : Columns;
}

double CandidateTable::number(int candidate, int column) const {
    switch (column) {
        case Rank:
            return ranked_->place[place(candidate)];
        case Estimate:
            return ranked_->estimates()[place(candidate)];
        case Measured:
            return times_[place(candidate)].value_or(std::numeric_limits<double>::quiet_NaN());
        case Shared:
            return static_cast<double>(ranked_->space.candidates[place(candidate)].shared);
        default: {
            const tilings::Estimate made = tilings::estimate(
                ranked_->space, ranked_->space.candidates[place(candidate)], ranked_->counts);
            return column == Bytes ? made.bytes : column == Flops ? made.flops : made.alpha;
        }
    }
}

QString CandidateTable::text(int candidate, int column) const {
    const tilings::Candidate& one = ranked_->space.candidates[place(candidate)];
    switch (column) {
        case Rank:
            return whole_text(ranked_->place[place(candidate)] + 1);
        case Expression:
            return expression_title(ranked_->space, one.expression);
        case Tiles:
            return tiles_text(ranked_->space, one.tiles);
        case Bytes:
        case Shared:
            return tilings_bytes_text(number(candidate, column));
        case Flops:
            return with_unit(number(candidate, column), QStringLiteral("FLOP"));
        case Alpha:
            return QLocale().toString(number(candidate, column), 'f', 2);
        case Estimate:
            return time_text(number(candidate, column));
        case Measured:
            if (!known_[place(candidate)]) return {};
            return times_[place(candidate)] ? time_text(*times_[place(candidate)]) : tr("cannot run");
        default:
            return {};
    }
}

QVariant CandidateTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    if (role == Qt::DisplayRole) return text(candidate(index.row()), index.column());
    const bool is_text = index.column() == Expression || index.column() == Tiles;
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((is_text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

QVariant CandidateTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const QString titles[] = {tr("Rank"),   tr("Expression"), tr("Tiles"),
                              tr("Bytes"),  tr("FLOPs"),      QStringLiteral("\u03b1"),
                              tr("Shared"), tr("Estimate"),   tr("Measured")};
    if (role == Qt::DisplayRole) return titles[section];
    if (role != Qt::ToolTipRole) return {};
    switch (section) {
        case Rank:
            return tr("By the estimate");
        case Bytes:
            return tr("Moved between global and local memory, equation 3");
        case Flops:
            return tr("Operations, equation 4: those that are done again count again");
        case Alpha:
            return tr("How much longer it takes as there are few thread blocks, equation 5");
        case Shared:
            return tr("Local memory by equation 1");
        case Estimate:
            return tr("(memory + compute) \u00b7 \u03b1, equation 2");
        case Measured:
            return tr("The best of some runs on the processor");
        default:
            return {};
    }
}

// ---- With its filter and what stands below.

CandidatesView::CandidatesView(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 8, 0, 0);
    column->setSpacing(6);
    filter_ = new QLineEdit(this);
    filter_->setClearButtonEnabled(true);
    filter_->setPlaceholderText(tr("Only candidates such as: mhnk m=32"));
    filter_->setAccessibleName(tr("Which candidates are shown"));
    column->addWidget(filter_);
    count_ = make_tilings_text(this, tr("How many candidates are shown"));
    column->addWidget(count_);
    table_ = new QTreeView(this);
    table_->setModel(&model_);
    set_up_tilings_table(*table_, tr("Candidates that survive all rules"));
    // Times stand beside what they are of, not out of sight.
    table_->header()->moveSection(CandidateTable::Estimate, CandidateTable::Bytes);
    table_->header()->moveSection(CandidateTable::Measured, CandidateTable::Bytes + 1);
    table_->setSortingEnabled(true);
    table_->header()->setSortIndicator(CandidateTable::Rank, Qt::AscendingOrder);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setMinimumHeight(8 * fontMetrics().height());
    column->addWidget(table_, 1);
    details_ = make_tilings_text(this, tr("The estimate of the chosen candidate"));
    column->addWidget(details_);
    setFocusProxy(table_);
    connect(filter_, &QLineEdit::textChanged, this, &CandidatesView::filter_rows);
    connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &CandidatesView::show_details);
}

void CandidatesView::show_space(const RankedSpacePtr& ranked) {
    if (ranked == ranked_) return;
    ranked_ = ranked;
    model_.show_space(ranked);
    filter_rows();
}

void CandidatesView::show_times(const TilingsStudy& study) {
    if (!ranked_ || study.found() != ranked_) return;
    std::vector<char> known(ranked_->space.candidates.size(), 0);
    if (const TilingsRun* run = study.run())
        for (const auto& [text, seconds] : run->measured)
            if (const auto candidate = ranked_->find(text)) known[place(*candidate)] = 1;
    model_.show_times(study.times(), std::move(known));
}

void CandidatesView::filter_rows() {
    if (!ranked_) return;
    const Result<tilings::CandidateFilter> filter =
        tilings::parse_filter(ranked_->space, filter_->text().toStdString());
    if (!filter) return count_->setText(as_sentence(filter.problems().front().message));
    model_.show_only(*filter);
    const QString all = whole_text(static_cast<std::int64_t>(ranked_->space.candidates.size()));
    count_->setText(
        model_.rowCount() == static_cast<int>(ranked_->space.candidates.size())
            ? tr("%1 candidates survive all rules.").arg(all)
            : tr("%1 of %2 candidates that survive all rules.").arg(whole_text(model_.rowCount()), all));
    if (model_.rowCount() > 0) table_->setCurrentIndex(model_.index(0, 0));
    show_details();
}

void CandidatesView::show_details() {
    const QModelIndex now = table_->currentIndex();
    const bool shown = ranked_ && now.isValid() && now.row() < model_.rowCount();
    details_->setText(shown ? candidate_details(*ranked_, model_.candidate(now.row())) : QString());
}

void CandidatesView::choose(int candidate) {
    const int row = model_.row_of(candidate);
    if (row >= 0) table_->setCurrentIndex(model_.index(row, 0));
}

std::vector<int> CandidatesView::chosen() const {
    std::vector<int> candidates;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows())
        candidates.push_back(model_.candidate(index.row()));
    return candidates;
}

QString CandidatesView::details() const {
    return details_->text();
}

}  // namespace blockscope
