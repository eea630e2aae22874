// What is made of whole numbers that the user gives, before the program: rows of tables of weights, and
// cosines and sines of positions.
//
//     Gather(weight[30522, 768], input_ids[1, 128])    an input [1, 128, 768]: looking up is before the
//     program Gather(weight[512, 768], [[0, 1, .. 127]])       Slice(weight, 0, 128), in the shape [1, 128,
//     768]
//     Cos(position_ids * frequencies)                  an input: a rotary embedding begins with it
#include <algorithm>

#include "core/import/parts.h"

namespace blockscope::model {

namespace {

struct Table {
    Sizes sizes;                // rows and columns
    std::optional<Sizes> rows;  // that are taken, where that is known
    Sizes shape;                // of the numbers of rows
};

std::optional<Table> table_of(const TensorGraph& graph, const GraphNode& node) {
    if (node.op != "Gather" || node.inputs.size() != 2 || node.outputs.size() != 1) return std::nullopt;
    const GraphTensor* weight = input_tensor(graph, node, 0);
    const GraphTensor* rows = input_tensor(graph, node, 1);
    if (weight == nullptr || rows == nullptr || !weight->weight || !is_real(weight->kind))
        return std::nullopt;
    const std::optional<Sizes> sizes = sizes_of(*weight), shape = sizes_of(*rows);
    if (!sizes || !shape || sizes->size() != 2 || shape->empty() || is_real(rows->kind)) return std::nullopt;
    if (axis_of(whole_attribute(node, "axis", 0), 2) != std::size_t{0}) return std::nullopt;
    Table table{.sizes = *sizes, .rows = {}, .shape = *shape};
    if (rows->values) table.rows = rows->values->wholes();
    return table;
}

// Rows that follow one another.
bool in_a_row(const Table& table) {
    const Sizes& rows = *table.rows;
    if (rows.empty() || rows.front() < 0 || rows.back() >= table.sizes[0]) return false;
    for (std::size_t i = 1; i < rows.size(); ++i)
        if (rows[i] != rows[i - 1] + 1) return false;
    return true;
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

void WholeNumbers::follow(const TensorGraph& graph, const GraphNode& node) {
    const auto known = [&](int tensor) {
        const GraphTensor* one = tensor < 0 ? nullptr : &graph.tensors[static_cast<std::size_t>(tensor)];
        return one == nullptr || one->weight || one->values || source_.contains(tensor);
    };
    if (!std::all_of(node.inputs.begin(), node.inputs.end(), known)) return;
    int source = kNone;
    for (const int input : node.inputs)
        if (const auto known_source = source_.find(input); known_source != source_.end())
            source = std::max(source, known_source->second);
    for (const int output : node.outputs) source_.try_emplace(output, source);
}

bool WholeNumbers::made_before(TensorGraph& graph, const GraphNode& node) {
    follow(graph, node);
    const bool turns = node.op == "Cos" || node.op == "Sin";
    const auto source = node.outputs.size() == 1 ? source_.find(node.outputs[0]) : source_.end();
    TableLookup lookup;
    if (const std::optional<Table> table = table_of(graph, node); table && !table->rows)
        lookup = {.table = node.inputs[0], .rows = node.inputs[1]};
    else if (turns && source != source_.end() && source->second != kNone)
        lookup.rows = source->second;
    else
        return false;
    GraphTensor& made = graph.tensors[static_cast<std::size_t>(node.outputs[0])];
    if (!sizes_of(made)) return false;
    made.looked_up = lookup;
    graph.inputs.push_back(node.outputs[0]);
    return true;
}

void take_lookup_apart(NodeParts& parts, TensorGraph& graph) {
    const std::optional<Table> table = table_of(graph, parts.node());
    if (!table || !table->rows || !in_a_row(*table)) return;
    const Sizes& rows = *table->rows;
    const int first = whole_number(graph, rows.front()), end = whole_number(graph, rows.back() + 1),
              axis = whole_number(graph, 0);
    const int slice = parts.emit("Slice", {parts.node().inputs[0], first, end, axis},
                                 {static_cast<std::int64_t>(rows.size()), table->sizes[1]});
    parts.finish("Reshape", {slice});
}

}  // namespace blockscope::model
