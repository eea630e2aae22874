// Functional and elementwise operators on significand-exponent pairs (Blockbuster, appendix).
#pragma once

#include "core/safety/level.h"

namespace blockscope::safety {

// Each rewrites one node of the level's old graph (`old` has its index) and sets its value.
void rewrite_functional(Level& level, const NodePtr& node);
void rewrite_elementwise(Level& level, const GraphIndex& old, const NodePtr& node);

// Whether the expression over the node's inputs is never positive, because it subtracts a maximum
// that it takes part in: row_shift(x,-z) or x-z with z = row_max(x), block_max(x) or
// max(..., x or one of these, ...). Its exponential lies between 0 and 1 and is safe as it is.
bool never_positive(const GraphIndex& old, const Node& node, const Expr& expr);

}  // namespace blockscope::safety
