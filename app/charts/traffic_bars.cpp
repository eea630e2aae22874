#include "app/charts/traffic_bars.h"

#include <QObject>
#include <algorithm>
#include <numeric>

#include "app/charts/plot.h"
#include "app/charts/series_look.h"

namespace blockscope {

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

}  // namespace blockscope
