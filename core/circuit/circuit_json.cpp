#include "core/circuit/circuit_json.h"

#include <algorithm>

#include "core/circuit/circuit_names.h"
#include "core/circuit/print.h"
#include "core/support/cases.h"

namespace blockscope::circuit {

namespace {

using json::Array;
using json::Object;

json::Value object(Object members) {
    return json::Value(std::move(members));
}

json::Value list(const std::vector<std::string>& names) {
    Array array;
    for (const std::string& name : names) array.emplace_back(name);
    return json::Value(std::move(array));
}

json::Value numbers(const std::vector<int>& values) {
    Array array;
    for (const int value : values) array.emplace_back(value);
    return json::Value(std::move(array));
}

json::Value ids(const std::vector<AxisId>& axes) {
    Array array;
    for (const AxisId axis : axes) array.emplace_back(axis.value);
    return json::Value(std::move(array));
}

json::Value axis_json(const Axis& axis) {
    Object members = {{"name", axis.name}, {"size", axis.size}};
    if (!axis.symbol.empty()) members.push_back({"symbol", axis.symbol});
    if (axis.sequence) members.push_back({"sequence", json::Value(true)});
    if (axis.divisor != 1) members.push_back({"divisor", axis.divisor});
    if (axis.open) members.push_back({"open", json::Value(true)});
    if (!axis.at_levels.empty()) members.push_back({"at_levels", list(axis.at_levels)});
    if (!axis.level_sizes.empty()) {
        Array sizes;
        for (const std::int64_t size : axis.level_sizes) sizes.emplace_back(size);
        members.push_back({"level_sizes", json::Value(std::move(sizes))});
    }
    if (axis.whole) {
        members.push_back({"whole", axis.whole->value});
        members.push_back({"partition", part_names().at(static_cast<std::size_t>(axis.partition))});
    }
    return object(std::move(members));
}

json::Value tuple_json(const Tuple& tuple) {
    Array array;
    for (const ArrayType& type : tuple) {
        Object members = {{"axes", ids(type.axes)}, {"type", to_string(type.elem)}, {"level", type.level}};
        if (type.cached) members.push_back({"cached", json::Value(true)});
        array.push_back(object(std::move(members)));
    }
    return json::Value(std::move(array));
}

// Slots: the axis' index in "own" as it is, in "weave" as -1 - index.
json::Value segments_json(const std::vector<Segment>& segments) {
    Array array;
    for (const Segment& segment : segments) {
        Array slots;
        for (const Slot& slot : segment.slots) slots.emplace_back(slot.own ? slot.index : -1 - slot.index);
        Object members = {{"slots", json::Value(std::move(slots))},
                          {"type", to_string(segment.elem)},
                          {"level", segment.level}};
        if (segment.cached) members.push_back({"cached", json::Value(true)});
        if (!segment.name.empty()) members.push_back({"name", segment.name});
        array.push_back(object(std::move(members)));
    }
    return json::Value(std::move(array));
}

void add_origin(Object& members, const Origin& origin) {
    if (origin.op >= 0) members.push_back({"op", origin.op});
    if (origin.node) members.push_back({"node", origin.node.value});
}

json::Value cuts_json(const std::vector<Cut>& cuts) {
    Array array;
    for (const Cut& cut : cuts) {
        Object members = {{"place", cut.place}};
        if (cut.dropped) members.push_back({"dropped", json::Value(true)});
        array.push_back(object(std::move(members)));
    }
    return json::Value(std::move(array));
}

json::Value term_json(const Term& term);

json::Value terms_json(const std::vector<TermPtr>& parts) {
    Array array;
    for (const TermPtr& part : parts) array.push_back(term_json(*part));
    return json::Value(std::move(array));
}

json::Value apply_json(const Apply& what) {
    Object members = {{"kind", "apply"},
                      {"operator", to_string(what.op.kind)},
                      {"label", what.op.label},
                      {"own", ids(what.own)},
                      {"weave", ids(what.weave)},
                      {"inputs", segments_json(what.inputs)},
                      {"outputs", segments_json(what.outputs)}};
    if (what.op.vector_work != 0) members.push_back({"vector_work", json::Value(what.op.vector_work)});
    if (what.op.special_work != 0) members.push_back({"special_work", json::Value(what.op.special_work)});
    add_origin(members, what.origin);
    return object(std::move(members));
}

json::Value rearrange_json(const Rearrange& what) {
    return object({{"kind", "rearrange"}, {"from", tuple_json(what.from)}, {"take", numbers(what.take)}});
}

json::Value block_json(const Block& what) {
    const std::string& style = block_style_names().at(static_cast<std::size_t>(what.style));
    Object members = {{"kind", "block"}, {"title", what.title}, {"style", style}};
    if (!what.count.empty()) members.push_back({"count", what.count});
    members.push_back({"body", term_json(*what.body)});
    return object(std::move(members));
}

json::Value partition_json(const Partition& what) {
    Object members = {{"kind", what.kind == PartitionKind::Group ? "groups" : "stream"},
                      {"whole", what.whole.value},
                      {"part", what.part.value},
                      {"count", what.count.value},
                      {"split", cuts_json(what.split)},
                      {"join", cuts_json(what.join)}};
    if (std::any_of(what.carry.begin(), what.carry.end(), [](int input) { return input >= 0; }))
        members.push_back({"carry", numbers(what.carry)});
    add_origin(members, what.origin);
    members.push_back({"body", term_json(*what.body)});
    return object(std::move(members));
}

json::Value term_json(const Term& term) {
    return std::visit(Cases{[](const Apply& what) { return apply_json(what); },
                            [](const Rearrange& what) { return rearrange_json(what); },
                            [](const Compose& what) {
                                return object({{"kind", "compose"}, {"parts", terms_json(what.parts)}});
                            },
                            [](const Product& what) {
                                return object({{"kind", "product"}, {"parts", terms_json(what.parts)}});
                            },
                            [](const Block& what) { return block_json(what); },
                            [](const Partition& what) { return partition_json(what); }},
                      term.what);
}

json::Value formula_json(const Formula& formula, const Values& values) {
    return object({{"formula", formula.text()}, {"value", json::Value(formula.value(values))}});
}

json::Value transfers_json(const Resources& resources, const Values& values) {
    Array array;
    for (const TransferCost& transfer : resources.transfers)
        array.push_back(object({{"array", transfer.name},
                                {"from", transfer.from},
                                {"to", transfer.to},
                                {"size", formula_json(transfer.size, values)},
                                {"runs", formula_json(transfer.runs, values)},
                                {"total", formula_json(transfer.total, values)}}));
    return json::Value(std::move(array));
}

json::Value memory_json(const Resources& resources, const Values& values) {
    Array array;
    for (const LevelMemory& level : resources.memory) {
        Array columns;
        for (const ColumnMemory& column : level.columns) columns.push_back(formula_json(column.size, values));
        array.push_back(object({{"level", level.level},
                                {"widest", formula_json(resources.widest(level.level), values)},
                                {"columns", json::Value(std::move(columns))}}));
    }
    return json::Value(std::move(array));
}

json::Value execution_json(const Deployment& execution) {
    Array sizes;
    for (const auto& [symbol, size] : execution.sizes)
        sizes.push_back(object({{"symbol", symbol}, {"size", json::Value(size)}}));
    Object members = {{"device", execution.device}, {"sizes", json::Value(std::move(sizes))}};
    if (execution.fragments) members.push_back({"fragments", json::Value(true)});
    members.push_back({"warpgroups", execution.warpgroups});
    members.push_back({"overlap", overlap_names().at(static_cast<std::size_t>(execution.overlap))});
    if (execution.special_overhead != 0)
        members.push_back({"special_overhead", json::Value(execution.special_overhead)});
    if (execution.vector_overhead != 0)
        members.push_back({"vector_overhead", json::Value(execution.vector_overhead)});
    return object(std::move(members));
}

}  // namespace

const std::vector<std::string>& operator_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (int kind = 0; kind <= static_cast<int>(OperatorKind::Custom); ++kind)
            all.push_back(to_string(static_cast<OperatorKind>(kind)));
        return all;
    }();
    return names;
}

