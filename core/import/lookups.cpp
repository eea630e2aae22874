// What is made of whole numbers that the user gives, before the program: rows of tables of weights, and
// cosines and sines of positions.
//
//     Gather(weight, input_ids)              an input: words are looked up before the program
//     Cos(position_ids * frequencies)        an input: a rotary embedding begins with it
//     Gather(weight, [[0, 1, .. 127]])       Slice(weight, 0, 128), in the shape that Gather makes
#include <algorithm>
#include <set>
#include <string>

#include "core/import/parts.h"

namespace blockscope::model {

namespace {

// Whether the node takes rows of a matrix of weights.
bool is_lookup(const TensorGraph& graph, const GraphNode& node) {
    if (node.op != "Gather" || node.inputs.size() != 2 || node.outputs.size() != 1) return false;
    const GraphTensor* weight = input_tensor(graph, node, 0);
    const GraphTensor* rows = input_tensor(graph, node, 1);
    if (weight == nullptr || rows == nullptr || !weight->weight || !is_real(weight->kind)) return false;
    const std::optional<Sizes> sizes = sizes_of(*weight), shape = sizes_of(*rows);
    return sizes && shape && sizes->size() == 2 && !shape->empty() && !is_real(rows->kind) &&
           axis_of(whole_attribute(node, "axis", 0), 2) == std::size_t{0};
}

// Of rows that follow one another, the first.
std::optional<std::int64_t> first_row(const TensorValues& rows) {
    if (rows.count() == 0) return std::nullopt;
    const std::int64_t first = rows.whole(0);
    for (std::size_t i = 1; i < rows.count(); ++i)
        if (rows.whole(i) - static_cast<std::int64_t>(i) != first) return std::nullopt;
    return first;
}

int whole_number(TensorGraph& graph, std::int64_t number) {
    const int tensor = new_tensor(graph, "row", TensorKind::I64, {1});
    graph.tensors.back().values = TensorValues::of_whole({number});
    return tensor;
}

}  // namespace

WholeNumbers::WholeNumbers(const TensorGraph& graph) {
    for (const int input : graph.inputs)
        if (!is_real(graph.tensors[static_cast<std::size_t>(input)].kind)) source_[input] = input;
}

// Numbers are prepared by what moves them and by arithmetic, as positions are counted and spread; not by what
// a layer computes.
bool WholeNumbers::prepares(const TensorGraph& graph, const GraphNode& node) {
    static const std::set<std::string> kPreparing = {
        "Cast",        "Identity", "Reshape", "Squeeze", "Unsqueeze",  "Flatten",
        "Transpose",   "Expand",   "Concat",  "Slice",   "Split",      "Tile",
        "Add",         "Sub",      "Mul",     "Div",     "Mod",        "Neg",
        "Abs",         "Floor",    "Clip",    "Max",     "Min",        "Equal",
        "Not",         "Less",     "And",     "Or",      "Greater",    "Where",
        "LessOrEqual", "CumSum",   "Range",   "Pow",     "Reciprocal", "GreaterOrEqual"};
    if (kPreparing.contains(node.op)) return true;
    if (node.op != "MatMul" || node.inputs.size() != 2) return false;
    // Each position times each frequency: nothing is summed.
    constexpr std::int64_t kMostFrequencies = 4096;
    const GraphTensor* left = input_tensor(graph, node, 0);
    const GraphTensor* right = input_tensor(graph, node, 1);
    const auto a = left ? sizes_of(*left) : std::nullopt, b = right ? sizes_of(*right) : std::nullopt;
    return a && b && !a->empty() && b->size() >= 2 && a->back() == 1 &&
           std::min(product(*a), product(*b)) <= kMostFrequencies;
}

void WholeNumbers::follow(const TensorGraph& graph, const GraphNode& node) {
    const auto known = [&](int tensor) {
        const GraphTensor* one = tensor < 0 ? nullptr : &graph.tensors[static_cast<std::size_t>(tensor)];
        return one == nullptr || one->weight || one->values || source_.contains(tensor);
    };
    if (node.inputs.empty() || !prepares(graph, node)) return;
    if (!std::all_of(node.inputs.begin(), node.inputs.end(), known)) return;
    int source = kNone;
    for (const int input : node.inputs)
        if (const auto known_source = source_.find(input); known_source != source_.end())
            source = std::max(source, known_source->second);
    for (const int output : node.outputs) source_.try_emplace(output, source);
}

int WholeNumbers::source_of(int tensor) const {
    const auto source = source_.find(tensor);
    return source == source_.end() ? kNone : source->second;
}

bool WholeNumbers::made_before(TensorGraph& graph, const GraphNode& node) {
    follow(graph, node);
    if (node.outputs.size() != 1 || node.inputs.empty()) return false;
    TableLookup lookup;
    if (is_lookup(graph, node) && source_of(node.inputs[1]) != kNone)
        lookup = {.table = node.inputs[0], .rows = node.inputs[1]};
    else if (node.op == "Cos" || node.op == "Sin")
        lookup.rows = source_of(node.inputs[0]);
    GraphTensor& made = graph.tensors[static_cast<std::size_t>(node.outputs[0])];
    if (lookup.rows < 0 || !sizes_of(made)) return false;
    made.looked_up = lookup;
    graph.inputs.push_back(node.outputs[0]);
    return true;
}

void WholeNumbers::take_lookup_apart(NodeParts& parts, TensorGraph& graph) {
    if (!is_lookup(graph, parts.node())) return;
    const int numbers = parts.node().inputs[1];
    const std::optional<TensorValues> rows = graph.tensors[static_cast<std::size_t>(numbers)].values;
    if (!rows) return;
    const Sizes table = parts.sizes(parts.node().inputs[0]);
    auto known = first_rows_.find(numbers);  // many nodes may read the same
    if (known == first_rows_.end()) known = first_rows_.emplace(numbers, first_row(*rows)).first;
    const auto from = known->second;
    if (!from || *from < 0 || *from > table[0] - static_cast<std::int64_t>(rows->count())) return;
    const auto count = static_cast<std::int64_t>(rows->count());
    const int first = whole_number(graph, *from), end = whole_number(graph, *from + count),
              axis = whole_number(graph, 0);
    const int slice = parts.emit("Slice", {parts.node().inputs[0], first, end, axis}, {count, table[1]});
    parts.finish("Reshape", {slice});
}

}  // namespace blockscope::model
