// Rules 1 and 2: two loops become one (Blockbuster section 3.1).
#include <algorithm>

#include "core/rules/conditions.h"
#include "core/rules/edit.h"
#include "core/rules/examples.h"
#include "core/rules/rule.h"

namespace blockscope {

namespace {

Text loops_are_one(const Told& told) {
    return Text("The loops over %1 for %2 and %3 are one now", told.dim, told.first_result,
                told.second_result);
}

}  // namespace

// Rule 1, Fuse Consecutive Maps.

namespace rule1 {

namespace {

bool applies(const Level& level, int from, int to, Diagnosis& diagnosis) {
    const Node& producer = level.index.node(from);
    const Node& consumer = level.index.node(to);
    const Map* u = producer.as<Map>();
    const Map* v = consumer.as<Map>();
    const auto refuse = [&](TextTemplate<2> sentence, const Node& first, const Node& second) {
        return fail(diagnosis, {producer.id, consumer.id}, [&] {
            return Text(sentence, describe(first, level.dims), describe(second, level.dims));
        });
    };
    if (!u || !v)
        return fail(diagnosis, {u ? consumer.id : producer.id},
                    [&] { return Text("%1 is not a map", describe(u ? consumer : producer, level.dims)); });
    if (!same_range(*u, *v))
        return refuse(u->dim == v->dim ? TextTemplate<2>("%1 and %2 do not start at the same iteration")
                                       : TextTemplate<2>("%1 and %2 run over different dimensions"),
                      producer, consumer);
    bool edge = false;
    for (std::size_t i = 0; i < consumer.inputs.size(); ++i) {
        const ValueRef& ref = consumer.inputs[i];
        if (ref.node != producer.id) continue;
        edge = true;
        if (u->outputs[ref.port].mode != PortOut::Collected)
            return refuse(TextTemplate<2>("%1 needs the finished sum of all iterations of %2"), consumer,
                          producer);
        if (v->inputs[i].mode != PortIn::Iterated || ref.first > 0)
            return refuse(TextTemplate<2>("%1 needs the whole list that %2 makes in every iteration"),
                          consumer, producer);
    }
    if (!edge) return refuse(TextTemplate<2>("no edge leads from %1 to %2"), producer, consumer);
    if (level.index.indirect_path(from, to))
        return refuse(TextTemplate<2>("an indirect path leads from %1 to %2: fusing them would make a cycle"),
                      producer, consumer);
    return true;
}

void matches_at(const Level& level, int position, std::vector<Match>& matches) {
    const Node& consumer = level.index.node(position);
    if (!consumer.is<Map>()) return;
    // The latest producer first: what merges later goes in front, so operators keep their order.
    std::vector<int> producers;
    for (const ValueRef& ref : consumer.inputs)
        if (const int from = level.index.position(ref.node); level.index.node(from).is<Map>())
            producers.push_back(from);
    std::sort(producers.begin(), producers.end(), [&](int a, int b) { return level.index.before(b, a); });
    producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
    Diagnosis diagnosis;
    for (const int from : producers) {
        level.stop.check();
        if (!applies(level, from, position, diagnosis)) continue;
        matches.push_back({{1, 0},
                           {},
                           {{"producer", level.index.node(from).id}, {"consumer", consumer.id}},
                           consumer.as<Map>()->dim});
    }
}

Rewrite apply(const Level& level, const Match& match, IdSource& ids) {
    return merge_maps(level, *level.index.find(match.role("producer")),
                      *level.index.find(match.role("consumer")), ids);
}

// What an iteration of the producer hands on: an item stays in local memory, a list goes through global
// memory until the loops inside are fused, too.
Text explain(const Level& level, const Match& match) {
    const Node& producer = *level.index.find(match.role("producer"));
    const Node& consumer = *level.index.find(match.role("consumer"));
    bool items = false, lists = false, others = false;
    for (const ValueRef& ref : consumer.inputs) {
        if (ref.node != producer.id) continue;
        (producer.outputs[ref.port].rank() > 1 ? lists : items) = true;
        for (const GraphIndex::Use& use : level.index.uses_of(level.index.position(producer.id), ref.port))
            others = others || level.index.node(use.node).id != consumer.id;
    }
    const Text first = describe(producer, level.dims), second = describe(consumer, level.dims);
    if (!lists && others)
        return Text(
            "Fuses %1 with its consumer %2: each iteration hands its result on in local memory. The list of "
            "results is still stored, as others read it.",
            first, second);
    if (!lists)
        return Text(
            "Fuses %1 with its consumer %2: each iteration hands its result on in local memory instead of "
            "through a list in global memory.",
            first, second);
    if (items)
        return Text(
            "Fuses %1 with its consumer %2: of what an iteration hands on, items stay in local memory, and "
            "lists still go through global memory.",
            first, second);
    return Text(
        "Fuses %1 with its consumer %2: both run in one loop. What an iteration hands on is a list, which "
        "still goes through global memory.",
        first, second);
}

std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    return diagnose_pair(level, nodes, Text("two maps, a producer and its consumer"),
                         [&](int first, int second, Diagnosis& diagnosis) {
                             return applies(level, first, second, diagnosis);
                         });
}

// The left side of the rule's picture.
void draw(Sketch& s) {
    const ValueRef x = s.input("A", Sketch::list({Sketch::M}, Item::vector(Sketch::M)));
    const ValueRef u = s.map_of(s.top(), Sketch::M, {each(x)}, Sketch::exponential());
    s.output("O", s.map_of(s.top(), Sketch::M, {each(u)}, Sketch::inverse()));
}

}  // namespace

}  // namespace rule1

