#include "app/circuit/circuit_overview.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <limits>

namespace blockscope {

namespace {

constexpr int kFromEdge = 10;
constexpr int kLeastExtent = 24;          // of a diagram that is very long
constexpr int kLeastLong = 50;            // its longer side: less shows nothing
constexpr double kUnseen = 2;             // picture units that may be out of sight
constexpr std::size_t kMostInFull = 600;  // operators: of more there are only boxes

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
    if (other) move(corner());
    placed_for_ = drawing;
    placed_in_ = view_->size();
    show();
    update();
}

// The one in which it covers fewest operators, names and ends of wires.
QPoint CircuitOverview::corner() const {
    const int right = view_->width() - width() - kFromEdge, low = view_->height() - height() - kFromEdge;
    const circuit::Drawing& drawing = *view_->drawing();
    const auto covered = [&](QPoint at) {
        const Point first = to_picture(view_->camera(), view_->size(), QPointF(at));
        const QRectF place(first.x, first.y, width() / view_->camera().scale,
                           height() / view_->camera().scale);
        const auto meets = [&](const Rect& box) {
            return place.intersects(QRectF(box.x, box.y, box.width, box.height));
        };
        auto count = std::count_if(drawing.glyphs.begin(), drawing.glyphs.end(),
                                   [&](const auto& glyph) { return meets(glyph.box); });
        count += std::count_if(drawing.labels.begin(), drawing.labels.end(),
                               [&](const auto& label) { return meets(label.box); });
        for (const circuit::DrawnWire& wire : drawing.wires)
            count += std::any_of(wire.points.begin(), wire.points.end(),
                                 [&](const Point& p) { return place.contains(p.x, p.y); });
        return count;
    };
    QPoint best;
    auto least = std::numeric_limits<std::ptrdiff_t>::max();
    for (const QPoint at : {QPoint(right, low), QPoint(kFromEdge, low), QPoint(right, kFromEdge)}) {
        const auto count = static_cast<std::ptrdiff_t>(covered(at));
        if (count >= least) continue;
        least = count;
        best = at;
    }
    return best;
}

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
    if (drawing.glyphs.size() <= kMostInFull) {
        paint_circuit(painter, drawing, look);
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
