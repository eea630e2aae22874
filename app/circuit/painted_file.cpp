#include "app/circuit/painted_file.h"

#include "app/export/pdf.h"
#include "app/export/svg.h"
#include "app/export/vector_device.h"

namespace blockscope {

QByteArray painted_bytes(const std::string& format, const QSizeF& size, const std::string& kind,
                         const CircuitFile& file, const std::function<void(QPainter&)>& paint) {
    const auto whole = [&](QPainter& painter) {
        if (file.background) painter.fillRect(QRectF(QPointF(0, 0), size), file.theme.canvas);
        paint(painter);
    };
    if (format == "pdf")
        return write_pdf(file.title, size, 1, [&](QPainter& painter, int) { whole(painter); });
    if (format == "png") return picture_png(size, file.scale, whole);
    if (format != "svg") return {};
    VectorDevice device;
    device.set_centred(false);
    QPainter painter(&device);
    device.start(" class=\"" + kind + "\"");
    whole(painter);
    painter.end();
    return QByteArray::fromStdString(svg_file({0, 0, size.width(), size.height()}, file.title, {},
                                              svg_items(device.items(), plain_colour)));
}

}  // namespace blockscope
