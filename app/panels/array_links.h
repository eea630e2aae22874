// Which nodes of the current state compute what an operator of the array program says.
#pragma once

#include <map>
#include <set>

#include "app/document/content.h"

namespace blockscope {

struct ArrayLinks {
    std::map<int, std::set<NodeId>> nodes;  // by operator
    std::map<NodeId, std::set<int>> ops;    // by node of the current state, at any level
};

// In the initial program an operator has the top-level nodes that it was converted to; later the operators
// inside them, wherever fusion took them. Empty for a document without an array program.
ArrayLinks array_links(const Content& content);

}  // namespace blockscope
