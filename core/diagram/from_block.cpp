#include <algorithm>
#include <numeric>

#include "core/diagram/arrange.h"
#include "core/diagram/block_drawer.h"
#include "core/support/index.h"

namespace blockscope::circuit {

namespace {

std::vector<ArrayType> types_of(const std::vector<BlockValue>& values) {
    std::vector<ArrayType> types;
    for (const BlockValue& value : values) types.push_back(value.type);
    return types;
}

// An operator weaved over all axes of `value`, which it makes.
Apply whole(const BlockValue& value, NodeId node) {
    Apply apply;
    apply.weave = value.type.axes;
    apply.origin.node = node;
    Segment segment{
        .slots = {}, .elem = value.type.elem, .level = value.type.level, .cached = false, .name = value.name};
    for (std::size_t i = 0; i < value.type.axes.size(); ++i)
        segment.slots.push_back({false, static_cast<int>(i)});
    apply.outputs = {segment};
    return apply;
}

// The array as one end of a reindexing: its own axis number `own` at `place` (-1: nowhere), the others weaved
// over in their order.
Segment reindexed(const BlockValue& value, int place, int own) {
    Segment segment{
        .slots = {}, .elem = value.type.elem, .level = value.type.level, .cached = false, .name = value.name};
    int weaved = 0;
    for (int i = 0; i < static_cast<int>(value.type.axes.size()); ++i)
        segment.slots.push_back(i == place ? Slot{true, own} : Slot{false, weaved++});
    return segment;
}

std::vector<AxisId> axes_without(const BlockValue& value, int place) {
    std::vector<AxisId> axes = value.type.axes;
    axes.erase(axes.begin() + place);
    return axes;
}

}  // namespace

Circuit BlockDrawer::run() {
    for (const Dim& dim : program_.dims) circuit_.axes.push_back({.name = dim.name, .size = dim.size});
    for (const Dim& dim : program_.dims)
        count_.push_back(dim.block == 1 ? AxisId{static_cast<int>(count_.size())}
                                        : new_axis({.name = dim.name + "-blocks",
                                                    .size = dim.blocks(),
                                                    .sequence = false,
                                                    .whole = {},
                                                    .partition = {},
                                                    .divisor = 1,
                                                    .symbol = {}}));
    Ports ports;
    for (const NodePtr& node : program_.graph->inputs()) {
        ports.inputs.push_back(static_cast<int>(ports.arrays.size()));
        ports.arrays.push_back(input_value(*node));
        circuit_.inputs.push_back(node->as<Input>()->name);
    }
    for (const NodePtr& node : program_.graph->outputs())
        circuit_.outputs.push_back(node->as<Output>()->name);
    ports.modes.resize(circuit_.outputs.size());
    ports.starts.resize(circuit_.outputs.size(), -1);
    circuit_.root = draw(*program_.graph, ports).term;
    circuit_.lowest_level = 1;
    return std::move(circuit_);
}

// ---- axes ----

AxisId BlockDrawer::new_axis(Axis axis) {
    circuit_.axes.push_back(std::move(axis));
    return {static_cast<int>(circuit_.axes.size()) - 1};
}

AxisId BlockDrawer::new_part(DimId dim, AxisId whole, PartitionKind kind) {
    const Dim& of = program_.dims.at(dim.value);
    return new_axis({.name = (kind == PartitionKind::Group ? "g_" : "s_") + of.name,
                     .size = std::min(of.block, axis_of(circuit_.axes, whole).size),
                     .sequence = false,
                     .whole = whole,
                     .partition = kind,
                     .divisor = 1,
                     .symbol = {}});
}

AxisId BlockDrawer::first_axis(DimId dim) {
    const auto found = first_.find(dim);
    if (found != first_.end()) return found->second;
    const Dim& of = program_.dims.at(dim.value);
    return first_[dim] = new_axis({.name = of.name + "_0",
                                   .size = of.block_size(0),
                                   .sequence = false,
                                   .whole = AxisId{dim.value},
                                   .partition = PartitionKind::Stream,
                                   .divisor = 1,
                                   .symbol = {}});
}

const BlockDrawer::Whole& BlockDrawer::rest(DimId dim) {
    const auto found = rest_.find(dim);
    if (found != rest_.end()) return found->second;
    const Dim& of = program_.dims.at(dim.value);
    const AxisId whole{dim.value};
    Whole made;
    made.axis = new_axis({.name = of.name + "_1:",
                          .size = of.size - of.block_size(0),
                          .sequence = false,
                          .whole = whole,
                          .partition = PartitionKind::Stream,
                          .divisor = 1,
                          .symbol = {}});
    made.count = of.block == 1 ? made.axis
                               : new_axis({.name = of.name + "-blocks_1:",
                                           .size = of.blocks() - 1,
                                           .sequence = false,
                                           .whole = {},
                                           .partition = {},
                                           .divisor = 1,
                                           .symbol = {}});
    return rest_[dim] = made;
}

BlockValue BlockDrawer::input_value(const Node& node) const {
    const Input& input = *node.as<Input>();
    BlockValue value = list_of(node.outputs[0]);
    value.name = input.name + (input.transposed ? "T" : "");
    value.mask = input.source == InputSource::CausalMask;
    return value;
}

BlockValue BlockDrawer::list_of(const Type& type) const {
    BlockValue value = list_value(type, count_);
    for (std::size_t i = value.lists.size(); i-- > 0;)
        if (single(value.dims[i])) value = without_list(std::move(value), i);
    return value;
}

// ---- arrays ----

int BlockDrawer::array_of(Sheet& sheet, const ValueRef& ref) {
    int array = sheet.of.at({ref.node, ref.port});
    if (hoisted_ && ref.first > 0) throw NotHoisted{Text("a first iteration that stands by itself")};
    for (int i = 0; i < ref.first; ++i)
        array = sliced(sheet, array, sheet.value(array).dims.at(0), true, ref.node);
    return array;
}

int BlockDrawer::item(Sheet& sheet, const ValueRef& ref) {
    return item(sheet, array_of(sheet, ref), ref.node);
}

int BlockDrawer::item(Sheet& sheet, int array, NodeId node) {
    if (sheet.value(array).type.level > 0) return array;
    const auto found = sheet.loaded.find(array);
    if (found != sheet.loaded.end()) return found->second;
    const int made = load(sheet, array, node);
    sheet.loaded[array] = made;
    return made;
}

int BlockDrawer::load(Sheet& sheet, int array, NodeId node) {
    BlockValue low = sheet.value(array);
    low.type.level = 1;
    const bool mask = low.mask;
    low.mask = false;
    const int to = sheet.add(low);
    Apply apply = whole(low, node);
    apply.op = mask ? Operator{OperatorKind::Mask, "causal"} : Operator{OperatorKind::Transfer, "load"};
    Segment from = apply.outputs[0];
    from.level = 0;
    if (!mask) apply.inputs = {from};
    std::vector<int> inputs;
    if (!mask) inputs.push_back(array);
    sheet.steps.push_back({circuit::apply(std::move(apply)), std::move(inputs), {to}});
    return to;
}

int BlockDrawer::save(Sheet& sheet, int array, NodeId node) {
    BlockValue high = sheet.value(array);
    high.type.level = 0;
    const int to = sheet.add(high);
    Apply apply = whole(high, node);
    apply.op = {OperatorKind::Transfer, "save"};
    Segment from = apply.outputs[0];
    from.level = 1;
    apply.inputs = {from};
    const auto makes = [&](const Step& step) {
        return std::find(step.outputs.begin(), step.outputs.end(), array) != step.outputs.end();
    };
    const auto producer = std::find_if(sheet.steps.begin(), sheet.steps.end(), makes);
    const auto place = producer == sheet.steps.end() ? sheet.steps.begin() : producer + 1;
    sheet.steps.insert(place, {circuit::apply(std::move(apply)), {array}, {to}});
    return to;
}

int BlockDrawer::sliced(Sheet& sheet, int array, DimId dim, bool first, NodeId node) {
    const auto found = sheet.cut.find({array, first});
    if (found != sheet.cut.end()) return found->second;
    const BlockValue list = sheet.value(array);
    const int place = list.lists.at(0);
    BlockValue made = list;
    Cut cut;
    bool along = true;  // whether what is made has the axis
    if (first) {
        made = element(list, first_axis(dim), cut);
        along = !cut.dropped;
    } else {
        const bool numbers = list.type.axes[at(place)] != AxisId{dim.value};
        made.type.axes[at(place)] = numbers ? rest(dim).count : rest(dim).axis;
    }
    Apply apply;
    apply.op = {OperatorKind::Reindex, first ? "[0]" : "[1:]"};
    apply.weave = axes_without(list, place);
    apply.own = {list.type.axes[at(place)]};
    if (along) apply.own.push_back(made.type.axes[at(place)]);
    apply.inputs = {reindexed(list, place, 0)};
    apply.outputs = {reindexed(made, along ? place : -1, 1)};
    apply.origin.node = node;
    const int to = sheet.add(std::move(made));
    sheet.steps.push_back({circuit::apply(std::move(apply)), {array}, {to}});
    sheet.cut[{array, first}] = to;
    return to;
}

int BlockDrawer::rejoined(Sheet& sheet, int first, int rest, const BlockValue& list, NodeId node) {
    const int place = list.lists.at(0);
    const BlockValue& one = sheet.value(first);
    const bool along = one.type.axes.size() == list.type.axes.size();
    Apply apply;
    apply.op = {OperatorKind::Reindex, "‖"};
    apply.weave = axes_without(list, place);
    apply.own = {list.type.axes[at(place)]};
    if (along) apply.own.push_back(one.type.axes[at(place)]);
    apply.inputs = {reindexed(one, along ? place : -1, 1)};
    std::vector<int> inputs = {first};
    if (rest >= 0) {
        apply.own.push_back(sheet.value(rest).type.axes[at(place)]);
        apply.inputs.push_back(reindexed(sheet.value(rest), place, static_cast<int>(apply.own.size()) - 1));
        inputs.push_back(rest);
    }
    apply.outputs = {reindexed(list, place, 0)};
    apply.origin.node = node;
    const int to = sheet.add(list);
    sheet.steps.push_back({circuit::apply(std::move(apply)), std::move(inputs), {to}});
    return to;
}

// ---- graphs ----

BlockDrawer::Inner BlockDrawer::draw(const Graph& graph, const Ports& ports) {
    Sheet sheet;
    sheet.values = ports.arrays;
    std::size_t port = 0;
    for (const NodePtr& node : graph.inputs()) sheet.of[{node->id, 0}] = ports.inputs.at(port++);
    if (hoisted_) load_at_head(sheet, graph);
    const std::vector<int> results = draw_nodes(sheet, graph, ports.modes, ports.starts);
    std::vector<int> numbers(ports.arrays.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    Inner inner{closed(sheet, numbers, results), {}};
    for (const int array : results) inner.outputs.push_back(sheet.value(array));
    return inner;
}

std::vector<int> BlockDrawer::draw_nodes(Sheet& sheet, const Graph& graph, const std::vector<PortOut>& modes,
                                         const std::vector<int>& starts) {
    std::vector<int> results;
    for (const NodePtr& node : graph.nodes()) {
        if (const auto* op = node->as<Functional>()) functional(sheet, *node, op->op);
        if (const auto* op = node->as<Elementwise>()) elementwise(sheet, *node, *op);
        if (const auto* op = node->as<Map>()) map(sheet, *node, *op);
        if (const auto* op = node->as<Reduce>()) reduce(sheet, *node, *op);
        if (const auto* op = node->as<Misc>()) misc(sheet, *node, *op);
        if (!node->is<Output>()) continue;
        results.push_back(result(sheet, *node, modes.at(results.size()), starts.at(results.size())));
    }
    return results;
}

TermPtr BlockDrawer::closed(const Sheet& sheet, const std::vector<int>& inputs,
                            const std::vector<int>& results) {
    return arrange(types_of(sheet.values), sheet.steps, inputs, results);
}

int BlockDrawer::result(Sheet& sheet, const Node& node, PortOut mode, int start) {
    const ValueRef& ref = node.inputs[0];
    if (mode == PortOut::Carried) return item(sheet, ref);
    if (mode != PortOut::Collected) return accumulated(sheet, item(sheet, ref), node.id, mode, start);
    const int array = array_of(sheet, ref);
    if (sheet.value(array).is_list() || (sheet.value(array).type.level == 0 && sheet.value(array).hidden > 0))
        return array;
    return save(sheet, item(sheet, ref), node.id);
}

// What is summed up and is no contraction or sum along the axis itself is added to what is carried; what goes
// on from a first value is added to that.
int BlockDrawer::accumulated(Sheet& sheet, int array, NodeId node, PortOut mode, int start) {
    for (const Step& step : sheet.steps) {
        const Apply* made = step.term->as<Apply>();
        if (start >= 0 || !made || step.outputs[0] != array) continue;
        if (made->op.kind == OperatorKind::Contraction || made->op.kind == OperatorKind::Sum ||
            made->op.kind == OperatorKind::Max)
            return array;
    }
    BlockValue sum = sheet.value(start >= 0 ? start : array);
    Apply apply = whole(sum, node);
    apply.op = {OperatorKind::Elementwise, mode == PortOut::ReducedMax ? "max=" : "+=", 1, 0};
    std::vector<int> inputs = {array};
    if (start >= 0) inputs.push_back(start);
    for (const int input : inputs) apply.inputs.push_back(item_segment(sheet.value(input), sum.item));
    const int to = sheet.add(std::move(sum));
    sheet.steps.push_back({circuit::apply(std::move(apply)), std::move(inputs), {to}});
    return to;
}

Result<Circuit> circuit_of(const BlockProgram& program, LoadPlacement placement) {
    try {
        return BlockDrawer(program, placement).run();
    } catch (const BlockDrawer::NotHoisted& part) {
        return Problem{{}, Text("found %1; expected loops whose loads can stand at their heads", part.what)};
    }
}

}  // namespace blockscope::circuit
