#include "app/charts/chart_export.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <cmath>

#include "app/export/pdf.h"
#include "app/export/svg.h"

namespace blockscope {

namespace {

void paint_file(QPainter& painter, const PaintChart& paint, const ChartStyle& style, const ChartFile& file) {
    const QRectF all(QPointF(0, 0), file.size);
    painter.fillRect(all, style.theme.canvas);
    paint(painter, all.adjusted(kChartMargin, kChartMargin, -kChartMargin, -kChartMargin), style);
}

}  // namespace

QByteArray chart_svg(const PaintChart& paint, const ChartStyle& style, const ChartFile& file) {
    VectorDevice device;
    device.set_centred(false);
    QPainter painter(&device);
    device.start(" class=\"chart\"");
    paint_file(painter, paint, style, file);
    painter.end();
    return QByteArray::fromStdString(svg_file({0, 0, file.size.width(), file.size.height()}, file.title,
                                              file.description, svg_items(device.items(), plain_colour)));
}

QByteArray chart_pdf(const PaintChart& paint, const ChartStyle& style, const ChartFile& file) {
    return write_pdf(file.title, file.size, 1,
                     [&](QPainter& painter, int) { paint_file(painter, paint, style, file); });
}

QByteArray chart_png(const PaintChart& paint, const ChartStyle& style, const ChartFile& file) {
    QImage image((file.size * file.scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.scale(file.scale, file.scale);
    paint_file(painter, paint, style, file);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray chart_bytes(const std::string& format, const PaintChart& paint, const ChartStyle& style,
                       const ChartFile& file) {
    if (format == "svg") return chart_svg(paint, style, file);
    if (format == "pdf") return chart_pdf(paint, style, file);
    if (format == "png") return chart_png(paint, style, file);
    return {};
}

}  // namespace blockscope
