#include "app/compare/diff.h"

#include <algorithm>
#include <set>

namespace blockscope {

namespace {

// A node where it stands.
struct Placed {
    const Node* node = nullptr;
    NodeId parent;  // the map around it; none at the top level
    int order = 0;
};
using Places = std::map<NodeId, Placed>;
using Sources = std::map<NodeId, std::set<NodeId>>;

void collect(const Graph& graph, NodeId parent, Places& places) {
    for (const NodePtr& node : graph.nodes()) {
        places[node->id] = {node.get(), parent, static_cast<int>(places.size())};
        if (const Map* map = node->as<Map>()) collect(*map->body, node->id, places);
    }
}

Places places_of(const HistoryState& state) {
    Places places;
    collect(*state.program->graph, {}, places);
    return places;
}

// The nodes of state `from` that each node of `to`, which derives from it, comes from.
Sources sources(const History& history, StateId from, StateId to) {
    Sources result;
    for (const auto& [id, placed] : places_of(history.state(from))) result[id] = {id};
    for (const StateId at : history.path(to)) {
        const HistoryState& state = history.state(at);
        if (history.depth(at) <= history.depth(from)) continue;
        Sources next = result;
        for (const Lineage& lineage : state.step->made) {
            std::set<NodeId> all;
            for (const NodeId old : lineage.from)
                if (const auto it = result.find(old); it != result.end())
                    all.insert(it->second.begin(), it->second.end());
            next[lineage.made] = std::move(all);
        }
        result = std::move(next);
    }
    return result;
}

bool inner_port(const Placed& placed) {
    return placed.parent && (placed.node->is<Input>() || placed.node->is<Output>());
}

// Compares two states whose correspondence is known.
class Comparison {
public:
    Comparison(const History& history, StateId a, StateId b)
        : pairs_(correspond(history, a, b)),
          before_(places_of(history.state(a))),
          after_(places_of(history.state(b))) {}

    std::vector<Difference> differences() const {
        std::vector<Difference> result;
        std::set<NodeId> done;
        for (const NodeId id : in_order(before_)) {
            if (done.count(id) > 0) continue;
            Difference group = group_of(id);
            done.insert(group.before.begin(), group.before.end());
            if (differs(group)) result.push_back(std::move(group));
        }
        for (const NodeId id : in_order(after_))
            if (pairs_.backward.at(id).empty()) result.push_back({Difference::Kind::Added, {}, {id}});
        return result;
    }

private:
    static std::vector<NodeId> in_order(const Places& places) {
        std::vector<NodeId> ids;
        for (const auto& [id, placed] : places)
            if (!inner_port(placed)) ids.push_back(id);
        std::sort(ids.begin(), ids.end(),
                  [&](NodeId x, NodeId y) { return places.at(x).order < places.at(y).order; });
        return ids;
    }

    // Everything that hangs together with `id` by lineage.
    Difference group_of(NodeId id) const {
        std::set<NodeId> before{id};
        std::set<NodeId> after;
        for (std::size_t size = 0; size != before.size() + after.size();) {
            size = before.size() + after.size();
            for (const NodeId x : before)
                for (const NodeId y : pairs_.forward.at(x))
                    if (!inner_port(after_.at(y))) after.insert(y);
            for (const NodeId y : after)
                for (const NodeId x : pairs_.backward.at(y))
                    if (!inner_port(before_.at(x))) before.insert(x);
        }
        return {Difference::Kind::Changed, {before.begin(), before.end()}, {after.begin(), after.end()}};
    }

    // Sets the kind of `group`; false if both sides say the same.
    bool differs(Difference& group) const {
        if (group.after.empty()) {
            group.kind = Difference::Kind::Removed;
            return true;
        }
        if (group.before.size() > 1 || group.after.size() > 1) return true;
        const Placed& x = before_.at(group.before.front());
        const Placed& y = after_.at(group.after.front());
        if (!same_kind(x.node->kind, y.node->kind)) return true;
        if (!same_parent(x, y)) {
            group.kind = Difference::Kind::Moved;
            return true;
        }
        return !same_inputs(*x.node, *y.node);
    }

    bool correspond_to(NodeId x, NodeId y) const {
        if (x == y) return true;
        const auto it = pairs_.forward.find(x);
        return it != pairs_.forward.end() &&
               std::find(it->second.begin(), it->second.end(), y) != it->second.end();
    }
    bool same_parent(const Placed& x, const Placed& y) const {
        return static_cast<bool>(x.parent) == static_cast<bool>(y.parent) &&
               correspond_to(x.parent, y.parent);
    }
    bool same_inputs(const Node& x, const Node& y) const {
        return std::equal(x.inputs.begin(), x.inputs.end(), y.inputs.begin(), y.inputs.end(),
                          [&](const ValueRef& p, const ValueRef& q) {
                              return p.first == q.first && correspond_to(p.node, q.node);
                          });
    }

    Correspondence pairs_;
    Places before_, after_;
};

}  // namespace

Correspondence correspond(const History& history, StateId a, StateId b) {
    const StateId ancestor = history.common_ancestor(a, b);
    const Sources of_a = sources(history, ancestor, a);
    const Sources of_b = sources(history, ancestor, b);
    const Places in_a = places_of(history.state(a));
    const Places in_b = places_of(history.state(b));
    std::map<NodeId, std::vector<NodeId>> stands_for;  // by node of the common ancestor: nodes of `b`
    Correspondence result;
    for (const auto& [id, placed] : in_b) {
        result.backward[id];
        if (const auto it = of_b.find(id); it != of_b.end())
            for (const NodeId source : it->second) stands_for[source].push_back(id);
    }
    for (const auto& [id, placed] : in_a) {
        std::set<NodeId> others;
        if (const auto it = of_a.find(id); it != of_a.end())
            for (const NodeId source : it->second)
                if (const auto found = stands_for.find(source); found != stands_for.end())
                    others.insert(found->second.begin(), found->second.end());
        result.forward[id].assign(others.begin(), others.end());
        for (const NodeId other : others) result.backward[other].push_back(id);
    }
    return result;
}

std::vector<Difference> diff_states(const History& history, StateId a, StateId b) {
    return Comparison(history, a, b).differences();
}

DiffCounts count(const std::vector<Difference>& differences) {
    DiffCounts counts;
    for (const Difference& difference : differences) {
        switch (difference.kind) {
            case Difference::Kind::Removed:
                ++counts.removed;
                break;
            case Difference::Kind::Added:
                ++counts.added;
                break;
            case Difference::Kind::Moved:
                ++counts.moved;
                break;
            case Difference::Kind::Changed:
                ++counts.changed;
                break;
        }
    }
    return counts;
}

}  // namespace blockscope
