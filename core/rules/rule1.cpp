// Rule 1, Fuse Consecutive Maps (Blockbuster section 3.1).
#include <algorithm>

#include "core/rules/conditions.h"
#include "core/rules/edit.h"
#include "core/rules/examples.h"
#include "core/rules/rule.h"

namespace blockscope {

namespace rule1 {

namespace {

bool applies(const Level& level, int from, int to, Why& why) {
    const Node& producer = level.index.node(from);
    const Node& consumer = level.index.node(to);
    const Map* u = producer.as<Map>();
    const Map* v = consumer.as<Map>();
    const auto refuse = [&](TextTemplate<2> sentence, const Node& first, const Node& second) {
        return fail(why, {producer.id, consumer.id}, [&] {
            return Text(sentence, describe(first, level.dims), describe(second, level.dims));
        });
    };
    if (!u || !v)
        return fail(why, {u ? consumer.id : producer.id},
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
    for (const ValueRef& ref : consumer.inputs) producers.push_back(level.index.position(ref.node));
    std::sort(producers.begin(), producers.end(), [&](int a, int b) { return level.index.before(b, a); });
    producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
    Why why;
    for (const int from : producers) {
        level.stop.check();
        if (!applies(level, from, position, why)) continue;
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

Text explain(const Level& level, const Match& match) {
    return Text(
        "Fuses %1 with its consumer %2: each iteration hands its result on in local memory instead of "
        "through a list in global memory.",
        describe(*level.index.find(match.role("producer")), level.dims),
        describe(*level.index.find(match.role("consumer")), level.dims));
}

std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    const Selection selection = select(level, nodes, 2, 2, Text("two maps, a producer and its consumer"));
    if (selection.refusal) return selection.refusal;
    Why why{true, {}};
    if (applies(level, selection.positions[0], selection.positions[1], why)) return std::nullopt;
    return why.refusal;
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
        .summary = Text("two maps over one dimension, one feeding the other, become one map"),
        .condition = Text("U and V are maps over the same dimension; every edge from U to V carries a list "
                          "that U collects and V iterates over; no indirect path leads from U to V."),
        .reason = Text("Iteration i of V reads only what iteration i of U made, so the two iterations can "
                       "run one after the other on the same processor."),
        .use = Text("Removes the buffered edges between the two maps: the list between them is never "
                    "materialised in global memory."),
        .section = Text("3.1, Rule 1"),
        .in_fuse = true,
        .priority = 7,
        .matches_at = rule1::matches_at,
        .apply = rule1::apply,
        .explain = rule1::explain,
        .diagnose = rule1::diagnose,
        .draw = rule1::draw};
}

}  // namespace blockscope
