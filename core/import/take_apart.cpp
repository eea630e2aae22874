// Operators that are others in a row: Gemm, convolutions of one place, products of one row, attention.
#include <algorithm>
#include <cmath>

#include "core/import/parts.h"
#include "core/import/recognise.h"
#include "core/import/window_shapes.h"

namespace blockscope::model {

int new_tensor(TensorGraph& graph, const std::string& name, TensorKind kind, const Sizes& sizes) {
    GraphTensor tensor{.name = name, .kind = kind, .extents = {}, .weight = false, .values = {}};
    set_sizes(tensor, sizes);
    graph.tensors.push_back(std::move(tensor));
    return static_cast<int>(graph.tensors.size()) - 1;
}

// ---- Parts of a node.

Sizes NodeParts::sizes(int tensor) const {
    return *sizes_of(graph_.tensors[static_cast<std::size_t>(tensor)]);
}

int NodeParts::emit(const std::string& op, std::vector<int> inputs, const Sizes& sizes,
                    Attributes attributes) {
    const int output = new_tensor(graph_, result().name + " part", result().kind, sizes);
    nodes_.push_back({.name = node_.name,
                      .op = op,
                      .inputs = std::move(inputs),
                      .outputs = {output},
                      .attributes = std::move(attributes)});
    return output;
}

void NodeParts::finish(const std::string& op, std::vector<int> inputs, Attributes attributes) {
    nodes_.push_back({.name = node_.name,
                      .op = op,
                      .inputs = std::move(inputs),
                      .outputs = {node_.outputs[0]},
                      .attributes = std::move(attributes)});
}

int NodeParts::number(double value) {
    const int tensor = new_tensor(graph_, result().name + " factor", result().kind, {});
    graph_.tensors.back().values = TensorValues::of_real({value});
    return tensor;
}

int NodeParts::reshaped(int tensor, const Sizes& wanted) {
    return sizes(tensor) == wanted ? tensor : emit("Reshape", {tensor}, wanted);
}

int NodeParts::transposed(int tensor, const Sizes& order) {
    const Sizes from = sizes(tensor);
    Sizes to;
    for (const std::int64_t axis : order) to.push_back(from[static_cast<std::size_t>(axis)]);
    return emit("Transpose", {tensor}, to, {{"perm", order}});
}

// ---- What is taken apart.

namespace {

int matrix_of_gemm(NodeParts& parts, std::size_t i, const char* transposed) {
    const int tensor = parts.node().inputs[i];
    return whole_attribute(parts.node(), transposed, 0) == 0 ? tensor : parts.transposed(tensor, {1, 0});
}

void take_gemm_apart(NodeParts& parts) {
    const GraphNode& gemm = parts.node();
    const int a = matrix_of_gemm(parts, 0, "transA");
    const int b = matrix_of_gemm(parts, 1, "transB");
    const double alpha = real_attribute(gemm, "alpha", 1);
    const double beta = real_attribute(gemm, "beta", 1);
    const bool sum = has_input(gemm, 2) && beta != 0;
    if (!sum && alpha == 1) return parts.finish("MatMul", {a, b});
    int product = parts.emit("MatMul", {a, b}, parts.result_sizes());
    if (!sum) return parts.finish("Mul", {product, parts.number(alpha)});
    if (alpha != 1) product = parts.emit("Mul", {product, parts.number(alpha)}, parts.result_sizes());
    int bias = gemm.inputs[2];
    if (beta != 1) bias = parts.emit("Mul", {bias, parts.number(beta)}, parts.sizes(bias));
    parts.finish("Add", {product, bias});
}

// A convolution that sees one place at a time: the weight times the channels of each place.
void take_convolution_apart(NodeParts& parts) {
    const GraphNode& node = parts.node();
    const Sizes image = parts.sizes(node.inputs[0]);
    const Sizes made = parts.result_sizes();
    const Sizes columns = {image[0], made[1], product(Sizes(image.begin() + 2, image.end()))};
    const int weight = parts.reshaped(node.inputs[1], {made[1], image[1]});
    const int places = parts.reshaped(node.inputs[0], {image[0], image[1], columns[2]});
    int result = parts.emit("MatMul", {weight, places}, columns);
    if (has_input(node, 2))
        result = parts.emit("Add", {result, parts.reshaped(node.inputs[2], {made[1], 1})}, columns);
    parts.finish("Reshape", {result});
}

// The language multiplies matrices: a row [1, K] times [K, N] is the sum of each column of the matrix times
// the row.
void take_row_product_apart(NodeParts& parts) {
    const GraphNode& node = parts.node();
    const Sizes matrix = parts.sizes(node.inputs[1]);
    const std::int64_t depth = matrix[matrix.size() - 2];
    const std::int64_t width = matrix.back();
    const int row = parts.reshaped(node.inputs[0], {1, depth});
    const int columns = parts.transposed(parts.reshaped(node.inputs[1], {depth, width}), {1, 0});
    const int terms = parts.emit("Mul", {columns, row}, {width, depth});
    const int sums =
        parts.emit("ReduceSum", {terms}, {width}, {{"axes", Sizes{1}}, {"keepdims", std::int64_t{0}}});
    parts.finish("Reshape", {sums});
}

bool has_shape(const TensorGraph& graph, int tensor) {
    return tensor >= 0 && sizes_of(graph.tensors[static_cast<std::size_t>(tensor)]).has_value();
}

bool has_shapes(const TensorGraph& graph, const GraphNode& node) {
    return has_shape(graph, node.outputs[0]) &&
           std::all_of(node.inputs.begin(), node.inputs.end(),
                       [&](int input) { return input < 0 || has_shape(graph, input); });
}

bool is_pointwise_convolution(const NodeParts& parts) {
    const GraphNode& node = parts.node();
    if (node.op != "Conv" || !has_input(node, 0) || !has_input(node, 1)) return false;
    const Sizes weight = parts.sizes(node.inputs[1]);
    const bool fits = convolved_sizes(node, parts.sizes(node.inputs[0]), weight) == parts.result_sizes();
    if (!fits || !is_pointwise(node, weight)) return false;
    return !has_input(node, 2) || parts.sizes(node.inputs[2]) == Sizes{weight[0]};
}

// Numbers that a program can have.
bool is_finite_gemm(const GraphNode& node) {
    return node.op == "Gemm" && std::isfinite(real_attribute(node, "alpha", 1)) &&
           std::isfinite(real_attribute(node, "beta", 1));
}

bool is_row_product(const NodeParts& parts) {
    const GraphNode& node = parts.node();
    if (node.op != "MatMul" || node.inputs.size() != 2 || !has_input(node, 0) || !has_input(node, 1))
        return false;
    const Sizes row = parts.sizes(node.inputs[0]);
    const Sizes matrix = parts.sizes(node.inputs[1]);
    if (row.empty() || matrix.size() < 2 || row.back() < 2 || matrix.back() < 2) return false;
    return product(row) == row.back() && product(matrix) == matrix.back() * matrix[matrix.size() - 2];
}

// The number that a constant with one element has.
std::optional<double> only_number(const TensorGraph& graph, const GraphNode& node, std::size_t i) {
    if (!has_input(node, i)) return std::nullopt;
    const std::optional<TensorValues>& values =
        graph.tensors[static_cast<std::size_t>(node.inputs[i])].values;
    return values && values->count() == 1 ? std::optional(values->real(0)) : std::nullopt;
}

// Nothing is dropped outside training, nor where the share is 0.
bool drops_nothing(const TensorGraph& graph, const GraphNode& node) {
    if (node.op != "Dropout" || node.outputs.size() != 1) return false;
    const bool usual = !has_input(node, 2);
    return usual || only_number(graph, node, 2) == 0.0 || only_number(graph, node, 1) == 0.0;
}

// Whether the node was written as others.
bool written_in_parts(TensorGraph& graph, GraphNode& node, CausalMasks& masks, WholeNumbers& numbers,
                      std::vector<GraphNode>& nodes) {
    if (!has_shapes(graph, node)) return false;
    const std::size_t before = nodes.size();
    NodeParts parts(graph, node, nodes);
    if (is_finite_gemm(node))
        take_gemm_apart(parts);
    else if (is_pointwise_convolution(parts))
        take_convolution_apart(parts);
    else if (is_row_product(parts))
        take_row_product_apart(parts);
    else if (node.op == "Attention")
        take_attention_apart(parts, graph, masks, node.why);
    else if (node.op == "Gather")
        numbers.take_lookup_apart(parts, graph);
    return nodes.size() > before;
}

}  // namespace

void take_apart(TensorGraph& graph) {
    CausalMasks masks(graph);
    // Twice: a Gemm of one row is a product of one row.
    for (int time = 0; time < 2; ++time) {
        std::vector<GraphNode> nodes;
        WholeNumbers numbers(graph);
        for (GraphNode& node : graph.nodes) {
            if (written_in_parts(graph, node, masks, numbers, nodes) || numbers.made_before(graph, node))
                continue;
            if (drops_nothing(graph, node)) {
                node.op = "Identity";
                node.inputs.resize(1);
            }
            nodes.push_back(std::move(node));
        }
        graph.nodes = std::move(nodes);
    }
}

}  // namespace blockscope::model
