#include "app/charts/chart.h"

#include <QLineF>
#include <QObject>
#include <QTransform>
#include <algorithm>
#include <cmath>

namespace blockscope {

namespace {

constexpr double kPointRadius = 5;
constexpr double kFirst = 10;  // of a level's name, from where its line enters the plot
constexpr double kAround = 9;  // units; as wide is the part of a line that can be pointed at

struct Ranges {
    Range x, y;
};

// All points, the ridge of the slowest level under the fastest unit, and half a decade around.
Ranges ranges_of(const Roofline& chart) {
    std::vector<double> x;
    std::vector<double> y;
    for (const RooflinePoint& p : chart.points) {
        x.push_back(p.intensity);
        y.push_back(p.predicted);
        if (p.measured) y.push_back(*p.measured);
    }
    double slowest = 0;
    double fastest = 0;
    for (const RooflineCeiling& c : chart.ceilings) {
        if (c.level) slowest = slowest == 0 ? c.rate : std::min(slowest, c.rate);
        if (!c.level) fastest = std::max(fastest, c.rate);
    }
    if (slowest > 0 && fastest > 0) x.push_back(fastest / slowest);
    if (fastest > 0) y.push_back(fastest);
    return {range_of(x, true), range_of(y, true)};
}

class Painter {
public:
    Painter(QPainter& painter, const QRectF& all, const ChartStyle& style, const Roofline& chart)
        : painter_(painter),
          style_(style),
          chart_(chart),
          ranges_(ranges_of(chart)),
          plot_(painter, style, all,
                {ranges_.x, QObject::tr("Operations per byte from memory"), QStringLiteral("FLOP/B")},
                {ranges_.y, {}, QStringLiteral("FLOP/s")}, style.text * 1.6),
          labels_(plot_.inside()) {}

    std::vector<ChartSpot> paint() {
        plot_.paint_axes();
        reserve_points();
        ceilings();
        join();
        for (const RooflinePoint& point : chart_.points) mark(point);
        for (const RooflinePoint& point : chart_.points) label(point);
        key();
        return std::move(spots_);
    }

private:
    // Where the diagonals end.
    double roof() const {
        double fastest = 0;
        for (const RooflineCeiling& c : chart_.ceilings)
            if (!c.level) fastest = std::max(fastest, c.rate);
        return fastest > 0 ? fastest : ranges_.y.to;
    }

    void reserve_points() {
        for (const RooflinePoint& p : chart_.points)
            for (const double y : {p.predicted, p.measured.value_or(0)})
                if (y > 0 && p.intensity > 0) labels_.keep_free(around(plot_.at(p.intensity, y)));
    }
    static QRectF around(QPointF at) {
        return {at.x() - kPointRadius, at.y() - kPointRadius, 2 * kPointRadius, 2 * kPointRadius};
    }

    static QPainterPath along(const QLineF& line) {
        QPainterPath path(line.p1());
        path.lineTo(line.p2());
        QPainterPathStroker wide;
        wide.setWidth(kAround);
        return wide.createStroke(path);
    }

    // The lines and the names of ceilings can be pointed at: one spot each.
    void add_area(const RooflineCeiling& c, const QPainterPath& area) {
        QPainterPath inside;
        inside.addRect(plot_.inside());
        const QPainterPath seen = area.intersected(inside);
        const auto part = static_cast<int>(&c - chart_.ceilings.data());
        const auto known = std::find_if(spots_.begin(), spots_.end(),
                                        [&](const ChartSpot& spot) { return spot.part == part; });
        if (known != spots_.end())
            known->area = known->area.united(seen);
        else if (!seen.isEmpty())
            spots_.push_back({seen, c.tip, kCeilingKey, part});
    }
    void add_area(const RooflineCeiling& c, const QRectF& rect) {
        QPainterPath area;
        area.addRect(rect);
        add_area(c, area);
    }

