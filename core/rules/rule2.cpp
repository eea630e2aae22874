// Rule 2, Fuse Sibling Maps (Blockbuster section 3.1).
#include <algorithm>

#include "core/rules/conditions.h"
#include "core/rules/edit.h"
#include "core/rules/examples.h"
#include "core/rules/rule.h"

namespace blockscope {

namespace rule2 {

namespace {

bool share_parent(const Node& a, const Node& b) {
    return std::any_of(a.inputs.begin(), a.inputs.end(), [&](const ValueRef& x) {
        return std::any_of(b.inputs.begin(), b.inputs.end(),
                           [&](const ValueRef& y) { return x.same_value(y); });
    });
}

bool applies(const Level& level, int first, int second, Why& why) {
    const Node& a = level.index.node(first);
    const Node& b = level.index.node(second);
    const auto refuse = [&](TextTemplate<2> sentence) {
        return fail(why, {a.id, b.id},
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
    Why why;
    for (const int first : candidates) {
        level.stop.check();
        if (!applies(level, first, position, why)) continue;
        matches.push_back(
            {{2, 0}, {}, {{"first", level.index.node(first).id}, {"second", second.id}}, map->dim});
    }
}

Rewrite apply(const Level& level, const Match& match, IdSource& ids) {
    return merge_maps(level, *level.index.find(match.role("first")), *level.index.find(match.role("second")),
                      ids);
}

Text explain(const Level& level, const Match& match) {
    return Text("Fuses the siblings %1 and %2: what both read is read once.",
                describe(*level.index.find(match.role("first")), level.dims),
                describe(*level.index.find(match.role("second")), level.dims));
}

std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    const Selection selection = select(level, nodes, 2, 2, Text("two maps with a common parent"));
    if (selection.refusal) return selection.refusal;
    Why why{true, {}};
    if (applies(level, selection.positions[0], selection.positions[1], why)) return std::nullopt;
    return why.refusal;
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
            .summary = Text("two maps over one dimension that read a common value become one map"),
            .condition = Text("U and V are maps over the same dimension with a common parent value; neither "
                              "is reachable from the other."),
            .reason = Text("The iterations of a map are independent, and neither map waits for the other, so "
                           "iteration i of both can run together."),
            .use = Text("Reads the shared input once instead of twice: one buffered edge less."),
            .section = Text("3.1, Rule 2"),
            .in_fuse = true,
            .priority = 8,
            .matches_at = rule2::matches_at,
            .apply = rule2::apply,
            .explain = rule2::explain,
            .diagnose = rule2::diagnose,
            .draw = rule2::draw};
}

}  // namespace blockscope
