// Blocks that the user has put elsewhere.
#pragma once

#include <compare>
#include <map>

#include "core/graph/node.h"

namespace blockscope {

struct Picture;

// How far from where the layout puts a block, in the picture's units.
struct Shift {
    int x = 0, y = 0;
    auto operator<=>(const Shift&) const = default;
};
using Shifts = std::map<NodeId, Shift>;
constexpr int kFarthestShift = 1'000'000;

// Each of these blocks, with all that is in it, goes that far, but not out of the map around it; edges follow
// with their ends.
void shift_boxes(Picture& picture, const Shifts& shifts);

}  // namespace blockscope
