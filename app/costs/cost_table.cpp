#include "app/costs/cost_table.h"

#include <QFont>
#include <QLocale>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/charts/chart.h"
#include "app/costs/baselines.h"
#include "app/shell/step_look.h"
#include "app/words/words.h"
#include "core/cost/counts.h"
#include "core/cost/lifetime.h"

namespace blockscope {

namespace {

constexpr int kBar = 3;  // pixels

double largest_of(const QModelIndex& index) {
    double largest = 0;
    for (int row = 0; row < index.model()->rowCount(); ++row) {
        const QModelIndex other = index.siblingAtRow(row);
        if (!other.data(CostTable::StaleRole).toBool())  // of other sizes
            largest = std::max(largest, other.data(CostTable::NumberRole).toDouble());
    }
    return largest;
}

bool has_bar(int column) {
    return column != CostTable::State && column != CostTable::Launches && column != CostTable::Tasks;
}

}  // namespace

QSize CostDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(10, kBar + 2);
}

void CostDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
    QStyleOptionViewItem shown = option;
    const Colors& colors = colors_of(*option.widget);
    const Theme theme = theme_of(*option.widget);
    const bool over = index.data(CostTable::OverRole).toBool();
    QStyledItemDelegate::initStyleOption(&shown, index);
    const bool stale = index.data(CostTable::StaleRole).toBool();
    if (stale) shown.palette.setColor(QPalette::Text, colors.muted);
    if (over) shown.text = QStringLiteral("\u26a0\u00a0") + shown.text;
    option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &shown, painter, option.widget);
    const double number = index.data(CostTable::NumberRole).toDouble();
    const double largest = has_bar(index.column()) && !stale ? largest_of(index) : 0;
    if (largest <= 0 || number <= 0) return;
    const QRectF room = QRectF(option.rect).adjusted(8, 0, -6, 0);
    const double width = std::max(1.0, room.width() * number / largest);
    QColor color = over                                         ? colors.bad
                   : index.column() == CostTable::Intermediates ? theme.buffered
                                                                : colors.accent;
    color.setAlphaF(0.65F);
    painter->fillRect(QRectF(room.right() - width, option.rect.bottom() - kBar, width, kBar - 1), color);
}

namespace {

struct ColumnInfo {
    const char* title;
    const char* help;
    const char* unit;  // of the number: "B", "FLOP", "s", "" for plain numbers
    const char* name;  // in CSV
};

const ColumnInfo& info(int column) {
    static const ColumnInfo columns[CostTable::Columns] = {
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "State"),
         QT_TRANSLATE_NOOP("blockscope::CostTable",
                           "The initial program, snapshots, and states that are looked at or compared"),
         "", "state"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Predicted"),
         QT_TRANSLATE_NOOP("blockscope::CostTable",
                           "Time that the chosen model predicts on the window's device, of the "
                           "numerically safe form unless that is switched off"),
         "s", "predicted_seconds"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Measured"),
         QT_TRANSLATE_NOOP("blockscope::CostTable",
                           "Median time on the device that is measured on, outputs checked first"),
         "s", "measured_seconds"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Ratio"),
         QT_TRANSLATE_NOOP(
             "blockscope::CostTable",
             "Time as a multiple of the baseline's: of measured times if both are, else of predicted ones"),
         "", "ratio"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Of peak"),
         QT_TRANSLATE_NOOP(
             "blockscope::CostTable",
             "Matrix operations per second as a part of the device's peak: of the measured time, else of the "
             "predicted one"),
         "", "of_peak"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "From memory"),
         QT_TRANSLATE_NOOP("blockscope::CostTable",
                           "Bytes moved that no cache of the device serves, as the time model follows them; "
                           "caches hold what the run before left there"),
         "B", "memory_bytes"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Moved"),
         QT_TRANSLATE_NOOP("blockscope::CostTable",
                           "All bytes between global and local memory, as the listing moves them"),
         "B", "bytes"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Compulsory"),
         QT_TRANSLATE_NOOP("blockscope::CostTable",
                           "What has to move whatever the schedule is: every input and output once"),
         "B", "compulsory_bytes"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Between"),
         QT_TRANSLATE_NOOP("blockscope::CostTable",
                           "Bytes stored to and loaded from buffers in between: what fusion removes"),
         "B", "intermediate_bytes"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Inputs"),
         QT_TRANSLATE_NOOP("blockscope::CostTable", "Bytes loaded from program inputs"), "B", "input_bytes"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Outputs"),
         QT_TRANSLATE_NOOP("blockscope::CostTable", "Bytes stored to program outputs, and loaded from them"),
         "B", "output_bytes"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Operations"),
         QT_TRANSLATE_NOOP("blockscope::CostTable", "Matrix, vector and special operations"), "FLOP",
         "operations"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Replicated"),
         QT_TRANSLATE_NOOP("blockscope::CostTable", "All operations as a multiple of the unfused program's"),
         "", "replication"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Intensity"),
         QT_TRANSLATE_NOOP("blockscope::CostTable",
                           "Operations per byte moved; the roofline has those per byte from memory"),
         "FLOP/B", "intensity"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Local"),
         QT_TRANSLATE_NOOP("blockscope::CostTable",
                           "The most that is alive at once in one processor's local memory"),
         "B", "local_bytes"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Launches"),
         QT_TRANSLATE_NOOP("blockscope::CostTable", "Operators at the top level: one kernel each"), "",
         "launches"},
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Tasks"),
         QT_TRANSLATE_NOOP("blockscope::CostTable", "The fewest parallel tasks of any launch"), "", "tasks"},
    };
    return columns[column];
}

