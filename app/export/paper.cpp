#include "app/export/paper.h"

#include <QFontMetricsF>
#include <algorithm>

#include "app/scene/theme.h"

namespace blockscope {

namespace {

constexpr int kWrapped = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
constexpr double kNoEnd = 1e6;

}  // namespace

QFont lettering_font(const Lettering& type) {
    QFont font = picture_font(TextRole::Label);
    if (type.fixed) font.setFamily(QStringLiteral("DejaVu Sans Mono"));
    font.setPixelSize(type.pixels);
    font.setBold(type.bold);
    font.setItalic(type.italic);
    return font;
}

double text_height(const Lettering& type, double width, const QString& text) {
    if (text.isEmpty()) return 0;
    return QFontMetricsF(lettering_font(type))
        .boundingRect(QRectF(0, 0, width, kNoEnd), kWrapped, text)
        .height();
}

double text_width(const Lettering& type, const QString& text) {
    const QFontMetricsF metrics(lettering_font(type));
    double widest = 0;
    for (const QString& line : text.split(QLatin1Char('\n')))
        widest = std::max(widest, metrics.horizontalAdvance(line));
    return widest;
}

double put_text(QPainter& painter, const Lettering& type, const QColor& colour, const QRectF& rect,
                const QString& text) {
    if (text.isEmpty()) return rect.top();
    painter.setFont(lettering_font(type));
    painter.setPen(colour);
    painter.drawText(QRectF(rect.left(), rect.top(), rect.width(), kNoEnd), kWrapped, text);
    return rect.top() + text_height(type, rect.width(), text);
}

void put_line(QPainter& painter, const Lettering& type, const QColor& colour, const QRectF& rect,
              const QString& text, Qt::Alignment alignment) {
    Lettering fitting = type;
    while (fitting.pixels > 6 && text_width(fitting, text) > rect.width()) --fitting.pixels;
    painter.setFont(lettering_font(fitting));
    painter.setPen(colour);
    painter.drawText(rect, static_cast<int>(alignment), text);
}

int fitting_pixels(Lettering type, int most, int least, double width, double height, const QString& text) {
    for (type.pixels = most; type.pixels > least; --type.pixels)
        if (text_height(type, width, text) <= height) return type.pixels;
    return least;
}

}  // namespace blockscope
