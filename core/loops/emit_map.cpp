// Maps: a loop around the lowered inner graph.
#include <algorithm>
#include <limits>

#include "core/loops/lowering.h"

namespace blockscope::lowering {

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
        next() = new_slot({value.type.element(), input, &inner.body, {}, std::move(place)});
    }
    for (const Sink& sink : inner.sinks) {
        if (sink.mode != PortOut::Carried) continue;
        const Node& input = inner.index.node(ports.at(port));
        next() = new_slot({input.outputs[0], input.id, &inner.body, sink.accumulator, {}});
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

}  // namespace blockscope::lowering