std::optional<double> counted(const StateCosts& costs, int column) {
    const Counts& c = costs.state.counts();
    const auto as = [](std::int64_t number) { return static_cast<double>(number); };
    switch (column) {
        case CostTable::Inputs:
            return as(c.inputs.bytes);
        case CostTable::Outputs:
            return as(c.outputs.bytes);
        case CostTable::Intermediates:
            return as(c.intermediates.bytes);
        case CostTable::Moved:
            return as(c.bytes());
        case CostTable::Compulsory:
            return as(c.compulsory);
        case CostTable::Operations:
            return as(c.flops.total());
        case CostTable::Intensity:
            return c.intensity();
        case CostTable::Local:
            return as(c.local.bytes);
        case CostTable::Launches:
            return as(c.launches);
        case CostTable::Tasks:
            return as(c.tasks);
        default:
            return {};
    }
}

// Of kernels that people have; what is known of states alone is none.
std::optional<double> counted(const BaselineCosts& kernels, int column) {
    switch (column) {
        case CostTable::Inputs:
            return bytes_of(kernels.made, Buffer::Kind::Input);
        case CostTable::Outputs:
            return bytes_of(kernels.made, Buffer::Kind::Output);
        case CostTable::Intermediates:
            return bytes_of(kernels.made, Buffer::Kind::Intermediate);
        case CostTable::Moved:
            return kernels.bytes;
        case CostTable::Compulsory:
            return kernels.compulsory;
        case CostTable::Operations:
            return kernels.operations;
        case CostTable::Intensity:
            return kernels.bytes > 0 ? std::optional(kernels.operations / kernels.bytes) : std::nullopt;
        case CostTable::Launches:
            return static_cast<double>(kernels.made.kernels.size());
        default:
            return {};
    }
}

QString share_percent(double share) {
    return QLocale().toString(share * 100, 'f', std::abs(share) < 0.0995 ? 1 : 0) + QStringLiteral("\u00a0%");
}

QString signed_text(double number, const QString& unit) {
    const QString text = with_unit(std::abs(number), unit);
    return (number < 0 ? QStringLiteral("\u2212") : QStringLiteral("+")) + text;
}

QString exact_text(double number) {
    return std::floor(number) == number ? QLocale().toString(number, 'f', 0)
                                        : QLocale().toString(number, 'g', 6);
}

}  // namespace

QString counted_form(const Costs& costs, int column) {
    const bool of_listing = column >= CostTable::Moved && column <= CostTable::Tasks;
    return of_listing ? costs.shown_form() : QString();
}

