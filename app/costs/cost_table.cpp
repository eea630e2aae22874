#include "app/costs/cost_table.h"

#include <QLocale>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/charts/plot.h"
#include "app/shell/step_look.h"
#include "app/words/words.h"
#include "core/cost/counts.h"

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
                           "Time that the chosen model predicts on the chosen device"),
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
        {QT_TRANSLATE_NOOP("blockscope::CostTable", "Moved"),
         QT_TRANSLATE_NOOP("blockscope::CostTable", "All bytes between global and local memory"), "B",
         "bytes"},
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
         QT_TRANSLATE_NOOP("blockscope::CostTable", "Operations per byte moved"), "FLOP/B", "intensity"},
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

QString time_text(double seconds) {
    return with_unit(seconds, QStringLiteral("s"));
}

CostTable::CostTable(Document& document, Costs& costs, QObject* parent)
    : QAbstractTableModel(parent), document_(document), costs_(costs) {
    connect(&costs, &Costs::rows_changed, this, &CostTable::refresh);
    connect(&costs, &Costs::counted, this, &CostTable::refresh_cells);
    connect(&document, &Document::content_changed, this, &CostTable::refresh);
    refresh();
}

void CostTable::set_times(TimesOf times) {
    times_ = std::move(times);
    refresh_cells();
}

void CostTable::set_limit(LocalLimit limit) {
    limit_ = std::move(limit);
    refresh_cells();
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
    }
    const bool same = rows == rows_;
    if (!same) beginResetModel();
    names_ = std::move(names);
    if (same) return refresh_cells();
    rows_ = std::move(rows);
    endResetModel();
}

void CostTable::refresh_cells() {
    stale_ = stale_ || !seen_;
    if (stale_ || rows_.empty()) return;
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, Columns - 1));
    Q_EMIT headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
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

QString CostTable::text(StateId state, int column) const {
    if (column == State) return names_.at(state);
    if (column == Measured && times_ && times_(state).failed) return tr("failed");
    const std::optional<double> value = number(state, column);
    const bool time = column == Predicted || column == Measured || column == Ratio;
    if (!value) return time ? QStringLiteral("\u2013") : QStringLiteral("\u2026");
    // One of predictions stands beside those of measured times: it says so.
    const bool guess = column == Ratio && !ratio_times(state)->measured;
    if (column == Replication || column == Ratio)
        return (guess ? QStringLiteral("\u2248\u00a0") : QString()) +
               QLocale().toString(*value, 'f',
                                  *value < 10    ? 2
                                  : *value < 100 ? 1
                                                 : 0) +
               QStringLiteral("\u00d7");
    if (column == Launches || column == Tasks) return exact_text(*value);
    if (column == Measured && times_(state).stale) return tr("%1 (stale)").arg(time_text(*value));
    return with_unit(*value, QString::fromLatin1(info(column).unit));
}

QString CostTable::against_baseline(double number, double base, int column) const {
    const QString name = row_name(document_.content(), costs_.baseline());
    if (number == base) return tr("The same as the baseline (%1)").arg(name);
    const QString difference = signed_text(number - base, QString::fromLatin1(info(column).unit));
    if (base == 0) return tr("%1 against the baseline (%2)").arg(difference, name);
    const double share = number / base - 1;
    return tr("%1 (%2) against the baseline (%3)")
        .arg(difference,
             (share < 0 ? QStringLiteral("\u2212") : QStringLiteral("+")) + share_percent(std::abs(share)),
             name);
}

QString CostTable::tip(StateId state, int column) const {
    QStringList lines;
    if (column == State) {
        const HistoryState& now = document_.content().history.state(state);
        lines << row_name(document_.content(), state);
        if (now.step) lines << translated(now.step->explanation);
        if (state == costs_.baseline()) lines << tr("The baseline of ratios");
        return lines.join(QLatin1Char('\n'));
    }
    lines << tr(info(column).help);
    if (column == Predicted && times_) lines << times_(state).binds;
    if (column == Measured && times_) lines << times_(state).how;
    if (column == Ratio)
        if (const auto both = ratio_times(state))
            lines << (both->measured ? tr("%1 against %2, measured") : tr("%1 against %2, predicted"))
                         .arg(time_text(both->now), time_text(both->base));
    const std::optional<double> value = number(state, column);
    if (!value) return lines.join(QLatin1Char('\n')).trimmed();
    if (column != Ratio && column != Replication && column != Predicted && column != Measured)
        lines << exact_text(*value) + QLatin1Char(' ') + QString::fromLatin1(info(column).unit);
    if (column == Local && limit_.bytes > 0)
        lines << tr("%1 of %2").arg(share_percent(*value / limit_.bytes), limit_.name);
    if (column == Replication && *value > kRepeatsWork)
        lines << tr("Other block sizes may repeat less: Tune looks for them.");
    const bool stale = column == Measured && (times_(state).stale || times_(costs_.baseline()).stale);
    const std::optional<double> base = number(costs_.baseline(), column);
    if (base && !stale && column != Ratio && state != costs_.baseline())
        lines << against_baseline(*value, *base, column);
    return lines.join(QLatin1Char('\n'));
}

QVariant CostTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || document_.empty()) return {};
    const StateId id = state(index.row());
    if (!document_.content().history.has(id)) return {};
    switch (role) {
        case Qt::DisplayRole:
            return text(id, index.column());
        case Qt::ToolTipRole:
            return tip(id, index.column());
        case Qt::AccessibleTextRole:
            return tr(info(index.column()).title) + QStringLiteral(": ") + text(id, index.column());
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
            return index.column() == Local && limit_.bytes > 0 &&
                   number(id, Local).value_or(0) > limit_.bytes;
        case StaleRole:
            return index.column() == Measured && times_ && times_(id).stale;
        default:
            return {};
    }
}

QVariant CostTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) return name_data(section, role);
    if (section < 0 || section >= Columns) return {};
    if (role == Qt::DisplayRole) return tr(info(section).title);
    if (role == Qt::ToolTipRole) return tr(info(section).help);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == State ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

// Of the header that names the states, beside their numbers.
QVariant CostTable::name_data(int row, int role) const {
    if (row < 0 || row >= rowCount()) return {};
    return role == Qt::DisplayRole || role == Qt::ToolTipRole ? data(index(row, State), role) : QVariant();
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
