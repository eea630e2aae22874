#include "app/scene/camera.h"

#include <cmath>

namespace blockscope {

namespace {

constexpr double kFitMargin = 12;  // view pixels

double limited(double scale) {
    return std::clamp(scale, kLeastScale, kMostScale);
}

}  // namespace

QPointF to_view(const Camera& camera, QSizeF view, Point p) {
    return {view.width() / 2 + (p.x - camera.center.x) * camera.scale,
            view.height() / 2 + (p.y - camera.center.y) * camera.scale};
}

Point to_picture(const Camera& camera, QSizeF view, QPointF p) {
    return {camera.center.x + (p.x() - view.width() / 2) / camera.scale,
            camera.center.y + (p.y() - view.height() / 2) / camera.scale};
}

Rect visible(const Camera& camera, QSizeF view) {
    const Point corner = to_picture(camera, view, {0, 0});
    return {corner.x, corner.y, view.width() / camera.scale, view.height() / camera.scale};
}

Camera zoomed(const Camera& camera, QSizeF view, double factor, QPointF anchor) {
    const Point held = to_picture(camera, view, anchor);
    const double scale = limited(camera.scale * factor);
    return {
        {held.x - (anchor.x() - view.width() / 2) / scale, held.y - (anchor.y() - view.height() / 2) / scale},
        scale};
}

Camera panned(const Camera& camera, double dx, double dy) {
    return {{camera.center.x - dx / camera.scale, camera.center.y - dy / camera.scale}, camera.scale};
}

Camera fitted(const Rect& part, QSizeF view, double most) {
    const double width = std::max(view.width() - 2 * kFitMargin, 1.0);
    const double height = std::max(view.height() - 2 * kFitMargin, 1.0);
    const double scale =
        std::min({width / std::max(part.width, 1.0), height / std::max(part.height, 1.0), most});
    return {part.center(), limited(scale)};
}

Camera between(const Camera& a, const Camera& b, double t) {
    if (t <= 0) return a;
    if (t >= 1) return b;
    const double scale = std::exp(std::lerp(std::log(a.scale), std::log(b.scale), t));
    // The middle moves with the extent that is seen, which is the inverse of the scale.
    const double zoom = 1 / a.scale - 1 / b.scale;
    const double share = std::abs(zoom) < 1e-9 ? t : (1 / a.scale - 1 / scale) / zoom;
    return {{std::lerp(a.center.x, b.center.x, share), std::lerp(a.center.y, b.center.y, share)}, scale};
}

}  // namespace blockscope
