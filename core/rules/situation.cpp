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

bool has_situation(const Level& level, char variant, const Node& v, const Node& u, Why& why) {
    const Map* outer = u.as<Map>();
    if (!v.is<Map>() || !outer || u.id == v.id)
        return fail(why, {u.id}, [&] { return describe(u, level.dims) + " is not another map"; });
    const std::vector<ValueRef> values = values_of_inner_maps(v, *outer);
    if (std::any_of(values.begin(), values.end(),
                    [&](const ValueRef& value) { return is_case(level, variant, u, value); }))
        return true;
    return fail(why, {v.id, u.id}, [&] {
        return "no " + level.dims.at(outer->dim.value).name + "-map directly inside " +
               describe(v, level.dims) + " iterates over the" + (variant == 'a' ? "" : " same") +
               missing(variant) + describe(u, level.dims);
    });
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
    for (const int u : candidates)
        if (u != v && has_situation(level, variant, node, level.index.node(u), why)) found.push_back(u);
    return found;
}

std::string situation_text(char variant) {
    if (variant == 'a') return "its inner map iterates over what the outer map makes";
    if (variant == 'b') return "its inner map and the outer map iterate over the same input";
    return "its inner map and the outer map iterate over the same value";
}

}  // namespace blockscope
