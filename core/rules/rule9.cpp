// Rule 9, Fuse Consecutive Elementwise (Blockbuster section 3.2), and rule 13, which composes where a cast to
// a wider type stands between, too.
#include <algorithm>

#include "core/graph/verify.h"
#include "core/rules/conditions.h"
#include "core/rules/edit.h"
#include "core/rules/examples.h"
#include "core/rules/patterns.h"
#include "core/rules/rule.h"
#include "core/support/result.h"

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
    std::vector<ValueRef> inputs;
    std::vector<ExprPtr> f_args;
    std::vector<ExprPtr> g_args;
    ExprPtr inner;
    for (const ValueRef& ref : g.inputs) {
        if (ref.node != f.id) {
            g_args.push_back(arg(take(inputs, ref)));
            continue;
        }
        if (!inner) {
            for (const ValueRef& input : f.inputs) f_args.push_back(arg(take(inputs, input)));
            inner = substitute(f.as<Elementwise>()->expr, f_args);
        }
        g_args.push_back(inner);
    }
    result.inputs = std::move(inputs);
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

// Whether every number of type `from` is one of type `to`.
bool holds_all(ElemType to, ElemType from) {
    const auto bits = [](ElemType type) {  // of the significand, and of the exponent
        switch (type) {
            case ElemType::F32:
                return std::pair{24, 8};
            case ElemType::F16:
                return std::pair{11, 5};
            case ElemType::BF16:
                return std::pair{8, 8};
            case ElemType::E4M3:
                return std::pair{4, 4};
            case ElemType::E5M2:
                return std::pair{3, 5};
        }
        throw InternalError("unknown element type");
    };
    return bits(to).first >= bits(from).first && bits(to).second >= bits(from).second;
}

bool is_widening_cast(const Level& level, const Node& f) {
    const Elementwise& node = *f.as<Elementwise>();
    if (!is_cast(node)) return false;
    const ElemType from = edge_type(*level.index.find(f.inputs[0].node), f.inputs[0]).elem();
    return holds_all(*node.to, from);
}

// What rules 9 and 13 have in common: everything but what f may do to the element type.
bool are_composable(const Level& level, const Node& f, const Node& g, Diagnosis& diagnosis) {
    const auto refuse = [&](TextTemplate<2> sentence) {
        return fail(diagnosis, {f.id, g.id},
                    [&] { return Text(sentence, describe(f, level.dims), describe(g, level.dims)); });
    };
    if (!f.is<Elementwise>() || !g.is<Elementwise>()) {
        const Node& other = f.is<Elementwise>() ? g : f;
        return fail(diagnosis, {other.id},
                    [&] { return Text("%1 is not elementwise", describe(other, level.dims)); });
    }
    const bool edge =
        std::any_of(g.inputs.begin(), g.inputs.end(), [&](const ValueRef& ref) { return ref.node == f.id; });
    if (!edge) return refuse(TextTemplate<2>("%1 does not feed %2"));
    for (const GraphIndex::Use& use : level.index.uses(level.index.position(f.id)))
        if (level.index.node(use.node).id != g.id)
            return refuse(TextTemplate<2>("%1's result is used by more than %2"));
    if (composed_size(f, g) > kLargestExpression)
        return refuse(TextTemplate<2>("%1 and %2 together make an expression of more than 1000 operations"));
    return true;
}

bool applies(const Level& level, RuleId rule, const Node& f, const Node& g, Diagnosis& diagnosis) {
    if (!are_composable(level, f, g, diagnosis)) return false;
    const auto refuse = [&](TextTemplate<2> sentence) {
        return fail(diagnosis, {f.id, g.id},
                    [&] { return Text(sentence, describe(f, level.dims), describe(g, level.dims)); });
    };
    if (rule.number == 9 && f.as<Elementwise>()->to)
        return refuse(TextTemplate<2>("%1 rounds its result to another element type before %2 reads it"));
    if (rule.number == 13 && !f.as<Elementwise>()->to)
        return refuse(TextTemplate<2>("%1 is no cast; rule 9 composes it with %2"));
    if (rule.number == 13 && !is_widening_cast(level, f))
        return refuse(
            TextTemplate<2>("%1 rounds, as its type does not hold every number that it is given, before "
                            "%2 reads it"));
    return true;
}

