// A rectangle with two axes, on which charts put their marks.
#pragma once

#include <QPainter>

#include "app/charts/chart.h"
#include "app/charts/range.h"

namespace blockscope {

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

}  // namespace blockscope
