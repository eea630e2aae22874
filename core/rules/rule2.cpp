// Rule 2, Fuse Sibling Maps (Blockbuster section 3.1).
#include <algorithm>

#include "core/rules/merge.h"
#include "core/rules/table.h"
#include "core/rules/why.h"

namespace blockscope {

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
    const auto refuse = [&](const std::string& what) {
        return fail(why, {a.id, b.id},
                    [&] { return describe(a, level.dims) + " and " + describe(b, level.dims) + " " + what; });
    };
    const Map* u = a.as<Map>();
    const Map* v = b.as<Map>();
    if (!u || !v) return refuse("are not both maps");
    if (!same_range(*u, *v))
        return refuse(u->dim == v->dim ? "do not start at the same iteration"
                                       : "run over different dimensions");
    if (!share_parent(a, b)) return refuse("have no common parent: no value is an input of both");
    if (level.index.reaches(first, second))
        return refuse("are not siblings: the second needs a result of the first");
    return true;
}

void matches_at(const Level& level, int position, std::vector<Match>& matches) {
    const Node& second = level.index.node(position);
    const Map* map = second.as<Map>();
    if (!map) return;
    std::vector<int> candidates;
    for (const ValueRef& ref : second.inputs)
        for (const GraphIndex::Use& use : level.index.uses(level.index.position(ref.node)))
            if (use.node < position && level.index.node(use.node).is<Map>()) candidates.push_back(use.node);
    std::sort(candidates.begin(), candidates.end());
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

std::string explain(const Level& level, const Match& match) {
    return "Fuses the siblings " + describe(*level.index.find(match.role("first")), level.dims) + " and " +
           describe(*level.index.find(match.role("second")), level.dims) + ": what both read is read once.";
}

std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    const Selection selection = select(level, nodes, 2, 2, "two maps with a common parent");
    if (selection.refusal) return selection.refusal;
    Why why{true, {}};
    if (applies(level, selection.positions[0], selection.positions[1], why)) return std::nullopt;
    return why.refusal;
}

}  // namespace

Rule rule_2() {
    return {{2, 0},
            "Fuse Sibling Maps",
            "two maps over one dimension that read a common value become one map",
            "U and V are maps over the same dimension with a common parent value; neither is reachable from "
            "the other.",
            "The iterations of a map are independent, and neither map waits for the other, so iteration i of "
            "both can run together.",
            "Reads the shared input once instead of twice: one buffered edge less.",
            "3.1, Rule 2",
            true,
            matches_at,
            apply,
            explain,
            diagnose};
}

}  // namespace blockscope
