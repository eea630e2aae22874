#include "app/figure/nest.h"

#include <algorithm>

namespace blockscope {

namespace {

bool nests(const Map& map) {
    return map.start == 0 &&
           std::all_of(map.inputs.begin(), map.inputs.end(),
                       [](const MapInput& input) { return input.mode != PortIn::Continued; }) &&
           std::all_of(map.outputs.begin(), map.outputs.end(),
                       [](const MapOutput& output) { return output.mode == PortOut::Collected; });
}

// The only operator of `body`, if it is a map that reads whole inputs and gives all that the body gives.
const Node* only_map(const Graph& body) {
    const Node* only = nullptr;
    for (const NodePtr& node : body.nodes()) {
        if (node->is<Input>() || node->is<Output>()) continue;
        if (only || !node->is<Map>()) return nullptr;
        only = node.get();
    }
    if (!only) return nullptr;
    std::vector<bool> given(only->outputs.size(), false);
    for (const NodePtr& node : body.nodes()) {
        for (const ValueRef& ref : node->inputs)
            if (ref.first > 0) return nullptr;
        if (!node->is<Output>()) continue;
        if (node->inputs[0].node != only->id) return nullptr;
        given[node->inputs[0].port] = true;
    }
    return std::find(given.begin(), given.end(), false) == given.end() ? only : nullptr;
}

// Ports of the outermost map, with an own input port for each carried value.
void own_ports(Nest& nest) {
    const Map& map = nest.outer();
    const std::vector<NodePtr> inputs = map.body->inputs();
    std::size_t inner = 0;
    for (std::size_t i = 0; i < map.inputs.size(); ++i)
        if (map.inputs[i].mode != PortIn::Continued) nest.in[inputs[inner++]->id] = static_cast<int>(i);
    for (int port = static_cast<int>(map.inputs.size()); inner < inputs.size(); ++port)
        nest.in[inputs[inner++]->id] = port;
    for (std::size_t i = 0; i < map.outputs.size(); ++i) nest.outputs.push_back({static_cast<int>(i)});
}

void descend(Nest& nest, const Node& only) {
    const Graph& around = nest.body();
    std::map<NodeId, int> in;
    const std::vector<NodePtr> inputs = only.as<Map>()->body->inputs();
    for (std::size_t i = 0; i < inputs.size(); ++i) in[inputs[i]->id] = nest.in.at(only.inputs[i].node);
    std::vector<std::vector<int>> outputs(only.outputs.size());
    std::size_t at = 0;
    for (const NodePtr& output : around.outputs()) {
        const std::vector<int>& ports = nest.outputs[at++];
        std::vector<int>& mine = outputs[output->inputs[0].port];
        mine.insert(mine.end(), ports.begin(), ports.end());
    }
    nest.in = std::move(in);
    nest.outputs = std::move(outputs);
    nest.maps.push_back(&only);
}

}  // namespace

Nest nest_of(const Node& map) {
    Nest nest;
    nest.maps.push_back(&map);
    own_ports(nest);
    while (nests(nest.inner())) {
        const Node* only = only_map(nest.body());
        if (!only || !nests(*only->as<Map>())) break;
        descend(nest, *only);
    }
    return nest;
}

}  // namespace blockscope
