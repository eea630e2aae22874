// Indices as the graph and the layouts hold them (int, -1 for none) and as the standard containers take them.
#pragma once

#include <cstddef>

namespace blockscope {

// `i` as an index of a std::vector; i >= 0.
constexpr std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

}  // namespace blockscope
