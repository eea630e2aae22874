#include "app/plan/plan_pictures.h"

#include <QPainterPath>
#include <QPixmap>
#include <algorithm>
#include <map>
#include <numeric>

#include "app/costs/cost_table.h"
#include "app/plan/plan_words.h"

namespace blockscope {

namespace {

constexpr double kRound = 5;     // of the boxes' corners
constexpr double kFilled = 0.3;  // share of the kernel's colour in a box
constexpr double kAcross = 1.4;  // gaps between boxes, in heights of the text
constexpr double kDown = 2.2;
constexpr double kTall = 3.4;  // a box: two lines and air

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

QString name_of(const FoundPlans& plans, int node) {
    return QString::fromStdString(plans.graph.names[at(node)]);
}

QString does_text(const FoundPlans& plans, int node) {
    return QString::fromStdString(plans.does[at(node)]);
}

double letter_width(const ChartStyle& style) {
    return style.text * 2;
}

// By node: one row below the lowest of what it reads.
std::vector<int> rows_of(const plan::Dag& dag) {
    std::vector<int> rows(at(dag.nodes()), 0);
    for (const int node : plan::topological_order(dag))
        for (const int read : dag.before[at(node)])
            rows[at(node)] = std::max(rows[at(node)], rows[at(read)] + 1);
    return rows;
}

using Rows = std::map<int, std::vector<int>>;

// Where the middle of what a node reads stands; its own place where it reads nothing.
double middle_of_reads(const plan::Dag& dag, int node, const std::vector<QRectF>& boxes, double otherwise) {
    const std::vector<int>& reads = dag.before[at(node)];
    if (reads.empty()) return otherwise;
    const double sum = std::accumulate(reads.begin(), reads.end(), 0.0, [&](double before, int read) {
        return before + boxes[at(read)].center().x();
    });
    return sum / static_cast<double>(reads.size());
}

// A row below the others: each box as near to the middle of what it reads as those left of it let it.
void place_row(const plan::Dag& dag, std::vector<int> row, double gap, std::vector<QRectF>& boxes) {
    std::map<int, double> wanted;
    for (std::size_t i = 0; i < row.size(); ++i)
        wanted[row[i]] = middle_of_reads(dag, row[i], boxes, boxes[at(row[i])].center().x());
    std::stable_sort(row.begin(), row.end(), [&](int a, int b) { return wanted[a] < wanted[b]; });
    double free_from = std::numeric_limits<double>::lowest();
    for (const int node : row) {
        QRectF& box = boxes[at(node)];
        box.moveLeft(std::max(free_from, wanted[node] - box.width() / 2));
        free_from = box.right() + gap;
    }
}

}  // namespace

PlacedOperators place_operators(const FoundPlans& plans, const ChartStyle& style) {
    PlacedOperators placed;
    const double height = style.text * kTall, gap = style.text * kAcross;
    const std::vector<int> rows = rows_of(plans.graph);
    Rows by_row;
    std::map<int, double> free_from;
    for (int node = 0; node < plans.graph.nodes(); ++node) {
        const double text = std::max(chart_text_width(style, name_of(plans, node)),
                                     chart_text_width(style, does_text(plans, node), 0.92));
        const double width = letter_width(style) + text + style.text * 1.4;
        const int row = rows[at(node)];
        placed.boxes.emplace_back(free_from[row], row * (height + style.text * kDown), width, height);
        free_from[row] += width + gap;
        by_row[row].push_back(node);
    }
    for (auto& [row, nodes] : by_row) place_row(plans.graph, nodes, gap, placed.boxes);
    QRectF bounds;
    for (const QRectF& box : placed.boxes) bounds |= box;
    for (QRectF& box : placed.boxes) box.translate(-bounds.topLeft());
    placed.size = bounds.size();
    return placed;
}

namespace {

void paint_edge(QPainter& painter, const QRectF& from, const QRectF& to) {
    const QPointF start(from.center().x(), from.bottom()), end(to.center().x(), to.top());
    const double bend = std::max(6.0, (end.y() - start.y()) * 0.4);
    QPainterPath line(start);
    line.cubicTo(start + QPointF(0, bend), end - QPointF(0, bend), end);
    painter.drawPath(line);
    const QPointF tip[] = {end, end + QPointF(-3.2, -6), end + QPointF(3.2, -6)};
    painter.drawPolygon(tip, 3);
}

void paint_box(QPainter& painter, const ChartStyle& style, const QRectF& box, const FoundPlans& plans,
               int node, int group, bool marked) {
    const Theme& theme = style.theme;
    const QColor color = group < 0 ? theme.faint : series_color(theme, group);
    painter.setPen(QPen(marked ? theme.selected : color, marked ? 3 : 1.4));
    painter.setBrush(group < 0 ? theme.canvas : mixed(theme.canvas, color, kFilled));
    painter.drawRoundedRect(box, kRound, kRound);
    const QRectF letter(box.left(), box.top(), letter_width(style), box.height());
    if (group >= 0)
        chart_text(painter, style, letter, Qt::AlignCenter, kernel_letter(at(group)), theme.ink, 1.15);
    painter.setPen(QPen(color, 1));
    painter.drawLine(letter.topRight() + QPointF(0, 3), letter.bottomRight() - QPointF(0, 3));
    const QRectF texts =
        box.adjusted(letter.width() + style.text * 0.5, style.text * 0.25, 0, -style.text * 0.25);
    const double half = texts.height() / 2;
    chart_text(painter, style, {texts.left(), texts.top(), texts.width(), half},
               Qt::AlignLeft | Qt::AlignVCenter, name_of(plans, node), theme.ink);
    chart_text(painter, style, {texts.left(), texts.top() + half, texts.width(), half},
               Qt::AlignLeft | Qt::AlignVCenter, does_text(plans, node), theme.ink, 0.92);
}

QPainterPath area_of(const QRectF& rect) {
    QPainterPath area;
    area.addRect(rect);
    return area;
}

QString kernel_tip(const FoundPlans& plans, const PlannedWay& way, std::size_t kernel) {
    const PlannedGroup& one = way.kernels[kernel];
    return PlanSearch::tr("Kernel %1, %2 (%3): %4")
        .arg(kernel_letter(kernel), time_text(one.cost.seconds),
             share_text(one.cost.seconds / way.plan.value), operators_text(plans, one.nodes));
}

}  // namespace

OperatorGroups groups_of(const FoundPlans& plans, const PlannedWay& way) {
    OperatorGroups groups;
    for (int node = 0; node < plans.graph.nodes(); ++node)
        groups.group.push_back(static_cast<int>(kernel_of(way, node)));
    for (std::size_t kernel = 0; kernel < way.kernels.size(); ++kernel)
        groups.tips.push_back(kernel_tip(plans, way, kernel));
    return groups;
}

OperatorGroups groups_of(const FoundPlans& plans, const plan::DecisionStep& step) {
    OperatorGroups groups;
    std::map<plan::FusionGroup, int> number_of;
    for (const plan::FusionGroup& group : step.groups) {
        if (group.empty()) {
            groups.group.push_back(-1);
            continue;
        }
        const auto [found, is_new] = number_of.emplace(group, static_cast<int>(number_of.size()));
        groups.group.push_back(found->second);
        if (is_new) groups.tips.push_back(operators_text(plans, group));
    }
    return groups;
}

std::vector<ChartSpot> paint_operators(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                       const FoundPlans& plans, const OperatorGroups& groups,
                                       const PlacedOperators& placed, const std::vector<int>& marked) {
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF corner(all.left() + std::max(0.0, (all.width() - placed.size.width()) / 2), all.top());
    const auto box_of = [&](int node) { return placed.boxes[at(node)].translated(corner); };
    painter.setPen(QPen(style.theme.faint, 1.2));
    painter.setBrush(style.theme.faint);
    for (int node = 0; node < plans.graph.nodes(); ++node)
        for (const int reader : plans.graph.after[at(node)]) {
            painter.setBrush(Qt::NoBrush);
            paint_edge(painter, box_of(node), box_of(reader));
        }
    std::vector<ChartSpot> spots;
    for (int node = 0; node < plans.graph.nodes(); ++node) {
        const bool is_marked = std::find(marked.begin(), marked.end(), node) != marked.end();
        const int group = groups.group[at(node)];
        paint_box(painter, style, box_of(node), plans, node, group, is_marked);
        const QString tip = group < 0 ? PlanSearch::tr("not decided yet") : groups.tips[at(group)];
        spots.push_back({area_of(box_of(node)), operator_text(plans, node) + QLatin1Char('\n') + tip, node});
    }
    return spots;
}

// ---- Bars.

namespace {

double row_height(const ChartStyle& style) {
    return style.text * 2.3;
}

// The seconds that the whole width stands for. A way that takes a hundred times as long as the one that is
// shown would leave no room for that one's kernels: longer bars are cut, with a mark.
double seconds_across(const FoundPlans& plans, std::size_t shown) {
    constexpr double kMostTimes = 3;
    double most = 0;
    for (const PlannedWay& way : plans.ways)
        if (!way.none()) most = std::max(most, way.plan.value);
    if (shown < plans.ways.size() && !plans.ways[shown].none())
        most = std::min(most, kMostTimes * plans.ways[shown].plan.value);
    return std::max(most, 1e-30);
}

// Two slanted lines across the end of a bar that goes on.
void paint_cut(QPainter& painter, const ChartStyle& style, const QRectF& bar) {
    const QColor canvas = style.theme.canvas;
    const double lean = bar.height() * 0.25;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(canvas, 2.5));
    for (const double back : {0.8, 1.4}) {
        const double x = bar.right() - back * style.text;
        painter.drawLine(QPointF(x - lean, bar.bottom() + 1), QPointF(x + lean, bar.top() - 1));
    }
    painter.restore();
}

// Each title as it is widest: the one of the way that is shown has a mark.
QString title_of(const PlannedWay& way, bool shown) {
    return (shown ? QStringLiteral("\u25b8 ") : QStringLiteral("   ")) + way_title(way.name);
}

struct Columns {
    double titles = 0, times = 0;  // wide
};

Columns columns_of(const FoundPlans& plans, const ChartStyle& style) {
    Columns columns;
    for (const PlannedWay& way : plans.ways) {
        columns.titles = std::max(columns.titles, chart_text_width(style, title_of(way, true)));
        if (!way.none())
            columns.times = std::max(columns.times, chart_text_width(style, time_text(way.plan.value)));
    }
    columns.titles += style.text;
    columns.times += style.text;
    return columns;
}

// Part of a bar, with its letter where that has room.
void paint_part(QPainter& painter, const ChartStyle& style, const QRectF& part, std::size_t kernel) {
    const Theme& theme = style.theme;
    const QColor color = series_color(theme, static_cast<int>(kernel));
    painter.setPen(QPen(color, 1));
    painter.setBrush(mixed(theme.canvas, color, kFilled));
    painter.drawRect(part.adjusted(0.5, 0.5, -0.5, -0.5));
    const QString letter = kernel_letter(kernel);
    if (chart_text_width(style, letter) + 4 <= part.width())
        chart_text(painter, style, part, Qt::AlignCenter, letter, theme.ink);
}

}  // namespace

