// Ranges of values on an axis, linear or logarithmic, and their ticks.
#pragma once

#include <QPainter>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <optional>
#include <vector>

#include "app/charts/chart.h"

namespace blockscope {

struct Range {
    double from = 0;
    double to = 1;
    bool log = false;  // then from > 0

    // 0 at `from`, 1 at `to`; beyond them outside 0 .. 1.
    double share(double value) const;
};

// The range of all finite values (for `log` of those above 0) with some room on both sides: whole powers or
// halves of ten for `log`; from 0 for linear ranges. 1 .. 10 or 0 .. 1 if there are none.
Range range_of(const std::vector<double>& values, bool log);

struct Tick {
    double value = 0;
    bool major = true;  // has a label
};

// Round values in the range: at most `most` major ones. Minor ones (2, 3, ... 9) on logarithmic ranges of few
// decades.
std::vector<Tick> ticks(const Range& range, int most);

// "0", "1.5 k", "200 M", "3.2 µ": three digits at most and an SI prefix.
QString short_number(double value);
// short_number() and the unit with the prefix at the unit: "1.5 kB", "3.2 µs".
QString with_unit(double value, const QString& unit);

// A rectangle with two axes, on which charts put their marks.

struct PlotAxis {
    Range range;
    QString title;  // "Arithmetic intensity"
    QString unit;   // of the tick labels: "FLOP/B"; may be empty
};

class Plot {
public:
    // Leaves room in `all` for the axes' labels, and `above` and `right` free of everything.
    Plot(QPainter& painter, const ChartStyle& style, const QRectF& all, PlotAxis x, PlotAxis y,
         double above = 0, double right = 0);

    // The grid, the tick labels and the titles.
    void paint_axes();
    const QRectF& inside() const { return inside_; }
    QPointF at(double x, double y) const { return {x_of(x), y_of(y)}; }
    double x_of(double x) const { return inside_.left() + x_.range.share(x) * inside_.width(); }
    double y_of(double y) const { return inside_.bottom() - y_.range.share(y) * inside_.height(); }
    // A line between two places, cut at the axes.
    void line(double x0, double y0, double x1, double y1);

private:
    void paint_x_axis();
    void paint_y_axis();

    QPainter& painter_;
    const ChartStyle& style_;
    PlotAxis x_, y_;
    QRectF inside_, all_;
};

// The font of labels; the same on every device.
QFont chart_font(const ChartStyle& style, double scale = 1);
// One line of text beside or in a chart.
void chart_text(QPainter& painter, const ChartStyle& style, const QRectF& rect, Qt::Alignment alignment,
                const QString& text, const QColor& color, double scale = 1);
double chart_text_width(const ChartStyle& style, const QString& text, double scale = 1);
// The parts in as many lines as they need, with `between` between those of a line.
std::vector<QString> chart_lines(const ChartStyle& style, const std::vector<QString>& parts,
                                 const QString& between, double width);
// In the middle of an empty chart: what is missing, and what to do.
void chart_message(QPainter& painter, const ChartStyle& style, const QRectF& all, const QString& title,
                   const QString& detail);

// Finds places for labels of points where they cover neither each other nor other points.

class LabelPlacer {
public:
    explicit LabelPlacer(const QRectF& inside) : inside_(inside) {}

    // Nothing is put here.
    void keep_free(const QRectF& rect) { taken_.push_back(rect); }
    // Whether nothing is there yet; from now on this is.
    bool take(const QRectF& rect);
    bool is_free(const QRectF& rect) const;  // and inside
    // A rectangle of this size beside a point of `radius`, right of it if possible; taken from now on. None
    // if all eight places around are taken.
    std::optional<QRectF> place(QPointF point, double radius, QSizeF size);

private:
    QRectF inside_;
    std::vector<QRectF> taken_;
};

}  // namespace blockscope
