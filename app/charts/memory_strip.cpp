#include "app/charts/memory_strip.h"

#include <QObject>
#include <algorithm>

#include "app/charts/plot.h"

namespace blockscope {

namespace {

// The limit is shown if the strip is not lost under it.
bool shows_limit(const MemoryStrip& chart, double largest) {
    return chart.limit > 0 && chart.limit < 20 * largest;
}

void paint_steps(QPainter& painter, const ChartStyle& style, const MemoryStrip& chart, const Plot& plot,
                 std::vector<ChartSpot>& spots) {
    const double bottom = plot.inside().bottom();
    const bool over_limit = chart.limit > 0;
    for (std::size_t i = 0; i < chart.moments.size(); ++i) {
        const MemoryMoment& moment = chart.moments[i];
        const double x0 = plot.x_of(static_cast<double>(i));
        const double x1 = plot.x_of(static_cast<double>(i + 1));
        const double y = plot.y_of(moment.bytes);
        const bool over = over_limit && moment.bytes > chart.limit;
        QColor fill = over ? style.theme.buffered : style.theme.box_rim;
        fill.setAlphaF(moment.line == style.highlighted ? 0.75F : 0.35F);
        painter.fillRect(QRectF(x0, y, x1 - x0, bottom - y), fill);
        QPainterPath area;
        area.addRect(x0, plot.inside().top(), x1 - x0, plot.inside().height());
        spots.push_back({area, moment.tip, moment.line});
    }
}

void paint_outline(QPainter& painter, const ChartStyle& style, const MemoryStrip& chart, const Plot& plot) {
    QPainterPath path;
    path.moveTo(plot.x_of(0), plot.inside().bottom());
    for (std::size_t i = 0; i < chart.moments.size(); ++i) {
        path.lineTo(plot.at(static_cast<double>(i), chart.moments[i].bytes));
        path.lineTo(plot.at(static_cast<double>(i + 1), chart.moments[i].bytes));
    }
    path.lineTo(plot.x_of(static_cast<double>(chart.moments.size())), plot.inside().bottom());
    painter.setPen(QPen(style.theme.box_rim, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

void paint_limit(QPainter& painter, const ChartStyle& style, const MemoryStrip& chart, const Plot& plot) {
    const double y = plot.y_of(chart.limit);
    const QRectF& in = plot.inside();
    painter.setPen(QPen(style.theme.buffered, 1.5, Qt::DashLine));
    painter.drawLine(QPointF(in.left(), y), QPointF(in.right(), y));
    chart_text(painter, style, {in.left() + 6, y - style.text * 1.5, in.width() - 12, style.text * 1.4},
               Qt::AlignRight | Qt::AlignVCenter, chart.limit_name, style.theme.buffered, 0.92);
}

}  // namespace

std::vector<ChartSpot> paint_memory_strip(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                          const MemoryStrip& chart) {
    if (!chart.missing.isEmpty() || chart.moments.empty()) {
        chart_message(painter, style, all, QObject::tr("Nothing in local memory"), chart.missing);
        return {};
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    std::vector<double> values;
    for (const MemoryMoment& moment : chart.moments) values.push_back(moment.bytes);
    const double largest = *std::max_element(values.begin(), values.end());
    const bool limited = shows_limit(chart, largest);
    if (limited) values.push_back(chart.limit * 1.08);
    const Range lines{0, static_cast<double>(chart.moments.size()), false};
    Plot plot(painter, style, all, {lines, QObject::tr("Lines of the listing"), {}},
              {range_of(values, false), {}, QStringLiteral("B")}, style.text * 1.6);
    plot.paint_axes();
    std::vector<ChartSpot> spots;
    paint_steps(painter, style, chart, plot, spots);
    paint_outline(painter, style, chart, plot);
    if (limited) paint_limit(painter, style, chart, plot);
    const QString peak = QObject::tr("Most alive at once: %1").arg(with_unit(largest, QStringLiteral("B")));
    const QString limit = chart.limit > 0 ? QObject::tr(" of %1").arg(chart.limit_name) : QString();
    const QRectF& in = plot.inside();
    chart_text(painter, style, {in.left(), in.top() - style.text * 1.9, in.width(), style.text * 1.6},
               Qt::AlignLeft | Qt::AlignVCenter, peak + limit, style.theme.ink);
    painter.restore();
    return spots;
}

}  // namespace blockscope
