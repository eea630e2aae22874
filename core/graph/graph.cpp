#include "core/graph/graph.h"

#include <algorithm>
#include <unordered_map>

#include "core/support/result.h"

namespace blockscope {

namespace {

template <class K>
std::vector<NodePtr> of_kind(const std::vector<NodePtr>& nodes) {
    std::vector<NodePtr> found;
    for (const NodePtr& node : nodes)
        if (node->is<K>()) found.push_back(node);
    return found;
}

int count_buffered(const Graph& graph, bool top_level) {
    const GraphIndex index(graph);
    int count = 0;
    for (const NodePtr& node : graph.nodes()) {
        if (!top_level && node->is<Output>()) continue;
        for (std::size_t port = 0; port < node->inputs.size(); ++port) {
            const Node& producer = *index.find(node->inputs[port].node);
            if (!top_level && producer.is<Input>()) continue;
            count += is_buffered(producer, *node, static_cast<int>(port), top_level);
        }
        if (const Map* map = node->as<Map>()) count += count_buffered(*map->body, false);
    }
    return count;
}

int count_nodes(const Graph& graph) {
    int count = static_cast<int>(graph.nodes().size());
    for (const NodePtr& node : graph.nodes())
        if (const Map* map = node->as<Map>()) count += count_nodes(*map->body);
    return count;
}

GraphPtr replace_at(const GraphPtr& graph, const std::vector<NodeId>& path, std::size_t depth,
                    GraphPtr inner) {
    if (depth == path.size()) return inner;
    std::vector<NodePtr> nodes = graph->nodes();
    const auto place =
        std::find_if(nodes.begin(), nodes.end(), [&](const NodePtr& n) { return n->id == path[depth]; });
    if (place == nodes.end() || !(*place)->is<Map>())
        throw InternalError("no map " + to_string(path[depth]) + " on the path");
    Node node = **place;
    Map& map = std::get<Map>(node.kind);
    map.body = replace_at(map.body, path, depth + 1, std::move(inner));
    *place = std::make_shared<const Node>(std::move(node));
    return std::make_shared<const Graph>(std::move(nodes));
}

bool find_path_in(const Graph& graph, NodeId id, std::vector<NodeId>& path) {
    if (graph.find(id)) return true;
    for (const NodePtr& node : graph.nodes()) {
        const Map* map = node->as<Map>();
        if (!map) continue;
        path.push_back(node->id);
        if (find_path_in(*map->body, id, path)) return true;
        path.pop_back();
    }
    return false;
}

bool identical_nodes(const Node& a, const Node& b) {
    if (&a == &b) return true;
    if (a.id != b.id || a.inputs != b.inputs || a.outputs != b.outputs || !same_kind(a.kind, b.kind))
        return false;
    const Map* map = a.as<Map>();
    return !map || map->body == b.as<Map>()->body || identical(*map->body, *b.as<Map>()->body);
}

}  // namespace

std::vector<NodePtr> Graph::inputs() const {
    return of_kind<Input>(nodes_);
}

std::vector<NodePtr> Graph::outputs() const {
    return of_kind<Output>(nodes_);
}

const Node* Graph::find(NodeId id) const {
    for (const NodePtr& node : nodes_)
        if (node->id == id) return node.get();
    return nullptr;
}

Type edge_type(const Node& producer, const ValueRef& ref) {
    return producer.outputs.at(ref.port).element(ref.first);
}

bool is_buffered(const Node& producer, const Node& consumer, int port, bool top_level) {
    const ValueRef& ref = consumer.inputs.at(static_cast<std::size_t>(port));
    if (edge_type(producer, ref).is_list() || ref.first > 0) return true;
    if (top_level && (producer.is<Input>() || consumer.is<Output>())) return true;
    const Map* map = consumer.as<Map>();
    if (!map) return false;
    const MapInput& input = map->inputs.at(static_cast<std::size_t>(port));
    if (input.mode != PortIn::Continued) return false;
    return map->outputs.at(static_cast<std::size_t>(input.continues)).mode == PortOut::Collected;
}

int buffered_edges(const BlockProgram& program) {
    return count_buffered(*program.graph, true);
}

int node_count(const BlockProgram& program) {
    return count_nodes(*program.graph);
}

GraphPtr graph_at(const BlockProgram& program, const std::vector<NodeId>& path) {
    GraphPtr graph = program.graph;
    for (const NodeId id : path) {
        const Node* node = graph->find(id);
        if (!node || !node->is<Map>()) return nullptr;
        graph = node->as<Map>()->body;
    }
    return graph;
}

BlockProgram with_graph_at(const BlockProgram& program, const std::vector<NodeId>& path, GraphPtr graph) {
    BlockProgram result = program;
    result.graph = replace_at(program.graph, path, 0, std::move(graph));
    return result;
}

bool find_path(const BlockProgram& program, NodeId id, std::vector<NodeId>& path) {
    path.clear();
    return find_path_in(*program.graph, id, path);
}

bool identical(const Graph& a, const Graph& b) {
    return &a == &b || std::equal(a.nodes().begin(), a.nodes().end(), b.nodes().begin(), b.nodes().end(),
                                  [](const NodePtr& x, const NodePtr& y) { return identical_nodes(*x, *y); });
}

std::vector<NodePtr> topological(std::vector<NodePtr> nodes) {
    std::unordered_map<std::uint32_t, std::size_t> place;
    for (std::size_t i = 0; i < nodes.size(); ++i) place[nodes[i]->id.value] = i;
    std::vector<std::vector<std::size_t>> consumers(nodes.size());
    std::vector<int> waiting(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const ValueRef& ref : nodes[i]->inputs) {
            const auto producer = place.find(ref.node.value);
            if (producer == place.end())
                throw InternalError(to_string(nodes[i]->id) + " reads a value that is not there");
            consumers[producer->second].push_back(i);
            ++waiting[i];
        }
    }
    std::vector<std::size_t> ready;  // a heap: the earliest in the given order leaves first
    const auto later = std::greater<>();
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (waiting[i] == 0) ready.push_back(i);
    std::make_heap(ready.begin(), ready.end(), later);
    std::vector<NodePtr> sorted;
    while (!ready.empty()) {
        std::pop_heap(ready.begin(), ready.end(), later);
        const std::size_t i = ready.back();
        ready.pop_back();
        for (const std::size_t consumer : consumers[i]) {
            if (--waiting[consumer] > 0) continue;
            ready.push_back(consumer);
            std::push_heap(ready.begin(), ready.end(), later);
        }
        sorted.push_back(std::move(nodes[i]));
    }
    if (sorted.size() != consumers.size()) throw InternalError("the graph has a cycle");
    return sorted;
}

}  // namespace blockscope
