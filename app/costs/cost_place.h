// Which number of a state is meant, where it is not that of the whole state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace blockscope {

struct CostPlace {
    std::optional<NodeId> node;       // an operator, a map with what it holds, an input or output
    std::optional<ValueRef> value;    // an edge
    std::optional<int> line;          // of the listing, from 0, with what stands in it
    std::vector<std::string> arrays;  // by name
    // Operations per second with the predicted or the measured time, as the roofline has them; both times, as
    // the scatter has them.
    enum class Point : std::uint8_t { None, Predicted, Measured, Both } point = Point::None;

    bool whole() const { return !node && !value && !line && arrays.empty(); }  // of the state, as counted
    bool operator==(const CostPlace&) const = default;
};

}  // namespace blockscope
