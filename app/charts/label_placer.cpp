#include "app/charts/label_placer.h"

#include <algorithm>

namespace blockscope {

bool LabelPlacer::is_free(const QRectF& rect) const {
    if (!inside_.contains(rect)) return false;
    return std::none_of(taken_.begin(), taken_.end(), [&](const QRectF& t) { return t.intersects(rect); });
}

bool LabelPlacer::take(const QRectF& rect) {
    if (!is_free(rect)) return false;
    taken_.push_back(rect);
    return true;
}

std::optional<QRectF> LabelPlacer::place(QPointF point, double radius, QSizeF size) {
    const double gap = radius + 3;
    const double w = size.width();
    const double h = size.height();
    const QPointF corners[] = {
        {gap, -h / 2},
        {-gap - w, -h / 2},
        {-w / 2, -gap - h},
        {-w / 2, gap},
        {gap * 0.7, -gap - h + 4},
        {gap * 0.7, gap - 4},
        {-gap * 0.7 - w, -gap - h + 4},
        {-gap * 0.7 - w, gap - 4},
    };
    for (const QPointF& corner : corners) {
        const QRectF rect(point + corner, size);
        if (take(rect)) return rect;
    }
    return {};
}

}  // namespace blockscope
