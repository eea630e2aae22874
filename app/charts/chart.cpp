#include "app/charts/chart.h"

#include <QPainter>

#include "app/files/painting.h"

namespace blockscope {

namespace {

void paint_file(QPainter& painter, const PaintChart& paint, const ChartStyle& style, const ChartFile& file) {
    const QRectF all(QPointF(0, 0), file.size);
    painter.fillRect(all, style.theme.canvas);
    paint(painter, all.adjusted(kChartMargin, kChartMargin, -kChartMargin, -kChartMargin), style);
}

}  // namespace

QByteArray chart_bytes(const std::string& format, const PaintChart& paint, const ChartStyle& style,
                       const ChartFile& file) {
    PaintedFile painting;
    painting.size = file.size;
    painting.scale = file.scale;
    painting.title = file.title;
    painting.description = file.description;
    painting.kind = "chart";
    painting.paint = [&](QPainter& painter, double, VectorDevice*) {
        paint_file(painter, paint, style, file);
    };
    return write_painting(format, painting);
}

}  // namespace blockscope
