// Statements of every kind of node but maps.
#include <algorithm>
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
    if (functional_operator(op).as_sign || form_of(op) == FunctionalForm::Rotate) return false;
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
    add(level.body, Evaluate{to, elementwise.expr, std::move(args), elementwise.to}, node.id);
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
    add(body,
        std::make_shared<const Loop>(
            Loop{.var = var, .start = start, .serial = serial, .node = node, .body = std::move(inner.block)}),
        node);
}

// Maps: a loop around the lowered inner graph.

void Lowering::emit_map(Level& level, int position, const Map& map) {
    const Node& node = level.index.node(position);
    Body body{{}, level.body.vars, {}};
    const LoopVar var = loop_var(level.body.vars, map.dim);
    body.vars.push_back(var);
    const std::vector<Sink> sinks = open_outputs(level, position, map, {false, var});
    Level inner(*map.body, body, sinks);
    bind_inputs(level, node, map, inner);
    plan(inner);
    emit(inner);
    assign_carried(inner, sinks);
    add_loop(level.body, std::move(body), map.start, map.serial(), node.id);
    for (std::size_t port = 0; port < sinks.size(); ++port)
        if (sinks[port].mode != PortOut::Collected)
            finish_item(level, position, static_cast<int>(port), sinks[port].accumulator);
}

// What stands before the loop: first values of what it carries, and element 0 of peeled lists.
std::vector<Sink> Lowering::open_outputs(Level& level, int position, const Map& map, const Index& index) {
    const Node& node = level.index.node(position);
    std::vector<Sink> sinks(map.outputs.size());
    for (std::size_t port = 0; port < sinks.size(); ++port) {
        const ValueRef* first = nullptr;
        for (std::size_t i = 0; i < map.inputs.size(); ++i)
            if (map.inputs[i].mode == PortIn::Continued && index_of(map.inputs[i].continues) == port)
                first = &node.inputs[i];
        sinks[port].mode = map.outputs[port].mode;
        if (sinks[port].mode != PortOut::Collected) {
            begin(level, node, first, map.outputs[port], sinks[port]);
            continue;
        }
        const std::vector<Place>& places = level.targets[index_of(position)][port];
        if (first && !stored_by_producer(level, *first))
            store_value(level, *first, at_index(places, {true, {}}), node.id);
        sinks[port].places = at_index(places, index);
    }
    return sinks;
}

void Lowering::begin(Level& level, const Node& node, const ValueRef* first, const MapOutput& output,
                     Sink& sink) {
    if (first) {
        const Temp value = item(level, *first);
        sink.accumulator = fresh();
        sink.started = true;
        return add(level.body, Assign{sink.accumulator, value}, node.id);
    }
    sink.accumulator = fresh();
    if (sink.mode == PortOut::ReducedSum) return;  // zero on entry to the loop by itself
    const double lowest = -std::numeric_limits<double>::infinity();
    const double value = sink.mode == PortOut::Carried ? output.init : lowest;
    add(level.body, Initialise{sink.accumulator, value}, node.id);
}

void Lowering::bind_inputs(Level& outer, const Node& node, const Map& map, Level& inner) {
    std::vector<int> ports;
    for (int i = 0; i < inner.index.size(); ++i)
        if (inner.index.node(i).is<Input>()) ports.push_back(i);
    std::size_t port = 0;
    const auto next = [&]() -> Slot*& { return inner.slots.at(index_of(ports.at(port++)))[0]; };
    for (std::size_t i = 0; i < map.inputs.size(); ++i) {
        if (map.inputs[i].mode == PortIn::Continued) continue;
        Slot& value = resolve(outer, node.inputs[i]);
        if (map.inputs[i].mode == PortIn::Broadcast) {
            next() = &value;
            continue;
        }
        Place place = value.place.value();
        place.at.push_back({false, inner.body.vars.back()});
        const NodeId input = inner.index.node(ports.at(port)).id;
        next() = new_slot({.type = value.type.element(),
                           .node = input,
                           .owner = &inner.body,
                           .temp = {},
                           .place = std::move(place)});
    }
    for (const Sink& sink : inner.sinks) {
        if (sink.mode != PortOut::Carried) continue;
        const Node& input = inner.index.node(ports.at(port));
        next() = new_slot({.type = input.outputs[0],
                           .node = input.id,
                           .owner = &inner.body,
                           .temp = sink.accumulator,
                           .place = {}});
    }
}

