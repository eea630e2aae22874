// Attention as the ONNX standard has it from opset 23 on: softmax(scale * Q @ K^T + mask) @ V, of tensors
// [batch, heads, rows, width], or [batch, rows, heads * width] with the numbers of heads as attributes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/import/parts.h"

namespace blockscope::model {

namespace {

constexpr double kUnseen = -std::numeric_limits<double>::infinity();

// [batch, rows, heads * width] as [batch, heads, rows, width].
int heads_apart(NodeParts& parts, int tensor, std::int64_t heads) {
    const Sizes from = parts.sizes(tensor);
    return parts.transposed(parts.reshaped(tensor, {from[0], from[1], heads, from[2] / heads}), {0, 2, 1, 3});
}

// Each head `times` in a row.
int heads_repeated(NodeParts& parts, int tensor, std::int64_t times) {
    const Sizes from = parts.sizes(tensor);
    const int apart = parts.reshaped(tensor, {from[0], from[1], 1, from[2], from[3]});
    const int spread = parts.emit("Expand", {apart}, {from[0], from[1], times, from[2], from[3]});
    return parts.reshaped(spread, {from[0], from[1] * times, from[2], from[3]});
}

// Numbers of heads; 0 where the operands are no queries, keys and values.
struct Heads {
    std::int64_t queries = 0;
    std::int64_t keys = 0;
};

Heads heads_of(const GraphNode& node, const Sizes& queries, const Sizes& keys, const Sizes& values) {
    if (queries.size() != keys.size() || keys.size() != values.size()) return {};
    Heads heads;
    if (queries.size() == 4) heads = {queries[1], keys[1]};
    if (queries.size() == 3)
        heads = {whole_attribute(node, "q_num_heads", 0), whole_attribute(node, "kv_num_heads", 0)};
    if (heads.keys < 1 || heads.queries < 1 || heads.queries % heads.keys != 0) return {};
    if (queries.size() == 4) return values[1] == heads.keys && queries[3] == keys[3] ? heads : Heads{};
    const bool divide =
        queries[2] % heads.queries == 0 && keys[2] % heads.keys == 0 && values[2] % heads.keys == 0;
    return divide && queries[2] / heads.queries == keys[2] / heads.keys ? heads : Heads{};
}

TensorKind kind_of(const NodeParts& parts, const TensorGraph& graph) {
    return graph.tensors[static_cast<std::size_t>(parts.node().inputs[0])].kind;
}

int masked(NodeParts& parts, const TensorGraph& graph, CausalMasks& masks, int scores) {
    const GraphNode& node = parts.node();
    const Sizes sizes = parts.sizes(scores);
    if (has_input(node, 3)) {
        const int mask = node.inputs[3];
        const bool truths = graph.tensors[static_cast<std::size_t>(mask)].kind == TensorKind::Bool;
        scores = truths ? parts.emit("Where", {mask, scores, parts.number(kUnseen)}, sizes)
                        : parts.emit("Add", {scores, mask}, sizes);
    }
    if (whole_attribute(node, "is_causal", 0) != 0)
        scores = parts.emit("Add", {scores, masks.of(sizes[2], sizes[3], kind_of(parts, graph))}, sizes);
    return scores;
}

bool fits(const GraphTensor& mask, const Sizes& scores, TensorKind kind) {
    const Sizes sizes = *sizes_of(mask);
    const bool fine = mask.kind == TensorKind::Bool || mask.kind == kind;
    return fine && !sizes.empty() && sizes.back() == scores.back() &&
           broadcast_sizes(sizes, scores) == scores;
}

// Of operands whose shapes are known.
Text what_is_not_understood(const NodeParts& parts, const TensorGraph& graph, const CausalMasks& masks) {
    const GraphNode& node = parts.node();
    if (has_input(node, 4) || has_input(node, 5) || has_input(node, 6))
        return Text("it reads a cache of keys and values");
    if (std::any_of(node.outputs.begin() + 1, node.outputs.end(), [](int output) { return output >= 0; }))
        return Text("more than one of its results is used");
    const Sizes queries = parts.sizes(node.inputs[0]), keys = parts.sizes(node.inputs[1]),
                values = parts.sizes(node.inputs[2]);
    const Heads heads = heads_of(node, queries, keys, values);
    if (heads.queries == 0) return Text("its heads do not fit its operands");
    const std::size_t row = queries.size() - 2;
    if (queries[0] != keys[0] || keys[0] != values[0] || keys[row] != values[row])
        return Text("its queries, keys and values do not fit one another");
    const Sizes scores = {queries[0], heads.queries, queries[row], keys[row]};
    if (product(scores) >= kMostElements) return Text("its scores are too many");
    const TensorKind kind = kind_of(parts, graph);
    if (has_input(node, 3) && !fits(graph.tensors[static_cast<std::size_t>(node.inputs[3])], scores, kind))
        return Text("its mask does not fit its scores");
    if (!std::isfinite(real_attribute(node, "scale", 1)) ||
        !std::isfinite(real_attribute(node, "softcap", 0)))
        return Text("a number of it is not finite");
    if (whole_attribute(node, "is_causal", 0) != 0 && !masks.affordable(scores[2], scores[3], kind))
        return Text("its causal mask is too large to be written out");
    return {};
}

}  // namespace

std::optional<Sizes> attention_sizes(const GraphNode& node, const Sizes& queries, const Sizes& keys,
                                     const Sizes& values) {
    const Heads heads = heads_of(node, queries, keys, values);
    if (heads.queries == 0) return std::nullopt;
    Sizes result = queries;
    const std::int64_t width = queries.size() == 4 ? values.back() : values.back() / heads.keys;
    if (queries.size() == 3 && width > kMostElements / heads.queries) return std::nullopt;
    result.back() = queries.size() == 4 ? width : width * heads.queries;
    return result;
}

bool CausalMasks::affordable(std::int64_t rows, std::int64_t columns, TensorKind kind) const {
    return made_.count({rows, columns, kind}) > 0 || rows < 1 || columns <= left_ / rows;
}

int CausalMasks::of(std::int64_t rows, std::int64_t columns, TensorKind kind) {
    const auto [entry, fresh] = made_.try_emplace({rows, columns, kind}, -1);
    if (!fresh) return entry->second;
    left_ -= rows * columns;
    std::vector<double> values(static_cast<std::size_t>(rows * columns));
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = i + 1; j < columns; ++j)
            values[static_cast<std::size_t>(i * columns + j)] = kUnseen;
    entry->second = new_tensor(graph_, "causal mask", kind, {rows, columns});
    graph_.tensors.back().values = TensorValues::of_real(values);
    return entry->second;
}

