// Rules 6 and 7: a map takes its surroundings into its iterations, with work done again or without
// (Blockbuster section 3.2).
#include <algorithm>
#include <map>

#include "core/rules/edit.h"
#include "core/rules/examples.h"
#include "core/rules/patterns.h"
#include "core/rules/rule.h"
#include "core/support/result.h"

namespace blockscope {

// Rule 6, Extend Map to the Entire Graph, variants (a) (b) (c).

namespace rule6 {

namespace {

// The conditions on V alone.
bool can_extend(const Level& level, int position, Diagnosis& diagnosis) {
    const Node& v = level.index.node(position);
    const auto refuse = [&](NodeId culprit, TextTemplate<1> sentence) {
        return fail(diagnosis, {v.id, culprit}, [&] { return Text(sentence, describe(v, level.dims)); });
    };
    const Map* map = v.as<Map>();
    if (!map) return refuse(v.id, TextTemplate<1>("%1 is not a map"));
    if (map->start != 0) return refuse(v.id, TextTemplate<1>("%1 has been peeled"));
    for (const GraphIndex::Use& use : level.index.uses(position)) {
        const Node& consumer = level.index.node(use.node);
        if (!consumer.is<Output>())
            return refuse(
                consumer.id,
                TextTemplate<1>(
                    "%1 does not come last: something else than an output of the graph uses its result"));
    }
    const NodeList& nodes = level.index.graph().nodes();
    const auto makes = [&](const Node& output) { return output.inputs[0].node == v.id; };
    const auto output = nodes.first_of<Output>();
    if (!diagnosis.wanted && output && !makes(*nodes[*output])) return false;  // most maps
    std::vector<std::size_t> places = nodes.positions_of<Output>();
    const std::vector<std::size_t> miscellaneous = nodes.positions_of<Misc>();
    places.insert(places.end(), miscellaneous.begin(), miscellaneous.end());
    std::sort(places.begin(), places.end());
    for (const std::size_t place : places) {
        const Node& node = *nodes[place];
        if (node.is<Misc>())
            return refuse(node.id, TextTemplate<1>("%1 cannot take a miscellaneous operator in"));
        if (!makes(node))
            return refuse(node.id, TextTemplate<1>("%1 does not make every output of the graph"));
    }
    for (std::size_t i = 0; i < v.inputs.size(); ++i) {
        const Node& producer = *level.index.find(v.inputs[i].node);
        if (map->inputs[i].mode != PortIn::Iterated || producer.is<Input>()) continue;
        return refuse(
            producer.id,
            TextTemplate<1>("%1 iterates over a list that is made inside the graph, not over inputs only"));
    }
    return true;
}

template <char Variant>
void matches_at(const Level& level, int position, std::vector<Match>& matches) {
    Diagnosis diagnosis;
    const Node& v = level.index.node(position);
    if (!v.is<Map>() || !can_extend(level, position, diagnosis)) return;
    for (const int u : outer_maps(level, Variant, position))
        matches.push_back(
            {{6, Variant}, {}, {{"extended", v.id}, {"outer", level.index.node(u).id}}, v.as<Map>()->dim});
}

class Extension {
public:
    Extension(const Level& level, const Node& v, IdSource& ids)
        : level_(level), v_(v), map_(*v.as<Map>()), ids_(ids) {}

    Rewrite run() {
        Node extended;
        extended.id = ids_.fresh();
        take_ports();
        take_other_nodes();
        take_inner_nodes();
        extended.inputs = std::move(inputs_);
        extended.outputs = v_.outputs;
        Map map;
        map.dim = map_.dim;
        map.inputs = std::move(modes_);
        map.outputs = map_.outputs;
        map.body = body();
        extended.kind = std::move(map);

        Rewrite rewrite;
        rewrite.made.push_back({extended.id, {v_.id}});
        rewrite.removed = {v_.id};
        rewrite.graph = outside(std::move(extended));
        return rewrite;
    }

private:
    // V's own ports: those that take graph inputs stay; those that take other values are replaced by the
    // values.
    void take_ports() {
        const std::vector<NodePtr> ports = map_.body->inputs();
        std::size_t port = 0;
        for (std::size_t i = 0; i < v_.inputs.size(); ++i) {
            const NodePtr& inner = ports[port++];
            if (!level_.index.find(v_.inputs[i].node)->is<Input>()) {
                stand_ins_[inner->id] = v_.inputs[i];
                continue;
            }
            inputs_.push_back(v_.inputs[i]);
            modes_.push_back(map_.inputs[i]);
            ports_.push_back(inner);
            const bool whole = map_.inputs[i].mode == PortIn::Broadcast && v_.inputs[i].first == 0;
            if (whole) broadcast_.emplace(v_.inputs[i].node, inner->id);
        }
        for (; port < ports.size(); ++port) carried_.push_back(ports[port]);
    }

