#include "core/circuit/from_block.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/circuit/arrange.h"
#include "core/circuit/block_value.h"

namespace blockscope::circuit {

namespace {

using Value = BlockValue;

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

struct NotDrawn {
    std::string what;
};

struct Inner {
    TermPtr term;
    std::vector<Value> outputs;
};

// One graph: its arrays, numbered, and the columns made so far.
struct Sheet {
    std::vector<Value> values;
    std::map<int, int> loaded;                 // array at level 0 -> its copy at level 1
    std::map<std::pair<NodeId, int>, int> of;  // output of a node -> array
    std::vector<Step> steps;

    int add(Value value) {
        values.push_back(std::move(value));
        return static_cast<int>(values.size()) - 1;
    }
    const Value& value(int array) const { return values.at(at(array)); }
};

class Drawer {
public:
    explicit Drawer(const BlockProgram& program) : program_(program) {}

    Circuit run() {
        for (const Dim& dim : program_.dims)
            circuit_.axes.push_back({dim.name, dim.size, false, {}, {}, 1, {}});
        for (const Dim& dim : program_.dims)
            count_.push_back(dim.block == 1 ? AxisId{static_cast<int>(count_.size())} : new_count(dim));
        std::vector<Value> inputs;
        std::vector<int> ports;
        for (const NodePtr& node : program_.graph->inputs()) {
            ports.push_back(static_cast<int>(inputs.size()));
            inputs.push_back(input_value(*node));
            circuit_.inputs.push_back(node->as<Input>()->name);
        }
        const std::size_t outputs = program_.graph->outputs().size();
        circuit_.root = draw(*program_.graph, inputs, ports, std::vector<PortOut>(outputs)).term;
        for (const NodePtr& node : program_.graph->outputs())
            circuit_.outputs.push_back(node->as<Output>()->name);
        circuit_.lowest_level = 1;
        return std::move(circuit_);
    }

private:
    AxisId new_axis(Axis axis) {
        circuit_.axes.push_back(std::move(axis));
        return {static_cast<int>(circuit_.axes.size()) - 1};
    }

    AxisId new_count(const Dim& dim) {
        return new_axis({dim.name + "-blocks", dim.blocks(), false, {}, {}, 1, {}});
    }

    AxisId new_part(DimId dim, PartitionKind kind) {
        const Dim& whole = program_.dims.at(dim.value);
        return new_axis({(kind == PartitionKind::Group ? "g_" : "s_") + whole.name,
                         whole.block,
                         false,
                         AxisId{dim.value},
                         kind,
                         1,
                         {}});
    }

    Value input_value(const Node& node) const {
        const Input& input = *node.as<Input>();
        Value value = list_value(node.outputs[0], count_);
        value.name = input.name + (input.transposed ? "T" : "");
        value.mask = input.source == InputSource::CausalMask;
        return value;
    }

    static int array_of(const Sheet& sheet, const ValueRef& ref) {
        if (ref.first > 0) throw NotDrawn{"the peeled iteration of " + to_string(ref.node)};
        return sheet.of.at({ref.node, ref.port});
    }

    // The array at level 1, loaded (or, of a mask, made) here if it is not there yet.
    int item(Sheet& sheet, const ValueRef& ref) { return item(sheet, array_of(sheet, ref), ref.node); }

    int item(Sheet& sheet, int array, NodeId node) {
        if (sheet.value(array).type.level > 0) return array;
        const auto found = sheet.loaded.find(array);
        if (found != sheet.loaded.end()) return found->second;
        return sheet.loaded[array] = load(sheet, array, node);
    }