double timelines_height(const FoundPlans& plans, const ChartStyle& style) {
    return row_height(style) * static_cast<double>(plans.ways.size());
}

std::vector<ChartSpot> paint_timelines(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                       const FoundPlans& plans, std::size_t shown) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    const Columns columns = columns_of(plans, style);
    const double room = std::max(40.0, all.width() - columns.titles - columns.times);
    const double scale = room / seconds_across(plans, shown);
    const double height = row_height(style);
    std::vector<ChartSpot> spots;
    for (std::size_t i = 0; i < plans.ways.size(); ++i) {
        const PlannedWay& way = plans.ways[i];
        const QRectF row(all.left(), all.top() + height * static_cast<double>(i), all.width(), height);
        chart_text(painter, style, {row.left(), row.top(), columns.titles, height},
                   Qt::AlignLeft | Qt::AlignVCenter, title_of(way, i == shown), style.theme.ink);
        double x = row.left() + columns.titles;
        if (way.none())
            chart_text(painter, style, {x, row.top(), room, height}, Qt::AlignLeft | Qt::AlignVCenter,
                       PlanSearch::tr("no plan"), style.theme.faint);
        for (std::size_t k = 0; k < way.kernels.size(); ++k) {
            const double end = row.left() + columns.titles + room;
            const double width = std::min(way.kernels[k].cost.seconds * scale, end - x);
            if (width <= 0) continue;
            const QRectF part(x, row.top() + height * 0.12, width, height * 0.76);
            paint_part(painter, style, part, k);
            spots.push_back({area_of(part),
                             way_title(way.name) + QStringLiteral("\n") + kernel_tip(plans, way, k),
                             static_cast<int>(i), static_cast<int>(k)});
            x += width;
        }
        if (!way.none() && way.plan.value * scale > room + 1)
            paint_cut(painter, style, {x - room, row.top() + height * 0.12, room, height * 0.76});
        if (!way.none())
            chart_text(painter, style, {x + style.text * 0.5, row.top(), columns.times, height},
                       Qt::AlignLeft | Qt::AlignVCenter, time_text(way.plan.value), style.theme.ink);
    }
    return spots;
}

QPixmap kernel_swatch(const Theme& theme, std::size_t kernel, int size) {
    QPixmap swatch(size, size);
    swatch.fill(theme.canvas);
    QPainter painter(&swatch);
    const QColor color = series_color(theme, static_cast<int>(kernel));
    painter.fillRect(swatch.rect(), mixed(theme.canvas, color, 0.7));
    painter.setPen(QPen(color, 2));
    painter.drawRect(swatch.rect().adjusted(1, 1, -1, -1));
    return swatch;
}

}  // namespace blockscope