    void ceilings() {
        const double top = roof();
        double widest = 0;
        for (const RooflineCeiling& c : chart_.ceilings)
            if (c.level) widest = std::max(widest, c.rate);
        for (const RooflineCeiling& c : chart_.ceilings) {
            painter_.setPen(QPen(c.level ? style_.theme.box_rim : style_.theme.formula_rim, 1.6,
                                 c.level ? Qt::SolidLine : Qt::DashLine));
            const double from = widest > 0 ? std::max(ranges_.x.from, c.rate / widest) : ranges_.x.from;
            std::optional<QLineF> seen = diagonal(c);
            if (!c.level) seen = QLineF(plot_.at(from, c.rate), plot_.at(ranges_.x.to, c.rate));
            if (c.level && seen) plot_.line(ranges_.x.from, ranges_.x.from * c.rate, top / c.rate, top);
            if (!c.level) plot_.line(from, c.rate, ranges_.x.to, c.rate);
            if (seen) add_area(c, along(*seen));
        }
        for (const RooflineCeiling& c : chart_.ceilings)
            if (!c.level) name_unit(c);
        // All other names look for places where no unit's line strikes them through.
        for (const RooflineCeiling& c : chart_.ceilings)
            if (!c.level)
                labels_.keep_free({plot_.inside().left(), plot_.y_of(c.rate) - 1, plot_.inside().width(), 2});
        std::vector<const RooflineCeiling*> beside;
        for (const RooflineCeiling& c : chart_.ceilings)
            if (c.level && !name_level(c)) beside.push_back(&c);
        for (const RooflineCeiling* c : beside) name_beside(*c);
    }

    // Above a unit's line at its right end, else below it, else further left: where no other name is.
    void name_unit(const RooflineCeiling& c) {
        const QRectF& in = plot_.inside();
        const double width = chart_text_width(style_, c.name, 0.92) + 4;
        const double line = style_.text * 1.4;
        const double y = plot_.y_of(c.rate);
        for (double right = in.right() - 4; right - width > in.left(); right -= line)
            for (const double top : {y - line, y + 1}) {
                const QRectF rect(right - width, top, width, line);
                if (!labels_.take(rect)) continue;
                add_area(c, rect);
                return chart_text(painter_, style_, rect, Qt::AlignRight | Qt::AlignVCenter, c.name,
                                  style_.theme.formula_rim, 0.92);
            }
    }

    // The part of a level's diagonal that is seen: from where it enters the plot at the left edge or the
    // lower one, to the roof. None of one that lies above the roof.
    std::optional<QLineF> diagonal(const RooflineCeiling& c) const {
        const double x0 = std::max(ranges_.x.from, ranges_.y.from / c.rate);
        const double x1 = roof() / c.rate;
        if (x1 <= x0 || x0 >= ranges_.x.to) return {};
        return QLineF(plot_.at(x0, x0 * c.rate), plot_.at(x1, roof()));
    }

    // Along its diagonal, above it, or further up, or below it: where neither points nor other names are.
    // False if there is no such place.
    bool name_level(const RooflineCeiling& c) {
        const auto seen = diagonal(c);
        if (!seen) return true;  // nothing to name
        const double width = chart_text_width(style_, c.name, 0.92) + 4;
        const double line = style_.text * 1.4;
        const QPointF ahead = (seen->p2() - seen->p1()) / seen->length();
        const QPointF across(ahead.y(), -ahead.x());  // upwards
        for (const double side : {1.0, -1.0})
            for (double from = kFirst; from + width < seen->length(); from += line) {
                std::vector<QRectF> squares;  // the name, along the line
                for (int half = 0; half * line / 2 < width; ++half) {
                    const double at = from + half * line / 2;
                    const QPointF middle = seen->p1() + ahead * at + across * side * line / 2;
                    squares.push_back(QRectF(middle.x() - line / 2, middle.y() - line / 2, line, line) &
                                      plot_.inside());
                }
                const auto is_free = [&](const QRectF& square) { return labels_.is_free(square); };
                if (!std::all_of(squares.begin(), squares.end(), is_free)) continue;
                for (const QRectF& square : squares) labels_.keep_free(square);
                const QTransform turned = QTransform::fromTranslate(seen->p1().x(), seen->p1().y())
                                              .rotateRadians(std::atan2(ahead.y(), ahead.x()));
                const QRectF name(from, side > 0 ? -line : 0, width, line);
                painter_.save();
                painter_.setTransform(turned, true);
                chart_text(painter_, style_, name, Qt::AlignLeft | Qt::AlignVCenter, c.name,
                           style_.theme.box_rim, 0.92);
                painter_.restore();
                QPainterPath area;
                area.addRect(name);
                add_area(c, turned.map(area));
                return true;
            }
        return false;
    }

    // Puts the name of a diagonal beside it, level, where it has no room along it.
    void name_beside(const RooflineCeiling& c) {
        const auto seen = diagonal(c);
        const QSizeF size(chart_text_width(style_, c.name, 0.92) + 4, style_.text * 1.4);
        for (const double share : {0.5, 0.2, 0.8}) {
            const auto rect = labels_.place(seen->pointAt(share), 2, size);
            if (!rect) continue;
            add_area(c, *rect);
            return chart_text(painter_, style_, *rect, Qt::AlignCenter, c.name, style_.theme.box_rim, 0.92);
        }
    }