    int load(Sheet& sheet, int array, NodeId node) {
        Value low = sheet.value(array);
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

    // An operator weaved over all axes of `value`, which it makes.
    static Apply whole(const Value& value, NodeId node) {
        Apply apply;
        apply.weave = value.type.axes;
        apply.origin.node = node;
        Segment segment{{}, value.type.elem, value.type.level, false, value.name};
        for (std::size_t i = 0; i < value.type.axes.size(); ++i)
            segment.slots.push_back({false, static_cast<int>(i)});
        apply.outputs = {segment};
        return apply;
    }

    int save(Sheet& sheet, int array, NodeId node) {
        Value high = sheet.value(array);
        high.type.level = 0;
        const int to = sheet.add(high);
        Apply apply = whole(high, node);
        apply.op = {OperatorKind::Transfer, "save"};
        Segment from = apply.outputs[0];
        from.level = 1;
        apply.inputs = {from};
        sheet.steps.push_back({circuit::apply(std::move(apply)), {array}, {to}});
        return to;
    }

    // Input port p of `graph` is inputs[ports[p]].
    Inner draw(const Graph& graph, const std::vector<Value>& inputs, const std::vector<int>& ports,
               const std::vector<PortOut>& modes) {
        Sheet sheet;
        sheet.values = inputs;
        std::size_t port = 0;
        std::size_t output = 0;
        std::vector<int> results;
        for (const NodePtr& node : graph.nodes()) {
            if (node->is<Input>()) sheet.of[{node->id, 0}] = ports.at(port++);
            if (const auto* op = node->as<Functional>()) functional(sheet, *node, op->op);
            if (const auto* op = node->as<Elementwise>()) elementwise(sheet, *node, *op);
            if (const auto* op = node->as<Map>()) map(sheet, *node, *op);
            if (const auto* op = node->as<Reduce>()) reduce(sheet, *node, *op);
            if (const auto* op = node->as<Misc>()) misc(sheet, *node, *op);
            if (node->is<Output>()) results.push_back(result(sheet, *node, modes.at(output++)));
        }
        std::vector<int> numbers(inputs.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
        std::vector<ArrayType> types;
        for (const Value& value : sheet.values) types.push_back(value.type);
        Inner inner{arrange(types, sheet.steps, numbers, results), {}};
        for (const int array : results) inner.outputs.push_back(sheet.value(array));
        return inner;
    }

    int result(Sheet& sheet, const Node& node, PortOut mode) {
        const ValueRef& ref = node.inputs[0];
        const int array = array_of(sheet, ref);
        if (mode == PortOut::Carried) throw NotDrawn{"the carried value " + to_string(node.id)};
        if (mode != PortOut::Collected) return accumulated(sheet, item(sheet, ref), node.id, mode);
        const Value& value = sheet.value(array);
        if (value.is_list()) return array;
        return save(sheet, item(sheet, ref), node.id);
    }

    // What is summed up and is no contraction or sum along the axis itself is added to what is carried.
    int accumulated(Sheet& sheet, int array, NodeId node, PortOut mode) {
        for (const Step& step : sheet.steps) {
            const Apply* made = step.term->as<Apply>();
            if (!made || step.outputs[0] != array) continue;
            if (made->op.kind == OperatorKind::Contraction || made->op.kind == OperatorKind::Sum ||
                made->op.kind == OperatorKind::Max)
                return array;
        }
        Value sum = sheet.value(array);
        Apply apply = whole(sum, node);
        apply.op = {OperatorKind::Elementwise, mode == PortOut::ReducedMax ? "max=" : "+=", 1, 0};
        apply.inputs = {apply.outputs[0]};
        const int to = sheet.add(std::move(sum));
        sheet.steps.push_back({circuit::apply(std::move(apply)), {array}, {to}});
        return to;
    }

    // ---- operators on items ----

    void finish(Sheet& sheet, const Node& node, Apply apply, std::vector<int> inputs) {
        Value made;
        made.type = {apply.weave, node.outputs[0].elem(), 1, false};
        for (std::size_t i = 0; i < apply.weave.size(); ++i) made.item.push_back(static_cast<int>(i));
        Segment segment{{}, made.type.elem, 1, false, ""};
        for (const int i : made.item) segment.slots.push_back({false, i});
        apply.outputs = {segment};
        apply.origin.node = node.id;
        const int to = sheet.add(std::move(made));
        sheet.of[{node.id, 0}] = to;
        sheet.steps.push_back({circuit::apply(std::move(apply)), std::move(inputs), {to}});
    }

    std::vector<int> items(Sheet& sheet, const Node& node) {
        std::vector<int> arrays;
        for (const ValueRef& ref : node.inputs) arrays.push_back(item(sheet, ref));
        return arrays;
    }

    void functional(Sheet& sheet, const Node& node, FunctionalOp op) {
        const std::vector<int> arrays = items(sheet, node);
        std::vector<Value> args;
        for (const int array : arrays) args.push_back(sheet.value(array));
        std::optional<Apply> made = functional_apply(op, args);
        if (!made) throw NotDrawn{"the maximum of a block " + to_string(node.id)};
        finish(sheet, node, *std::move(made), arrays);
    }

    void elementwise(Sheet& sheet, const Node& node, const Elementwise& op) {
        const std::vector<int> arrays = items(sheet, node);
        Apply apply;
        for (const int array : arrays) {
            const Value& value = sheet.value(array);
            if (!apply.weave.empty()) break;
            for (std::size_t i = 0; i < value.item.size(); ++i) apply.weave.push_back(value.axis(i));
        }
        const auto [vector, special] = expression_work(*op.expr);
        apply.op = {OperatorKind::Elementwise, expression_label(*op.expr, program_.dims), vector, special};
        for (const int array : arrays) apply.inputs.push_back(item_segment(sheet.value(array), {0, 1}));
        finish(sheet, node, std::move(apply), arrays);
    }

    // An array operator on whole arrays in global memory: each operand comes down once, each result goes up
    // once.
    void misc(Sheet& sheet, const Node& node, const Misc& op) {
        if (node.outputs.size() != 1) throw NotDrawn{"the operator " + op.name + " with several results"};
        Apply apply;
        apply.op = {OperatorKind::Custom, op.name};
        apply.origin.node = node.id;
        const auto own = [&](const Value& value) {
            Segment segment{{}, value.type.elem, 1, false, value.name};
            for (const AxisId axis : value.type.axes) {
                segment.slots.push_back({true, static_cast<int>(apply.own.size())});
                apply.own.push_back(axis);
            }
            return segment;
        };
        std::vector<int> arrays;
        for (const ValueRef& ref : node.inputs) {
            const int array = array_of(sheet, ref);
            const bool stored = sheet.value(array).type.level == 0;
            arrays.push_back(load(sheet, stored ? array : save(sheet, array, node.id), node.id));
            apply.inputs.push_back(own(sheet.value(arrays.back())));
        }
        Value made = list_value(node.outputs[0], count_);
        made.type.level = 1;
        apply.outputs = {own(made)};
        const int to = sheet.add(made);
        sheet.steps.push_back({circuit::apply(std::move(apply)), arrays, {to}});
        sheet.of[{node.id, 0}] = save(sheet, to, node.id);
    }

    // ---- maps and reductions ----

    void map(Sheet& sheet, const Node& node, const Map& what) {
        if (what.start > 0) throw NotDrawn{"the peeled map " + to_string(node.id)};
        const PartitionKind kind = what.serial() ? PartitionKind::Stream : PartitionKind::Group;
        Partition made{kind,    {what.dim.value}, new_part(what.dim, kind), count_.at(what.dim.value), {}, {},
                       nullptr, {-1, node.id}};
        std::vector<int> arrays;  // that come in, and how
        std::vector<Value> inner;
        std::vector<int> ports;
        std::map<std::pair<int, bool>, int> known;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (what.inputs[i].mode == PortIn::Continued)
                throw NotDrawn{"a continued value of " + to_string(node.id)};
            const bool iterated = what.inputs[i].mode == PortIn::Iterated;
            int array = array_of(sheet, node.inputs[i]);
            if (!iterated && !sheet.value(array).is_list()) array = item(sheet, node.inputs[i]);
            const auto [place, fresh] = known.try_emplace({array, iterated}, static_cast<int>(arrays.size()));
            ports.push_back(place->second);
            if (!fresh) continue;
            Cut cut;
            inner.push_back(iterated ? element(sheet.value(array), made.part, cut) : sheet.value(array));
            arrays.push_back(array);
            made.split.push_back(cut);
        }
        std::vector<PortOut> modes;
        for (const MapOutput& output : what.outputs) modes.push_back(output.mode);
        Inner body = draw(*what.body, inner, ports, modes);
        std::vector<int> outputs;
        for (std::size_t port = 0; port < modes.size(); ++port) {
            Cut cut;
            Value value = body.outputs[port];
            if (modes[port] == PortOut::Collected)
                value = collected(std::move(value), what.dim, made.part, made.count, cut);
            made.join.push_back(cut);
            outputs.push_back(sheet.add(std::move(value)));
            sheet.of[{node.id, static_cast<int>(port)}] = outputs.back();
        }
        made.body = body.term;
        sheet.steps.push_back({partition(std::move(made)), arrays, outputs});
    }

    // Items one after the other, inside groups over the lists that they hold.
    void reduce(Sheet& sheet, const Node& node, const Reduce& what) {
        const int array = array_of(sheet, node.inputs[0]);
        Value value = sheet.value(array);
        std::rotate(value.lists.begin(), value.lists.begin() + 1,
                    value.lists.end());  // the summed one innermost
        std::vector<DimId> dims;
        const Type& type = node.outputs[0];
        for (int i = 0; i < type.rank(); ++i) dims.push_back(type.dim(i));
        Value result;
        const TermPtr term = reduction(value, dims, 0, what, node.id, result);
        const int to = sheet.add(result);
        sheet.of[{node.id, 0}] = to;
        sheet.steps.push_back({term, {array}, {to}});
    }

    TermPtr reduction(const Value& value, const std::vector<DimId>& dims, std::size_t depth,
                      const Reduce& what, NodeId node, Value& result) {
        const bool last = depth == dims.size();
        const DimId dim = last ? what.dim : dims[depth];
        const PartitionKind kind = last ? PartitionKind::Stream : PartitionKind::Group;
        Partition made{kind, {dim.value}, new_part(dim, kind), count_.at(dim.value), {},
                       {},   nullptr,     {-1, node}};
        Cut split;
        Cut join;
        const Value inner = element(value, made.part, split);
        Sheet sheet;
        sheet.add(inner);
        if (last) {
            const PortOut mode = what.op == ReduceOp::Sum ? PortOut::ReducedSum : PortOut::ReducedMax;
            const int sum = accumulated(sheet, item(sheet, 0, node), node, mode);
            made.body = closed(sheet, sum);
            result = sheet.value(sum);
        } else {
            Value out;
            const int to_place = static_cast<int>(sheet.values.size());
            const TermPtr term = reduction(inner, dims, depth + 1, what, node, out);
            sheet.add(out);
            sheet.steps.push_back({term, {0}, {to_place}});
            const int stored = out.type.level > 0 ? save(sheet, to_place, node) : to_place;
            made.body = closed(sheet, stored);
            result = collected(sheet.value(stored), dim, made.part, made.count, join);
        }
        made.split = {split};
        made.join = {join};
        return partition(std::move(made));
    }

    static TermPtr closed(const Sheet& sheet, int result) {
        std::vector<ArrayType> types;
        for (const Value& value : sheet.values) types.push_back(value.type);
        return arrange(types, sheet.steps, {0}, {result});
    }

    const BlockProgram& program_;
    Circuit circuit_;
    std::vector<AxisId> count_;  // by dimension: its number of blocks
};

}  // namespace

Result<Circuit> circuit_of(const BlockProgram& program) {
    try {
        return Drawer(program).run();
    } catch (const NotDrawn& part) {
        return Problem{
            {}, "found " + part.what + ", which diagrams do not show yet; expected a state without it"};
    }
}

}  // namespace blockscope::circuit
