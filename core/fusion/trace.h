// One rewrite, and a whole run, as data (Blockbuster section 4).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/graph/verify.h"
#include "core/rules/rule.h"

namespace blockscope {

struct Step {
    Match match;
    ProgramPtr before;
    ProgramPtr after;
    std::vector<Lineage> made;
    std::vector<NodeId> removed;
    std::string explanation;
};

// Applies `match` and verifies the result: it is well formed, something changed, and the program's
// inputs, outputs and their types are the same. Throws InternalError with the violations otherwise
// (a rule is then broken). `match` must come from all_matches or matches_in on `before`.
Step checked_apply(const ProgramPtr& before, const Match& match);
// The same with the index of the graph at the match's path, for those who have it already; `after` gets
// that of the new graph there.
Step checked_apply(const ProgramPtr& before, const Match& match, const GraphIndex& index,
                   std::optional<GraphIndex>& after);

struct Trace {
    ProgramPtr initial;
    std::vector<Step> steps;
    std::vector<int> snapshots;  // number of steps after which each snapshot was taken
    std::string stopped;         // why the run ended, as a sentence

    // The program after `step` steps, 0 <= step <= steps.size().
    const ProgramPtr& state(int step) const;
    const ProgramPtr& last() const { return state(static_cast<int>(steps.size())); }
};

// Called after each step; returning false stops the run.
using StepObserver = std::function<bool(const Step&)>;

// The fusion algorithm: fuse() of section 4.3 with bfs_fuse_no_extend and bfs_extend.
Trace fuse(const ProgramPtr& initial, const StepObserver& observer = {});

// A run by hand: the first `step` steps of `trace`, then `match` instead of what the algorithm chose.
// Both traces share every state they have in common. `match` must apply to trace.state(step).
Trace branch(const Trace& trace, int step, const Match& match);

// Runs the algorithm on from the last state of `trace`; steps and snapshots are appended.
Trace fuse_on(Trace trace, const StepObserver& observer = {});

// Repeats a trace's matches from its initial program and returns the new trace. Throws
// InternalError if a match is no longer there.
Trace replay(const Trace& trace);

}  // namespace blockscope