    // Lines join predicted points with each other, and measured points with each other.
    void join() {
        QColor color = style_.theme.faint;
        color.setAlphaF(0.7F);
        painter_.setPen(QPen(color, 1.2));
        join_all([](const RooflinePoint& p) { return p.predicted; });
        join_all([](const RooflinePoint& p) { return p.measured.value_or(0); });
    }
    template <class Height>
    void join_all(const Height& y) {
        const RooflinePoint* before = nullptr;
        for (const RooflinePoint& p : chart_.points) {
            if (y(p) <= 0 || p.intensity <= 0) continue;
            if (before) plot_.line(before->intensity, y(*before), p.intensity, y(p));
            before = &p;
        }
    }

    void mark(const RooflinePoint& p) {
        if (p.intensity <= 0) return;
        const bool current = p.key == style_.highlighted;
        const QColor color = current ? style_.theme.selected : style_.theme.ink;
        const double radius = current ? kPointRadius + 1.5 : kPointRadius;
        const auto dot = [&](double y, bool filled) {
            if (y <= 0) return;
            const QPointF at = plot_.at(p.intensity, y);
            painter_.setPen(QPen(color, 1.8));
            painter_.setBrush(filled ? color : style_.theme.canvas);
            painter_.drawEllipse(at, radius, radius);
            QPainterPath area;
            area.addEllipse(at, radius + 4, radius + 4);
            spots_.push_back({area, p.tip, p.key, filled ? 1 : 0});
        };
        if (p.predicted > 0 && p.measured) {
            painter_.setPen(QPen(color, 1, Qt::DotLine));
            plot_.line(p.intensity, p.predicted, p.intensity, *p.measured);
        }
        dot(p.predicted, false);
        if (p.measured) dot(*p.measured, true);
    }

    void label(const RooflinePoint& p) {
        const double y = p.measured.value_or(p.predicted);
        if (y <= 0 || p.intensity <= 0) return;
        const QSizeF size(chart_text_width(style_, p.label) + 2, style_.text * 1.3);
        const auto rect = labels_.place(plot_.at(p.intensity, y), kPointRadius + 1, size);
        if (rect)
            chart_text(painter_, style_, *rect, Qt::AlignCenter, p.label,
                       p.key == style_.highlighted ? style_.theme.selected : style_.theme.ink);
    }

    // "○ predicted  ● measured" above the plot.
    void key() {
        const double y = plot_.inside().top() - style_.text * 1.1;
        double x = plot_.inside().left() + kPointRadius;
        for (const bool filled : {false, true}) {
            painter_.setPen(QPen(style_.theme.ink, 1.8));
            painter_.setBrush(filled ? style_.theme.ink : style_.theme.canvas);
            painter_.drawEllipse(QPointF(x, y), kPointRadius - 0.5, kPointRadius - 0.5);
            const QString text = filled ? QObject::tr("measured") : QObject::tr("predicted");
            const double width = chart_text_width(style_, text) + 2;
            chart_text(painter_, style_, {x + kPointRadius + 4, y - style_.text, width, style_.text * 2},
                       Qt::AlignLeft | Qt::AlignVCenter, text, style_.theme.faint);
            x += kPointRadius + 4 + width + 18;
        }
    }

    QPainter& painter_;
    const ChartStyle& style_;
    const Roofline& chart_;
    Ranges ranges_;
    Plot plot_;
    LabelPlacer labels_;
    std::vector<ChartSpot> spots_;
};

}  // namespace

std::vector<ChartSpot> paint_roofline(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                      const Roofline& chart) {
    if (!chart.missing.isEmpty() || chart.points.empty()) {
        chart_message(painter, style, all, QObject::tr("No roofline"), chart.missing);
        return {};
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    std::vector<ChartSpot> spots = Painter(painter, all, style, chart).paint();
    painter.restore();
    return spots;
}

namespace {

constexpr double kDotRadius = 4.5;

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
        painter.drawEllipse(at, kDotRadius, kDotRadius);
        labels.keep_free({at.x() - kDotRadius, at.y() - kDotRadius, 2 * kDotRadius, 2 * kDotRadius});
        QPainterPath area;
        area.addEllipse(at, kDotRadius + 4, kDotRadius + 4);
        spots.push_back({area, p.tip, p.key});
    }
    for (const ScatterPoint& p : chart.points) {
        const QSizeF size(chart_text_width(style, p.label) + 2, style.text * 1.3);
        if (const auto rect = labels.place(plot.at(p.predicted, p.measured), kDotRadius + 1, size))
            chart_text(painter, style, *rect, Qt::AlignCenter, p.label, color_of(p, style));
    }
    painter.restore();
    return spots;
}

}  // namespace blockscope
