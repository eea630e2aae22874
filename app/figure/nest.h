// Maps that hold nothing but one map are drawn as one frame with the dimensions of both (Blockbuster
// section 2.1).
#pragma once

#include <map>
#include <vector>

#include "core/graph/graph.h"

namespace blockscope {

// A map with the maps that it holds and nothing else beside them. Only parallel maps over their whole range
// nest: a frame's sums and entries then belong to one dimension.
struct Nest {
    std::vector<const Node*> maps;  // outermost first
    const Map& outer() const { return *maps.front()->as<Map>(); }
    const Map& inner() const { return *maps.back()->as<Map>(); }
    const Graph& body() const { return *inner().body; }

    std::map<NodeId, int> in;  // by input node of the innermost body: index of the frame's input port
    std::vector<std::vector<int>>
        outputs;  // by output of the innermost body: indices of the frame's output ports
};

// `map` must be a map.
Nest nest_of(const Node& map);

}  // namespace blockscope
