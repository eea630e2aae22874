// Which atoms are axes of arrays and which are batch dimensions: in the language a dimension is one of them
// everywhere, and an array has at most two axes.
#pragma once

#include <vector>

#include "core/import/atoms.h"

namespace blockscope::model {

enum class AtomRole : std::uint8_t { Open, Axis, Batch };

// By atom. What softmax and norms run along and what products sum over are axes; what both operands of a
// product have as a batch is one. Rows are chosen last, the innermost first. A choice that an operator cannot
// live with makes that operator custom later; the first one in the graph wins.
std::vector<AtomRole> roles_of_atoms(const TensorGraph& graph, const TrackedDimensions& dims,
                                     const std::map<std::size_t, Text>& opaque);

}  // namespace blockscope::model