    NodeId broadcast(NodeId input) {
        const auto found = broadcast_.find(input);
        if (found != broadcast_.end()) return found->second;
        const Node& node = *level_.index.find(input);
        const NodeId id = ids_.fresh();
        ports_.push_back(std::make_shared<const Node>(Node{id, Input{}, {}, node.outputs}));
        inputs_.push_back({input});
        modes_.push_back({PortIn::Broadcast});
        broadcast_.emplace(input, id);
        return id;
    }

    // The stand-in may itself be a value of a graph input that only the inner graph sees now.
    ValueRef inside(const ValueRef& ref) {
        if (!level_.index.find(ref.node)->is<Input>()) return ref;
        ValueRef port = ref;
        port.node = broadcast(ref.node);
        return port;
    }

    void take_other_nodes() {
        for (const NodePtr& node : level_.index.graph().nodes()) {
            if (node->is<Input>() || node->is<Output>() || node->id == v_.id) continue;
            Node moved = *node;
            for (ValueRef& ref : moved.inputs.own()) ref = inside(ref);
            inside_.push_back(moved.inputs == node->inputs ? node
                                                           : std::make_shared<const Node>(std::move(moved)));
        }
    }

    void take_inner_nodes() {
        for (const NodePtr& node : map_.body->nodes()) {
            if (node->is<Input>()) continue;
            Node copy = *node;
            for (ValueRef& ref : copy.inputs.own()) {
                const auto stand_in = stand_ins_.find(ref.node);
                if (stand_in != stand_ins_.end()) ref = composed(stand_in->second, ref);
            }
            inside_.push_back(copy.inputs == node->inputs ? node
                                                          : std::make_shared<const Node>(std::move(copy)));
        }
    }

    GraphPtr body() {
        std::vector<NodePtr> nodes = std::move(ports_);
        nodes.insert(nodes.end(), carried_.begin(), carried_.end());
        nodes.insert(nodes.end(), inside_.begin(), inside_.end());
        return std::make_shared<const Graph>(std::move(nodes));
    }

    GraphPtr outside(Node extended) const {
        std::vector<NodePtr> nodes = level_.index.graph().inputs();
        const NodeId id = extended.id;
        nodes.push_back(std::make_shared<const Node>(std::move(extended)));
        for (const NodePtr& output : level_.index.graph().outputs()) {
            Node copy = *output;
            copy.inputs.own()[0].node = id;
            nodes.push_back(std::make_shared<const Node>(std::move(copy)));
        }
        return std::make_shared<const Graph>(std::move(nodes));
    }

    const Level& level_;
    const Node& v_;
    const Map& map_;
    IdSource& ids_;
    std::vector<ValueRef> inputs_;
    std::vector<MapInput> modes_;
    std::vector<NodePtr> ports_, carried_, inside_;
    std::map<NodeId, NodeId> broadcast_;    // graph input -> inner port that takes it whole
    std::map<NodeId, ValueRef> stand_ins_;  // inner port -> the value that now stands beside it
};

Rewrite apply(const Level& level, const Match& match, IdSource& ids) {
    return Extension(level, *level.index.find(match.role("extended")), ids).run();
}

Text explain(const Level& level, const Match& match) {
    return Text("Extends %1 to the entire graph, so that %2 runs inside it, once per iteration: %3.",
                describe(*level.index.find(match.role("extended")), level.dims),
                describe(*level.index.find(match.role("outer")), level.dims),
                inner_map_case_text(match.rule.variant));
}

template <char Variant>
std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    return diagnose_inner_map_case(level, Variant, nodes,
                                   Text("the map to extend (and, if you like, the outer map)"), can_extend);
}

// The left side of the rule's picture.
template <char Variant>
void draw(Sketch& s) {
    s.inner_map_case(Variant);
}

}  // namespace

}  // namespace rule6

