#include "app/circuit/circuit_overview.h"

#include <QEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace blockscope {

namespace {

constexpr int kLeastExtent = 24;             // of a diagram that is very long
constexpr int kLeastLong = 50;               // its longer side: less shows nothing
constexpr double kUnseen = 2;                // picture units that may be out of sight
constexpr std::size_t kMostWithWires = 600;  // operators: of more there are only boxes

}  // namespace

CircuitOverview::CircuitOverview(CircuitView* view)
    : Overview(view, tr("Overview of the circuit"), tr("The whole diagram. A click moves the view there.")),
      view_(view) {
    view->installEventFilter(this);
    connect(view, &CircuitView::moved, this, &CircuitOverview::follow_view);
    follow_view();
}

bool CircuitOverview::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) follow_view();
    return QWidget::eventFilter(watched, event);
}

void CircuitOverview::follow_view() {
    const DrawingPtr& drawing = view_->drawing();
    const Rect shown = seen().grown(kUnseen), all = bounds();
    const bool all_seen =
        shown.contains({all.left(), all.top()}) && shown.contains({all.right(), all.bottom()});
    if (all_seen || all.width <= 0 || all.height <= 0) return hide();
    const QSize extent = Overview::extent().expandedTo({kLeastExtent, kLeastExtent});
    if (std::max(extent.width(), extent.height()) < kLeastLong) return hide();
    const bool other =
        isHidden() || extent != size() || placed_for_ != drawing || placed_in_ != view_->size();
    resize(extent);
    // It stays where it is while the view moves below it.
    if (other) move(corner_over(view_->size(), size(), overview_corners(), covered()).at);
    placed_for_ = drawing;
    placed_in_ = view_->size();
    show();
    update();
}

// Operators, names, numbers and the ends of wires.
std::vector<Covered> CircuitOverview::covered() const {
    const circuit::Drawing& drawing = *view_->drawing();
    const auto in_view = [&](Point place) { return to_view(view_->camera(), view_->size(), place); };
    std::vector<Covered> all;
    const auto take = [&](const Rect& box) {
        all.push_back({QRectF(in_view({box.left(), box.top()}), in_view({box.right(), box.bottom()}))});
    };
    for (const circuit::DrawnGlyph& glyph : drawing.glyphs) take(glyph.box);
    for (const circuit::DrawnLabel& label : drawing.labels) take(label.box);
    for (const circuit::DrawnNumber& number : drawing.numbers) take(number.box);
    for (const circuit::DrawnWire& wire : drawing.wires)
        for (const Point point : wire.points) all.push_back(covered_end(in_view(point)));
    return all;
}

namespace {

// Lines as wide as a pixel however small they are, and no letters, which could not be read.
void paint_outlines(QPainter& painter, const circuit::Drawing& drawing, const CircuitLook& look) {
    const auto rect_of = [](const Rect& box) { return QRectF(box.x, box.y, box.width, box.height); };
    painter.setBrush(Qt::NoBrush);
    const auto pen_of = [&](const QColor& colour) {
        QPen pen(colour, 1);
        pen.setCosmetic(true);
        painter.setPen(pen);
    };
    pen_of(look.theme.frame_rim);
    for (const circuit::DrawnFrame& frame : drawing.frames) painter.drawRect(rect_of(frame.rect));
    for (const circuit::DrawnWire& wire : drawing.wires) {
        if (wire.points.empty()) continue;
        QPainterPath path(QPointF(wire.points.front().x, wire.points.front().y));
        for (const Point point : wire.points) path.lineTo(point.x, point.y);
        pen_of(look.level_colour(drawing.look_of(wire.level)));
        painter.drawPath(path);
    }
    for (const circuit::DrawnGlyph& glyph : drawing.glyphs)
        painter.fillRect(rect_of(glyph.box), look.theme.ink);
}

}  // namespace

QPixmap CircuitOverview::pixels_of(const circuit::Drawing& drawing) const {
    const CircuitLook& look = view_->look();
    QPixmap pixels(size() * devicePixelRatioF());
    pixels.setDevicePixelRatio(devicePixelRatioF());
    pixels.fill(ground());
    QPainter painter(&pixels);
    painter.setRenderHint(QPainter::Antialiasing);
    const Camera here = camera();
    painter.translate(to_view(here, size(), {0, 0}));
    painter.scale(here.scale, here.scale);
    if (drawing.glyphs.size() <= kMostWithWires) {
        paint_outlines(painter, drawing, look);
        return pixels;
    }
    for (const circuit::DrawnGlyph& glyph : drawing.glyphs)
        painter.fillRect(QRectF(glyph.box.x, glyph.box.y, glyph.box.width, glyph.box.height),
                         look.theme.frame_rim);
    return pixels;
}

void CircuitOverview::paintEvent(QPaintEvent*) {
    const DrawingPtr& drawing = view_->drawing();
    if (!drawing) return;
    const bool other_size = pixels_.deviceIndependentSize().toSize() != size();
    const bool same = shown_ == drawing && ground_ == theme().canvas && !other_size;
    if (!same || pixels_.devicePixelRatio() != devicePixelRatioF()) {
        shown_ = drawing;
        ground_ = theme().canvas;
        pixels_ = pixels_of(*drawing);
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawPixmap(0, 0, pixels_);
    paint_window(painter);
}

}  // namespace blockscope
