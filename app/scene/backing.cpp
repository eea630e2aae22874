#include "app/scene/backing.h"

#include <QElapsedTimer>
#include <QPainter>
#include <algorithm>
#include <utility>

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

}  // namespace blockscope
