// Maps that hold nothing but one map are drawn as one frame with the dimensions of both (Blockbuster
// section 2.1).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/support/text.h"

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

// Texts of a picture: labels of boxes and edges, and what tooltips and screen readers say.

// "Q(M,D)", "dot", "exp(x*(DD**-0.5))" (shortened), "+"; empty for maps. Outputs: see output_label.
std::string box_label(const Node& node, const DimTable& dims);
// "O(M,L)".
std::string output_label(const Output& output, const Type& type, const DimTable& dims);
// "M,N"; "k=1:K" for a map that starts at 1.
std::string frame_corner(const Nest& nest, const DimTable& dims);
// What a folded map computes, shortened.
std::string cloud_label(const Nest& nest, const DimTable& dims);
// "k=0" of a node that belongs to iteration 0 of maps over these dimensions (rule 7); empty if there are
// none.
std::string peeled_index(const std::vector<DimId>& iterations, const DimTable& dims);
// "(M,N) block"; "k=0: (N) block" of the first element of a list.
std::string edge_label(const Node& producer, const ValueRef& ref, const DimTable& dims);
// "elementwise n7: exp(x), block[M,N] bf16".
Text box_detail(const Node& node, const DimTable& dims);
Text frame_detail(const Nest& nest, const DimTable& dims);

}  // namespace blockscope
