// Which nodes of a level are the first iteration of a peeled map (Blockbuster section 3.2, rule 7), as the
// paper marks them: x=0 beside the map x=1:X.
#pragma once

#include <map>
#include <vector>

#include "core/graph/graph.h"

namespace blockscope {

// By node: the dimensions whose iteration 0 it belongs to, in the order of their ids. Nodes of other
// iterations, inputs and outputs are left out.
//
// A map that starts at 1 continues the results of iteration 0. To that iteration belongs what reads element 0
// of a list over the dimension, and on the way from there to the continued results everything; further, what
// nothing but iteration 0 uses.
std::map<NodeId, std::vector<DimId>> first_iterations(const GraphIndex& index);

}  // namespace blockscope
