#include "app/charts/memory_strip.h"

#include <QObject>
#include <algorithm>
#include <cmath>

#include "app/charts/plot.h"

namespace blockscope {

namespace {

// The limit is shown if the strip is not lost under it.
bool shows_limit(const MemoryStrip& chart, double largest) {
    return chart.limit > 0 && chart.limit < 20 * largest;
}

// How many moments from `first` on look the same.
std::size_t run_of(const MemoryStrip& chart, const ChartStyle& style, std::size_t first) {
    const auto marked = [&](std::size_t i) { return chart.moments[i].line == style.highlighted; };
    std::size_t end = first + 1;
    while (end < chart.moments.size() && chart.moments[end].bytes == chart.moments[first].bytes &&
           marked(end) == marked(first))
        ++end;
    return end - first;
}

// Without antialiasing: of hundreds of edges along pixels that is most of the painting.
void paint_steps(QPainter& painter, const ChartStyle& style, const MemoryStrip& chart, const Plot& plot) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double bottom = plot.inside().bottom();
    double before = bottom;
    for (std::size_t i = 0; i < chart.moments.size();) {
        const MemoryMoment& moment = chart.moments[i];
        const double x0 = plot.x_of(static_cast<double>(i));
        i += run_of(chart, style, i);
        const double x1 = plot.x_of(static_cast<double>(i));
        const double y = plot.y_of(moment.bytes);
        const bool over = chart.limit > 0 && moment.bytes > chart.limit;
        QColor fill = over ? style.theme.buffered : style.theme.box_rim;
        fill.setAlphaF(moment.line == style.highlighted ? 0.75F : 0.35F);
        painter.fillRect(QRectF(x0, y, x1 - x0, bottom - y), fill);
        painter.fillRect(QRectF(x0, y, x1 - x0, 1), style.theme.box_rim);
        painter.fillRect(QRectF(x0, std::min(y, before), 1, std::abs(y - before)), style.theme.box_rim);
        before = y;
    }
    const double end = plot.x_of(static_cast<double>(chart.moments.size()));
    painter.fillRect(QRectF(end - 1, before, 1, bottom - before), style.theme.box_rim);
    painter.setRenderHint(QPainter::Antialiasing);
}

std::vector<ChartSpot> spots_of(const MemoryStrip& chart, const Plot& plot) {
    std::vector<ChartSpot> spots;
    for (std::size_t i = 0; i < chart.moments.size(); ++i) {
        const double x0 = plot.x_of(static_cast<double>(i));
        const double x1 = plot.x_of(static_cast<double>(i + 1));
        QPainterPath area;
        area.addRect(x0, plot.inside().top(), x1 - x0, plot.inside().height());
        spots.push_back({area, chart.moments[i].tip, chart.moments[i].line});
    }
    return spots;
}

// Returns where it can be pointed at.
QPainterPath paint_limit(QPainter& painter, const ChartStyle& style, const MemoryStrip& chart,
                         const Plot& plot) {
    const double y = plot.y_of(chart.limit);
    const QRectF& in = plot.inside();
    painter.setPen(QPen(style.theme.buffered, 1.5, Qt::DashLine));
    painter.drawLine(QPointF(in.left(), y), QPointF(in.right(), y));
    const double width = std::min(in.width() - 12, chart_text_width(style, chart.limit_name, 0.92) + 2);
    const QRectF name(in.right() - 6 - width, y - style.text * 1.5, width, style.text * 1.4);
    chart_text(painter, style, name, Qt::AlignRight | Qt::AlignVCenter, chart.limit_name,
               style.theme.buffered, 0.92);
    QPainterPath area;
    area.addRect(in.left(), y - 4, in.width(), 8);
    QPainterPath text;
    text.addRect(name);
    return area.united(text);
}

// "Most alive at once: 66 kB", " of 227 kB ...": the text at `from`; returns where it can be pointed at.
QPainterPath paint_head(QPainter& painter, const ChartStyle& style, const QRectF& in, double from,
                        const QString& text) {
    const double width = std::min(std::max(0.0, in.right() - from), chart_text_width(style, text) + 2);
    const QRectF rect(from, in.top() - style.text * 1.9, width, style.text * 1.6);
    chart_text(painter, style, rect, Qt::AlignLeft | Qt::AlignVCenter, text, style.theme.ink);
    QPainterPath area;
    area.addRect(rect);
    return area;
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
    paint_steps(painter, style, chart, plot);
    std::vector<ChartSpot> spots = spots_of(chart, plot);
    const QRectF& in = plot.inside();
    const QString most = QObject::tr("Most alive at once: %1").arg(with_unit(largest, QStringLiteral("B")));
    const QPainterPath peak = paint_head(painter, style, in, in.left(), most);
    spots.push_back({peak, chart.tip, kPeakKey});
    if (chart.limit > 0) {
        QPainterPath area = paint_head(painter, style, in, peak.boundingRect().right() + 1,
                                       QObject::tr(" of %1").arg(chart.limit_name));
        if (limited) area = area.united(paint_limit(painter, style, chart, plot));
        spots.push_back({area, chart.tip, kLimitKey});
    }
    painter.restore();
    return spots;
}

}  // namespace blockscope
