// Rule 3, Fuse Map with Reduction (Blockbuster section 3.1).
#include "core/rules/conditions.h"
#include "core/rules/edit.h"
#include "core/rules/examples.h"
#include "core/rules/rule.h"

namespace blockscope {

namespace rule3 {

namespace {

bool applies(const Level& level, const Node& producer, const Node& reduction, Diagnosis& diagnosis) {
    const auto refuse = [&](TextTemplate<2> sentence, const Node& first, const Node& second) {
        return fail(diagnosis, {producer.id, reduction.id}, [&] {
            return Text(sentence, describe(first, level.dims), describe(second, level.dims));
        });
    };
    const auto name = [&](const Node& node) { return describe(node, level.dims); };
    const Map* map = producer.as<Map>();
    const Reduce* reduce = reduction.as<Reduce>();
    if (!reduce)
        return fail(diagnosis, {reduction.id},
                    [&] { return Text("%1 is not a reduction", name(reduction)); });
    if (!map) return fail(diagnosis, {producer.id}, [&] { return Text("%1 is not a map", name(producer)); });
    const ValueRef& ref = reduction.inputs[0];
    if (ref.node != producer.id)
        return refuse(TextTemplate<2>("%1 does not reduce a result of %2"), reduction, producer);
    if (ref.first > 0 || map->outputs[ref.port].mode != PortOut::Collected || map->dim != reduce->dim)
        return refuse(TextTemplate<2>("%1 does not reduce over the iterations of %2"), reduction, producer);
    if (producer.outputs[ref.port].rank() != 1)
        return fail(diagnosis, {producer.id, reduction.id}, [&] {
            return Text("each iteration of %1 makes a list, which cannot be accumulated in local memory",
                        name(producer));
        });
    if (level.index.uses_of(level.index.position(producer.id), ref.port).size() != 1)
        return refuse(TextTemplate<2>("something else than %1 also uses the list that %2 makes"), reduction,
                      producer);
    return true;
}

void matches_at(const Level& level, int position, std::vector<Match>& matches) {
    const Node& reduction = level.index.node(position);
    if (!reduction.is<Reduce>()) return;
    const Node& producer = *level.index.find(reduction.inputs[0].node);
    Diagnosis diagnosis;
    if (!applies(level, producer, reduction, diagnosis)) return;
    matches.push_back(
        {{3, 0}, {}, {{"map", producer.id}, {"reduction", reduction.id}}, reduction.as<Reduce>()->dim});
}

Rewrite apply(const Level& level, const Match& match, IdSource& ids) {
    const Node& producer = *level.index.find(match.role("map"));
    const Node& reduction = *level.index.find(match.role("reduction"));
    Node fused = producer;
    fused.id = ids.fresh();
    const std::uint16_t port = reduction.inputs[0].port;
    const bool sum = reduction.as<Reduce>()->op == ReduceOp::Sum;
    std::get<Map>(fused.kind).outputs[port].mode = sum ? PortOut::ReducedSum : PortOut::ReducedMax;
    fused.outputs[port] = fused.outputs[port].element();

    LevelEdit edit(level);
    for (std::size_t i = 0; i < producer.outputs.size(); ++i) {
        const auto at = static_cast<std::uint16_t>(i);
        if (at == port) continue;  // only the reduction read it
        edit.redirect({producer.id, at}, {fused.id, at});
    }
    edit.redirect({reduction.id}, {fused.id, port});
    edit.remove(reduction.id);
    edit.made(fused.id, {producer.id, reduction.id});
    edit.replace(producer.id, std::move(fused));
    return edit.finish();
}

Text explain(const Level& level, const Match& match) {
    return Text(
        "Fuses %1 with %2: each result is accumulated as it comes instead of being stored in a list first.",
        describe(*level.index.find(match.role("map")), level.dims),
        describe(*level.index.find(match.role("reduction")), level.dims));
}

std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    return diagnose_pair(level, nodes, Text("a map and the reduction of its result"),
                         [&](int first, int second, Diagnosis& diagnosis) {
                             return applies(level, level.index.node(first), level.index.node(second),
                                            diagnosis);
                         });
}

// The left side of the rule's picture.
void draw(Sketch& s) {
    const ValueRef x = s.input("A", Sketch::list({Sketch::N}, Item::block(Sketch::M, Sketch::N)));
    const ValueRef u = s.map_of(s.top(), Sketch::N, {each(x)}, FunctionalOp::RowSum);
    s.output("O", s.top().reduce(ReduceOp::Sum, Sketch::N, u));
}

}  // namespace

}  // namespace rule3

Rule rule_3() {
    return {
        .id = {3, 0},
        .name = Text("Fuse Map with Reduction"),
        .short_name = Text("fuse loop and sum"),
        .because = Text("a sum needs its terms one by one"),
        .summary = Text("a map and the reduction of its list become one serial loop with an accumulator"),
        .condition = Text("A list collected by a map over X has the reduction over X as its only consumer, "
                          "and its elements are single items."),
        .reason = Text("The reduction is associative and commutative, so it can take each element as soon as "
                       "the map has made it."),
        .use = Text("Removes the buffered edge between map and reduction; the list is never materialised."),
        .section = Text("3.1, Rule 3"),
        .in_fuse = true,
        .priority = 6,
        .matches_at = rule3::matches_at,
        .apply = rule3::apply,
        .explain = rule3::explain,
        .done =
            [](const Told& told) {
                return Text("The loop over %1 adds up %2 as it goes", told.dim, told.first_result);
            },
        .diagnose = rule3::diagnose,
        .draw = rule3::draw};
}

}  // namespace blockscope
