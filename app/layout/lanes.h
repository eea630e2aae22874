// Room beside boxes for edges that pass them.
#pragma once

#include "app/layout/arrange.h"

namespace blockscope {

// A strip that one or several edges of one value run down side by side with the boxes that they pass.
struct Lane {
    std::vector<int> edges;
    double top = 0, bottom = 0;
    double wish = 0;  // x
};

// Lanes of the edges of `container` that pass other children, whose final y `boxes` has. Wishes are where the
// wishes say, or the least detour.
std::vector<Lane> lanes_of(const Figure& figure, const Container& container, const Wishes& wishes,
                           const Pins& pins, const std::vector<Rect>& boxes);

}  // namespace blockscope
