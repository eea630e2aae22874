#include "app/document/ancestry.h"

#include <algorithm>

namespace blockscope {

Ancestry::Ancestry(const History& history, StateId a, StateId b, const StopSign& stop) {
    const StateId common = history.common_ancestor(a, b);
    a_ = roots(history, common, a, stop);
    b_ = roots(history, common, b, stop);
}

// Nodes made on the way from state `from` to state `to`, each with the nodes of `from` that it stands for.
Ancestry::Roots Ancestry::roots(const History& history, StateId from, StateId to, const StopSign& stop) {
    std::vector<const Step*> steps;
    for (StateId at = to; at != from; at = history.state(at).parent)
        steps.push_back(history.state(at).step.get());
    std::reverse(steps.begin(), steps.end());
    Roots result;
    for (const Step* step : steps) {
        stop.check();
        for (const Lineage& lineage : step->made) {
            std::set<NodeId> all;
            for (const NodeId old : lineage.from) all.merge(roots_of(result, old));
            result[lineage.made] = std::move(all);
        }
    }
    return result;
}

std::set<NodeId> Ancestry::roots_of(const Roots& roots, NodeId node) {
    const auto it = roots.find(node);
    return it == roots.end() ? std::set<NodeId>{node} : it->second;
}

bool Ancestry::related(NodeId in_a, NodeId in_b) const {
    if (in_a == in_b) return true;
    const std::set<NodeId> of_a = roots_of(a_, in_a);
    const std::set<NodeId> of_b = roots_of(b_, in_b);
    return std::any_of(of_a.begin(), of_a.end(), [&](NodeId node) { return of_b.count(node) > 0; });
}

}  // namespace blockscope