Rule rule_1() {
    return {
        .id = {1, 0},
        .name = Text("Fuse Consecutive Maps"),
        .short_name = Text("fuse loops"),
        .because = Text("each iteration needs only its counterpart"),
        .summary = Text("two maps over one dimension, one feeding the other, become one map"),
        .condition = Text("U and V are maps over the same dimension; every edge from U to V carries a list "
                          "that U collects and V iterates over; no indirect path leads from U to V."),
        .reason = Text("Iteration i of V reads only what iteration i of U made, so the two iterations can "
                       "run one after the other on the same processor."),
        .use = Text("Where an iteration hands on an item, the list of them is never materialised in global "
                    "memory. Where it hands on a list, the loops inside can be fused next."),
        .section = Text("3.1, Rule 1"),
        .in_fuse = true,
        .priority = 7,
        .matches_at = rule1::matches_at,
        .apply = rule1::apply,
        .explain = rule1::explain,
        .done = loops_are_one,
        .diagnose = rule1::diagnose,
        .draw = rule1::draw};
}

// Rule 2, Fuse Sibling Maps.

namespace rule2 {

namespace {

bool share_parent(const Node& a, const Node& b) {
    return std::any_of(a.inputs.begin(), a.inputs.end(), [&](const ValueRef& x) {
        return std::any_of(b.inputs.begin(), b.inputs.end(),
                           [&](const ValueRef& y) { return x.same_value(y); });
    });
}

bool applies(const Level& level, int first, int second, Diagnosis& diagnosis) {
    const Node& a = level.index.node(first);
    const Node& b = level.index.node(second);
    const auto refuse = [&](TextTemplate<2> sentence) {
        return fail(diagnosis, {a.id, b.id},
                    [&] { return Text(sentence, describe(a, level.dims), describe(b, level.dims)); });
    };
    const Map* u = a.as<Map>();
    const Map* v = b.as<Map>();
    if (!u || !v) return refuse(TextTemplate<2>("%1 and %2 are not both maps"));
    if (!same_range(*u, *v))
        return refuse(u->dim == v->dim ? TextTemplate<2>("%1 and %2 do not start at the same iteration")
                                       : TextTemplate<2>("%1 and %2 run over different dimensions"));
    if (!share_parent(a, b))
        return refuse(TextTemplate<2>("%1 and %2 have no common parent: no value is an input of both"));
    if (level.index.reaches(first, second))
        return refuse(TextTemplate<2>("%1 and %2 are not siblings: the second needs a result of the first"));
    return true;
}

void matches_at(const Level& level, int position, std::vector<Match>& matches) {
    const Node& second = level.index.node(position);
    const Map* map = second.as<Map>();
    if (!map) return;
    std::vector<int> candidates;
    for (const ValueRef& ref : second.inputs)
        for (const GraphIndex::Use& use : level.index.uses(level.index.position(ref.node)))
            if (level.index.before(use.node, position) && level.index.node(use.node).is<Map>())
                candidates.push_back(use.node);
    std::sort(candidates.begin(), candidates.end(), [&](int a, int b) { return level.index.before(a, b); });
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    Diagnosis diagnosis;
    for (const int first : candidates) {
        level.stop.check();
        if (!applies(level, first, position, diagnosis)) continue;
        matches.push_back(
            {{2, 0}, {}, {{"first", level.index.node(first).id}, {"second", second.id}}, map->dim});
    }
}

Rewrite apply(const Level& level, const Match& match, IdSource& ids) {
    return merge_maps(level, *level.index.find(match.role("first")), *level.index.find(match.role("second")),
                      ids);
}

// Whether iterations of both maps take the same item of something that both read: it is then loaded once.
// Lists are read by loops inside, each for itself.
bool shares_items(const Level& level, const Node& a, const Node& b) {
    const auto takes_item = [&](const Node& node, std::size_t input) {
        const int taken = node.as<Map>()->inputs[input].mode == PortIn::Iterated ? 1 : 0;
        return edge_type(*level.index.find(node.inputs[input].node), node.inputs[input]).rank() == taken;
    };
    for (std::size_t i = 0; i < a.inputs.size(); ++i)
        for (std::size_t j = 0; j < b.inputs.size(); ++j)
            if (a.inputs[i].same_value(b.inputs[j]) && takes_item(a, i) && takes_item(b, j)) return true;
    return false;
}

Text explain(const Level& level, const Match& match) {
    const Node& first = *level.index.find(match.role("first"));
    const Node& second = *level.index.find(match.role("second"));
    return shares_items(level, first, second)
               ? Text("Fuses the siblings %1 and %2: what both read is read once.",
                      describe(first, level.dims), describe(second, level.dims))
               : Text(
                     "Fuses the siblings %1 and %2 into one loop. What both read are lists, which loops "
                     "inside still read one by one.",
                     describe(first, level.dims), describe(second, level.dims));
}

std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    return diagnose_pair(level, nodes, Text("two maps with a common parent"),
                         [&](int first, int second, Diagnosis& diagnosis) {
                             return applies(level, first, second, diagnosis);
                         });
}

// The left side of the rule's picture.
void draw(Sketch& s) {
    const ValueRef x = s.input("A", Sketch::list({Sketch::M}, Item::vector(Sketch::M)));
    const ValueRef u = s.map_of(s.top(), Sketch::M, {each(x)}, Sketch::exponential());
    const ValueRef v = s.map_of(s.top(), Sketch::M, {each(x)}, Sketch::inverse());
    s.output("O", u);
    s.output("P", v);
}

}  // namespace

}  // namespace rule2

Rule rule_2() {
    return {.id = {2, 0},
            .name = Text("Fuse Sibling Maps"),
            .short_name = Text("fuse siblings"),
            .because = Text("neither needs the other"),
            .summary = Text("two maps over one dimension that read a common value become one map"),
            .condition = Text("U and V are maps over the same dimension with a common parent value; neither "
                              "is reachable from the other."),
            .reason = Text("The iterations of a map are independent, and neither map waits for the other, so "
                           "iteration i of both can run together."),
            .use = Text("Reads a shared item once instead of twice: one buffered edge less. Where a list is "
                        "shared, the loops inside can be fused next."),
            .section = Text("3.1, Rule 2"),
            .in_fuse = true,
            .priority = 8,
            .matches_at = rule2::matches_at,
            .apply = rule2::apply,
            .explain = rule2::explain,
            .done = loops_are_one,
            .diagnose = rule2::diagnose,
            .draw = rule2::draw};
}

}  // namespace blockscope
