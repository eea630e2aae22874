#include "app/circuit/clock_view.h"

#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QPolygonF>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/circuit/circuit_file.h"
#include "app/circuit/circuit_paint.h"
#include "app/files/file_formats.h"
#include "core/cost/device.h"
#include "core/diagram/layout/drawing.h"

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
    for (int line = 1; kHatch * line < box.width() + box.height(); ++line) {
        const double from = kHatch * line;
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
    if (const FileFormat* row = find_format(format); row && row->clock_drawing)
        return QByteArray::fromStdString(row->clock_drawing(drawing, file.title));
    return painted_bytes(
        format, {drawing.bounds.width, drawing.bounds.height}, "clocks", file,
        [&](QPainter& painter, VectorDevice*) { paint_clocks(painter, drawing, file.theme); });
}

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
    if (const FileFormat* row = find_format(format); row && row->level_drawing)
        return QByteArray::fromStdString(row->level_drawing(drawing, file.title));
    return painted_bytes(format, {drawing.bounds.width, drawing.bounds.height}, "levels", file,
                         [&](QPainter& painter, VectorDevice*) {
                             painter.translate(-drawing.bounds.x, -drawing.bounds.y);
                             paint_levels(painter, drawing, file.theme);
                         });
}

namespace {

using circuit::ClockBlock;

constexpr int kLeastWidth = 420;

}  // namespace

ClockView::ClockView(QWidget* parent) : QWidget(parent) {
    setMinimumWidth(kLeastWidth);
    setAccessibleName(tr("Clock diagram"));
    setMouseTracking(true);
}

void ClockView::show_schedule(std::optional<circuit::Schedule> schedule) {
    schedule_ = std::move(schedule);
    draw_again();
    updateGeometry();
}

void ClockView::set_theme(const Theme& theme) {
    theme_ = theme;
    update();
}

void ClockView::draw_again() {
    drawing_.reset();
    if (schedule_ && schedule_->period > 0) {
        circuit::ClockOptions options;
        options.width = std::max(kLeastWidth, width());
        options.measure = circuit_measure();
        drawing_ = circuit::draw_clocks(*schedule_, options);
        setAccessibleDescription(tr("Warpgroups: %1. Clocks of an iteration of all: %2.")
                                     .arg(schedule_->lanes)
                                     .arg(clocks_text(schedule_->period)));
        setMinimumHeight(static_cast<int>(drawing_->bounds.height));
    }
    update();
}

QSize ClockView::sizeHint() const {
    return {720, drawing_ ? static_cast<int>(drawing_->bounds.height) : 120};
}

void ClockView::resizeEvent(QResizeEvent*) {
    draw_again();
}

void ClockView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_.canvas);
    painter.setRenderHint(QPainter::Antialiasing);
    if (drawing_) paint_clocks(painter, *drawing_, theme_);
}

QByteArray ClockView::file(const std::string& format, const std::string& title) const {
    if (const FileFormat* row = find_format(format); schedule_ && row && row->clocks)
        return QByteArray::fromStdString(row->clocks(*schedule_, title));
    if (!drawing_) return {};
    CircuitFile file;
    file.theme = theme_;
    file.title = title;
    return clock_bytes(format, *drawing_, file);
}

QString ClockView::text_at(QPointF place) const {
    if (!drawing_) return {};
    for (const circuit::ClockBarrier& one : drawing_->barriers)
        if (std::abs(one.x - place.x()) < 3 && place.y() >= one.top && place.y() <= one.bottom)
            return tr("Waited %1 clocks for its pipeline").arg(clocks_text(one.waited));
    for (const ClockBlock& block : drawing_->blocks) {
        const Rect all{block.work.x, block.work.y, block.work.width + block.overhead.width,
                       block.work.height};
        if (!all.contains({place.x(), place.y()})) continue;
        QString text = tr("%1, iteration %2: %3 clocks")
                           .arg(QString::fromStdString(block.name))
                           .arg(block.iteration + 1)
                           .arg(clocks_text(block.clocks));
        if (block.overhead.width > 0) text += QLatin1Char('\n') + tr("Hatched: overhead");
        return text;
    }
    return {};
}

bool ClockView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = text_at(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
}

}  // namespace blockscope
