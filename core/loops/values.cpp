// Values while they are lowered: where they lie, and how they get into local memory.
#include <algorithm>

#include "core/loops/lowering.h"
#include "core/support/result.h"

namespace blockscope::lowering {

Level::Level(const Graph& graph, Body& its_body, const std::vector<Sink>& its_sinks)
    : index(graph), body(its_body), sinks(its_sinks) {
    const auto size = index_of(index.size());
    output_port.assign(size, -1);
    slots.resize(size);
    targets.resize(size);
    int outputs = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const Node& node = *graph.nodes()[i];
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
    part = new_slot({whole.type.element(ref.first), whole.node, &level.body, {}, std::move(place)});
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
