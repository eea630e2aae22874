#include "app/circuit/clock_view.h"

#include <QBuffer>
#include <QHelpEvent>
#include <QImage>
#include <QLocale>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/circuit/circuit_look.h"
#include "app/circuit/circuit_text.h"
#include "app/export/svg.h"
#include "app/export/vector_device.h"
#include "core/cost/device.h"

namespace blockscope {

namespace {

using circuit::ClockBlock;
using circuit::LabelRole;

constexpr int kLeastWidth = 420;
constexpr double kPngScale = 2;  // pixels per unit
constexpr double kHatch = 6;     // between two lines

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

QString clocks_text(double clocks) {
    return QLocale().toString(clocks, 'f', 2);
}

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

void ClockView::paint_block(QPainter& painter, const ClockBlock& block) const {
    const CircuitLook look = circuit_look(theme_);
    const QColor fill = fill_of(look, block.unit);
    painter.setPen(QPen(theme_.ink, 0.8));
    painter.setBrush(fill);
    painter.drawRect(rect_of(block.work));
    if (block.overhead.width > 0) {
        painter.setBrush(mixed(theme_.canvas, fill, 0.4));
        painter.drawRect(rect_of(block.overhead));
        hatch(painter, rect_of(block.overhead));
    }
    if (block.text.empty()) return;
    const Size text = rich_size(block.text, LabelRole::Glyph);
    const Point middle = block.work.center();
    paint_rich(painter, {middle.x - text.width / 2, middle.y - text.height / 2, text.width, text.height},
               block.text, LabelRole::Glyph, theme_.ink);
}

void ClockView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_.canvas);
    painter.setRenderHint(QPainter::Antialiasing);
    if (drawing_) paint_diagram(painter);
}

QByteArray ClockView::file(const std::string& format, const std::string& title) const {
    if (!drawing_) return {};
    if (format == "tex") return QByteArray::fromStdString(circuit::tikz(*drawing_, title));
    const Rect& all = drawing_->bounds;
    if (format == "svg") {
        VectorDevice device;
        device.set_centred(false);
        QPainter painter(&device);
        device.start(" class=\"clocks\"");
        paint_diagram(painter);
        painter.end();
        return QByteArray::fromStdString(svg_file(all, title, {}, svg_items(device.items(), plain_colour)));
    }
    if (format != "png") return {};
    QImage image((QSizeF(all.width, all.height) * kPngScale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(theme_.canvas);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(kPngScale, kPngScale);
    paint_diagram(painter);
    painter.end();
    QBuffer buffer;
    image.save(&buffer, "PNG");
    return buffer.data();
}

void ClockView::paint_diagram(QPainter& painter) const {
    painter.setFont(circuit_font(LabelRole::Number));
    for (const circuit::ClockLane& lane : drawing_->lanes) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(mixed(theme_.canvas, theme_.ink, 0.05));
        painter.drawRect(rect_of(lane.box));
        painter.setPen(theme_.ink);
        painter.drawText(rect_of(lane.title_box), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap,
                         tr("Warpgroup %1").arg(lane.number));
    }
    for (const ClockBlock& block : drawing_->blocks) paint_block(painter, block);
    QPen barrier(theme_.buffered, 2, Qt::CustomDashLine, Qt::FlatCap);
    barrier.setDashPattern({1, 1.2});
    painter.setPen(barrier);
    for (const circuit::ClockBarrier& one : drawing_->barriers)
        painter.drawLine(QPointF(one.x, one.top), QPointF(one.x, one.bottom));
    if (drawing_->ruler.empty()) return;
    painter.setPen(QPen(theme_.faint, 1));
    const double y = drawing_->ruler_y;
    painter.drawLine(QPointF(drawing_->ruler.front(), y), QPointF(drawing_->ruler.back(), y));
    for (const double x : drawing_->ruler) painter.drawLine(QPointF(x, y), QPointF(x, y + 5));
    painter.drawText(QRectF(0, y - 8, drawing_->ruler.front() - 8, 20), Qt::AlignRight | Qt::AlignVCenter,
                     tr("%1 clocks").arg(clocks_text(drawing_->product)));
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
