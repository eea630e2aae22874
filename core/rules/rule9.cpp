// Rule 9, Fuse Consecutive Elementwise (Blockbuster section 3.2).
#include <algorithm>

#include "core/graph/verify.h"
#include "core/rules/conditions.h"
#include "core/rules/edit.h"
#include "core/rules/examples.h"
#include "core/rules/rule.h"

namespace blockscope {

namespace rule9 {

namespace {

constexpr int kLargestExpression = 1000;  // nodes of the composed tree

int place_of(const std::vector<ValueRef>& inputs, const ValueRef& ref) {
    const auto found = std::find(inputs.begin(), inputs.end(), ref);
    return found == inputs.end() ? -1 : static_cast<int>(found - inputs.begin());
}

int take(std::vector<ValueRef>& inputs, const ValueRef& ref) {
    const int place = place_of(inputs, ref);
    if (place >= 0) return place;
    inputs.push_back(ref);
    return static_cast<int>(inputs.size()) - 1;
}

// g with f in place of its argument, on the inputs of both.
Node compose(const Node& f, const Node& g) {
    Node result;
    std::vector<ExprPtr> f_args;
    std::vector<ExprPtr> g_args;
    ExprPtr inner;
    for (const ValueRef& ref : g.inputs) {
        if (ref.node != f.id) {
            g_args.push_back(arg(take(result.inputs, ref)));
            continue;
        }
        if (!inner) {
            for (const ValueRef& input : f.inputs) f_args.push_back(arg(take(result.inputs, input)));
            inner = substitute(f.as<Elementwise>()->expr, f_args);
        }
        g_args.push_back(inner);
    }
    result.kind = Elementwise{substitute(g.as<Elementwise>()->expr, g_args), g.as<Elementwise>()->to};
    result.outputs = g.outputs;
    return result;
}

// The tree size of the composed expression, saturated: sharing keeps it small in memory even when
// the tree is large.
int composed_size(const Node& f, const Node& g) {
    std::vector<int> sizes;
    const int inner = tree_size(*f.as<Elementwise>()->expr, kLargestExpression + 1);
    for (const ValueRef& ref : g.inputs) sizes.push_back(ref.node == f.id ? inner : 1);
    return tree_size(*g.as<Elementwise>()->expr, kLargestExpression + 1, sizes);
}

bool applies(const Level& level, const Node& f, const Node& g, Why& why) {
    const auto refuse = [&](TextTemplate<2> sentence) {
        return fail(why, {f.id, g.id},
                    [&] { return Text(sentence, describe(f, level.dims), describe(g, level.dims)); });
    };
    if (!f.is<Elementwise>() || !g.is<Elementwise>()) {
        const Node& other = f.is<Elementwise>() ? g : f;
        return fail(why, {other.id},
                    [&] { return Text("%1 is not elementwise", describe(other, level.dims)); });
    }
    const bool edge =
        std::any_of(g.inputs.begin(), g.inputs.end(), [&](const ValueRef& ref) { return ref.node == f.id; });
    if (!edge) return refuse(TextTemplate<2>("%1 does not feed %2"));
    for (const GraphIndex::Use& use : level.index.uses(level.index.position(f.id)))
        if (level.index.node(use.node).id != g.id)
            return refuse(TextTemplate<2>("%1's result is used by more than %2"));
    if (f.as<Elementwise>()->to)
        return refuse(TextTemplate<2>("%1 rounds its result to another element type before %2 reads it"));
    if (composed_size(f, g) > kLargestExpression)
        return refuse(TextTemplate<2>("%1 and %2 together make an expression of more than 1000 operations"));
    return true;
}

void matches_at(const Level& level, int position, std::vector<Match>& matches) {
    const Node& g = level.index.node(position);
    if (!g.is<Elementwise>()) return;
    Why why;
    for (std::size_t i = 0; i < g.inputs.size(); ++i) {
        const Node& f = *level.index.find(g.inputs[i].node);
        const bool again = std::any_of(g.inputs.begin(), g.inputs.begin() + static_cast<std::ptrdiff_t>(i),
                                       [&](const ValueRef& ref) { return ref.node == f.id; });
        if (again || !f.is<Elementwise>() || !applies(level, f, g, why)) continue;
        matches.push_back({{9, 0}, {}, {{"producer", f.id}, {"consumer", g.id}}, {}});
    }
}

Rewrite apply(const Level& level, const Match& match, IdSource& ids) {
    const Node& f = *level.index.find(match.role("producer"));
    const Node& g = *level.index.find(match.role("consumer"));
    Node composed = compose(f, g);
    composed.id = ids.fresh();
    std::vector<Type> types;
    for (const ValueRef& ref : composed.inputs) types.push_back(edge_type(*level.index.find(ref.node), ref));
    const TypeCheck check = check_types(composed.kind, types, level.dims);
    if (check.outputs != composed.outputs)
        std::get<Elementwise>(composed.kind).to = composed.outputs[0].elem();

    LevelEdit edit(level);
    edit.redirect({g.id}, {composed.id});
    edit.made(composed.id, {f.id, g.id});
    edit.remove(f.id);
    edit.replace(g.id, std::move(composed));
    return edit.finish();
}

Text explain(const Level& level, const Match& match) {
    return Text("Composes %1 and %2 into one elementwise operator.",
                describe(*level.index.find(match.role("producer")), level.dims),
                describe(*level.index.find(match.role("consumer")), level.dims));
}

std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    const Selection selection =
        select(level, nodes, 2, 2, Text("two elementwise operators, a producer and its only consumer"));
    if (selection.refusal) return selection.refusal;
    Why why{true, {}};
    if (applies(level, level.index.node(selection.positions[0]), level.index.node(selection.positions[1]),
                why))
        return std::nullopt;
    return why.refusal;
}

// The left side of the rule's picture.
void draw(Sketch& s) {
    const ValueRef x = s.input("A", Sketch::list({}, Item::vector(Sketch::M)));
    s.output("O", s.top().elementwise(Sketch::inverse(), {s.top().elementwise(Sketch::exponential(), {x})}));
}

}  // namespace

}  // namespace rule9

Rule rule_9() {
    return {.id = {9, 0},
            .name = Text("Fuse Consecutive Elementwise"),
            .summary = Text("two consecutive elementwise operators become one"),
            .condition = Text("f and g are elementwise operators and g is the only user of f's result."),
            .reason =
                Text("Applying f and then g to each element is applying their composition to each element."),
            .use = Text("One operator instead of two: fewer passes over the block and fewer calls."),
            .section = Text("3.2, Rule 9"),
            .in_fuse = true,
            .priority = 5,
            .matches_at = rule9::matches_at,
            .apply = rule9::apply,
            .explain = rule9::explain,
            .diagnose = rule9::diagnose,
            .draw = rule9::draw};
}

}  // namespace blockscope
