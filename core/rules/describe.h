// Operators in words, for the sentences of rules.
#pragma once

#include "core/rules/rule.h"

namespace blockscope {

// "dot", "exp(x)", "sum", a miscellaneous operator's name; empty for maps, inputs and outputs.
std::string operator_name(const Node& node, const DimTable& dims);
// What a map computes, at all depths: up to three operator names.
std::string map_contents(const Map& map, const DimTable& dims);
// "the N-map n4 (dot) and the sum over K n5".
std::string list_names(const std::vector<NodeId>& nodes, const Level& level);

}  // namespace blockscope
