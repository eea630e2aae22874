#include "core/rules/ask.h"

#include "core/support/result.h"

namespace blockscope {

std::vector<RuleId> variants(RuleId id) {
    std::vector<RuleId> ids;
    for (const Rule& rule : rules()) {
        if (rule.id == id) return {id};
        if (id.variant == 0 && rule.id.number == id.number) ids.push_back(rule.id);
    }
    return ids;
}

std::variant<LevelNodes, Refusal> find_level(const BlockProgram& program, const std::vector<NodeId>& nodes,
                                             const StopSign& stop) {
    const auto missing = [](NodeId node) {
        return Refusal{"there is no node " + to_string(node) + " in this state", {}};
    };
    LevelNodes level{{}, nodes};
    if (!find_path(program, nodes.front(), level.path)) return missing(nodes.front());
    const GraphPtr graph = graph_at(program, level.path);
    const GraphIndex index(*graph);
    for (const NodeId node : nodes) {
        stop.check();
        if (index.find(node)) continue;
        std::vector<NodeId> path;
        if (!find_path(program, node, path)) return missing(node);
        return Refusal{to_string(nodes.front()) + " and " + to_string(node) +
                           " are not in the same graph; rules see one level",
                       {nodes.front(), node}};
    }
    return level;
}

std::optional<Refusal> diagnose(const BlockProgram& program, RuleId id, const LevelNodes& nodes,
                                const StopSign& stop) {
    stop.check();
    const GraphPtr graph = graph_at(program, nodes.path);
    const GraphIndex index(*graph);
    return rule(id).diagnose(Level{program.dims, index, stop}, nodes.nodes);
}

std::string explain(const BlockProgram& program, const Match& match) {
    const GraphPtr graph = graph_at(program, match.path);
    const GraphIndex index(*graph);
    return rule(match.rule).explain(Level{program.dims, index}, match);
}

std::vector<std::string> path_dims(const BlockProgram& program, const std::vector<NodeId>& path) {
    std::vector<std::string> names;
    GraphPtr graph = program.graph;
    for (const NodeId id : path) {
        const Node* node = graph->find(id);
        const Map* map = node == nullptr ? nullptr : node->as<Map>();
        if (map == nullptr) throw InternalError("no map " + to_string(id) + " on the path of a match");
        names.push_back(program.dims[map->dim.value].name);
        graph = map->body;
    }
    return names;
}

}  // namespace blockscope
