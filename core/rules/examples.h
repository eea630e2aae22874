// For every rule a smallest program that it applies to: the left side of its picture. Rule cards draw them,
// and every one is proven.
#pragma once

#include <set>

#include "core/rules/rule.h"

namespace blockscope {

struct RuleExample {
    ProgramPtr program;
    Match match;
    std::set<NodeId> folded;  // maps that the rule does not look into
};

const RuleExample& rule_example(RuleId id);  // throws InternalError if there is no such rule

}  // namespace blockscope
