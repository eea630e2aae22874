// New tensors and nodes in the place of a node that is taken apart.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/import/shapes.h"

namespace blockscope::model {

int new_tensor(TensorGraph& graph, const std::string& name, TensorKind kind, const Sizes& sizes);

// Writes what a node is made of to the end of `nodes`; the last part makes what the node made. The shapes of
// its operands and of its first result are known.
class NodeParts {
public:
    NodeParts(TensorGraph& graph, const GraphNode& node, std::vector<GraphNode>& nodes)
        : graph_(graph), node_(node), nodes_(nodes) {}

    const GraphNode& node() const { return node_; }
    Sizes sizes(int tensor) const;
    Sizes result_sizes() const { return sizes(node_.outputs[0]); }

    using Attributes = std::map<std::string, AttributeValue>;
    // The tensor that a part makes.
    int emit(const std::string& op, std::vector<int> inputs, const Sizes& sizes, Attributes attributes = {});
    void finish(const std::string& op, std::vector<int> inputs, Attributes attributes = {});
    int number(double value);  // of the type of what the node makes

    int reshaped(int tensor, const Sizes& sizes);
    int transposed(int tensor, const Sizes& order);

private:
    GraphTensor& result() { return graph_.tensors[static_cast<std::size_t>(node_.outputs[0])]; }

    TensorGraph& graph_;
    const GraphNode& node_;
    std::vector<GraphNode>& nodes_;
};

inline bool has_input(const GraphNode& node, std::size_t i) {
    return i < node.inputs.size() && node.inputs[i] >= 0;
}

// The masks of causal attention that were written out: one for all of the same size and type, and not too
// many numbers in all.
class CausalMasks {
public:
    explicit CausalMasks(TensorGraph& graph) : graph_(graph) {}
    bool affordable(std::int64_t rows, std::int64_t columns, TensorKind kind) const;
    // Row i sees the columns up to i.
    int of(std::int64_t rows, std::int64_t columns, TensorKind kind);

private:
    using Key = std::tuple<std::int64_t, std::int64_t, TensorKind>;
    TensorGraph& graph_;
    std::map<Key, int> made_;
    std::int64_t left_ = std::int64_t{1} << 26;
};

// Attention of the standard (from opset 23 on) in its parts; false if it has a form that is not understood,
// and `why` then says what.
bool take_attention_apart(NodeParts& parts, const TensorGraph& graph, CausalMasks& masks, Text& why);
// The shape of its first result.
std::optional<Sizes> attention_sizes(const GraphNode& node, const Sizes& queries, const Sizes& keys,
                                     const Sizes& values);

// ---- What is made of whole numbers (lookups.cpp).

// What is prepared of whole numbers that the user gives, and of weights: words, positions.
class WholeNumbers {
public:
    explicit WholeNumbers(const TensorGraph& graph);

    // Of the nodes in order. Whether this one takes rows of a table of weights by such numbers, or cosines or
    // sines of them: what it made is an input of the graph then, and the node goes.
    bool made_before(TensorGraph& graph, const GraphNode& node);
    // Rows of a table that are known and follow one another are a slice of it.
    void take_lookup_apart(NodeParts& parts, TensorGraph& graph);

private:
    static bool prepares(const TensorGraph& graph, const GraphNode& node);
    void follow(const TensorGraph& graph, const GraphNode& node);
    int source_of(int tensor) const;

    static constexpr int kNone = -1;                         // of weights alone
    std::map<int, int> source_;                              // by tensor: an input of whole numbers
    std::map<int, std::optional<std::int64_t>> first_rows_;  // by tensor of rows: as first_row() finds it
};

}  // namespace blockscope::model
