// One rewrite, and a whole run, as data (Blockbuster section 4).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "core/graph/level_change.h"
#include "core/graph/verify.h"
#include "core/rules/rule.h"
#include "core/support/text.h"

namespace blockscope {

// Why runs end.
inline constexpr TextTemplate<0> kRunStopped("The run was stopped.");
inline constexpr TextTemplate<0> kNothingMatches("No rule matches anywhere in the program any more.");
inline constexpr TextTemplate<0> kAppliedByHand("A rule was applied by hand.");
inline constexpr TextTemplate<0> kChoicesApplied("Every choice is applied.");
inline constexpr TextTemplate<0> kHistoryFull(
    "The history has as many steps of this program as the memory is meant for. Delete a branch to go on.");
// The reason that a file says: one of these, or empty, which is a run that has not ended. None: no run ends
// for it.
std::optional<Text> stop_reason(const std::string& written);

struct Step {
    Match match;
    ProgramPtr before;
    ProgramPtr after;
    std::vector<Lineage> made;
    std::vector<NodeId> removed;
    std::vector<SameValue> same;  // of the match's level, before and after
    Text explanation;
    int buffered_edges = 0;  // by how many the step changed the count of buffered_edges
};

// Applies `match` and verifies the result: it is well formed, something changed, and the program's
// inputs, outputs and their types are the same. Throws InternalError with the violations otherwise
// (a rule is then broken). `match` must come from all_matches or matches_in on `before`.
Step checked_apply(const ProgramPtr& before, const Match& match);
// The same with the index of the graph at the match's path, which becomes that of the new graph there;
// `changed` is called with the change in the end. Takes time for what the rewrite touched, not for the size
// of the program.
Step checked_apply(const ProgramPtr& before, const Match& match, GraphIndex& index,
                   const std::function<void(const LevelChange&)>& changed);

// Makes steps one after the other, each from a state near the one before: the next in a trace, or a branch of
// a history. It keeps an index of every level that it has been at, so that a step takes time for what is new
// there, not for the size of the program.
class Stepper {
public:
    // The index of the graph at `path` in `state`, until the next call; null if there is no such graph. All
    // states are those of one program.
    const GraphIndex* level(const ProgramPtr& state, const std::vector<NodeId>& path);
    // checked_apply(before, match); the graph at the match's path is there.
    Step apply(const ProgramPtr& before, const Match& match);

private:
    struct Known {
        ProgramPtr state;  // that has the graph of the index
        GraphIndex index;
    };
    Known* known(const ProgramPtr& state, const std::vector<NodeId>& path, std::size_t depth);

    std::map<NodeId, Known> levels_;  // by the map around them
};

struct Trace {
    ProgramPtr initial;
    std::vector<Step> steps;
    std::vector<int> snapshots;  // number of steps after which each snapshot was taken
    Text stopped;                // why the run ended, as a sentence
    RuleSet rules = {};          // that the algorithm tried

    // The program after `step` steps, 0 <= step <= steps.size().
    const ProgramPtr& state(int step) const;
    const ProgramPtr& last() const { return state(static_cast<int>(steps.size())); }
};

// Whether what a file says of a run's states is so: a run's snapshots are states in which no rule matches
// that the run tries at a level (section 4.1), and it ends where no rule matches at all. Graphs that states
// share are looked at once, so they have to outlive this, and the states are those of one program, with its
// sizes.
class Endings {
public:
    explicit Endings(RuleSet rules) : rules_(rules) {}

    // No rule of section 4.1, or addition of the set, matches in the graph or inside it.
    bool is_fused(const Graph& graph, const DimTable& dims);
    // The algorithm extends no map (rule 6) in the graph or inside it.
    bool is_barren(const Graph& graph, const DimTable& dims);
    // Why the state is no snapshot; empty if it can be one.
    Text snapshot_problem(const BlockProgram& state);
    // A pass of section 4.1 is complete before the step: it extends a map where no other rule matches.
    bool ends_pass(const Step& next);
    // Why a run cannot have stopped for the reason `why` (stop_reason) in the state; empty if it can.
    // `has_steps`: the run has a step. All reasons but the end of the algorithm need one: runs are stopped
    // behind a step, and a choice is a step.
    Text stop_problem(const Text& why, const BlockProgram& state, bool has_steps);

private:
    RuleSet rules_;
    std::unordered_map<const Graph*, bool> fused_, barren_;
};

// Why the run cannot have taken the trace's snapshots, which are possible one by one (snapshot_problem) and
// rise; empty if it can. A run that the algorithm ended has its last state as the last of them, and if all
// its steps are the algorithm's, so are its snapshots.
Text snapshots_problem(const Trace& trace);

// Called after each step; returning false stops the run.
using StepObserver = std::function<bool(const Step&)>;

// The fusion algorithm: fuse() of section 4.3 with bfs_fuse_no_extend and bfs_extend. With kPaperRules it is
// the paper's exactly; else additions are tried first wherever section 4.1 tries its rules.
Trace fuse(const ProgramPtr& initial, const StepObserver& observer = {}, RuleSet rules = {});

// A run by hand: the first `step` steps of `trace`, then `match` instead of what the algorithm chose.
// Both traces share every state they have in common. `match` must apply to trace.state(step).
Trace branch(const Trace& trace, int step, const Match& match);

// Runs the algorithm on from the last state of `trace` with its rules; steps and snapshots are appended. If
// it comes to its end, snapshots are also where passes were completed by hand before.
Trace fuse_on(Trace trace, const StepObserver& observer = {});

// Repeats a trace's matches from its initial program and returns the new trace. Throws
// InternalError if a match is no longer there.
Trace replay(const Trace& trace);

}  // namespace blockscope
