#include "app/tilings/tilings_pictures.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/costs/cost_table.h"

namespace blockscope {

namespace {

constexpr double kTilingDot = 3;

// The title of an axis says what it is of.
QString axis_title(const QString& what, const QString& of) {
    return of.isEmpty() ? what : QObject::tr("%1: %2").arg(what, of);
}

}  // namespace

std::vector<ChartSpot> paint_tiling_dots(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                         const TilingDots& chart) {
    if (chart.dots.empty()) {
        chart_message(painter, style, all, QObject::tr("Nothing is measured"), chart.missing);
        return {};
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    std::vector<double> estimates, measured;
    for (const TilingDot& dot : chart.dots) {
        estimates.push_back(dot.estimate);
        measured.push_back(dot.measured);
    }
    Plot plot(
        painter, style, all,
        {range_of(estimates, true), axis_title(QObject::tr("Estimated"), chart.device), QStringLiteral("s")},
        {range_of(measured, true), axis_title(QObject::tr("Measured"), chart.machine), QStringLiteral("s")});
    plot.paint_axes();
    std::vector<ChartSpot> spots;
    const TilingDot* last = nullptr;  // the chosen one, over the others
    const auto paint = [&](const TilingDot& dot) {
        const bool chosen = dot.candidate == style.highlighted;
        QColor color = chosen ? style.theme.selected : series_color(style.theme, 0);
        const double radius = chosen ? kTilingDot + 2 : kTilingDot;
        painter.setPen(QPen(color, 1));
        color.setAlphaF(chosen ? 1.0F : 0.45F);
        painter.setBrush(color);
        const QPointF at = plot.at(dot.estimate, dot.measured);
        painter.drawEllipse(at, radius, radius);
        QPainterPath area;
        area.addEllipse(at, radius + 2, radius + 2);
        spots.push_back({area, dot.tip, dot.candidate});
    };
    for (const TilingDot& dot : chart.dots) {
        if (dot.candidate == style.highlighted)
            last = &dot;
        else
            paint(dot);
    }
    if (last) paint(*last);
    painter.restore();
    return spots;
}

namespace {

double speedup_of(const tilings::WorkloadTimes& row, bool deep) {
    const double time = deep ? row.deep : row.fused;
    return std::isfinite(time) && time > 0 && std::isfinite(row.unfused) ? row.unfused / time : 0;
}

QString speedup_tip(const tilings::WorkloadTimes& row, bool deep) {
    const QString name = QString::fromStdString(row.workload.name);
    const double times = speedup_of(row, deep);
    if (times == 0) return QObject::tr("%1: the rules drop every candidate").arg(name);
    return (deep ? QObject::tr("%1: %2 times as fast as its products one by one, with deep expressions only "
                               "(%3 against %4)")
                 : QObject::tr("%1: %2 times as fast as its products one by one (%3 against %4)"))
        .arg(name, QLocale().toString(times, 'f', 2), time_text(deep ? row.deep : row.fused),
             time_text(row.unfused));
}

// What the two looks of bars mean, above them, in as many lines as they need.
double paint_speedup_key(QPainter& painter, const ChartStyle& style, const QRectF& all) {
    const QString texts[] = {QObject::tr("all expressions"), QObject::tr("deep ones only: Chimera's space")};
    const double line = style.text * 1.7, box = style.text;
    double x = all.left(), y = all.top();
    for (int i = 0; i < 2; ++i) {
        const double width = box + 6 + chart_text_width(style, texts[i]) + 2;
        if (x > all.left() && x + width > all.right()) {
            x = all.left();
            y += line;
        }
        fill_series(painter, {x, y + (line - box) / 2, box, box}, style.theme, i);
        chart_text(painter, style, {x + box + 6, y, width, line}, Qt::AlignLeft | Qt::AlignVCenter, texts[i],
                   style.theme.ink);
        x += width + style.text * 1.5;
    }
    return y + line - all.top();
}

}  // namespace

std::vector<ChartSpot> paint_speedups(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                      const SpeedupBars& chart) {
    if (chart.rows.empty()) {
        chart_message(painter, style, all, QObject::tr("No speed-ups"), chart.missing);
        return {};
    }
    painter.save();
    const double key = paint_speedup_key(painter, style, all);
    double most = 1;
    for (const tilings::WorkloadTimes& row : chart.rows)
        most = std::max({most, speedup_of(row, false), speedup_of(row, true)});
    const Range range{0, most * 1.05, false};
    const double left = chart_text_width(style, QStringLiteral("88.8")) + style.text;
    const QRectF inside = all.adjusted(left, key + style.text, 0, -style.text * 1.8);
    const auto y_of = [&](double value) { return inside.bottom() - range.share(value) * inside.height(); };
    for (const Tick& tick : ticks(range, 6)) {
        if (!tick.major) continue;
        painter.setPen(QPen(style.theme.faint, tick.value == 1 ? 1.4 : 0.5,
                            tick.value == 1 ? Qt::DashLine : Qt::SolidLine));
        painter.drawLine(QPointF(inside.left(), y_of(tick.value)), QPointF(inside.right(), y_of(tick.value)));
        chart_text(painter, style, {all.left(), y_of(tick.value) - style.text, left - 6, style.text * 2},
                   Qt::AlignRight | Qt::AlignVCenter, short_number(tick.value), style.theme.ink);
    }
    painter.setPen(QPen(style.theme.ink, 1.2, Qt::DashLine));
    painter.drawLine(QPointF(inside.left(), y_of(1)), QPointF(inside.right(), y_of(1)));
    const double step = inside.width() / static_cast<double>(chart.rows.size());
    // Names that would cover each other: every second one, every third.
    double widest = 0;
    for (const tilings::WorkloadTimes& row : chart.rows)
        widest = std::max(widest, chart_text_width(style, QString::fromStdString(row.workload.name)));
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil((widest + 4) / step)));
    std::vector<ChartSpot> spots;
    for (std::size_t i = 0; i < chart.rows.size(); ++i) {
        const double x = inside.left() + step * static_cast<double>(i);
        for (const bool deep : {false, true}) {
            const double top = y_of(speedup_of(chart.rows[i], deep));
            const QRectF bar(x + step * (deep ? 0.5 : 0.14), top, step * 0.34, inside.bottom() - top);
            fill_series(painter, bar, style.theme, deep ? 1 : 0);
            QPainterPath area;
            area.addRect(bar);
            spots.push_back({area, speedup_tip(chart.rows[i], deep), static_cast<int>(i), deep ? 1 : 0});
        }
        if (i % every == 0)
            chart_text(painter, style, {x - widest, inside.bottom() + 2, step + 2 * widest, style.text * 1.7},
                       Qt::AlignHCenter | Qt::AlignTop, QString::fromStdString(chart.rows[i].workload.name),
                       style.theme.ink);
    }
    painter.restore();
    return spots;
}

}  // namespace blockscope
