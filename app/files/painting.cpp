#include "app/files/painting.h"

#include <QBuffer>
#include <QPageSize>
#include <QPdfWriter>
#include <cmath>

#include "app/files/file_formats.h"
#include "app/files/svg.h"

namespace blockscope {

namespace {

constexpr int kDotsPerInch = 96;
constexpr double kPointsPerPixel = 72.0 / kDotsPerInch;

// The time of writing would make every file another one. Digits are overwritten in place: lengths stay, and
// with them the file's table of offsets.
void remove_date(QByteArray& bytes) {
    const QByteArray key = "/CreationDate (D:";
    const QByteArray date = "20000101";
    const qsizetype start = bytes.indexOf(key);
    if (start < 0) return;
    qsizetype digit = 0;
    for (qsizetype i = start + key.size(); i < bytes.size() && bytes[i] != ')'; ++i) {
        if (bytes[i] < '0' || bytes[i] > '9') continue;
        bytes[i] = digit < date.size() ? date[digit] : '0';
        ++digit;
    }
}

}  // namespace

QByteArray write_pdf(const std::string& title, QSizeF size, int pages,
                     const std::function<void(QPainter&, int page)>& paint) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(kDotsPerInch);
        writer.setTitle(QString::fromStdString(title));
        writer.setCreator(QStringLiteral("Blockscope"));
        writer.setPageMargins({});
        writer.setPageSize(QPageSize(size * kPointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch));
        QPainter painter(&writer);
        for (int page = 0; page < pages; ++page) {
            if (page > 0) writer.newPage();
            paint(painter, page);
        }
    }
    QByteArray bytes = buffer.data();
    remove_date(bytes);
    return bytes;
}

namespace {

constexpr double kMaxPixels = 5e8;

std::string painted_parts(const PaintedFile& painting) {
    VectorDevice device;
    device.set_centred(false);
    QPainter painter(&device);
    device.start(" class=\"" + painting.kind + "\"");
    painting.paint(painter, 1, &device);
    painter.end();
    return svg_items(device.items(), plain_colour);
}

QByteArray svg_bytes(const PaintedFile& painting) {
    const std::string body = painting.svg_body ? painting.svg_body() : painted_parts(painting);
    return QByteArray::fromStdString(svg_file({0, 0, painting.size.width(), painting.size.height()},
                                              painting.title, painting.description, body));
}

QByteArray image_bytes(const PaintedFile& painting, const char* format) {
    const QImage image = painted_image(painting);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.isNull()) image.save(&buffer, format);
    return bytes;
}

}  // namespace

QImage painted_image(const PaintedFile& painting) {
    const double width = std::max(1.0, std::ceil(painting.size.width() * painting.scale));
    const double height = std::max(1.0, std::ceil(painting.size.height() * painting.scale));
    if (width * height > kMaxPixels) return {};
    QImage image(static_cast<int>(width), static_cast<int>(height), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull()) return {};
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(painting.scale, painting.scale);
    painting.paint(painter, painting.scale, nullptr);
    return image;
}

QImage fitted_image(const PaintedFile& painting, const QSize& room) {
    const QSizeF& size = painting.size;
    if (size.isEmpty() || room.isEmpty()) return {};
    const double scale = std::min(room.width() / size.width(), room.height() / size.height());
    QImage image(std::max(1, static_cast<int>(size.width() * scale)),
                 std::max(1, static_cast<int>(size.height() * scale)), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(scale, scale);
    painting.paint(painter, 1, nullptr);
    return image;
}

QByteArray write_painting(const std::string& format, const PaintedFile& painting) {
    const FileFormat* row = find_format(format);
    if (!row) return {};
    switch (row->kind) {
        case FormatKind::Vector:
            return svg_bytes(painting);
        case FormatKind::Pages:
            return write_pdf(painting.title, painting.size, 1,
                             [&](QPainter& painter, int) { painting.paint(painter, 1, nullptr); });
        case FormatKind::Pixels:
            return image_bytes(painting, row->name);
        case FormatKind::Text:
            break;
    }
    return {};
}

}  // namespace blockscope