void find_matches(const Level& level, RuleId rule, int position, std::vector<Match>& matches) {
    const Node& g = level.index.node(position);
    if (!g.is<Elementwise>()) return;
    Diagnosis diagnosis;
    for (std::size_t i = 0; i < g.inputs.size(); ++i) {
        const Node& f = *level.index.find(g.inputs[i].node);
        const bool again = std::any_of(g.inputs.begin(), g.inputs.begin() + static_cast<std::ptrdiff_t>(i),
                                       [&](const ValueRef& ref) { return ref.node == f.id; });
        if (again || !f.is<Elementwise>() || !applies(level, rule, f, g, diagnosis)) continue;
        matches.push_back({rule, {}, {{"producer", f.id}, {"consumer", g.id}}, {}});
    }
}

void matches_at(const Level& level, int position, std::vector<Match>& matches) {
    find_matches(level, {9, 0}, position, matches);
}
void cast_matches_at(const Level& level, int position, std::vector<Match>& matches) {
    find_matches(level, {13, 0}, position, matches);
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

std::optional<Refusal> diagnose_for(const Level& level, RuleId rule, const std::vector<NodeId>& nodes) {
    return diagnose_pair(level, nodes, Text("two elementwise operators, a producer and its only consumer"),
                         [&](int first, int second, Diagnosis& diagnosis) {
                             return applies(level, rule, level.index.node(first), level.index.node(second),
                                            diagnosis);
                         });
}

std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    return diagnose_for(level, {9, 0}, nodes);
}
std::optional<Refusal> diagnose_cast(const Level& level, const std::vector<NodeId>& nodes) {
    return diagnose_for(level, {13, 0}, nodes);
}

// The left side of the rule's picture.
void draw(Sketch& s) {
    const ValueRef x = s.input("A", Sketch::list({}, Item::vector(Sketch::M)));
    s.output("O", s.top().elementwise(Sketch::inverse(), {s.top().elementwise(Sketch::exponential(), {x})}));
}

void draw_cast(Sketch& s) {
    Type narrow = Sketch::list({}, Item::vector(Sketch::M));
    const ValueRef x = s.input("A", narrow.with_elem(ElemType::F16));
    const ValueRef wide = s.top().cast(ElemType::F32, x);
    s.output("O", s.top().elementwise(Sketch::exponential(), {wide}));
}

}  // namespace

}  // namespace rule9

Rule rule_9() {
    return {
        .id = {9, 0},
        .name = Text("Fuse Consecutive Elementwise"),
        .short_name = Text("compose elementwise"),
        .because = Text("both work element by element"),
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
        .done =
            [](const Told& told) { return Text("%1 and %2 are one operator now", told.first, told.second); },
        .diagnose = rule9::diagnose,
        .draw = rule9::draw};
}

Rule rule_13() {
    return {
        .id = {13, 0},
        .name = Text("Compose Across a Widening Cast"),
        .short_name = Text("compose past cast"),
        .because = Text("a wider type holds every number of the narrower one"),
        .summary = Text("a cast to a wider type and the elementwise operator after it become one"),
        .condition =
            Text("f is a cast to a type that holds every number of the type before, g is elementwise "
                 "and the only user of f's result."),
        .reason = Text("Such a cast changes no number, so that g of the cast is g of what was cast."),
        .use = Text("A cast between two elementwise operators no longer keeps them apart."),
        .section = Text("not in the paper; an addition to rule 9"),
        .origin = RuleOrigin::Addition,
        .in_fuse = true,
        .priority = 4,
        .matches_at = rule9::cast_matches_at,
        .apply = rule9::apply,
        .explain = rule9::explain,
        .done =
            [](const Told& told) { return Text("%1 and %2 are one operator now", told.first, told.second); },
        .diagnose = rule9::diagnose_cast,
        .draw = rule9::draw_cast};
}

}  // namespace blockscope
