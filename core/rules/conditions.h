// Conditions of rules. They are cheap while rules are matched, and give a full sentence when a user asks why
// a rule does not apply. Operators in words, for those sentences, are here too.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/rules/rule.h"

namespace blockscope {

// Operators in words, for the sentences of rules.

// "dot", "exp(x)", "sum", a miscellaneous operator's name; empty for maps, inputs and outputs.
Text operator_name(const Node& node, const DimTable& dims);
// What a map computes, at all depths: up to three operator names.
Text map_contents(const Map& map, const DimTable& dims);
// "the N-map n4 (dot) and the sum over K n5".
Text list_names(const std::vector<NodeId>& nodes, const Level& level);
// A role's name in a sentence.
Text role_name(const Role& role);

// The first condition of a rule that failed. It is put into words only if it is wanted: matching a whole
// program asks millions of times and shows nothing.
struct Diagnosis {
    bool wanted = false;
    Refusal refusal;
};

// Returns false; `sentence()` is only called if the reason is wanted.
template <class Sentence>
bool fail(Diagnosis& diagnosis, std::vector<NodeId> culprits, Sentence sentence) {
    if (diagnosis.wanted) diagnosis.refusal = {sentence(), std::move(culprits)};
    return false;
}

// The selected nodes in their order in the level, or a refusal if one is not there or the count is wrong.
struct Selection {
    std::vector<int> positions;
    std::optional<Refusal> refusal;
};
Selection select(const Level& level, const std::vector<NodeId>& nodes, std::size_t least, std::size_t most,
                 const Text& needs);

// Why a rule of two nodes does not apply to these; none if it does. `needs` says which two are expected,
// `applies(first, second, diagnosis)` is asked about their positions in the level.
template <class Applies>
std::optional<Refusal> diagnose_pair(const Level& level, const std::vector<NodeId>& nodes, const Text& needs,
                                     const Applies& applies) {
    const Selection selection = select(level, nodes, 2, 2, needs);
    if (selection.refusal) return selection.refusal;
    Diagnosis diagnosis{true, {}};
    if (applies(selection.positions[0], selection.positions[1], diagnosis)) return std::nullopt;
    return diagnosis.refusal;
}

// Questions about rules in a whole program, for those who point at nodes: the command line and the window.

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
Text explain(const BlockProgram& program, const Match& match);

// The names of the dimensions of the maps on `path`, outermost first.
std::vector<std::string> path_dims(const BlockProgram& program, const std::vector<NodeId>& path);

}  // namespace blockscope
