#include "app/circuit/level_paint.h"

#include <QPolygonF>
#include <cmath>

#include "app/circuit/circuit_text.h"
#include "app/circuit/painted_file.h"
#include "core/circuit/layout/tikz.h"

namespace blockscope {

namespace {

using circuit::LabelRole;

constexpr double kInside = 8, kRow = 15;  // as the drawing has them
constexpr double kTip = 6;                // of arrows

// `text` in the middle of a line of a box.
void centred(QPainter& painter, const Rect& box, double top, const std::string& text, LabelRole role,
             const QColor& ink) {
    const Size size = rich_size(text, role);
    paint_rich(painter,
               {box.center().x - size.width / 2, top + (kRow - size.height) / 2, size.width, size.height},
               text, role, ink);
}

void arrow_tip(QPainter& painter, Point tip, Point from) {
    const double length = std::hypot(tip.x - from.x, tip.y - from.y);
    if (length <= 0) return;
    const double dx = (tip.x - from.x) / length * kTip, dy = (tip.y - from.y) / length * kTip;
    painter.drawPolyline(QPolygonF({QPointF(tip.x - dx - dy / 2, tip.y - dy + dx / 2), QPointF(tip.x, tip.y),
                                    QPointF(tip.x - dx + dy / 2, tip.y - dy - dx / 2)}));
}

void paint_pipe(QPainter& painter, const circuit::LevelPipe& pipe, const CircuitLook& look) {
    QPen pen = look.level_pen(pipe.level);
    if (pipe.linked) pen.setDashPattern({2.5, 2});
    painter.setPen(pen);
    painter.drawLine(QPointF(pipe.from.x, pipe.from.y), QPointF(pipe.to.x, pipe.to.y));
    pen.setStyle(Qt::SolidLine);
    painter.setPen(pen);
    arrow_tip(painter, pipe.to, pipe.from);
    if (pipe.linked) arrow_tip(painter, pipe.from, pipe.to);
}

void paint_box(QPainter& painter, const circuit::LevelBox& box, const CircuitLook& look) {
    QPen pen = look.level_pen(box.level);
    if (!box.first) pen.setDashPattern({1, 1.6});
    painter.setPen(pen);
    painter.setBrush(box.first ? mixed(look.theme.canvas, look.level_colour(box.level), 0.08)
                               : look.theme.canvas);
    painter.drawRoundedRect(QRectF(box.box.x, box.box.y, box.box.width, box.box.height), 4, 4);
    double top = box.box.top() + kInside;
    centred(painter, box.box, top, box.name, LabelRole::Name, look.theme.ink);
    for (const std::string& line : box.lines)
        centred(painter, box.box, top += kRow, line, LabelRole::Number, look.theme.ink);
}

}  // namespace

void paint_levels(QPainter& painter, const circuit::LevelDrawing& drawing, const Theme& theme) {
    const CircuitLook look = circuit_look(theme);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const circuit::LevelPipe& pipe : drawing.pipes) paint_pipe(painter, pipe, look);
    for (const circuit::LevelBox& box : drawing.boxes) paint_box(painter, box, look);
    for (const circuit::LevelNote& note : drawing.notes)
        paint_rich(painter, note.box, note.text, LabelRole::Number, look.level_colour(note.level));
}

QByteArray level_bytes(const std::string& format, const circuit::LevelDrawing& drawing,
                       const CircuitFile& file) {
    if (format == "tex")
        return QByteArray::fromStdString(circuit::tikz_document(circuit::tikz(drawing, file.title)));
    return painted_bytes(format, {drawing.bounds.width, drawing.bounds.height}, "levels", file,
                         [&](QPainter& painter) {
                             painter.translate(-drawing.bounds.x, -drawing.bounds.y);
                             paint_levels(painter, drawing, file.theme);
                         });
}

}  // namespace blockscope
