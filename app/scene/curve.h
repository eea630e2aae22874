// Cutting and joining curves of cubic Bézier pieces.
#pragma once

#include "core/support/geometry.h"

namespace blockscope {

Point mixed(Point a, Point b, double share);
double distance(Point a, Point b);

// `curve` without its end (start) inside the circle. At least the far half of the last piece stays.
Curve cut_end(Curve curve, Point center, double radius);
Curve cut_start(Curve curve, Point center, double radius);

// `curve` as `pieces` pieces of the same shape; the longest pieces are halved. Not fewer than it has.
Curve with_pieces(Curve curve, std::size_t pieces);

// The distance of `p` from the curve, by sampling; good to a tenth of `reach`.
double distance_to(const Curve& curve, Point p, double reach);

}  // namespace blockscope