bool take_attention_apart(NodeParts& parts, const TensorGraph& graph, CausalMasks& masks, Text& why) {
    const GraphNode node = parts.node();
    if (!has_input(node, 0) || !has_input(node, 1) || !has_input(node, 2)) return false;
    why = what_is_not_understood(parts, graph, masks);
    if (!why.empty()) return false;
    const Heads heads =
        heads_of(node, parts.sizes(node.inputs[0]), parts.sizes(node.inputs[1]), parts.sizes(node.inputs[2]));
    int queries = node.inputs[0];
    int keys = node.inputs[1];
    int values = node.inputs[2];
    const bool joined = parts.sizes(queries).size() == 3;
    if (joined) {
        queries = heads_apart(parts, queries, heads.queries);
        keys = heads_apart(parts, keys, heads.keys);
        values = heads_apart(parts, values, heads.keys);
    }
    if (heads.queries != heads.keys) {
        keys = heads_repeated(parts, keys, heads.queries / heads.keys);
        values = heads_repeated(parts, values, heads.queries / heads.keys);
    }
    const Sizes rows = parts.sizes(queries);
    const Sizes sizes = {rows[0], heads.queries, rows[2], parts.sizes(keys)[2]};
    int scores = parts.emit("MatMul", {queries, parts.transposed(keys, {0, 1, 3, 2})}, sizes);
    const auto scale = node.attributes.find("scale");
    scores = scale != node.attributes.end()
                 ? parts.emit("Mul", {scores, parts.number(real_attribute(node, "scale", 1))}, sizes)
                 : parts.emit("Div", {scores, parts.number(std::sqrt(static_cast<double>(rows[3])))}, sizes);
    if (const double cap = real_attribute(node, "softcap", 0); cap > 0) {
        const int bounded =
            parts.emit("Tanh", {parts.emit("Div", {scores, parts.number(cap)}, sizes)}, sizes);
        scores = parts.emit("Mul", {bounded, parts.number(cap)}, sizes);
    }
    const int weights =
        parts.emit("Softmax", {masked(parts, graph, masks, scores)}, sizes, {{"axis", std::int64_t{-1}}});
    if (!joined) {
        parts.finish("MatMul", {weights, values});
        return true;
    }
    const std::int64_t width = parts.sizes(values)[3];
    const int made = parts.emit("MatMul", {weights, values}, {rows[0], heads.queries, rows[2], width});
    parts.finish("Reshape", {parts.transposed(made, {0, 2, 1, 3})});
    return true;
}

}  // namespace blockscope::model
