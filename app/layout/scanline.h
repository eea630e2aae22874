// Which boxes of a container see each other.
#pragma once

#include <vector>

namespace blockscope {

// An extent across the scanned axis, and the place along it.
struct Strip {
    double low = 0, high = 0;  // across
    double place = 0;          // along
};

// Pairs (smaller place first) of strips that overlap across with nothing between them. Separating these pairs
// separates all that overlap. Strips at the same place are in the order of their indices.
std::vector<std::pair<int, int>> neighbours(const std::vector<Strip>& strips);

}  // namespace blockscope
