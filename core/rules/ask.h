// Questions about rules in a whole program, for those who point at nodes: the command line and the window.
#pragma once

#include <variant>

#include "core/rules/rule.h"

namespace blockscope {

// The rules that `id` means: itself, or all its variants if it names none; none if there is no such rule.
std::vector<RuleId> variants(RuleId id);

// Nodes of one level.
struct LevelNodes {
    std::vector<NodeId> path;   // the maps around them, outermost first
    std::vector<NodeId> nodes;  // in the order given
};
// Looks `nodes` (at least one) up; a refusal if one is not in `program` or they are not in the same graph.
// While `stop` is up, it ends with Stopped; so does what follows.
std::variant<LevelNodes, Refusal> find_level(const BlockProgram& program, const std::vector<NodeId>& nodes,
                                             const StopSign& stop = kNeverStop);

// Why `rule` does not apply to exactly these nodes; none if it does.
std::optional<Refusal> diagnose(const BlockProgram& program, RuleId rule, const LevelNodes& nodes,
                                const StopSign& stop = kNeverStop);

// Rule::explain in its level.
std::string explain(const BlockProgram& program, const Match& match);

// The names of the dimensions of the maps on `path`, outermost first.
std::vector<std::string> path_dims(const BlockProgram& program, const std::vector<NodeId>& path);

}  // namespace blockscope
