// Other ways for edges that cross: around the other side of a box, or with two boxes in each other's place.
#pragma once

#include "app/layout/arrange.h"
#include "app/layout/crossings.h"

namespace blockscope {

// `wishes` without those about where the edges run that cross.
Wishes other_ways(const Wishes& wishes, const std::vector<Crossing>& crossings);

// `wishes` with two boxes of a container swapped that stand side by side at the ends of edges that cross:
// those first that promise most. Frames take along what they hold.
std::vector<Wishes> other_neighbours(const Figure& figure, const Tree& tree, const Geometry& geometry,
                                     const Wishes& wishes, const std::vector<Crossing>& crossings);

}  // namespace blockscope
