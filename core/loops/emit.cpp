// Statements of every kind of node but maps.
#include <limits>
#include <utility>

#include "core/loops/lowering.h"
#include "core/support/cases.h"
#include "core/support/result.h"

namespace blockscope::lowering {

namespace {

void mark_used(const Expr& expr, std::vector<bool>& used) {
    if (const auto* argument = std::get_if<Arg>(&expr.value)) used.at(index_of(argument->index)) = true;
    if (const auto* inner = std::get_if<Call>(&expr.value))
        for (const ExprPtr& part : inner->args) mark_used(*part, used);
}

// to = fn(to, value), elementwise.
Evaluate update(Fn fn, Temp to, Temp value) {
    return {to, call(fn, arg(0), arg(1)), {to, value}};
}

}  // namespace

void Lowering::emit(Level& level) {
    for (int position = 0; position < level.index.size(); ++position) {
        std::visit(Cases{[&](const Input&) {}, [&](const Output&) { emit_output(level, position); },
                         [&](const Functional& node) { emit_functional(level, position, node.op); },
                         [&](const Elementwise& node) { emit_elementwise(level, position, node); },
                         [&](const Map& node) { emit_map(level, position, node); },
                         [&](const Reduce& node) { emit_reduce(level, position, node); },
                         [&](const Misc& node) { emit_misc(level, position, node); }},
                   level.index.node(position).kind);
    }
}

// `t3 += dot(t1,t2)` needs no temporary for the product.
bool Lowering::folds_into_sum(const Level& level, int position, FunctionalOp op) const {
    if (op == FunctionalOp::ColShift || op == FunctionalOp::ColScale) return false;
    const GraphIndex::UseRange uses = level.index.uses(position);
    if (uses.size() != 1) return false;
    const int port = level.output_port[index_of(uses.first->node)];
    if (port < 0) return false;
    const Sink& sink = level.sinks[index_of(port)];
    return sink.mode == PortOut::ReducedSum && !sink.started;
}

void Lowering::emit_functional(Level& level, int position, FunctionalOp op) {
    const Node& node = level.index.node(position);
    std::vector<Temp> args;
    for (const ValueRef& ref : node.inputs) args.push_back(item(level, ref));
    if (folds_into_sum(level, position, op)) {
        const int port = level.output_port[index_of(level.index.uses(position).first->node)];
        const Temp sum = level.sinks[index_of(port)].accumulator;
        return add(level.body, Accumulate{sum, true, op, std::move(args)}, node.id);
    }
    const Temp to = fresh();
    add(level.body, Compute{to, op, std::move(args)}, node.id);
    finish_item(level, position, 0, to);
}

void Lowering::emit_elementwise(Level& level, int position, const Elementwise& elementwise) {
    const Node& node = level.index.node(position);
    std::vector<bool> used(node.inputs.size(), false);
    mark_used(*elementwise.expr, used);
    std::vector<Temp> args(node.inputs.size());
    for (std::size_t i = 0; i < args.size(); ++i)
        if (used[i]) args[i] = item(level, node.inputs[i]);
    const Temp to = fresh();
    add(level.body, Evaluate{to, elementwise.expr, std::move(args)}, node.id);
    finish_item(level, position, 0, to);
}

// forall over the lists in the items, outside; the serial loop inside.
void Lowering::emit_reduce(Level& level, int position, const Reduce& reduce) {
    const Node& node = level.index.node(position);
    const Place from = resolve(level, node.inputs[0]).place.value();
    const Type& type = node.outputs[0];
    const auto one = [&](Body& body, const std::vector<Index>& inner_indices) {
        Sink sink{reduce.op == ReduceOp::Sum ? PortOut::ReducedSum : PortOut::ReducedMax, {}, fresh(), false};
        if (reduce.op == ReduceOp::Max)
            add(body, Initialise{sink.accumulator, -std::numeric_limits<double>::infinity()}, node.id);
        Body inner{{}, body.vars, {}};
        inner.vars.push_back(loop_var(body.vars, reduce.dim));
        Load load{fresh(), from.buffer, from.at};
        load.at.push_back({false, inner.vars.back()});
        load.at.insert(load.at.end(), inner_indices.begin(), inner_indices.end());
        const Temp value = load.to;
        add(inner, std::move(load), node.id, node.inputs[0]);
        accumulate(inner, sink, value, node.id);
        add_loop(body, std::move(inner), 0, true, node.id);
        return sink.accumulator;
    };
    if (!type.is_list()) return finish_item(level, position, 0, one(level.body, {}));
    const std::vector<Place>& places = level.targets[index_of(position)][0];
    for_each_element(level.body, type, node.id, [&](Body& body, const std::vector<Index>& indices) {
        const Temp sum = one(body, indices);
        for (Place place : places) {
            place.at.insert(place.at.end(), indices.begin(), indices.end());
            add(body, Store{sum, place.buffer, std::move(place.at)}, node.id, ValueRef{node.id});
        }
    });
}

void Lowering::emit_misc(Level& level, int position, const Misc& misc) {
    const Node& node = level.index.node(position);
    const auto& targets = level.targets[index_of(position)];
    CallMisc line{misc.name, {}, {}, {}};
    for (const std::vector<Place>& places : targets) {
        const Place& place = preferred(places);
        line.outputs.push_back(place.buffer);
        line.at.push_back(place.at);
    }
    for (const ValueRef& ref : node.inputs) {
        Place place = place_of(level, ref, node.id);
        line.inputs.push_back(place.buffer);
        line.at.push_back(std::move(place.at));
    }
    add(level.body, std::move(line), node.id);
    for (std::size_t port = 0; port < targets.size(); ++port) {
        const Place& from = preferred(targets[port]);
        std::vector<Place> others;
        for (const Place& place : targets[port])
            if (&place != &from) others.push_back(place);
        if (!others.empty())
            copy_list(level.body, from, node.outputs[port], others, node.id,
                      ValueRef{node.id, static_cast<std::uint16_t>(port)});
    }
}

// What could not be done where the value was made.
void Lowering::emit_output(Level& level, int position) {
    const Node& node = level.index.node(position);
    const ValueRef& ref = node.inputs[0];
    const Sink& sink = level.sinks.at(index_of(level.output_port[index_of(position)]));
    switch (sink.mode) {
        case PortOut::Collected:
            if (!stored_by_producer(level, ref)) store_value(level, ref, sink.places, node.id);
            return;
        case PortOut::ReducedSum:
        case PortOut::ReducedMax:
            if (!stored_by_producer(level, ref) || level.index.find(ref.node)->is<Misc>())
                accumulate(level.body, sink, item(level, ref), node.id);
            return;
        case PortOut::Carried:
            return;
    }
}

// Stores an item right after it is made, and adds it to what sums it up.
void Lowering::finish_item(Level& level, int position, int port, Temp temp) {
    const Node& node = level.index.node(position);
    level.slots[index_of(position)][index_of(port)]->temp = temp;
    for (const Place& place : level.targets[index_of(position)][index_of(port)])
        add(level.body, Store{temp, place.buffer, place.at}, node.id,
            ValueRef{node.id, static_cast<std::uint16_t>(port)});
    for (const GraphIndex::Use& use : level.index.uses_of(position, port)) {
        const int output = level.output_port[index_of(use.node)];
        if (output < 0) continue;
        const Sink& sink = level.sinks[index_of(output)];
        if (sink.mode == PortOut::ReducedSum || sink.mode == PortOut::ReducedMax)
            accumulate(level.body, sink, temp, node.id);
    }
}

void Lowering::accumulate(Body& body, const Sink& sink, Temp value, NodeId node) {
    if (sink.mode == PortOut::ReducedMax) return add(body, update(Fn::Max, sink.accumulator, value), node);
    if (sink.started) return add(body, update(Fn::Add, sink.accumulator, value), node);
    add(body, Accumulate{sink.accumulator, false, {}, {value}}, node);
}

// Stores a value that is already somewhere: an item from local memory, a list element by element.
void Lowering::store_value(Level& level, const ValueRef& ref, const std::vector<Place>& places, NodeId node) {
    if (places.empty()) return;
    const Slot& slot = resolve(level, ref);
    if (slot.type.is_list()) return copy_list(level.body, slot.place.value(), slot.type, places, node, ref);
    const Temp temp = item(level, ref);
    for (const Place& place : places) add(level.body, Store{temp, place.buffer, place.at}, node, ref);
}

void Lowering::copy_list(Body& body, const Place& from, const Type& type, const std::vector<Place>& places,
                         NodeId node, const ValueRef& value) {
    for_each_element(body, type, node, [&](Body& inner, const std::vector<Index>& indices) {
        const Temp temp = fresh();
        Load load{temp, from.buffer, from.at};
        load.at.insert(load.at.end(), indices.begin(), indices.end());
        add(inner, std::move(load), node, value);
        for (Place place : places) {
            place.at.insert(place.at.end(), indices.begin(), indices.end());
            add(inner, Store{temp, place.buffer, std::move(place.at)}, node, value);
        }
    });
}

// One forall loop per dimension of the list; `inner` makes the statements for one element.
void Lowering::for_each_element(Body& body, const Type& type, NodeId node, const ElementStatements& inner) {
    std::vector<Body> nest{Body{{}, body.vars, {}}};
    std::vector<Index> indices;
    for (int i = 0; i < type.rank(); ++i) {
        const LoopVar var = loop_var(nest.back().vars, type.dim(i));
        indices.push_back({false, var});
        nest.push_back({{}, nest.back().vars, {}});
        nest.back().vars.push_back(var);
    }
    inner(nest.back(), indices);
    for (std::size_t depth = nest.size() - 1; depth > 0; --depth)
        add_loop(nest[depth - 1], std::move(nest[depth]), 0, false, node);
    for (Statement& statement : nest[0].block) body.block.push_back(std::move(statement));
}

// A loop that does nothing is left out.
void Lowering::add_loop(Body& body, Body inner, int start, bool serial, NodeId node) {
    if (inner.block.empty()) return;
    const LoopVar var = inner.vars.back();
    add(body, std::make_shared<const Loop>(Loop{var, start, serial, node, std::move(inner.block)}), node);
}

}  // namespace blockscope::lowering
