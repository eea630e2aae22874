// Texts of a picture: labels of boxes and edges, and what tooltips and screen readers say.
#pragma once

#include <string>

#include "app/figure/nest.h"

namespace blockscope {

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
std::string box_detail(const Node& node, const DimTable& dims);
std::string frame_detail(const Nest& nest, const DimTable& dims);

}  // namespace blockscope
