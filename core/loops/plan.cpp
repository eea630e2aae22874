// The plan of one level: where every value is stored, before any statement is made.
#include <algorithm>

#include "core/loops/lowering.h"

namespace blockscope::lowering {

void Lowering::plan(Level& level) {
    for (int position = level.index.size() - 1; position >= 0; --position)
        if (!level.index.node(position).is<Input>()) plan_node(level, position);
}

// All consumers of the node are planned already.
void Lowering::plan_node(Level& level, int position) {
    const Node& node = level.index.node(position);
    for (std::size_t port = 0; port < node.outputs.size(); ++port) {
        const Type& type = node.outputs[port];
        std::vector<Place>& places = level.targets[index_of(position)][port];
        places = targets_of(level, position, static_cast<int>(port));
        const std::vector<GraphIndex::Use> uses = level.index.uses_of(position, static_cast<int>(port));
        const bool read_as_array = std::any_of(uses.begin(), uses.end(), [&](const GraphIndex::Use& use) {
            return type.is_list() || level.index.node(use.node).is<Misc>();
        });
        if (places.empty() && (read_as_array || node.is<Misc>()))
            places.push_back(new_intermediate(level.body, type, node.id));
        Slot slot{type, node.id, &level.body, {}, {}};
        if (!places.empty()) slot.place = preferred(places);
        level.slots[index_of(position)][port] = new_slot(std::move(slot));
    }
}

// Collected outputs of this graph that the value reaches, and element 0 of lists that it begins.
std::vector<Place> Lowering::targets_of(const Level& level, int position, int port) const {
    std::vector<Place> places;
    for (const GraphIndex::Use& use : level.index.uses_of(position, port)) {
        const Node& consumer = level.index.node(use.node);
        const auto at = index_of(use.port);
        if (consumer.inputs[at].first > 0) continue;
        std::vector<Place> found;
        if (consumer.is<Output>()) {
            const int sink = level.output_port[index_of(use.node)];
            found = level.sinks.at(index_of(sink)).places;
        } else if (const Map* map = consumer.as<Map>(); map && map->inputs[at].mode == PortIn::Continued) {
            const auto output = index_of(map->inputs[at].continues);
            if (map->outputs.at(output).mode == PortOut::Collected)
                found = at_index(level.targets[index_of(use.node)].at(output), {true, {}});
        }
        places.insert(places.end(), found.begin(), found.end());
    }
    return places;
}

// The one that consumers read: a program output if there is one.
const Place& Lowering::preferred(const std::vector<Place>& places) const {
    for (const Place& place : places)
        if (buffers_[index_of(place.buffer)].kind == Buffer::Kind::Output) return place;
    return places.front();
}

}  // namespace blockscope::lowering
