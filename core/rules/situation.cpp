#include "core/rules/situation.h"

#include <algorithm>

#include "core/rules/merge.h"

namespace blockscope {

namespace {

// One inner map of V over the dimension of U that iterates over a value that V takes whole: that value.
std::vector<ValueRef> values_of_inner_maps(const Node& v, const Map& u) {
    std::vector<ValueRef> values;
    const Map& map = *v.as<Map>();
    std::vector<std::pair<NodeId, ValueRef>> whole;  // inner port -> outer value
    const std::vector<NodePtr> ports = map.body->inputs();
    std::size_t port = 0;
    for (std::size_t i = 0; i < v.inputs.size(); ++i) {
        if (map.inputs[i].mode == PortIn::Continued) continue;
        if (map.inputs[i].mode == PortIn::Broadcast) whole.emplace_back(ports[port]->id, v.inputs[i]);
        ++port;
    }
    for (const NodePtr& inner : map.body->nodes()) {
        const Map* y = inner->as<Map>();
        if (!y || !same_range(*y, u)) continue;
        for (std::size_t i = 0; i < inner->inputs.size(); ++i) {
            if (y->inputs[i].mode != PortIn::Iterated || inner->inputs[i].first > 0) continue;
            for (const auto& [id, value] : whole)
                if (id == inner->inputs[i].node) values.push_back(value);
        }
    }
    return values;
}

bool iterates_over(const Node& map, const ValueRef& value) {
    for (std::size_t i = 0; i < map.inputs.size(); ++i)
        if (map.inputs[i] == value && map.as<Map>()->inputs[i].mode == PortIn::Iterated) return true;
    return false;
}

bool is_case(const Level& level, char variant, const Node& u, const ValueRef& value) {
    if (variant == 'a')
        return value.node == u.id && value.first == 0 &&
               u.as<Map>()->outputs[value.port].mode == PortOut::Collected;
    if (value.node == u.id || !iterates_over(u, value)) return false;
    return level.index.find(value.node)->is<Input>() == (variant == 'b');
}

const char* missing(char variant) {
    if (variant == 'a') return " whole result of ";
    return variant == 'b' ? " graph input as " : " intermediate value as ";
}

}  // namespace

bool has_situation(const Level& level, char variant, int v, int u, Why& why) {
    const Node& inner = level.index.node(v);
    const Node& outer = level.index.node(u);
    const auto name = [&](const Node& node) { return describe(node, level.dims); };
    const Map* map = outer.as<Map>();
    if (!map || u == v) return fail(why, {outer.id}, [&] { return name(outer) + " is not another map"; });
    const std::vector<ValueRef> values = values_of_inner_maps(inner, *map);
    const auto fits = [&](const ValueRef& value) { return is_case(level, variant, outer, value); };
    if (std::none_of(values.begin(), values.end(), fits))
        return fail(why, {inner.id, outer.id}, [&] {
            return "no " + level.dims.at(map->dim.value).name + "-map directly inside " + name(inner) +
                   " iterates over the" + (variant == 'a' ? "" : " same") + missing(variant) + name(outer);
        });
    if (level.index.reaches(v, u))
        return fail(why, {outer.id}, [&] { return name(outer) + " needs the result of " + name(inner); });
    return true;
}

std::vector<int> outer_maps(const Level& level, char variant, int v) {
    std::vector<int> candidates;
    const Node& node = level.index.node(v);
    for (const ValueRef& ref : node.inputs) {
        const int producer = level.index.position(ref.node);
        if (variant == 'a') {
            candidates.push_back(producer);
            continue;
        }
        for (const GraphIndex::Use& use : level.index.uses(producer)) candidates.push_back(use.node);
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    std::vector<int> found;
    Why why;
    for (const int u : candidates) {
        level.stop.check();
        if (u != v && has_situation(level, variant, v, u, why)) found.push_back(u);
    }
    return found;
}

std::optional<Refusal> diagnose_situation(const Level& level, char variant, const std::vector<NodeId>& nodes,
                                          const std::string& needs, bool (*fits)(const Level&, int, Why&)) {
    Selection selection = select(level, nodes, 1, 2, needs);
    if (selection.refusal) return selection.refusal;
    std::vector<int>& selected = selection.positions;
    std::reverse(selected.begin(), selected.end());  // V is usually the later one: its reason counts
    std::optional<Refusal> reason;
    for (const int v : selected) {
        Why why{true, {}};
        if (fits(level, v, why)) {
            const Node& node = level.index.node(v);
            if (selected.size() == 1 && !outer_maps(level, variant, v).empty()) return std::nullopt;
            if (selected.size() == 1)
                return Refusal{"no other map could fuse with a map inside " + describe(node, level.dims),
                               {node.id}};
            if (has_situation(level, variant, v, selected[0] == v ? selected[1] : selected[0], why))
                return std::nullopt;
        }
        if (!reason) reason = why.refusal;
    }
    return reason;
}

std::string situation_text(char variant) {
    if (variant == 'a') return "its inner map iterates over what the outer map makes";
    if (variant == 'b') return "its inner map and the outer map iterate over the same input";
    return "its inner map and the outer map iterate over the same value";
}

}  // namespace blockscope
