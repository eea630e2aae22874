#include "core/rules/swap.h"

namespace blockscope {

bool is_scale_then_matmul(const Level& level, FunctionalOp op, const Node& scale, const Node& matmul,
                          ScaleThenMatmul& found, Why& why) {
    if (!is_mapped_scale(scale, op, level, found.scaled, why)) return false;
    if (!takes_as_left(scale, matmul, level, found.product, why)) return false;
    const int uses = level.index.uses(level.index.position(scale.id)).size();
    if (uses != 1)
        return fail(why, {scale.id}, [&] {
            return describe(scale, level.dims) + " has " + std::to_string(uses) +
                   " consumers; its result is still needed by the others" + " (rule 8 can duplicate it)";
        });
    found.scale = &scale;
    found.matmul = &matmul;
    return true;
}

void scale_matches(const Level& level, FunctionalOp op, RuleId rule, const std::string& role, int position,
                   std::vector<Match>& matches) {
    const Node& scale = level.index.node(position);
    if (!scale.is<Map>() || level.index.uses(position).size() != 1) return;
    const Node& matmul = level.index.node(level.index.uses(position).begin()->node);
    ScaleThenMatmul found;
    Why why;
    if (!is_scale_then_matmul(level, op, scale, matmul, found, why)) return;
    matches.push_back({rule, {}, {{role, scale.id}, {"matmul", matmul.id}}, scale.as<Map>()->dim});
}

std::optional<Refusal> diagnose_scale(const Level& level, FunctionalOp op, const std::vector<NodeId>& nodes) {
    const Selection selection =
        select(level, nodes, 2, 2,
               "a map of " + to_string(op) + " and the matrix multiplication that takes its result");
    if (selection.refusal) return selection.refusal;
    Why why{true, {}};
    ScaleThenMatmul found;
    const Node& scale = level.index.node(selection.positions[0]);
    const Node& matmul = level.index.node(selection.positions[1]);
    if (is_scale_then_matmul(level, op, scale, matmul, found, why)) return std::nullopt;
    return why.refusal;
}

MapOperand operand(const Level& level, const Node& node, int port) {
    const auto at = static_cast<std::size_t>(port);
    const ValueRef& ref = node.inputs[at];
    return {ref, node.as<Map>()->inputs[at].mode, edge_type(*level.index.find(ref.node), ref)};
}

}  // namespace blockscope
