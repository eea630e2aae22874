#include "app/compare/diff.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

namespace blockscope {

namespace {

// A node where it stands.
struct Placed {
    const Node* node = nullptr;
    NodeId parent;  // the map around it; none at the top level
};

// The nodes of a state, in the order of execution.
class Places {
public:
    explicit Places(const HistoryState& state) { collect(*state.program->graph, {}); }

    const std::vector<Placed>& all() const { return placed_; }
    const Placed* find(NodeId id) const {
        const auto it = index_.find(id.value);
        return it == index_.end() ? nullptr : &placed_[it->second];
    }
    const Placed& at(NodeId id) const { return placed_[index_.at(id.value)]; }

private:
    void collect(const Graph& graph, NodeId parent) {
        for (const NodePtr& node : graph.nodes()) {
            index_.emplace(node->id.value, placed_.size());
            placed_.push_back({node.get(), parent});
            if (const Map* map = node->as<Map>()) collect(*map->body, node->id);
        }
    }

    std::vector<Placed> placed_;
    std::unordered_map<std::uint32_t, std::size_t> index_;
};

void sort_unique(std::vector<NodeId>& nodes) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

// The nodes of a state that those of one which derives from it come from. What no rule made comes from
// itself.
class Sources {
public:
    Sources(const History& history, const Places& from, StateId from_id, StateId to) : from_(from) {
        std::vector<const Step*> steps;
        for (StateId at = to; at != from_id; at = history.state(at).parent)
            steps.push_back(&*history.state(at).step);
        for (auto step = steps.rbegin(); step != steps.rend(); ++step) add(**step);
    }

    std::vector<NodeId> of(NodeId node) const {
        if (const auto it = made_.find(node); it != made_.end()) return it->second;
        return from_.find(node) ? std::vector{node} : std::vector<NodeId>{};
    }

private:
    // A rule may make anew what it takes: all of its nodes are looked up before one is replaced.
    void add(const Step& step) {
        std::vector<std::pair<NodeId, std::vector<NodeId>>> made;
        for (const Lineage& lineage : step.made) {
            std::vector<NodeId> all;
            for (const NodeId old : lineage.from) {
                const std::vector<NodeId> sources = of(old);
                all.insert(all.end(), sources.begin(), sources.end());
            }
            sort_unique(all);
            made.emplace_back(lineage.made, std::move(all));
        }
        for (auto& [node, sources] : made) made_[node] = std::move(sources);
    }

    const Places& from_;
    std::map<NodeId, std::vector<NodeId>> made_;
};

bool inner_port(const Placed& placed) {
    return placed.parent && (placed.node->is<Input>() || placed.node->is<Output>());
}

struct Side {
    StateId state;
    const Places& places;
};

Correspondence paired(const History& history, const Side& a, const Side& b) {
    const StateId ancestor = history.common_ancestor(a.state, b.state);
    const Places places(history.state(ancestor));
    const Sources of_a(history, places, ancestor, a.state);
    const Sources of_b(history, places, ancestor, b.state);
    std::unordered_map<std::uint32_t, std::vector<NodeId>>
        stands_for;  // by node of the ancestor: nodes of `b`
    Correspondence result;
    for (const Placed& placed : b.places.all()) {
        const NodeId id = placed.node->id;
        result.backward[id];
        for (const NodeId source : of_b.of(id)) stands_for[source.value].push_back(id);
    }
    for (const Placed& placed : a.places.all()) {
        const NodeId id = placed.node->id;
        std::vector<NodeId> others;
        for (const NodeId source : of_a.of(id))
            if (const auto found = stands_for.find(source.value); found != stands_for.end())
                others.insert(others.end(), found->second.begin(), found->second.end());
        sort_unique(others);
        for (const NodeId other : others) result.backward[other].push_back(id);
        result.forward[id] = std::move(others);
    }
    for (auto& [id, others] : result.backward) std::sort(others.begin(), others.end());
    return result;
}

// Compares two states whose correspondence is known.
class Comparison {
public:
    Comparison(const History& history, StateId a, StateId b)
        : before_(history.state(a)),
          after_(history.state(b)),
          pairs_(paired(history, {a, before_}, {b, after_})) {}

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
        for (const Placed& placed : places.all())
            if (!inner_port(placed)) ids.push_back(placed.node->id);
        return ids;
    }

    // Of most nodes: the one that stands for them and for nothing else.
    std::optional<NodeId> only_counterpart(NodeId id) const {
        const std::vector<NodeId>& there = pairs_.forward.at(id);
        if (there.size() != 1 || pairs_.backward.at(there.front()).size() != 1) return {};
        return inner_port(after_.at(there.front())) ? std::nullopt : std::optional(there.front());
    }

    // Everything that hangs together with `id` by lineage.
    Difference group_of(NodeId id) const {
        if (const std::optional<NodeId> only = only_counterpart(id))
            return {Difference::Kind::Changed, {id}, {*only}};
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

    Places before_, after_;
    Correspondence pairs_;
};

}  // namespace

Correspondence correspond(const History& history, StateId a, StateId b) {
    return paired(history, {a, Places(history.state(a))}, {b, Places(history.state(b))});
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
