// Rough places for everything of a figure, laid out from nothing: what the arrangement starts from.
#pragma once

#include "app/layout/dot.h"

namespace blockscope {

struct Rough {
    std::vector<Rect> boxes;    // absolute
    std::vector<double> lanes;  // x about where each edge runs
};

Rough rough_places(Dot& dot, const Figure& figure, const Tree& tree);
// Only what is in the frame `box`, from its top left corner; boxes elsewhere and all lanes are left out.
std::vector<Rect> rough_inside(Dot& dot, const Figure& figure, const Tree& tree, int box);

}  // namespace blockscope
