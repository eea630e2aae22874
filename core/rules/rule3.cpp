// Rule 3, Fuse Map with Reduction (Blockbuster section 3.1).
#include "core/rules/edit.h"
#include "core/rules/table.h"
#include "core/rules/why.h"

namespace blockscope {

namespace {

bool applies(const Level& level, const Node& producer, const Node& reduction, Why& why) {
    const auto refuse = [&](const std::string& what) {
        return fail(why, {producer.id, reduction.id}, [&] { return what; });
    };
    const auto name = [&](const Node& node) {
        return why.wanted ? describe(node, level.dims) : std::string();
    };
    const Map* map = producer.as<Map>();
    const Reduce* reduce = reduction.as<Reduce>();
    if (!reduce) return fail(why, {reduction.id}, [&] { return name(reduction) + " is not a reduction"; });
    if (!map) return fail(why, {producer.id}, [&] { return name(producer) + " is not a map"; });
    const ValueRef& ref = reduction.inputs[0];
    if (ref.node != producer.id)
        return refuse(name(reduction) + " does not reduce a result of " + name(producer));
    if (ref.first > 0 || map->outputs[ref.port].mode != PortOut::Collected || map->dim != reduce->dim)
        return refuse(name(reduction) + " does not reduce over the iterations of " + name(producer));
    if (producer.outputs[ref.port].rank() != 1)
        return refuse("each iteration of " + name(producer) +
                      " makes a list, which cannot be accumulated in local memory");
    if (level.index.uses_of(level.index.position(producer.id), ref.port).size() != 1)
        return refuse("something else than " + name(reduction) + " also uses the list that " +
                      name(producer) + " makes");
    return true;
}

void matches_at(const Level& level, int position, std::vector<Match>& matches) {
    const Node& reduction = level.index.node(position);
    if (!reduction.is<Reduce>()) return;
    const Node& producer = *level.index.find(reduction.inputs[0].node);
    Why why;
    if (!applies(level, producer, reduction, why)) return;
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
        edit.redirect({producer.id, at}, {fused.id, at});
    }
    edit.redirect({reduction.id}, {fused.id, port});
    edit.remove(reduction.id);
    edit.made(fused.id, {producer.id, reduction.id});
    edit.replace(producer.id, std::move(fused));
    return edit.finish();
}

std::string explain(const Level& level, const Match& match) {
    return "Fuses " + describe(*level.index.find(match.role("map")), level.dims) + " with " +
           describe(*level.index.find(match.role("reduction")), level.dims) +
           ": each result is accumulated as it comes instead of being stored in a list first.";
}

std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    const Selection selection = select(level, nodes, 2, 2, "a map and the reduction of its result");
    if (selection.refusal) return selection.refusal;
    Why why{true, {}};
    if (applies(level, level.index.node(selection.positions[0]), level.index.node(selection.positions[1]),
                why))
        return std::nullopt;
    return why.refusal;
}

}  // namespace

Rule rule_3() {
    return {{3, 0},
            "Fuse Map with Reduction",
            "a map and the reduction of its list become one serial loop with an accumulator",
            "A list collected by a map over X has the reduction over X as its only consumer, and its "
            "elements are single items.",
            "The reduction is associative and commutative, so it can take each element as soon as the map "
            "has made it.",
            "Removes the buffered edge between map and reduction; the list is never materialised.",
            "3.1, Rule 3",
            true,
            matches_at,
            apply,
            explain,
            diagnose};
}

}  // namespace blockscope