json::Value to_json(const CircuitDocument& document) {
    const Circuit& circuit = document.circuit;
    Array axes;
    for (const Axis& axis : circuit.axes) axes.push_back(axis_json(axis));
    Object members = {{"format", "blockscope circuit"}, {"version", 1}};
    if (!document.title.empty()) members.push_back({"title", document.title});
    members.push_back({"axes", json::Value(std::move(axes))});
    members.push_back({"inputs", list(circuit.inputs)});
    members.push_back({"outputs", list(circuit.outputs)});
    members.push_back({"levels", circuit.lowest_level + 1});
    if (!circuit.levels.empty()) members.push_back({"level_names", list(circuit.levels)});
    if (document.execution) members.push_back({"execution", execution_json(*document.execution)});
    members.push_back({"diagram", term_json(*circuit.root)});
    return object(std::move(members));
}

json::Value to_json(const Circuit& circuit) {
    return to_json(CircuitDocument{"", circuit, std::nullopt});
}

json::Value to_json(const Circuit& circuit, const Resources& resources) {
    const Values values = sizes(circuit.axes);
    return object({{"groups", formula_json(resources.groups, values)},
                   {"per_group", formula_json(resources.per_group, values)},
                   {"transferred", formula_json(resources.transferred, values)},
                   {"transfers", transfers_json(resources, values)},
                   {"memory", memory_json(resources, values)},
                   {"matrix", formula_json(resources.work.matrix, values)},
                   {"vector", formula_json(resources.work.vector, values)},
                   {"special", formula_json(resources.work.special, values)}});
}

}  // namespace blockscope::circuit