QString CostTable::form_below(int column) const {
    const QString counted = counted_form(costs_, column);
    // Beside times of the safe form what is counted is of another one, which is said, too.
    const bool listing = column >= Moved && column <= Tasks;
    return counted.isEmpty() && listing && !built_form_.isEmpty() ? tr("plain form") : counted;
}

QString time_text(double seconds) {
    return with_unit(seconds, QStringLiteral("s"));
}

QString served_text(const std::vector<LevelBytes>& levels) {
    QStringList lines;
    for (std::size_t i = 0; i + 1 < levels.size(); ++i)
        lines << CostTable::tr("%1 serves %2 of %3")
                     .arg(
                         QString::fromStdString(levels[i].level),
                         with_unit(std::max(0.0, levels[i].bytes - levels[i + 1].bytes), QStringLiteral("B")),
                         with_unit(levels[i].bytes, QStringLiteral("B")));
    if (!levels.empty())
        lines << CostTable::tr("%1 moves %2")
                     .arg(QString::fromStdString(levels.back().level),
                          with_unit(levels.back().bytes, QStringLiteral("B")));
    return lines.join(QLatin1Char('\n'));
}

CostTable::CostTable(Document& document, Costs& costs, QObject* parent)
    : QAbstractTableModel(parent), document_(document), costs_(costs), baselines_(Baselines::of(document)) {
    connect(&baselines_, &Baselines::changed, this, &CostTable::refresh);
    connect(&costs, &Costs::rows_changed, this, &CostTable::refresh);
    connect(&costs, &Costs::counted, this, &CostTable::refresh_cells);
    connect(&document, &Document::content_changed, this, &CostTable::refresh);
    const auto say_form = [this] { Q_EMIT headerDataChanged(Qt::Horizontal, Moved, Tasks); };
    connect(&document, &Document::safe_changed, this, say_form);
    refresh();
}

void CostTable::set_times(TimesOf times) {
    times_ = std::move(times);
    refresh_cells();
}

bool LocalLimit::exceeded_by(const LocalMemory& local) const {
    if (split())
        return static_cast<double>(local.tiles) > bytes || static_cast<double>(local.registers) > registers;
    return bytes > 0 && static_cast<double>(local.bytes) > bytes;
}

QStringList LocalLimit::places(const std::vector<LocalMemory>& alive) const {
    const auto most = [&](std::int64_t LocalMemory::*place) {
        return with_unit(static_cast<double>(most_of(alive, place)), QStringLiteral("B"));
    };
    const auto of = [](double limit) { return with_unit(limit, QStringLiteral("B")); };
    return {CostTable::tr("Registers, for sums: %1 of %2").arg(most(&LocalMemory::registers), of(registers)),
            CostTable::tr("Shared memory: %1 of %2").arg(most(&LocalMemory::tiles), of(bytes))};
}

bool CostTable::over_limit(StateId state) const {
    const StateCostsPtr costs = costs_.of(state);
    if (!costs) return false;
    const std::vector<LocalMemory>& alive = costs->state.alive();
    return std::any_of(alive.begin(), alive.end(),
                       [&](const LocalMemory& local) { return limit_.exceeded_by(local); });
}

void CostTable::set_limit(LocalLimit limit) {
    limit_ = std::move(limit);
    refresh_cells();
}

void CostTable::set_devices(const QString& predicted, const QString& measured, const QString& built_form) {
    if (predicted == predicted_on_ && measured == measured_on_ && built_form == built_form_) return;
    predicted_on_ = predicted;
    measured_on_ = measured;
    built_form_ = built_form;
    Q_EMIT headerDataChanged(Qt::Horizontal, Predicted, Tasks);
}

void CostTable::sort(int column, Qt::SortOrder order) {
    sorted_by_ = column;
    order_ = order;
    if (column < 0) rows_ = {};  // read anew in their own order
    column < 0 ? refresh() : put_in_order();
}

