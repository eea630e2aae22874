// The few groups of operators that exporters write out and that the language has a word for, and what slices
// of packed products become. Each pass makes a graph that computes the same.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/import/shapes.h"
#include "core/import/tensor_graph.h"
#include "core/support/text.h"

namespace blockscope::model {

// Who makes a tensor and who uses it.
class GraphIndex {
public:
    explicit GraphIndex(const TensorGraph& graph);

    const GraphNode* producer(int tensor) const;  // null for inputs, weights and constants
    int uses(int tensor) const {                  // an output counts as a use; of a tensor made since: 0
        return static_cast<std::size_t>(tensor) < uses_.size() ? uses_[static_cast<std::size_t>(tensor)] : 0;
    }

private:
    const TensorGraph& graph_;
    std::vector<int> producers_;  // by tensor: a node; -1
    std::vector<int> uses_;
};

// Removes nodes that no output needs.
void drop_unused(TensorGraph& graph);

// Gemm, convolutions of one place, products of one row and the standard's Attention become what they are made
// of (take_apart.cpp); dropout becomes nothing.
void take_apart(TensorGraph& graph);

// What the passes call rotary embeddings, of x, cosines and sines: halves of rows and neighbours as pairs.
inline constexpr const char* kRope = "rotary embedding, halves";
inline constexpr const char* kRopeInterleaved = "rotary embedding, pairs";
inline bool is_rope(const GraphNode& node) {
    return node.op == kRope || node.op == kRopeInterleaved;
}
// Makes the sum at the end of one that is written out the whole of it (rotary.cpp).
bool becomes_rope(const TensorGraph& graph, const GraphIndex& index, GraphNode& node);

// Decomposed LayerNorm and RMSNorm, rotary embeddings, GELU by erf and by tanh, SiLU; masks by Where with a
// constant condition, which become sums; the guard of a softmax against rows without any column. Adds
// sentences on what was taken for what with less than a proof.
void recognise_groups(TensorGraph& graph, std::vector<Text>& remarks);

// Part of a weight: `offset` and a step for each extent, in elements of the tensor `of`, which the file
// holds.
struct WeightPart {
    int of = -1;
    std::int64_t offset = 0;
    Sizes steps;
};

// Splits, slices and single indices of a product become products with parts of the weight, which are new
// tensors; says of which they are parts. What cannot be pushed that far stays.
std::map<int, WeightPart> push_slices(TensorGraph& graph);

}  // namespace blockscope::model