Rule rule_6(char variant) {
    Rule rule{
        .id = {6, variant},
        .name = Text("Extend Map to the Entire Graph (%1)", std::string(1, variant)),
        .short_name = Text("extend loop"),
        .because = Text("computing it again gives the same"),
        .summary = Text("a map takes the whole graph into its iterations: %1", inner_map_case_text(variant)),
        .condition = Text("V is a map over X that makes every output of the graph and iterates over graph "
                          "inputs only; V's inner graph has a Y-map, another Y-map U stands outside, and %1.",
                          inner_map_case_text(variant)),
        .reason = Text("Everything that V needs is computed again in every iteration, from the same inputs, "
                       "with the same result."),
        .use = Text("Brings two Y-maps to the same level, where rule 1 or 2 can fuse them. It replicates "
                    "work: a snapshot is taken before."),
        .section = Text("3.2, Rule 6 (%1)", std::string(1, variant)),
        .in_fuse = true,
        .apply = rule6::apply,
        .explain = rule6::explain,
        .done = [](const Told& told) {
            return Text("The loop over %1 takes in all around it and repeats %2 each time", told.dim,
                        told.second_result);
        }};
    rule.matches_at = variant == 'a'   ? rule6::matches_at<'a'>
                      : variant == 'b' ? rule6::matches_at<'b'>
                                       : rule6::matches_at<'c'>;
    rule.diagnose = variant == 'a'   ? rule6::diagnose<'a'>
                    : variant == 'b' ? rule6::diagnose<'b'>
                                     : rule6::diagnose<'c'>;
    rule.draw = variant == 'a' ? rule6::draw<'a'> : variant == 'b' ? rule6::draw<'b'> : rule6::draw<'c'>;
    return rule;
}

// Rule 7, Peel Off First Iteration, variants (a) (b) (c): the same
// cases as rule 6, without replicated work. The iteration x = 0 of the map stands beside the
// rest, x = 1 : X, as nodes of the outer graph.

namespace rule7 {

namespace {

bool can_peel(const Level& level, int position, Diagnosis& diagnosis) {
    const Node& v = level.index.node(position);
    const auto refuse = [&](TextTemplate<1> sentence) {
        return fail(diagnosis, {v.id}, [&] { return Text(sentence, describe(v, level.dims)); });
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
    Diagnosis diagnosis;
    const Node& v = level.index.node(position);
    if (!v.is<Map>() || !can_peel(level, position, diagnosis)) return;
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
    if (port != copies.ports.end()) return composed(port->second, ref);
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
        for (ValueRef& ref : copy.inputs.own()) ref = stands_for(ref, copies);
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
                inner_map_case_text(match.rule.variant));
}

template <char Variant>
std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    return diagnose_inner_map_case(level, Variant, nodes,
                                   Text("the map to peel (and, if you like, the outer map)"), can_peel);
}

// The left side of the rule's picture.
template <char Variant>
void draw(Sketch& s) {
    s.inner_map_case(Variant);
}

}  // namespace

}  // namespace rule7

Rule rule_7(char variant) {
    Rule rule{
        .id = {7, variant},
        .name = Text("Peel Off First Iteration (%1)", std::string(1, variant)),
        .short_name = Text("peel iteration"),
        .because = Text("the iterations of a loop are independent"),
        .summary =
            Text("the first iteration of a map stands beside the rest: %1", inner_map_case_text(variant)),
        .condition = Text("V is a map over X that carries no values and has not been peeled; V's inner graph "
                          "has a Y-map, another Y-map U, which does not need V, stands outside, and %1.",
                          inner_map_case_text(variant)),
        .reason = Text("The iterations of a map are independent: the first can be computed by itself and the "
                       "others continue its list or sum."),
        .use = Text("Lets the outer map fuse with the peeled copy where rule 6 would replicate too much "
                    "work. Offered by hand; the algorithm does not use it."),
        .section = Text("3.2, Rule 7 (%1)", std::string(1, variant)),
        .in_fuse = false,
        .apply = rule7::apply,
        .explain = rule7::explain,
        .done = [](const Told& told) {
            return Text("The first iteration of the loop over %1 that computes %2 stands beside the others",
                        told.dim, told.first_result);
        }};
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