void CostTable::put_in_order() {
    if (sorted_by_ < 0) return;
    std::map<StateId, std::optional<double>> numbers;
    for (const StateId state : rows_) numbers[state] = number(state, sorted_by_);
    std::vector<StateId> rows = rows_;
    std::stable_sort(rows.begin(), rows.end(), [&](StateId a, StateId b) {
        const std::optional<double>& x = numbers[a];
        const std::optional<double>& y = numbers[b];
        if (!x || !y) return x.has_value();
        return order_ == Qt::AscendingOrder ? *x < *y : *x > *y;
    });
    if (rows == rows_) return;
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    for (const QModelIndex& old : before) {
        const auto at = std::find(rows.begin(), rows.end(), state(old.row()));
        after << index(static_cast<int>(at - rows.begin()), old.column());
    }
    rows_ = std::move(rows);
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void CostTable::set_best(std::optional<StateId> state) {
    if (std::exchange(best_, state) != state) refresh_cells();
}

void CostTable::set_seen(bool seen) {
    seen_ = seen;
    if (seen_ && stale_) refresh();
}

void CostTable::refresh() {
    stale_ = !seen_;
    if (stale_) return;
    std::vector<StateId> rows = costs_.rows();
    std::map<StateId, QString> names;
    if (!rows.empty()) {
        const RowNames all(document_.content().history);
        for (const StateId state : rows) names[state] = all.name(state);
        if (baselines_.kind() != BaselineKind::Unfused) {
            rows.push_back(kBaselineRow);
            names[kBaselineRow] = baselines_.name();
        }
    }
    const bool same = std::is_permutation(rows.begin(), rows.end(), rows_.begin(), rows_.end()) &&
                      (sorted_by_ >= 0 || rows == rows_);
    if (!same) beginResetModel();
    names_ = std::move(names);
    if (same) return refresh_cells();
    rows_ = std::move(rows);
    endResetModel();
    put_in_order();
}

void CostTable::refresh_cells() {
    stale_ = stale_ || !seen_;
    if (stale_ || rows_.empty()) return;
    put_in_order();
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, Columns - 1));
    Q_EMIT headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
    Q_EMIT headerDataChanged(Qt::Horizontal, Ratio, Ratio);  // another baseline has another name
}

int CostTable::row_of(StateId state) const {
    const auto found = std::find(rows_.begin(), rows_.end(), state);
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int CostTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CostTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : Columns;
}

std::optional<double> CostTable::number(StateId state, int column) const {
    if (column == Predicted) return times_ ? times_(state).predicted : std::nullopt;
    if (column == Measured) return times_ ? times_(state).measured : std::nullopt;
    if (column == Ratio) return ratio(state);
    if (column == OfPeak) return of_peak(state);
    if (column == FromMemory) {
        const std::vector<LevelBytes> levels = times_ ? times_(state).levels : std::vector<LevelBytes>();
        return levels.empty() ? std::nullopt : std::optional(levels.back().bytes);
    }
    if (state == kBaselineRow) {
        const BaselineCosts* kernels = baselines_.costs(baselines_.kind());
        return kernels ? counted(*kernels, column) : std::nullopt;
    }
    const StateCostsPtr costs = costs_.of(state);
    if (!costs) return {};
    if (column != Replication) return counted(*costs, column);
    const StateCostsPtr unfused = costs_.of(StateId{0});
    if (!unfused) return {};
    return costs->state.counts().replication(unfused->state.counts());
}

std::optional<RatioTimes> CostTable::ratio_times(StateId state) const {
    if (!times_) return {};
    const StateTimes now = times_(state);
    if (baselines_.kind() != BaselineKind::Unfused) {
        const std::optional<double> kernels = baselines_.seconds(baselines_.kind());
        if (!now.predicted || !kernels || *kernels <= 0) return {};
        return RatioTimes{*now.predicted, *kernels, false};
    }
    const StateTimes base = times_(costs_.baseline());
    if (now.measured && base.measured && *base.measured > 0 && !now.stale && !base.stale)
        return RatioTimes{*now.measured, *base.measured, true};
    if (now.predicted && base.predicted && *base.predicted > 0)
        return RatioTimes{*now.predicted, *base.predicted, false};
    return {};
}

std::optional<double> CostTable::ratio(StateId state) const {
    const auto times = ratio_times(state);
    return times ? std::optional(times->now / times->base) : std::nullopt;
}

