// Rule 12, an addition to the paper: a scale passes a cast.
//   cast(a * c) = cast(a) * c up to rounding
//
// Exact arithmetic has no rounding, so the rule is proven like all others; in a narrow type the result
// differs in its last bits, because other numbers are rounded. The algorithm applies it only if it is asked
// to. A step puts one scale behind one cast and no rule puts it back, so that a run ends.
#include "core/rules/conditions.h"
#include "core/rules/edit.h"
#include "core/rules/examples.h"
#include "core/rules/patterns.h"
#include "core/rules/rule.h"

namespace blockscope {

namespace rule12 {

namespace {

bool is_scale(const Level& level, const Node& node, MappedScale& found, Diagnosis& diagnosis) {
    Diagnosis quiet;
    if (is_mapped_with_vector(node, FunctionalOp::ColScale, level, found, quiet)) return true;
    return is_mapped_with_vector(node, FunctionalOp::RowScale, level, found, diagnosis);
}

bool applies(const Level& level, const Node& scale, const Node& cast, Diagnosis& diagnosis) {
    MappedScale found;
    if (!is_scale(level, scale, found, diagnosis) || !is_mapped_cast(cast, level, diagnosis)) return false;
    const auto refuse = [&](TextTemplate<2> sentence) {
        return fail(diagnosis, {scale.id, cast.id},
                    [&] { return Text(sentence, describe(cast, level.dims), describe(scale, level.dims)); });
    };
    if (cast.inputs[0] != ValueRef{scale.id})
        return refuse(TextTemplate<2>("%1 does not cast the result of %2"));
    if (level.index.uses(level.index.position(scale.id)).size() != 1)
        return refuse(TextTemplate<2>("others than %1 also use the result of %2"));
    return true;
}

void matches_at(const Level& level, int position, std::vector<Match>& matches) {
    const Node& scale = level.index.node(position);
    if (!scale.is<Map>() || level.index.uses(position).size() != 1) return;
    const Node& cast = level.index.node(level.index.uses(position).begin()->node);
    Diagnosis diagnosis;
    if (!applies(level, scale, cast, diagnosis)) return;
    matches.push_back({{12, 0}, {}, {{"scale", scale.id}, {"cast", cast.id}}, scale.as<Map>()->dim});
}

Rewrite apply(const Level& level, const Match& match, IdSource& ids) {
    const Node& scale = *level.index.find(match.role("scale"));
    const Node& cast = *level.index.find(match.role("cast"));
    MappedScale scaled;
    Diagnosis diagnosis;
    is_scale(level, scale, scaled, diagnosis);
    const Functional& op = *only_operator(*scale.as<Map>())->as<Functional>();
    const MapOperand blocks{{cast.id}, PortIn::Iterated, cast.outputs[0]};
    Node after =
        map_of(op.op, scale.as<Map>()->dim, {blocks, operand(level, scale, scaled.c_port)}, level.dims, ids);
    LevelEdit edit(level);
    edit.redirect({cast.id}, {after.id});
    edit.rewire(cast.id, 0, scaled.a);
    edit.remove(scale.id);
    edit.made(after.id, {scale.id});
    edit.insert_after(cast.id, std::move(after));
    return edit.finish();
}

Text explain(const Level& level, const Match& match) {
    return Text(
        "Casts first and scales the narrower numbers: swaps %1 and %2. Rounding changes: the result is equal "
        "in exact arithmetic, not bit-identical.",
        describe(*level.index.find(match.role("scale")), level.dims),
        describe(*level.index.find(match.role("cast")), level.dims));
}

std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    return diagnose_pair(
        level, nodes, Text("a map of row_scale or col_scale and the map that casts its result"),
        [&](int first, int second, Diagnosis& diagnosis) {
            return applies(level, level.index.node(first), level.index.node(second), diagnosis);
        });
}

void draw(Sketch& s) {
    const ValueRef a = s.input("A", Sketch::list({Sketch::K}, Item::block(Sketch::M, Sketch::K)));
    const ValueRef c = s.input("c", Sketch::list({}, Item::vector(Sketch::M)));
    const ValueRef scaled = s.map_of(s.top(), Sketch::K, {each(a), whole(c)}, FunctionalOp::RowScale);
    const auto cast = [](Builder& b, const std::vector<ValueRef>& in) {
        return b.cast(ElemType::E4M3, in[0]);
    };
    s.output("O", s.map(s.top(), Sketch::K, {each(scaled)}, cast));
}

}  // namespace

}  // namespace rule12

Rule rule_12() {
    return {.id = {12, 0},
            .name = Text("Swap Scale/Cast"),
            .short_name = Text("move scale past cast"),
            .because = Text("cast(a c) = cast(a) c in exact arithmetic"),
            .summary = Text("scaling before a cast becomes scaling after it; rounding changes"),
            .condition = Text(
                "A map of row_scale or col_scale has a map of a cast as its only consumer. A shift does not "
                "pass: rounding errors relative to the unshifted numbers can be far larger."),
            .reason =
                Text("cast(a c) = cast(a) c in exact arithmetic. In a narrow type other numbers are rounded, "
                     "with the same relative error: the result is not bit-identical."),
            .use = Text(
                "Brings the scale next to the matrix multiplication that reads the cast, where rule 4 moves "
                "it on: attention whose weights are cast to fp8 becomes one kernel. FlashAttention-3 "
                "normalises after the product in this way."),
            .section = Text("not in the paper; an addition to rule 4"),
            .origin = RuleOrigin::Addition,
            .rounds = true,
            .in_fuse = false,
            .priority = 1,
            .matches_at = rule12::matches_at,
            .apply = rule12::apply,
            .explain = rule12::explain,
            .done = [](const Told& told) { return Text("%1 comes after %2 now", told.first, told.second); },
            .diagnose = rule12::diagnose,
            .draw = rule12::draw};
}

}  // namespace blockscope
