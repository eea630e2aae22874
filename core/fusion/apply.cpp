// The one way in which a rewrite happens.
#include <algorithm>

#include "core/fusion/trace.h"
#include "core/print/print.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

[[noreturn]] void broken(const BlockProgram& before, const Match& match, const std::string& what) {
    std::string text = "rule " + to_string(match.rule) + " broke the program: " + what + "\nroles:";
    for (const Role& role : match.roles) text += " " + role.name + "=" + to_string(role.node);
    throw InternalError(text + "\nprogram before:\n" + outline(before));
}

template <class K>
std::vector<const Node*> ports(const Graph& graph) {
    std::vector<const Node*> found;
    for (const NodePtr& node : graph.nodes())
        if (node->is<K>()) found.push_back(node.get());
    return found;
}

template <class K>
bool same_ports(const Graph& a, const Graph& b) {
    const std::vector<const Node*> before = ports<K>(a);
    const std::vector<const Node*> after = ports<K>(b);
    return std::equal(
        before.begin(), before.end(), after.begin(), after.end(), [](const Node* x, const Node* y) {
            return x == y || (x->id == y->id && x->outputs == y->outputs && same_kind(x->kind, y->kind));
        });
}

// A node that keeps its id keeps its types (the verifier sees to it), so only outputs that read
// another node now can have changed.
bool same_output_types(const GraphIndex& a, const GraphIndex& b) {
    const std::vector<const Node*> before = ports<Output>(a.graph());
    const std::vector<const Node*> after = ports<Output>(b.graph());
    for (std::size_t i = 0; i < before.size(); ++i) {
        const ValueRef& x = before[i]->inputs[0];
        const ValueRef& y = after[i]->inputs[0];
        if (x != y && edge_type(*a.find(x.node), x) != edge_type(*b.find(y.node), y)) return false;
    }
    return true;
}

}  // namespace

Step checked_apply(const ProgramPtr& before, const Match& match) {
    const GraphPtr graph = graph_at(*before, match.path);
    if (!graph) throw InternalError("rule " + to_string(match.rule) + ": no graph at the match's path");
    std::optional<GraphIndex> new_index;
    return checked_apply(before, match, GraphIndex(*graph), new_index);
}

Step checked_apply(const ProgramPtr& before, const Match& match, const GraphIndex& index,
                   std::optional<GraphIndex>& new_index) {
    const Graph& graph = index.graph();
    const Level level{before->dims, index};
    const Rule& used = rule(match.rule);
    for (const Role& role : match.roles)
        if (!index.find(role.node)) broken(*before, match, "there is no " + to_string(role.node));
    IdSource ids(before->next_id);
    Step step;
    step.match = match;
    step.before = before;
    step.explanation = used.explain(level, match);
    Rewrite rewrite = used.apply(level, match, ids);

    BlockProgram after = with_graph_at(*before, match.path, rewrite.graph);
    after.next_id = ids.next();
    if (rewrite.made.empty() || rewrite.graph.get() == &graph) broken(*before, match, "it changed nothing");
    new_index.emplace(*rewrite.graph);
    const std::vector<Violation> violations = verify_change(index, *new_index, after, match.path.empty());
    if (!violations.empty()) broken(*before, match, violations.front().sentence);
    if (!same_ports<Input>(graph, *rewrite.graph) || !same_ports<Output>(graph, *rewrite.graph))
        broken(*before, match, "the inputs or outputs are not the same");
    if (!same_output_types(index, *new_index)) broken(*before, match, "an output has another type");

    step.after = std::make_shared<const BlockProgram>(std::move(after));
    step.made = std::move(rewrite.made);
    step.removed = std::move(rewrite.removed);
    return step;
}

}  // namespace blockscope
