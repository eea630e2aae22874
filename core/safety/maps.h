// Maps and reductions over significand-exponent pairs: sums become running sums that are rescaled to
// a running maximum of the exponents (online softmax, where the sum is attention's).
#pragma once

#include "core/safety/level.h"

namespace blockscope::safety {

// Rewrites a graph level. `plain_outputs`: which outputs must be plain. Returns the outputs' values.
std::vector<Value> rewrite_level(Level& level, const Graph& graph, const std::vector<bool>& plain_outputs);

// Each rewrites one node and sets its values. `plain_outputs`: collected outputs that nothing needs
// as pairs; they are made plain inside the map, so that no second map is needed.
void rewrite_map(Level& level, const NodePtr& node, const std::vector<bool>& plain_outputs);
void rewrite_reduce(Level& level, const NodePtr& node);

}  // namespace blockscope::safety