std::optional<double> CostTable::of_peak(StateId state) const {
    const BaselineCosts* kernels = state == kBaselineRow ? baselines_.costs(baselines_.kind()) : nullptr;
    const StateCostsPtr costs = costs_.of(state);
    if ((!costs && !kernels) || !times_) return {};
    const StateTimes times = times_(state);
    const bool measured = times.measured && times.comparable && !times.stale;
    const std::optional<double> seconds = measured ? times.measured : times.predicted;
    if (!seconds || *seconds <= 0 || times.peak <= 0) return {};
    const double matrix = kernels ? kernels->matrix : static_cast<double>(costs->state.counts().flops.matrix);
    return matrix / (*seconds * times.peak);
}

bool CostTable::is_baseline(StateId state) const {
    return baselines_.kind() == BaselineKind::Unfused ? state == costs_.baseline() : state == kBaselineRow;
}

// What others have no number of has none, what is being counted will have one.
QString CostTable::missing_text(StateId state, int column) const {
    const bool time = column == Predicted || column == Measured || column == Ratio || column == OfPeak ||
                      column == FromMemory;
    return time || state == kBaselineRow ? QStringLiteral("\u2013") : QStringLiteral("\u2026");
}

QString CostTable::text(StateId state, int column) const {
    if (column == State) return names_.at(state);
    if (column == Measured && times_ && times_(state).failed) return tr("failed");
    const std::optional<double> value = number(state, column);
    if (!value) return missing_text(state, column);
    // One of predictions stands beside those of measured times: it says so.
    const bool guess = column == Ratio && !ratio_times(state)->measured;
    if (column == Replication || column == Ratio)
        return (guess ? QStringLiteral("\u2248\u00a0") : QString()) +
               QLocale().toString(*value, 'f',
                                  *value < 10    ? 2
                                  : *value < 100 ? 1
                                                 : 0) +
               QStringLiteral("\u00d7");
    if (column == OfPeak) return share_percent(*value);
    if (column == Launches || column == Tasks) return exact_text(*value);
    if (column == Measured && times_(state).stale) return tr("%1 (stale)").arg(time_text(*value));
    return with_unit(*value, QString::fromLatin1(info(column).unit));
}

QString CostTable::against_baseline(double number, double base, int column) const {
    const QString name = row_name(document_.content(), costs_.baseline());
    if (number == base) return tr("The same as %1").arg(name);
    const QString difference = signed_text(number - base, QString::fromLatin1(info(column).unit));
    if (base == 0) return tr("%1 against %2").arg(difference, name);
    const double share = number / base - 1;
    return tr("%1 (%2) against %3")
        .arg(difference,
             (share < 0 ? QStringLiteral("\u2212") : QStringLiteral("+")) + share_percent(std::abs(share)),
             name);
}

QString CostTable::tip(StateId state, int column) const {
    QStringList lines;
    if (column == State && state == kBaselineRow)
        return tr("What people run without this program, and what states are compared with: %1")
            .arg(baselines_.name());
    if (column == State) {
        const HistoryState& now = document_.content().history.state(state);
        lines << row_name(document_.content(), state);
        if (now.step) lines << translated(now.step->explanation);
        if (is_baseline(state)) lines << tr("The baseline of ratios");
        if (state == best_) lines << tr("The best state by the objective");
        return lines.join(QLatin1Char('\n'));
    }
    lines << tr(info(column).help);
    if (column == Predicted && times_) lines << times_(state).binds;
    if (column == Measured && times_) lines << times_(state).how;
    if (column == FromMemory && times_) lines << served_text(times_(state).levels);
    if (column == Ratio)
        if (const auto both = ratio_times(state))
            lines << (both->measured ? tr("%1 against %2 of %3, measured")
                                     : tr("%1 against %2 of %3, predicted"))
                         .arg(time_text(both->now), time_text(both->base), baselines_.name());
    const std::optional<double> value = number(state, column);
    if (!value) return lines.join(QLatin1Char('\n')).trimmed();
    if (column != Ratio && column != Replication && column != Predicted && column != Measured &&
        column != OfPeak)
        lines << exact_text(*value) + QLatin1Char(' ') + QString::fromLatin1(info(column).unit);
    if (column == Local && limit_.split()) {
        if (const StateCostsPtr costs = costs_.of(state)) lines << limit_.places(costs->state.alive());
    } else if (column == Local && limit_.bytes > 0) {
        lines << tr("%1 of %2").arg(share_percent(*value / limit_.bytes), limit_.name);
    }
    if (column == Replication && *value > kRepeatsWork)
        lines << tr("Other block sizes may repeat less: Tune looks for them.");
    const bool stale = column == Measured && (times_(state).stale || times_(costs_.baseline()).stale);
    const std::optional<double> base = number(costs_.baseline(), column);
    const bool compared = column != Ratio && column != OfPeak && column != FromMemory && column != Compulsory;
    if (base && !stale && compared && state != costs_.baseline() && state != kBaselineRow)
        lines << against_baseline(*value, *base, column);
    return lines.join(QLatin1Char('\n'));
}

