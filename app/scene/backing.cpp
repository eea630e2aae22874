#include "app/scene/backing.h"

#include <QPainter>

namespace blockscope {

const QPixmap& Backing::update(QSize size, double scale, QPoint offset, const Paint& paint) {
    const QRect all(QPoint(0, 0), size);
    if (!valid_ || pixels_.size() != size || scale != scale_) {
        if (pixels_.size() != size) pixels_ = QPixmap(size);
        stale_ = all;
    } else if (const QPoint by = offset - offset_; !by.isNull()) {
        stale_.translate(by);
        QRegion exposed;
        if (std::abs(by.x()) < size.width() && std::abs(by.y()) < size.height())
            pixels_.scroll(by.x(), by.y(), all, &exposed);
        else
            exposed = all;
        stale_ += exposed;
    }
    valid_ = true;
    scale_ = scale;
    offset_ = offset;
    stale_ &= all;
    if (stale_.isEmpty()) return pixels_;
    QPainter painter(&pixels_);
    for (const QRect& part : stale_) {
        painter.save();
        painter.setClipRect(part);
        paint(painter, part);
        painter.restore();
    }
    stale_ = {};
    return pixels_;
}

}  // namespace blockscope
