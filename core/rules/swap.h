// What rules 4 and 5 have in common: a mapped scale (shift) and the only matmul that takes it.
#pragma once

#include "core/rules/build.h"
#include "core/rules/patterns.h"

namespace blockscope {

struct ScaleThenMatmul {
    const Node* scale = nullptr;
    const Node* matmul = nullptr;
    MappedScale scaled;
    MappedMatmul product;
};

// Whether `scale` (a map of `op`) has `matmul` as its only consumer, as the left operand.
bool is_scale_then_matmul(const Level& level, FunctionalOp op, const Node& scale, const Node& matmul,
                          ScaleThenMatmul& found, Why& why);

// The match anchored at the scale at `position`, if any.
void scale_matches(const Level& level, FunctionalOp op, RuleId rule, const std::string& role, int position,
                   std::vector<Match>& matches);

std::optional<Refusal> diagnose_scale(const Level& level, FunctionalOp op, const std::vector<NodeId>& nodes);

// The map operand that port `port` of the map `node` is.
MapOperand operand(const Level& level, const Node& node, int port);

}  // namespace blockscope
