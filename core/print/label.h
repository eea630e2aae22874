// Short texts that the outline and the Graphviz output share.
#pragma once

#include <string>

#include "core/graph/graph.h"

namespace blockscope {

// "n9", "n9.1" (a node with several outputs), with ",0" indices of a peeled reference: "n9[0]".
std::string reference(const GraphIndex& index, const ValueRef& ref);

// What a node does, without its id and inputs: "input Q", "dot", "exp(a*(DD**-0.5))" with a, b, ...
// for its inputs, "forall M", "for K from 1", "sum over N", the name of a miscellaneous operator.
std::string label(const Node& node, const DimTable& dims);

// "iterated", "broadcast", "continued"; "collected", "sum", "max", "carried".
std::string to_string(PortIn mode);
std::string to_string(PortOut mode);

}  // namespace blockscope
