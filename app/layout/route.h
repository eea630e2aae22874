// The ways of edges: down from one pin to another, vertical at both ends, around the boxes between them.
#pragma once

#include "app/layout/layout.h"
#include "app/layout/tree.h"

namespace blockscope {

// Fills in geometry.edges. `lanes`: x of the vertical part of each edge if it has one, else NaN.
void route_edges(const Figure& figure, const Tree& tree, const Pins& pins, const std::vector<double>& lanes,
                 Geometry& geometry);

// Fills in geometry.labels: beside the edges, clear of boxes, of other edges and of each other where there is
// room. Returns about the room that they take.
std::vector<Rect> place_labels(const Figure& figure, const Tree& tree, Geometry& geometry);

// The point of `curve` at `t`, 0 <= t <= 1, each piece taking the same share.
Point point_on(const Curve& curve, double t);

}  // namespace blockscope
