// Axes in lists, and numbers of operators and arrays as indices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/circuit/term.h"

namespace blockscope::circuit {

inline std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

inline bool has(const std::vector<AxisId>& axes, AxisId axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

}  // namespace blockscope::circuit
