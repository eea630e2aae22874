// Rough places for everything of a figure, laid out from nothing: what the arrangement starts from.
#pragma once

#include "app/layout/dot.h"

namespace blockscope {

struct Rough {
    std::vector<Rect> boxes;    // absolute
    std::vector<double> lanes;  // x about where each edge runs
};

Rough rough_places(Dot& dot, const Figure& figure, const Tree& tree);

}  // namespace blockscope
