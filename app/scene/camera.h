// What part of a picture a view shows. Pure functions; views hold the value.
#pragma once

#include <QPointF>
#include <QSizeF>

#include "core/support/geometry.h"

namespace blockscope {

struct Camera {
    Point center;      // picture coordinates
    double scale = 1;  // widget pixels per picture unit
    bool operator==(const Camera&) const = default;
};

constexpr double kLeastScale = 0.001;  // tens of thousands of nodes beside each other
constexpr double kMostScale = 8;

QPointF to_view(const Camera& camera, QSizeF view, Point p);
Point to_picture(const Camera& camera, QSizeF view, QPointF p);
// What a view of this size shows.
Rect visible(const Camera& camera, QSizeF view);

// Enlarged by `factor`, with what is under `anchor` (view coordinates) staying there.
Camera zoomed(const Camera& camera, QSizeF view, double factor, QPointF anchor);
// Moved by view pixels: the picture follows the hand.
Camera panned(const Camera& camera, double dx, double dy);
// Shows all of `part` with a margin; at most `most` times enlarged.
Camera fitted(const Rect& part, QSizeF view, double most);
// The way from `a` to `b`: both zoom evenly and a point that they have at the same place stays there.
Camera between(const Camera& a, const Camera& b, double t);

}  // namespace blockscope
