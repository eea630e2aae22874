#include "app/panels/program_links.h"

#include <algorithm>

namespace blockscope {

namespace {

ValueRef whole(const ValueRef& value) {
    return {value.node, value.port, 0};
}

}  // namespace

ProgramLinks::ProgramLinks(ProgramPtr program) : program_(std::move(program)) {
    if (program_) add_level(*program_->graph, nullptr);
}

void ProgramLinks::add_level(const Graph& graph, const Node* map) {
    const NodeId parent = map ? map->id : NodeId{};
    for (const NodePtr& node : graph.nodes()) {
        nodes_[node->id.value] = {node, parent};
        for (const ValueRef& input : node->inputs) users_.emplace(whole(input), node->id);
    }
    for (const NodePtr& node : graph.nodes()) {
        const Map* inner = node->as<Map>();
        if (!inner) continue;
        const std::vector<NodePtr> ports = inner->body->inputs();
        std::size_t port = 0;
        for (std::size_t i = 0; i < inner->inputs.size(); ++i)
            if (inner->inputs[i].mode != PortIn::Continued)
                through_[{ports.at(port++)->id}] = whole(node->inputs[i]);
        const std::vector<NodePtr> outputs = inner->body->outputs();
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const ValueRef output{node->id, static_cast<std::uint16_t>(i)};
            through_[output] = whole(outputs[i]->inputs[0]);
            // The entry of a carried value reads what the last iteration left.
            if (inner->outputs[i].mode == PortOut::Carried) through_[{ports.at(port++)->id}] = output;
        }
        add_level(*inner->body, node.get());
    }
}

const Node* ProgramLinks::find(NodeId id) const {
    const auto it = nodes_.find(id.value);
    return it == nodes_.end() ? nullptr : it->second.node.get();
}

NodeId ProgramLinks::parent(NodeId id) const {
    const auto it = nodes_.find(id.value);
    return it == nodes_.end() ? NodeId{} : it->second.parent;
}

std::vector<NodeId> ProgramLinks::path(NodeId id) const {
    std::vector<NodeId> maps;
    for (NodeId at = parent(id); at; at = parent(at)) maps.push_back(at);
    std::reverse(maps.begin(), maps.end());
    return maps;
}

ValueRef ProgramLinks::origin(const ValueRef& value) const {
    ValueRef at = whole(value);
    // A value that a loop carries unchanged leads round in a circle.
    for (std::size_t steps = 0; steps <= through_.size(); ++steps) {
        const auto it = through_.find(at);
        if (it == through_.end()) return at;
        at = it->second;
    }
    return at;
}

NodeId ProgramLinks::user(const ValueRef& value) const {
    const auto it = users_.find(whole(value));
    return it == users_.end() ? NodeId{} : it->second;
}

Spot ProgramLinks::spot(NodeId node, const std::optional<ValueRef>& value) const {
    Spot spot;
    const Node* shown = find(node);
    // Ports of maps are not drawn as nodes: what made their value is.
    const bool port = shown && shown->is<Input>() && parent(node);
    spot.nodes.insert(port && value ? origin(*value).node : node);
    if (!value) return spot;
    const NodeId consumer = user(*value);
    if (!consumer) return spot;
    spot.value = *value;
    spot.consumer = consumer;
    return spot;
}

std::vector<ValueRef> ProgramLinks::origins(const Spot& spot) const {
    std::vector<ValueRef> values;
    if (spot.value) values.push_back(origin(*spot.value));
    for (const NodeId id : spot.nodes) {
        const Node* node = find(id);
        if (!node) continue;
        if (node->is<Input>()) values.push_back(origin({id}));
        if (node->is<Output>()) values.push_back(origin(node->inputs[0]));
    }
    return values;
}

}  // namespace blockscope
