#include "app/costs/replicated.h"

#include <functional>

namespace blockscope {

namespace {

using Origins = std::map<NodeId, std::set<NodeId>>;  // nodes of the initial program, by node that was made

// Nodes that no step made stem from themselves.
std::set<NodeId> origins_of(const Origins& origins, NodeId node) {
    const auto found = origins.find(node);
    return found == origins.end() ? std::set<NodeId>{node} : found->second;
}

using Nodes = std::map<NodeId, const Node*>;

void collect(const Graph& graph, Nodes& nodes) {
    for (const NodePtr& node : graph.nodes()) {
        nodes[node->id] = node.get();
        if (const Map* map = node->as<Map>()) collect(*map->body, nodes);
    }
}

// The node and, of a map, all that it holds.
void visit(const Node& node, const std::function<void(NodeId)>& seen) {
    seen(node.id);
    if (const Map* map = node.as<Map>())
        for (const NodePtr& inner : map->body->nodes()) visit(*inner, seen);
}

// The sum or maximum that a map took over from a reduction (rule 3) is done by whatever makes the map's value
// - a product adds to it as it goes -, or at the map's port. Both stem from the reduction as well.
void hand_over_reduction(const Node& reduction, const Node& fused, const Origins& origins, Origins& made) {
    const Map* map = fused.as<Map>();
    if (!map || !reduction.is<Reduce>()) return;
    const NodePtr port = map->body->outputs().at(reduction.inputs.at(0).port);
    for (const NodeId id : {port->id, port->inputs.at(0).node}) {
        std::set<NodeId>& from = made.emplace(id, origins_of(origins, id)).first->second;
        from.merge(origins_of(origins, reduction.id));
    }
}

// What a step made stems from what its lineage names, with all that a map holds. Nodes in a map that was made
// which have no lineage of their own have the map's.
Origins made_by(const Step& step, const Origins& origins) {
    Nodes before, after;
    collect(*step.before->graph, before);
    collect(*step.after->graph, after);
    std::set<NodeId> named;
    for (const Lineage& line : step.made) named.insert(line.made);
    Origins made;
    for (const Lineage& line : step.made) {
        std::set<NodeId> from;
        for (const NodeId old : line.from)
            if (const auto node = before.find(old); node != before.end())
                visit(*node->second, [&](NodeId id) { from.merge(origins_of(origins, id)); });
        const auto node = after.find(line.made);
        if (node == after.end()) continue;
        visit(*node->second, [&](NodeId id) {
            const bool own = id == line.made || (before.count(id) == 0 && named.count(id) == 0);
            if (own) made[id].insert(from.begin(), from.end());
        });
        for (const NodeId old : line.from)
            if (const auto reduction = before.find(old); reduction != before.end())
                hand_over_reduction(*reduction->second, *node->second, origins, made);
    }
    return made;
}

Origins origins_at(const History& history, StateId state) {
    Origins origins;
    for (const StateId id : history.path(state))
        if (const auto& step = history.state(id).step)
            for (auto& [node, from] : made_by(*step, origins)) origins[node] = std::move(from);
    return origins;
}

std::map<NodeId, double> operations_of(const StateCosts& costs) {
    std::map<NodeId, double> operations;
    for (const NodeFlops& each : costs.counts.operators)
        operations[each.node] += static_cast<double>(each.flops.total());
    return operations;
}

double sum(const std::set<NodeId>& nodes, const std::map<NodeId, double>& operations) {
    double all = 0;
    for (const NodeId node : nodes)
        if (const auto found = operations.find(node); found != operations.end()) all += found->second;
    return all;
}

}  // namespace

Replicated::Replicated(const StateCosts& now, const StateCosts& unfused, const History& history,
                       StateId state)
    : now_(operations_of(now)), unfused_(operations_of(unfused)) {
    const Origins origins = origins_at(history, state);
    std::map<NodeId, std::size_t> group_of_origin;
    for (const auto& [node, operations] : now_) {
        WorkGroup joined{{node}, {}};
        std::set<std::size_t> met;
        for (const NodeId from : origins_of(origins, node)) {
            if (unfused_.count(from) == 0) continue;
            joined.unfused.insert(from);
            if (const auto known = group_of_origin.find(from); known != group_of_origin.end())
                met.insert(known->second);
        }
        for (const std::size_t other : met) {
            joined.now.merge(groups_[other].now);
            joined.unfused.merge(groups_[other].unfused);
            groups_[other] = {};
        }
        for (const NodeId member : joined.now) group_[member] = groups_.size();
        for (const NodeId from : joined.unfused) group_of_origin[from] = groups_.size();
        groups_.push_back(std::move(joined));
    }
}

WorkGroup Replicated::group_of(const std::set<NodeId>& nodes) const {
    std::set<std::size_t> met;
    for (const NodeId node : nodes)
        if (const auto found = group_.find(node); found != group_.end()) met.insert(found->second);
    WorkGroup all;
    for (const std::size_t index : met) {
        all.now.insert(groups_[index].now.begin(), groups_[index].now.end());
        all.unfused.insert(groups_[index].unfused.begin(), groups_[index].unfused.end());
    }
    return all;
}

double Replicated::ratio(const WorkGroup& group) const {
    const double before = sum(group.unfused, unfused_);
    return before > 0 ? sum(group.now, now_) / before : 0;
}

}  // namespace blockscope
