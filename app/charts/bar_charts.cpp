#include "app/charts/chart.h"

#include <QObject>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace blockscope {

namespace {

enum class Pattern : std::uint8_t { None, Rising, Falling, Vertical, Horizontal, Dots };

Pattern pattern_of(int index) {
    constexpr Pattern patterns[] = {Pattern::None,     Pattern::Rising,     Pattern::Dots, Pattern::Falling,
                                    Pattern::Vertical, Pattern::Horizontal, Pattern::None, Pattern::Rising};
    return patterns[static_cast<std::size_t>(index) % std::size(patterns)];
}

// The first multiple of `step` from `at` on, as a number of steps.
int first_multiple(double at, double step) {
    return static_cast<int>(std::ceil(at / step));
}

// Lines at 45 degrees, cut at the edges of `r`.
void slanted(QPainter& painter, const QRectF& r, double step, bool rising) {
    for (int line = first_multiple(r.left() + r.top(), step); line * step < r.right() + r.bottom(); ++line) {
        // x + y = sum inside r; mirrored for rising = false.
        const double sum = line * step;
        const double x0 = std::max(r.left(), sum - r.bottom());
        const double x1 = std::min(r.right(), sum - r.top());
        if (x1 <= x0) continue;
        const auto x = [&](double at) { return rising ? at : r.left() + r.right() - at; };
        painter.drawLine(QPointF(x(x0), sum - x0), QPointF(x(x1), sum - x1));
    }
}

void dots(QPainter& painter, const QRectF& r, double step) {
    for (int row = first_multiple(r.top(), step); row * step < r.bottom() - 1; ++row)
        for (int column = first_multiple(r.left(), step); column * step < r.right() - 1; ++column) {
            const QPointF at(column * step, row * step);
            if (at.x() > r.left() + 1 && at.y() > r.top() + 1) painter.drawLine(at, at + QPointF(0.8, 0));
        }
}

}  // namespace

QColor series_color(const Theme& theme, int index) {
    static const char* const light[] = {"#0072b2", "#e69f00", "#00805d", "#a3478a",
                                        "#56b4e9", "#c2410c", "#8a8f98", "#b8a800"};
    static const char* const dark[] = {"#3d9bd6", "#e6b422", "#35b890", "#dd92c4",
                                       "#8ad0f5", "#ff8a5c", "#9aa3b0", "#e3d44a"};
    const auto i = static_cast<std::size_t>(index) % kSeriesLooks;
    return QColor(QLatin1String(theme.dark ? dark[i] : light[i]));
}

void fill_series(QPainter& painter, const QRectF& rect, const Theme& theme, int index) {
    if (rect.width() <= 0 || rect.height() <= 0) return;
    painter.save();
    painter.fillRect(rect, series_color(theme, index));
    const Pattern pattern = pattern_of(index);
    if (pattern != Pattern::None && rect.width() > 3 && rect.height() > 3) {
        QColor stroke = theme.canvas;
        stroke.setAlphaF(0.55F);
        painter.setPen(QPen(stroke, pattern == Pattern::Dots ? 1.8 : 1.1));
        constexpr double step = 6;
        if (pattern == Pattern::Rising || pattern == Pattern::Falling)
            slanted(painter, rect, step, pattern == Pattern::Rising);
        if (pattern == Pattern::Dots) dots(painter, rect, step);
        for (double x = rect.left() + step / 2; pattern == Pattern::Vertical && x < rect.right(); x += step)
            painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
        for (double y = rect.top() + step / 2; pattern == Pattern::Horizontal && y < rect.bottom(); y += step)
            painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
    }
    painter.restore();
}

namespace {

double total(const TrafficBar& bar) {
    return std::accumulate(bar.parts.begin(), bar.parts.end(), 0.0);
}

// The names of the series in rows of at most `width`; returns the height they take.
double paint_key(QPainter& painter, const QRectF& area, const ChartStyle& style, const TrafficBars& chart,
                 bool draw) {
    const double line = style.text * 1.6;
    const double square = style.text;
    double x = area.left();
    double y = area.top();
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
        const double width = square + 5 + chart_text_width(style, chart.series[i]) + 2;
        if (x > area.left() && x + width > area.right()) x = area.left(), y += line;
        if (draw) {
            fill_series(painter, {x, y + (line - square) / 2, square, square}, style.theme,
                        static_cast<int>(i));
            chart_text(painter, style, {x + square + 5, y, width - square - 5, line},
                       Qt::AlignLeft | Qt::AlignVCenter, chart.series[i], style.theme.ink);
        }
        x += width + 14;
    }
    return y + line - area.top();
}

