// What a view shows, kept as pixels: panning moves them and paints only what comes into view.
#pragma once

#include <QPixmap>
#include <QRegion>
#include <functional>

namespace blockscope {

class Backing {
public:
    // Paints a rectangle of device pixels.
    using Paint = std::function<void(QPainter&, const QRect&)>;

    // The pixels for a view of `size` device pixels whose picture's origin is at `offset` (device pixels).
    const QPixmap& update(QSize size, double scale, QPoint offset, const Paint& paint);

    void invalidate() { valid_ = false; }
    void invalidate(const QRect& part) { stale_ += part; }

private:
    QPixmap pixels_;
    QRegion stale_;
    double scale_ = 0;
    QPoint offset_;
    bool valid_ = false;
};

}  // namespace blockscope
