#include "app/export/pdf.h"

#include <QBuffer>
#include <QPageSize>
#include <QPdfWriter>

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

}  // namespace blockscope