class Bars {
public:
    Bars(QPainter& painter, const QRectF& all, const ChartStyle& style, const TrafficBars& chart)
        : painter_(painter), style_(style), chart_(chart), all_(all) {
        for (const TrafficBar& bar : chart.bars) {
            largest_ = std::max(largest_, total(bar));
            labels_ = std::max(labels_, chart_text_width(style, bar.label) + 10);
        }
        labels_ = std::min(labels_, all.width() * 0.3);
        numbers_ = chart_text_width(style, QStringLiteral("888.8 MB")) + 8;
    }

    std::vector<ChartSpot> paint() {
        const double key = paint_key(painter_, all_, style_, chart_, true) + style_.text * 0.5;
        const double step =
            std::min(style_.text * 2.6, (all_.height() - key) / static_cast<double>(chart_.bars.size()));
        double y = all_.top() + key;
        for (const TrafficBar& bar : chart_.bars) {
            paint_bar(bar, y, step);
            y += step;
        }
        return std::move(spots_);
    }

private:
    void paint_bar(const TrafficBar& bar, double top, double step) {
        const double height = std::max(2.0, step * 0.72);
        const double y = top + (step - height) / 2;
        const bool current = bar.key == style_.highlighted;
        const QColor ink = current ? style_.theme.selected : style_.theme.ink;
        const bool readable = step >= style_.text * 1.05;
        if (readable)
            chart_text(painter_, style_, {all_.left(), top, labels_ - 6, step},
                       Qt::AlignRight | Qt::AlignVCenter, bar.label, ink);
        const double room = all_.width() - labels_ - numbers_;
        double x = all_.left() + labels_;
        for (std::size_t i = 0; i < bar.parts.size(); ++i) {
            const double width = largest_ > 0 ? bar.parts[i] / largest_ * room : 0;
            const QRectF rect(x, y, width, height);
            fill_series(painter_, rect, style_.theme, static_cast<int>(i));
            if (width > 0) {
                QPainterPath area;
                area.addRect(rect);
                spots_.push_back({area, bar.tips.at(i), bar.key, static_cast<int>(i)});
            }
            x += width;
        }
        if (current) {
            painter_.setPen(QPen(style_.theme.selected, 1.5));
            painter_.setBrush(Qt::NoBrush);
            painter_.drawRect(QRectF(all_.left() + labels_, y, x - all_.left() - labels_, height));
        }
        if (!readable) return;
        const QString sum = with_unit(total(bar), QStringLiteral("B"));
        chart_text(painter_, style_, {x + 6, top, numbers_, step}, Qt::AlignLeft | Qt::AlignVCenter, sum,
                   ink);
        QPainterPath area;
        area.addRect(x + 6, y, chart_text_width(style_, sum) + 2, height);
        spots_.push_back({area, bar.label + QStringLiteral(": ") + sum, bar.key, kTotalPart});
    }

    QPainter& painter_;
    const ChartStyle& style_;
    const TrafficBars& chart_;
    QRectF all_;
    double largest_ = 0;
    double labels_ = 0;
    double numbers_ = 0;
    std::vector<ChartSpot> spots_;
};

}  // namespace

std::vector<ChartSpot> paint_traffic_bars(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                          const TrafficBars& chart) {
    if (!chart.missing.isEmpty() || chart.bars.empty()) {
        chart_message(painter, style, all, QObject::tr("No traffic"), chart.missing);
        return {};
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    std::vector<ChartSpot> spots = Bars(painter, all, style, chart).paint();
    painter.restore();
    return spots;
}

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
           chart.moments[end].over == chart.moments[first].over && marked(end) == marked(first))
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
        QColor fill = moment.over ? style.theme.buffered : style.theme.box_rim;
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
                        const QString& text, int lines_below = 0) {
    const double width = std::min(std::max(0.0, in.right() - from), chart_text_width(style, text) + 2);
    const QRectF rect(from, in.top() - style.text * (1.9 + 1.6 * lines_below), width, style.text * 1.6);
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
              {range_of(values, false), {}, QStringLiteral("B")},
              style.text * 1.6 * (1 + static_cast<double>(chart.places.size())));
    plot.paint_axes();
    paint_steps(painter, style, chart, plot);
    std::vector<ChartSpot> spots = spots_of(chart, plot);
    const QRectF& in = plot.inside();
    const QString most = QObject::tr("Most alive at once: %1").arg(with_unit(largest, QStringLiteral("B")));
    const auto places = static_cast<int>(chart.places.size());
    const QPainterPath peak = paint_head(painter, style, in, in.left(), most, places);
    spots.push_back({peak, chart.tip, kPeakKey});
    for (int i = 0; i < places; ++i)
        spots.push_back({paint_head(painter, style, in, in.left(), chart.places.at(i), places - 1 - i),
                         chart.tip, kLimitKey});
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
