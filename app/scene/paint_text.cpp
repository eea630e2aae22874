// Text of pictures. On screens each line is laid out once and kept; files get it as text.
#include <QFontMetricsF>
#include <QPaintEngine>
#include <QStaticText>
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "app/scene/painting.h"

namespace blockscope {

namespace {

struct Line {
    QString text;
    QStaticText laid_out;
    QSizeF size;
    double ascent = 0;
};

const QFont& font_of(TextRole role) {
    static const QFont kFonts[] = {picture_font(TextRole::Label), picture_font(TextRole::Corner),
                                   picture_font(TextRole::Edge)};
    return kFonts[static_cast<int>(role)];
}

const Line& line_of(const std::string& text, TextRole role) {
    constexpr std::size_t kMost = 20'000;
    thread_local std::unordered_map<std::string, Line> lines[3];
    auto& known = lines[static_cast<int>(role)];
    const auto found = known.find(text);
    if (found != known.end()) return found->second;
    if (known.size() >= kMost) known.clear();
    const QFontMetricsF metrics(font_of(role));
    Line line;
    line.text = QString::fromStdString(text);
    line.laid_out = QStaticText(line.text);
    line.laid_out.setTextFormat(Qt::PlainText);
    line.laid_out.setPerformanceHint(QStaticText::AggressiveCaching);
    line.size = QSizeF(metrics.horizontalAdvance(line.text), metrics.height());
    line.ascent = metrics.ascent();
    return known.emplace(text, std::move(line)).first->second;
}

void draw_line(QPainter& painter, const Line& line, QPointF top_left) {
    if (painter.paintEngine()->type() == QPaintEngine::Raster)
        painter.drawStaticText(top_left, line.laid_out);
    else
        painter.drawText(top_left + QPointF(0, line.ascent), line.text);
}

double aligned(Qt::Alignment alignment, Qt::Alignment far, Qt::Alignment middle, double room) {
    if (alignment & far) return room;
    return alignment & middle ? room / 2 : 0;
}

double pixel_size(TextRole role) {
    return font_of(role).pixelSize();
}

}  // namespace

void paint_text(Painting& p, const QRectF& rect, const std::string& text, TextRole role, const QColor& color,
                Qt::Alignment alignment) {
    if (text.empty() || rect.width() <= 0) return;
    const Line& line = line_of(text, role);
    const double fit = std::min(1.0, rect.width() / std::max(line.size.width(), 1.0));
    const double alpha = p.text_alpha(pixel_size(role) * fit);
    if (alpha <= 0) return;
    QColor visible = color;
    visible.setAlphaF(static_cast<float>(alpha));
    p.painter.setPen(visible);
    p.painter.setFont(font_of(role));
    const QPointF at(rect.left() + aligned(alignment, Qt::AlignRight, Qt::AlignHCenter,
                                           rect.width() - line.size.width() * fit),
                     rect.top() + aligned(alignment, Qt::AlignBottom, Qt::AlignVCenter,
                                          rect.height() - line.size.height() * fit));
    if (fit >= 1) return draw_line(p.painter, line, at);
    p.painter.save();
    p.painter.translate(at);
    p.painter.scale(fit, fit);
    draw_line(p.painter, line, {});
    p.painter.restore();
}

double plate_size(double scale) {
    constexpr double kMost = 1.25;  // times its size at scale 1; closer views have more room between plates
    return std::min(1.0, kMost / scale);
}

QRectF plate_rect(QPointF center, double size, const std::string& text) {
    const QSizeF line = line_of(text, TextRole::Edge).size;
    QRectF rect(0, 0, (line.width() + 8) * size, (line.height() + 1) * size);
    rect.moveCenter(center);
    return rect;
}

void paint_plate(Painting& p, QPointF center, double size, const std::string& text, const QColor& color,
                 const QColor& fill, const QColor& rim) {
    p.painter.save();
    p.painter.translate(center);
    p.painter.scale(size, size);
    const double scale = std::exchange(p.scale, p.scale * size);
    if (p.text_alpha(pixel_size(TextRole::Edge)) > 0) {
        const QRectF rect = plate_rect({}, 1, text);
        p.painter.setPen(rim.alpha() == 0 ? QPen(Qt::NoPen) : QPen(rim, p.width(0.8, 0.5)));
        p.painter.setBrush(fill);
        p.painter.drawRoundedRect(rect, 4, 4);
        paint_text(p, rect, text, TextRole::Edge, color);
    }
    p.scale = scale;
    p.painter.restore();
}

}  // namespace blockscope
