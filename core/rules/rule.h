// The substitution rules of Blockbuster section 3, and additions to them, as values in one table.
//
// Matching changes nothing and sees one level of the hierarchy. A rule returns the new level; the
// driver (core/fusion) rebuilds the ancestors and checks the result.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/support/stop_sign.h"
#include "core/support/text.h"

namespace blockscope {

// "1" .. "9", with the paper's variants: "6a" "6b" "6c" "7a" "7b" "7c", and "8s", the twin of
// rule 8 for row_shift. The additions follow: "10", "11", ...
struct RuleId {
    int number = 0;
    char variant = 0;  // 0 if the rule has none
    auto operator<=>(const RuleId&) const = default;
};
std::string to_string(RuleId id);
std::optional<RuleId> parse_rule_id(const std::string& text);  // "6" alone gives {6, 0}

// A node in a named part of a pattern: "producer", "consumer", "reduction", "scale", "matmul", ...
struct Role {
    std::string name;
    NodeId node;
    bool operator==(const Role&) const = default;
};

// One place where a rule applies. `path`: the maps around the matched level, outermost first.
struct Match {
    RuleId rule;
    std::vector<NodeId> path;
    std::vector<Role> roles;  // in the rule's fixed order; the first is the anchor
    DimId dim;                // of the (first) map that the pattern names
    bool operator==(const Match&) const = default;

    NodeId role(const std::string& name) const;  // throws InternalError if absent
};

// What the rewritten level has instead. Nodes not listed keep their ids.
struct Lineage {
    NodeId made;
    std::vector<NodeId> from;  // nodes of the old program that it stands for
    bool operator==(const Lineage&) const = default;
};

// A value of the level before and the value of the level after that everything reads in its place: they are
// equal.
struct SameValue {
    ValueRef before;
    ValueRef after;
    bool operator==(const SameValue&) const = default;
};

struct Rewrite {
    GraphPtr graph;
    std::vector<Lineage> made;
    std::vector<NodeId> removed;
    std::vector<SameValue> same = {};
};

// Why a rule does not apply to some nodes: the first condition that fails, as a sentence that
// names the operators, and the nodes at fault.
struct Refusal {
    Text sentence;
    std::vector<NodeId> culprits;
};

// What a rule sees: the dimensions and one level with its index. While `stop` is up, searches and diagnoses
// end with Stopped.
struct Level {
    const DimTable& dims;
    const GraphIndex& index;
    const StopSign& stop = kNeverStop;
};

class Sketch;  // core/rules/examples.h

// What a sentence about a step names: the dimension of the match, its first two roles in words
// ("row_scale of P"), and the operators alone that make their results ("exp(x) of P"), told apart.
struct Told {
    std::string dim;
    Text first, second;
    Text first_result, second_result;
};

// Where a rule comes from.
enum class RuleOrigin : std::uint8_t {
    Paper,     // Blockbuster, section 3
    Addition,  // not in the paper: a step of a kind of its own
};

// Which rules the algorithm tries. By default the paper's and the additions that keep every value as it is.
struct RuleSet {
    bool additions = true;
    bool rounding = false;  // also those after which values are rounded elsewhere (Rule::rounds)
    auto operator<=>(const RuleSet&) const = default;
};
inline constexpr RuleSet kPaperRules{.additions = false};
// "paper", "extended" or "extended with rounding": in traces and documents.
std::string to_string(RuleSet set);

// A rule is one file with one such value, and a line in core/rules/table.cpp.
struct Rule {
    RuleId id;
    Text name;        // "Fuse Consecutive Maps": the paper's
    Text short_name;  // "fuse loops": what rows, cells and captions have room for
    Text because;     // the reason in a clause: "a sum needs its terms one by one"
    Text summary;     // one line for lists
    Text condition;   // when it applies
    Text reason;      // why it preserves meaning
    Text use;         // what it is good for
    Text section;     // of the paper; of an addition, what it adds to
    RuleOrigin origin = RuleOrigin::Paper;
    // Equal in exact arithmetic, but values of a narrower type are rounded at another place: not
    // bit-identical.
    bool rounds = false;
    bool in_fuse = false;  // whether the algorithm uses it by default
    // Its place among the rules of its origin that fuse_no_extend tries, 1 first; 0: not tried. Additions
    // come before the paper's rules, which would merge the maps that they look for.
    int priority = 0;

    // Appends all matches anchored at the node at `position`, in a fixed order, paths empty.
    void (*matches_at)(const Level&, int position, std::vector<Match>&) = nullptr;
    Rewrite (*apply)(const Level&, const Match&, IdSource&) = nullptr;
    Text (*explain)(const Level&, const Match&) = nullptr;
    // What has changed, as the beginning of a sentence: "The loops over M for S and P are one now".
    Text (*done)(const Told&) = nullptr;
    // Why the rule does not apply to exactly these nodes (any order) of this level; empty if it does.
    std::optional<Refusal> (*diagnose)(const Level&, const std::vector<NodeId>& selection) = nullptr;
    // Draws the smallest program that the rule applies to; maps in the role `folded` are shown closed, as the
    // rule does not look into them.
    void (*draw)(Sketch&) = nullptr;
    std::string folded = {};
};

// All rules in the order 1, 2, 3, 4, 5, 6a, 6b, 6c, 7a, 7b, 7c, 8, 8s, 9, then the additions 10 to 14.
const std::vector<Rule>& rules();
const Rule& rule(RuleId id);  // throws InternalError if there is none
std::string rule_numbers();   // "1 .. 14"

// Restricts a search. Absent parts restrict nothing. A rule without variant takes all of them.
struct MatchFilter {
    std::optional<RuleId> rule;
    std::optional<DimId> dim;
    std::optional<std::vector<NodeId>> path;
};

// Every match of every rule at every level: by level breadth first, then by rule, then by place.
std::vector<Match> all_matches(const BlockProgram& program, const MatchFilter& filter = {},
                               const StopSign& stop = kNeverStop);

// Matches of one rule in one level, paths set to `path`.
std::vector<Match> matches_in(const Rule& rule, const Level& level, const std::vector<NodeId>& path);

// Whether `match` is one of its rule's matches in `level`, the graph at its path.
bool applies(const Level& level, const Match& match);
// The same for any match, in the whole program.
bool applies(const BlockProgram& program, const Match& match);

// "the N-map n12 (dot)", "elementwise n7 (exp(x))": an operator as sentences name it.
Text describe(const Node& node, const DimTable& dims);

}  // namespace blockscope