QVariant CostTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || document_.empty()) return {};
    const StateId id = state(index.row());
    if (id != kBaselineRow && !document_.content().history.has(id)) return {};
    switch (role) {
        case Qt::DisplayRole:
            return text(id, index.column());
        case Qt::ToolTipRole:
            return tip(id, index.column());
        case Qt::AccessibleTextRole:
            return tr(info(index.column()).title) + QStringLiteral(": ") + text(id, index.column()) +
                   (id == best_ ? tr(", best state") : QString());
        case Qt::TextAlignmentRole:
            return static_cast<int>((index.column() == State ? Qt::AlignLeft : Qt::AlignRight) |
                                    Qt::AlignVCenter);
        case StateRole:
            return id;
        case NumberRole: {
            const std::optional<double> value = number(id, index.column());
            return value ? QVariant(*value) : QVariant();
        }
        case OverRole:
            return index.column() == Local && over_limit(id);
        case BaselineRole:
            return is_baseline(id);
        case StaleRole:
            return index.column() == Measured && times_ && times_(id).stale;
        default:
            return {};
    }
}

QVariant CostTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) return name_data(section, role);
    if (section < 0 || section >= Columns) return {};
    if (role == Qt::DisplayRole) {
        const QString of_form =
            built_form_.isEmpty() ? predicted_on_ : tr("%1, %2").arg(predicted_on_, built_form_);
        const QString below = section == Predicted  ? of_form
                              : section == Measured ? measured_on_
                              : section == Ratio    ? baselines_.name()
                                                    : form_below(section);
        return below.isEmpty() ? tr(info(section).title)
                               : tr(info(section).title) + QLatin1Char('\n') + below;
    }
    if (role == Qt::ToolTipRole) return tr(info(section).help);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == State ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

// Of the header that names the states, beside their numbers.
QVariant CostTable::name_data(int row, int role) const {
    if (row < 0 || row >= rowCount()) return {};
    if (role == Qt::ToolTipRole) return data(index(row, State), role);
    if (role == Qt::FontRole && state(row) == kBaselineRow) {
        QFont font;
        font.setItalic(true);  // no state of the run
        return font;
    }
    if (role != Qt::DisplayRole) return {};
    const QString name = data(index(row, State), role).toString();
    return state(row) == best_ ? QStringLiteral("\u2605\u00a0") + name : name;
}

QString CostTable::csv() const {
    QStringList lines;
    QStringList names;
    for (int column = 0; column < Columns; ++column) names << QString::fromLatin1(info(column).name);
    names << QStringLiteral("measured_is_stale");
    lines << names.join(QLatin1Char(','));
    for (const StateId id : rows_) {
        QStringList cells{QStringLiteral("\"%1\"").arg(text(id, State))};
        for (int column = 1; column < Columns; ++column) {
            const std::optional<double> value = number(id, column);
            cells << (value ? QString::number(*value, 'g', 15) : QString());
        }
        cells << (times_ && times_(id).stale ? QStringLiteral("yes") : QString());
        lines << cells.join(QLatin1Char(','));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace blockscope
