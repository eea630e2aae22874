#include "app/circuit/circuit_file.h"

#include <QBuffer>
#include <QImage>
#include <cmath>

#include "app/circuit/circuit_text.h"
#include "app/export/pdf.h"
#include "app/export/svg.h"
#include "core/circuit/layout/tikz.h"

namespace blockscope {

namespace {

constexpr double kMaxPixels = 5e8;
constexpr double kCaption = 26;  // height

QSizeF size_of(const circuit::Drawing& drawing, const CircuitFile& file) {
    double width = drawing.bounds.width;
    if (!file.caption.empty())
        width = std::max(width, rich_size(file.caption, circuit::LabelRole::Name).width + 2 * kCaption);
    return {std::ceil(width), std::ceil(drawing.bounds.height + (file.caption.empty() ? 0 : kCaption))};
}

void paint_file(QPainter& painter, const circuit::Drawing& drawing, const CircuitFile& file,
                const AnnouncePart& announce = {}) {
    const QSizeF size = size_of(drawing, file);
    const CircuitLook look = circuit_look(file.theme);
    if (file.background) painter.fillRect(QRectF(QPointF(0, 0), size), file.theme.canvas);
    painter.save();
    painter.translate((size.width() - drawing.bounds.width) / 2 - drawing.bounds.x, -drawing.bounds.y);
    paint_circuit(painter, drawing, look, {}, announce);
    painter.restore();
    if (file.caption.empty()) return;
    const Size text = rich_size(file.caption, circuit::LabelRole::Name);
    paint_rich(painter, {(size.width() - text.width) / 2, drawing.bounds.height, text.width, text.height},
               file.caption, circuit::LabelRole::Name, file.theme.ink);
}

// What a part is called in a file: "wire", with its axis; "glyph", with its node.
std::string attributes(const circuit::Drawing& drawing, const CircuitPart& part) {
    using PartKind = CircuitPart::Kind;
    const auto node = [](const circuit::Origin& origin) {
        return origin.node == NodeId{} ? std::string() : " data-node=\"" + to_string(origin.node) + "\"";
    };
    const auto i = static_cast<std::size_t>(std::max(part.index, 0));
    switch (part.kind) {
        case PartKind::None:
            return {};
        case PartKind::Frame:
            return " class=\"frame\"" + node(drawing.frames.at(i).origin);
        case PartKind::Wire: {
            const circuit::DrawnWire& wire = drawing.wires.at(i);
            const std::string axis =
                wire.axis.value < 0 ? "" : xml_escaped(circuit::axis_of(drawing.axes, wire.axis).name);
            return " class=\"wire level" + std::to_string(wire.level) + "\" data-axis=\"" + axis + "\"";
        }
        case PartKind::Glyph:
            return " class=\"glyph\"" + node(drawing.glyphs.at(i).origin);
        case PartKind::Number:
            return " class=\"number\"";
    }
    return {};
}

}  // namespace

QByteArray circuit_svg(const circuit::Drawing& drawing, const CircuitFile& file) {
    VectorDevice device;
    device.set_centred(false);
    QPainter painter(&device);
    device.start(" class=\"circuit\"");
    paint_file(painter, drawing, file, [&](const CircuitPart& part) {
        // What has no part of its own is named by its first group.
        device.start(attributes(drawing, part), part_text(drawing, part));
    });
    painter.end();
    const QSizeF size = size_of(drawing, file);
    return QByteArray::fromStdString(svg_file({0, 0, size.width(), size.height()}, file.title, file.caption,
                                              svg_items(device.items(), plain_colour)));
}

QByteArray circuit_pdf(const circuit::Drawing& drawing, const CircuitFile& file) {
    return write_pdf(file.title, size_of(drawing, file), 1,
                     [&](QPainter& painter, int) { paint_file(painter, drawing, file); });
}

QByteArray picture_png(QSizeF size, double scale, const std::function<void(QPainter&)>& paint) {
    const QSizeF pixels = size * scale;
    QByteArray bytes;
    if (pixels.width() * pixels.height() > kMaxPixels) return bytes;
    QImage image(static_cast<int>(std::ceil(pixels.width())), static_cast<int>(std::ceil(pixels.height())),
                 QImage::Format_ARGB32_Premultiplied);
    if (image.isNull()) return bytes;
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(scale, scale);
    paint(painter);
    painter.end();
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray circuit_png(const circuit::Drawing& drawing, const CircuitFile& file) {
    return picture_png(size_of(drawing, file), file.scale,
                       [&](QPainter& painter) { paint_file(painter, drawing, file); });
}

QByteArray circuit_bytes(const std::string& format, const circuit::Drawing& drawing,
                         const CircuitFile& file) {
    if (format == "svg") return circuit_svg(drawing, file);
    if (format == "pdf") return circuit_pdf(drawing, file);
    if (format == "png") return circuit_png(drawing, file);
    if (format == "tex")
        return QByteArray::fromStdString(circuit::tikz_document(circuit::tikz(drawing, file.title)));
    return {};
}

}  // namespace blockscope
