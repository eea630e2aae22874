// Rule 7, Peel Off First Iteration, variants (a) (b) (c) (Blockbuster section 3.2): the same
// situations as rule 6, without replicated work. The iteration x = 0 of the map stands beside the
// rest, x = 1 : X, as nodes of the outer graph.
#include <map>

#include "core/rules/edit.h"
#include "core/rules/examples.h"
#include "core/rules/patterns.h"
#include "core/rules/rule.h"

namespace blockscope {

namespace rule7 {

namespace {

bool can_peel(const Level& level, int position, Why& why) {
    const Node& v = level.index.node(position);
    const auto refuse = [&](TextTemplate<1> sentence) {
        return fail(why, {v.id}, [&] { return Text(sentence, describe(v, level.dims)); });
    };
    const Map* map = v.as<Map>();
    if (!map) return refuse(TextTemplate<1>("%1 is not a map"));
    if (map->start != 0) return refuse(TextTemplate<1>("%1 has been peeled already"));
    for (const MapOutput& output : map->outputs)
        if (output.mode == PortOut::Carried)
            return refuse(TextTemplate<1>("%1 carries values from one iteration to the next"));
    return true;
}

template <char Variant>
void matches_at(const Level& level, int position, std::vector<Match>& matches) {
    Why why;
    const Node& v = level.index.node(position);
    if (!v.is<Map>() || !can_peel(level, position, why)) return;
    for (const int u : outer_maps(level, Variant, position))
        matches.push_back(
            {{7, Variant}, {}, {{"peeled", v.id}, {"outer", level.index.node(u).id}}, v.as<Map>()->dim});
}

// What stands in the outer graph for the nodes of the inner graph at x = 0.
struct Copies {
    std::map<NodeId, ValueRef> ports;  // of input ports: the outer value, element 0 if iterated over
    std::map<NodeId, NodeId> nodes;    // of other nodes: their copies
};

ValueRef stands_for(const ValueRef& ref, const Copies& copies) {
    const auto port = copies.ports.find(ref.node);
    if (port != copies.ports.end()) return through(port->second, ref);
    ValueRef copy = ref;
    copy.node = copies.nodes.at(ref.node);
    return copy;
}

// Copies the inner graph for x = 0 in front of the map; returns what its output ports get.
std::vector<ValueRef> first_iteration(const Node& v, LevelEdit& edit, IdSource& ids) {
    const Map& map = *v.as<Map>();
    Copies copies;
    const std::vector<NodePtr> ports = map.body->inputs();
    for (std::size_t i = 0; i < ports.size(); ++i) {
        ValueRef outer = v.inputs[i];
        if (map.inputs[i].mode == PortIn::Iterated) ++outer.first;
        copies.ports[ports[i]->id] = outer;
    }
    std::vector<ValueRef> results;
    for (const NodePtr& node : map.body->nodes()) {
        if (node->is<Input>()) continue;
        Node copy = *node;
        for (ValueRef& ref : copy.inputs) ref = stands_for(ref, copies);
        if (node->is<Output>()) {
            results.push_back(copy.inputs[0]);
            continue;
        }
        copy.id = ids.fresh();
        std::vector<Lineage> inner;
        if (Map* nested = std::get_if<Map>(&copy.kind)) nested->body = copy_fresh(nested->body, ids, inner);
        edit.made(copy.id, {node->id});
        for (Lineage& lineage : inner) edit.made(lineage.made, std::move(lineage.from));
        copies.nodes[node->id] = copy.id;
        edit.insert_before(v.id, std::move(copy));
    }
    return results;
}

Rewrite apply(const Level& level, const Match& match, IdSource& ids) {
    const Node& v = *level.index.find(match.role("peeled"));
    LevelEdit edit(level);
    const std::vector<ValueRef> first = first_iteration(v, edit, ids);
    Node rest = v;
    rest.id = ids.fresh();
    Map& map = std::get<Map>(rest.kind);
    map.start = 1;
    for (std::size_t i = 0; i < first.size(); ++i) {
        rest.inputs.push_back(first[i]);
        map.inputs.push_back({PortIn::Continued, static_cast<int>(i)});
        const auto port = static_cast<std::uint16_t>(i);
        edit.redirect({v.id, port}, {rest.id, port});
    }
    edit.made(rest.id, {v.id});
    edit.replace(v.id, std::move(rest));
    return edit.finish();
}

Text explain(const Level& level, const Match& match) {
    const Node& v = *level.index.find(match.role("peeled"));
    return Text("Peels the first iteration off %1, so that it can fuse with %2 without repeating work: %3.",
                describe(v, level.dims), describe(*level.index.find(match.role("outer")), level.dims),
                situation_text(match.rule.variant));
}

template <char Variant>
std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    return diagnose_situation(level, Variant, nodes,
                              Text("the map to peel (and, if you like, the outer map)"), can_peel);
}

// The left side of the rule's picture.
template <char Variant>
void draw(Sketch& s) {
    s.situation(Variant);
}

}  // namespace

}  // namespace rule7

Rule rule_7(char variant) {
    Rule rule{
        .id = {7, variant},
        .name = Text("Peel Off First Iteration (%1)", std::string(1, variant)),
        .summary = Text("the first iteration of a map stands beside the rest: %1", situation_text(variant)),
        .condition = Text("V is a map over X that carries no values and has not been peeled; V's inner graph "
                          "has a Y-map, another Y-map U, which does not need V, stands outside, and %1.",
                          situation_text(variant)),
        .reason = Text("The iterations of a map are independent: the first can be computed by itself and the "
                       "others continue its list or sum."),
        .use = Text("Lets the outer map fuse with the peeled copy where rule 6 would replicate too much "
                    "work. Offered by hand; the algorithm does not use it."),
        .section = Text("3.2, Rule 7 (%1)", std::string(1, variant)),
        .in_fuse = false,
        .apply = rule7::apply,
        .explain = rule7::explain};
    rule.matches_at = variant == 'a'   ? rule7::matches_at<'a'>
                      : variant == 'b' ? rule7::matches_at<'b'>
                                       : rule7::matches_at<'c'>;
    rule.diagnose = variant == 'a'   ? rule7::diagnose<'a'>
                    : variant == 'b' ? rule7::diagnose<'b'>
                                     : rule7::diagnose<'c'>;
    rule.draw = variant == 'a' ? rule7::draw<'a'> : variant == 'b' ? rule7::draw<'b'> : rule7::draw<'c'>;
    return rule;
}

}  // namespace blockscope