// All new values exist before the first is assigned. An assignment waits while another still has to
// read its target; a circle of them is broken by a copy.
void Lowering::assign_carried(Level& inner, const std::vector<Sink>& sinks) {
    struct Move {
        Assign assign;
        NodeId node;
    };
    std::vector<Move> moves;
    std::size_t port = 0;
    for (int position = 0; position < inner.index.size(); ++position) {
        const Node& node = inner.index.node(position);
        if (!node.is<Output>()) continue;
        const Sink& sink = sinks[port++];
        if (sink.mode != PortOut::Carried) continue;
        const Temp value = item(inner, node.inputs[0]);
        if (value != sink.accumulator) moves.push_back({{sink.accumulator, value}, node.id});
    }
    while (!moves.empty()) {
        const auto ready = std::find_if(moves.begin(), moves.end(), [&](const Move& move) {
            return std::none_of(moves.begin(), moves.end(), [&](const Move& other) {
                return &other != &move && other.assign.from == move.assign.to;
            });
        });
        if (ready != moves.end()) {
            add(inner.body, ready->assign, ready->node);
            moves.erase(ready);
            continue;
        }
        const Temp copy = fresh();
        const Temp copied = moves.front().assign.to;
        add(inner.body, Assign{copy, copied}, moves.front().node);
        for (Move& move : moves)
            if (move.assign.from == copied) move.assign.from = copy;
    }
}

// Values while they are lowered: where they lie, and how they get into local memory.

Level::Level(const Graph& graph, Body& its_body, const std::vector<Sink>& its_sinks)
    : index(graph), body(its_body), sinks(its_sinks) {
    const auto size = index_of(index.size());
    output_port.assign(size, -1);
    slots.resize(size);
    targets.resize(size);
    int outputs = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const Node& node = index.node(static_cast<int>(i));
        if (node.is<Output>()) output_port[i] = outputs++;
        slots[i].assign(node.outputs.size(), nullptr);
        targets[i].resize(node.outputs.size());
    }
}

bool stored_by_producer(const Level& level, const ValueRef& ref) {
    return ref.first == 0 && !level.index.find(ref.node)->is<Input>();
}

std::vector<Place> at_index(std::vector<Place> places, const Index& index) {
    for (Place& place : places) place.at.push_back(index);
    return places;
}

LoopVar loop_var(const std::vector<LoopVar>& vars, DimId dim) {
    const auto around =
        std::count_if(vars.begin(), vars.end(), [&](const LoopVar& v) { return v.dim == dim; });
    return {dim, static_cast<int>(around) + 1};
}

void add(Body& body, decltype(Statement::what) what, NodeId node, const std::optional<ValueRef>& value) {
    body.block.push_back({std::move(what), node, value});
}

Slot* Lowering::new_slot(Slot slot) {
    slots_.push_back(std::move(slot));
    return &slots_.back();
}

Slot& Lowering::resolve(Level& level, const ValueRef& ref) {
    const auto position = index_of(level.index.position(ref.node));
    Slot& whole = *level.slots.at(position).at(ref.port);
    if (ref.first == 0) return whole;
    Slot*& part = level.peeled[ref];
    if (part) return *part;
    Place place = whole.place.value();
    for (int i = 0; i < ref.first; ++i) place.at.push_back({true, {}});
    part = new_slot({.type = whole.type.element(ref.first),
                     .node = whole.node,
                     .owner = &level.body,
                     .temp = {},
                     .place = std::move(place)});
    return *part;
}

Temp Lowering::item(Level& level, const ValueRef& ref) {
    Slot& slot = resolve(level, ref);
    if (slot.temp) return *slot.temp;
    if (slot.type.is_list() || !slot.place)
        throw InternalError("lowering: " + to_string(ref.node) + " is not an item that can be loaded");
    Body& body = *slot.owner;
    const auto same = std::find_if(body.loaded.begin(), body.loaded.end(), [&](const auto& loaded) {
        return loaded.first.buffer == slot.place->buffer && loaded.first.at == slot.place->at;
    });
    if (same != body.loaded.end()) {
        slot.temp = same->second;
        return *slot.temp;
    }
    slot.temp = fresh();
    add(body, Load{*slot.temp, slot.place->buffer, slot.place->at}, slot.node, ref);
    body.loaded.emplace_back(*slot.place, *slot.temp);
    return *slot.temp;
}

Place Lowering::place_of(Level& level, const ValueRef& ref, NodeId reader) {
    const Slot& slot = resolve(level, ref);
    if (slot.place) return *slot.place;
    Place place = new_intermediate(level.body, slot.type, ref.node);
    add(level.body, Store{item(level, ref), place.buffer, place.at}, reader, ref);
    return place;
}

Place Lowering::new_intermediate(const Body& body, const Type& type, NodeId producer) {
    Buffer buffer;
    buffer.node = producer;
    buffer.type = type.element(type.rank());
    Place place{static_cast<int>(buffers_.size()), {}};
    for (const LoopVar& var : body.vars) {
        buffer.dims.push_back(var.dim);
        place.at.push_back({false, var});
    }
    for (int i = 0; i < type.rank(); ++i) buffer.dims.push_back(type.dim(i));
    buffers_.push_back(std::move(buffer));
    return place;
}

}  // namespace blockscope::lowering
