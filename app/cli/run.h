// What fuse, apply and replay have in common: a run of rewrites, a part of it to show, and a proof.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/load.h"
#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/safety/safety.h"

namespace blockscope::cli {

struct Run {
    std::string command;
    Loaded loaded;  // `blocks` is the trace's initial program
    Trace trace;
};

// The part of a run that a View asks for.
struct Shown {
    int last = 0;                   // the state after this many steps
    bool all = false;               // and all before it
    std::vector<SafeProgram> safe;  // if asked for, the safe form of each state that is shown, in order

    int first() const { return all ? 0 : last; }
    // What is shown of a state between first() and last.
    const BlockProgram& state(const Trace& trace, int step) const {
        return safe.empty() ? *trace.state(step) : safe.at(static_cast<std::size_t>(step - first())).program;
    }
};

struct Proof {
    enum class Verdict { Proven, Mismatch, Skipped };
    Verdict verdict = Verdict::Skipped;
    std::string sentence;                     // "all 17 steps proven (exact arithmetic, seed 1)"
    std::optional<int> failed_step;           // 0: the conversion; one past the last: the safe form
    std::optional<struct Mismatch> mismatch;  // where it differs
};

// Throws UsageError if a step or snapshot does not exist.
Shown select(const Run& run, const View& view);

// Compares the states 1 .. shown.last (and the conversion, and the safe form) with the initial one.
Proof prove(const Run& run, const Shown& shown, const View& view);

// Proves, prints what `view` asks for, and returns the exit code.
int show(const Run& run, const View& view);

// The algorithm with progress.
Trace fuse_watched(const ProgramPtr& initial);
// The same from the last state of a trace on.
Trace fuse_on_watched(Trace trace);

// The number of steps that a command asks for, or all. UsageError if there are fewer, or no such snapshot.
int chosen_step(const Trace& trace, std::optional<int> step, std::optional<int> snapshot);

// The program after `steps` steps of the algorithm; UsageError if it takes fewer.
Trace fuse_up_to(const ProgramPtr& initial, int steps);

}  // namespace blockscope::cli
