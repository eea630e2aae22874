#include <QElapsedTimer>
#include <QPaintEvent>
#include <QPainter>
#include <QTextLayout>
#include <algorithm>
#include <utility>

#include "app/scene/canvas_state.h"
#include "app/scene/painting.h"

namespace blockscope {

namespace {

constexpr int kLeastStrip = 8, kFirstStrip = 64, kMostStrip = 4096;  // pixels
constexpr qint64 kQuick = 3, kSlow = 10;                             // milliseconds of one strip

int next_strip(int height, qint64 milliseconds) {
    if (milliseconds < kQuick) return std::min(2 * height, kMostStrip);
    return milliseconds > kSlow ? std::max(height / 2, kLeastStrip) : height;
}

}  // namespace

void Backing::invalidate() {
    valid_ = false;
    coming_.reset();
}

void Backing::invalidate(const QRect& part) {
    for (auto* layer : {&shown_, &coming_})
        if (*layer) (*layer)->stale += part;
}

void Backing::forget() {
    shown_.reset();
    invalidate();
}

bool Backing::update(const Place& place, const Paint& paint, std::optional<int> budget) {
    wanted_ = place;
    if (valid_ && shown_ && shown_->place.size == place.size && shown_->place.scale == place.scale) {
        coming_.reset();
        pan(place.offset);
        return paint_stale(*shown_, paint, budget);
    }
    if (!coming_ || coming_->place != place) {
        const QRect all(QPoint(0, 0), place.size);
        coming_ = Layer{place, QPixmap(place.size), all, all};
    }
    if (!paint_stale(*coming_, paint, budget)) return false;
    shown_ = std::exchange(coming_, std::nullopt);
    valid_ = true;
    return true;
}

void Backing::pan(QPoint offset) {
    const QPoint by = offset - shown_->place.offset;
    shown_->place.offset = offset;
    if (by.isNull()) return;
    const QRect all(QPoint(0, 0), shown_->place.size);
    shown_->stale.translate(by);
    shown_->blank.translate(by);
    QRegion exposed;
    if (std::abs(by.x()) < all.width() && std::abs(by.y()) < all.height())
        shown_->pixels.scroll(by.x(), by.y(), all, &exposed);
    else
        exposed = all;
    shown_->stale += exposed;
    shown_->blank += exposed;
}

bool Backing::paint_stale(Layer& layer, const Paint& paint, std::optional<int> budget) {
    const QRect all(QPoint(0, 0), layer.place.size);
    layer.stale &= all;
    layer.blank &= all;
    if (layer.stale.isEmpty()) return true;
    QElapsedTimer clock;
    clock.start();
    QPainter painter(&layer.pixels);
    strip_ = strip_ == 0 ? kFirstStrip : std::min(strip_, kFirstStrip);  // the next part may be a slower one
    while (!layer.stale.isEmpty()) {
        const qint64 begin = clock.elapsed();
        QRect part = *layer.stale.begin();
        if (budget) part.setHeight(std::min(part.height(), strip_));
        painter.save();
        painter.setClipRect(part);
        paint(painter, part);
        painter.restore();
        layer.stale -= part;
        layer.blank -= part;
        if (!budget) continue;
        strip_ = next_strip(strip_, clock.elapsed() - begin);
        if (clock.elapsed() >= *budget) break;
    }
    return layer.stale.isEmpty();
}

void Backing::draw(QPainter& painter, double ratio) const {
    const std::optional<Layer>& layer = shown_ ? shown_ : coming_;
    if (!layer || wanted_.size.isEmpty()) return;
    const double stretch = wanted_.scale / layer->place.scale;
    const QPointF moved = QPointF(wanted_.offset) - QPointF(layer->place.offset) * stretch;
    painter.save();
    painter.scale(1 / ratio, 1 / ratio);
    if (stretch != 1 || !moved.isNull()) {
        painter.translate(moved);
        painter.scale(stretch, stretch);
    }
    const QRect all(QPoint(0, 0), layer->place.size);
    if (!layer->blank.isEmpty()) painter.setClipRegion(QRegion(all) - layer->blank);
    painter.drawPixmap(QRectF(all), layer->pixels, QRectF(all));
    painter.restore();
}

// What a canvas paints: pixels kept from before, or a moment of a movement; then what lies above.

namespace {

constexpr int kPaintTime = 24;  // milliseconds in one turn of the event loop, of pictures with many parts

}  // namespace

namespace {

// Dashed and pale: not through global memory any more.
void paint_ghosts(QPainter& painter, const std::vector<Curve>& ghosts, const Theme& theme, double scale) {
    constexpr double kWidth = 5, kLeastPixels = 3;
    QColor color = theme.buffered;
    color.setAlphaF(0.45F);
    QPen pen(color, std::max(kWidth, kLeastPixels / scale), Qt::CustomDashLine, Qt::FlatCap);
    pen.setDashPattern({1.2, 1.6});
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(pen);
    for (const Curve& ghost : ghosts) painter.drawPath(curve_path(ghost));
    painter.restore();
}

}  // namespace

// The lights with what the mouse and the last step add; marks that were set stay.
Lights Canvas::shown_lights() const {
    const State& s = *state_;
    Lights lights = s.lights;
    if (s.glow_span.running()) {
        // What stays marked does not fade.
        if (std::none_of(lights.boxes.begin(), lights.boxes.end(), [](const auto& item) {
                return item.second == Mark::Match || item.second == Mark::Made;
            }))
            lights.strength = 1 - s.glow_span.share();
        for (const int box : s.made) lights.boxes.emplace(box, Mark::Made);
    }
    if (s.hover.box >= 0) lights.boxes.emplace(s.hover.box, Mark::Hovered);
    if (s.hover.edge >= 0) lights.hovered_edge = s.hover.edge;
    return lights;
}

void Canvas::paintEvent(QPaintEvent* event) {
    State& s = *state_;
    QPainter painter(this);
    if (!s.picture || !s.title.isEmpty()) {
        painter.fillRect(event->rect(), s.theme.canvas);
        return paint_message(painter);
    }
    const double ratio = devicePixelRatioF();
    // Whole device pixels, so that a picture that is panned looks the same everywhere.
    const QPoint offset = (to_view(s.camera, size(), {0, 0}) * ratio).toPoint();
    const double scale = s.camera.scale * ratio;
    const Lights lights = shown_lights();
    const auto paint_part = [&](QPainter& to, const QRect& part) {
        to.fillRect(part, s.theme.canvas);
        to.translate(offset);
        to.scale(scale, scale);
        const Rect visible{(part.x() - offset.x()) / scale, (part.y() - offset.y()) / scale,
                           part.width() / scale, part.height() / scale};
        if (s.transition) {
            blockscope::paint(to, s.transition_now(), s.theme, lights, visible, s.camera.scale);
        } else {
            blockscope::paint(to, *s.picture, s.theme, lights, visible, s.camera.scale);
            paint_ghosts(to, s.ghosts, s.theme, s.camera.scale);
        }
    };
    if (s.transition) s.backing.invalidate();
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    const bool large = has_many_parts(*s.picture);
    s.unfinished = !s.backing.update({pixels, scale, offset}, paint_part,
                                     large ? std::optional(kPaintTime) : std::nullopt);
    if (large) painter.fillRect(rect(), s.theme.canvas);
    s.backing.draw(painter, ratio);
    paint_overlay(painter);
    if (s.unfinished) update();
}

void Canvas::paint_overlay(QPainter& painter) {
    const State& s = *state_;
    painter.setRenderHint(QPainter::Antialiasing);
    if (s.focus >= 0 && hasFocus() && !s.transition) {
        const QRectF ring = box_rect(s.focus).adjusted(-5, -5, 5, 5);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(s.theme.canvas, 4));
        painter.drawRoundedRect(ring, 8, 8);
        painter.setPen(QPen(s.theme.selected, 2));
        painter.drawRoundedRect(ring, 8, 8);
    }
    if (s.drag == State::Drag::Box) {
        painter.setPen(QPen(s.theme.selected, 2, Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box_rect(s.dragged_box).translated(s.dragged - s.pressed), 6, 6);
    }
    if (s.drag == State::Drag::Band) {
        QColor inside = s.theme.selected;
        inside.setAlphaF(0.12F);
        painter.setPen(QPen(s.theme.selected, 1, Qt::DashLine));
        painter.setBrush(inside);
        painter.drawRect(QRectF(s.pressed, s.dragged).normalized());
    }
}

// A title and a text, centred, a little above the middle.
void Canvas::paint_message(QPainter& painter) {
    const State& s = *state_;
    painter.setRenderHint(QPainter::Antialiasing);
    const double width = std::min(480.0, size().width() - 48.0);
    if (width < 60) return;
    QFont large = picture_font(TextRole::Label);
    large.setPixelSize(19);
    large.setWeight(QFont::DemiBold);
    QFont plain = picture_font(TextRole::Label);
    plain.setPixelSize(14);
    const int wrap = Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap;
    const QRectF room(0, 0, width, 10'000);
    const QRectF title = QFontMetricsF(large).boundingRect(room, wrap, s.title);
    const QRectF text = QFontMetricsF(plain).boundingRect(room, wrap, s.text);
    const double cloud = 54;
    const double height = cloud + 16 + title.height() + 8 + text.height();
    const double left = (size().width() - width) / 2;
    double y = std::max(12.0, (size().height() - height) * 0.42);
    const QRectF mark(left + width / 2 - 48, y, 96, cloud);
    QPen dotted(s.theme.frame_rim, 1.8, Qt::CustomDashLine, Qt::RoundCap);
    dotted.setDashPattern({0.01, 2.6});
    painter.setPen(dotted);
    painter.setBrush(s.theme.canvas);
    painter.drawPath(cloud_path(mark));
    y += cloud + 16;
    painter.setPen(s.theme.ink);
    painter.setFont(large);
    painter.drawText(QRectF(left, y, width, title.height() + 2), wrap, s.title);
    y += title.height() + 8;
    painter.setPen(s.theme.faint);
    painter.setFont(plain);
    painter.drawText(QRectF(left, y, width, text.height() + 2), wrap, s.text);
}

}  // namespace blockscope
