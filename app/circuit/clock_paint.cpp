#include "app/circuit/clock_paint.h"

#include <QLocale>
#include <algorithm>

#include "app/circuit/circuit_text.h"
#include "app/circuit/clock_view.h"
#include "app/circuit/painted_file.h"
#include "core/circuit/layout/tikz.h"
#include "core/cost/device.h"

namespace blockscope {

namespace {

using circuit::ClockBlock;
using circuit::LabelRole;

constexpr double kHatch = 6;  // between two lines

QRectF rect_of(const Rect& rect) {
    return {rect.x, rect.y, rect.width, rect.height};
}

// The level whose colour a unit has: registers are where vector and special units work.
QColor fill_of(const CircuitLook& look, Unit unit) {
    const int level = unit == Unit::Matrix ? 3 : unit == Unit::Special ? 2 : 1;
    return mixed(look.theme.canvas, look.level_colour(level), look.theme.dark ? 0.42 : 0.3);
}

// Lines from the lower left to the upper right; not a pattern, which files do not have.
void hatch(QPainter& painter, const QRectF& box) {
    for (double from = kHatch; from < box.width() + box.height(); from += kHatch) {
        const double low = std::max(0.0, from - box.height()), high = std::min(box.width(), from);
        painter.drawLine(QPointF(box.left() + low, box.top() + from - low),
                         QPointF(box.left() + high, box.top() + from - high));
    }
}

void paint_block(QPainter& painter, const ClockBlock& block, const Theme& theme) {
    const CircuitLook look = circuit_look(theme);
    const QColor fill = fill_of(look, block.unit);
    painter.setPen(QPen(theme.ink, 0.8));
    painter.setBrush(fill);
    painter.drawRect(rect_of(block.work));
    if (block.overhead.width > 0) {
        painter.setBrush(mixed(theme.canvas, fill, 0.4));
        painter.drawRect(rect_of(block.overhead));
        hatch(painter, rect_of(block.overhead));
    }
    if (block.text.empty()) return;
    const Size text = rich_size(block.text, LabelRole::Glyph);
    const Point middle = block.work.center();
    paint_rich(painter, {middle.x - text.width / 2, middle.y - text.height / 2, text.width, text.height},
               block.text, LabelRole::Glyph, theme.ink);
}

}  // namespace

QString clocks_text(double clocks) {
    return QLocale().toString(clocks, 'f', 2);
}

void paint_clocks(QPainter& painter, const circuit::ClockDrawing& drawing, const Theme& theme) {
    painter.setFont(circuit_font(LabelRole::Number));
    for (const circuit::ClockLane& lane : drawing.lanes) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(mixed(theme.canvas, theme.ink, 0.05));
        painter.drawRect(rect_of(lane.box));
        painter.setPen(theme.ink);
        painter.drawText(rect_of(lane.title_box), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap,
                         ClockView::tr("Warpgroup %1").arg(lane.number));
    }
    for (const ClockBlock& block : drawing.blocks) paint_block(painter, block, theme);
    QPen barrier(theme.buffered, 2, Qt::CustomDashLine, Qt::FlatCap);
    barrier.setDashPattern({1, 1.2});
    painter.setPen(barrier);
    for (const circuit::ClockBarrier& one : drawing.barriers)
        painter.drawLine(QPointF(one.x, one.top), QPointF(one.x, one.bottom));
    if (drawing.ruler.empty()) return;
    painter.setPen(QPen(theme.faint, 1));
    const double y = drawing.ruler_y;
    painter.drawLine(QPointF(drawing.ruler.front(), y), QPointF(drawing.ruler.back(), y));
    for (const double x : drawing.ruler) painter.drawLine(QPointF(x, y), QPointF(x, y + 5));
    painter.drawText(QRectF(0, y - 8, drawing.ruler.front() - 8, 20), Qt::AlignRight | Qt::AlignVCenter,
                     ClockView::tr("%1 clocks").arg(clocks_text(drawing.product)));
}

QByteArray clock_bytes(const std::string& format, const circuit::ClockDrawing& drawing,
                       const CircuitFile& file) {
    if (format == "tex")
        return QByteArray::fromStdString(circuit::tikz_document(circuit::tikz(drawing, file.title)));
    return painted_bytes(format, {drawing.bounds.width, drawing.bounds.height}, "clocks", file,
                         [&](QPainter& painter) { paint_clocks(painter, drawing, file.theme); });
}

}  // namespace blockscope
