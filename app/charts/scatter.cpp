#include "app/charts/scatter.h"

#include <QObject>
#include <algorithm>

#include "app/charts/label_placer.h"
#include "app/charts/plot.h"

namespace blockscope {

namespace {

constexpr double kRadius = 4.5;

Range range_of_both(const Scatter& chart) {
    std::vector<double> values;
    for (const ScatterPoint& p : chart.points) values.insert(values.end(), {p.predicted, p.measured});
    return range_of(values, true);
}

QColor color_of(const ScatterPoint& p, const ChartStyle& style) {
    if (p.key == style.highlighted) return style.theme.selected;
    return p.stale ? mixed(style.theme.canvas, style.theme.faint, 0.6) : style.theme.box_rim;
}

// The diagonal, and dotted lines where one is twice the other.
void paint_diagonals(QPainter& painter, const ChartStyle& style, Plot& plot, const Range& range) {
    painter.setPen(QPen(style.theme.faint, 1.3));
    plot.line(range.from, range.from, range.to, range.to);
    painter.setPen(QPen(mixed(style.theme.canvas, style.theme.faint, 0.6), 1, Qt::DotLine));
    plot.line(range.from, 2 * range.from, range.to / 2, range.to);
    plot.line(2 * range.from, range.from, range.to, range.to / 2);
}

}  // namespace

std::vector<ChartSpot> paint_scatter(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                     const Scatter& chart) {
    if (!chart.missing.isEmpty() || chart.points.empty()) {
        chart_message(painter, style, all, chart.title, chart.missing);
        return {};
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const Range range = range_of_both(chart);
    const QString seconds = QStringLiteral("s");
    const double line = style.text * 1.6;
    const std::vector<QString> statistics =
        chart_lines(style, chart.statistics, QStringLiteral("  \u00b7  "), all.width());
    Plot plot(painter, style, all, {range, QObject::tr("Predicted"), seconds},
              {range, QObject::tr("Measured"), seconds}, line * static_cast<double>(statistics.size()));
    plot.paint_axes();
    paint_diagonals(painter, style, plot, range);
    const QRectF& in = plot.inside();
    for (std::size_t i = 0; i < statistics.size(); ++i)
        chart_text(painter, style, {all.left(), all.top() + line * static_cast<double>(i), all.width(), line},
                   Qt::AlignLeft | Qt::AlignVCenter, statistics[i], style.theme.ink);

    std::vector<ChartSpot> spots;
    if (!statistics.empty()) {
        QPainterPath area;
        area.addRect(all.left(), all.top(), all.width(), line * static_cast<double>(statistics.size()));
        spots.push_back({area, chart.statistics_tip, kStatisticsKey});
    }
    LabelPlacer labels(in);
    for (const ScatterPoint& p : chart.points) {
        const QPointF at = plot.at(p.predicted, p.measured);
        const QColor color = color_of(p, style);
        painter.setPen(QPen(color, 1.6));
        painter.setBrush(p.stale ? style.theme.canvas : color);
        painter.drawEllipse(at, kRadius, kRadius);
        labels.keep_free({at.x() - kRadius, at.y() - kRadius, 2 * kRadius, 2 * kRadius});
        QPainterPath area;
        area.addEllipse(at, kRadius + 4, kRadius + 4);
        spots.push_back({area, p.tip, p.key});
    }
    for (const ScatterPoint& p : chart.points) {
        const QSizeF size(chart_text_width(style, p.label) + 2, style.text * 1.3);
        if (const auto rect = labels.place(plot.at(p.predicted, p.measured), kRadius + 1, size))
            chart_text(painter, style, *rect, Qt::AlignCenter, p.label, color_of(p, style));
    }
    painter.restore();
    return spots;
}

}  // namespace blockscope
