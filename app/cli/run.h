// What fuse, apply and replay have in common: a run of rewrites, a part of it to show, and a proof.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/load.h"
#include "core/exec/prove.h"
#include "core/state/choose.h"

namespace blockscope::cli {

enum class Format { Listing, Text, Dot, Json };
std::vector<std::string> format_names();       // "listing", "text", ... in this order
Format format_named(const std::string& name);  // one of these

// What to show of a run, and how.
struct View {
    std::optional<int> step;      // 0 is the initial block program
    std::optional<int> snapshot;  // from 1
    bool all = false;             // every state
    std::optional<Format> format;
    bool safe = false;          // the numerically safe form of what is shown
    bool per_block = false;     // with one exponent per block (implies safe)
    std::optional<bool> prove;  // by default where it takes under a second
    std::uint64_t seed = 1;
    bool json = false;  // the envelope of docs/cli.md instead of text
};

struct Run {
    std::string command;
    Loaded loaded;  // `blocks` is the trace's initial program
    Trace trace;
};

// The part of a run that a View asks for.
struct Shown {
    int last = 0;             // the state after this many steps
    bool all = false;         // and all before it
    std::vector<State> safe;  // if asked for, the safe form of each state that is shown, in order

    int first() const { return all ? 0 : last; }
    // What is shown of a state between first() and last.
    State state(const Trace& trace, int step) const {
        return safe.empty() ? State(trace.state(step)) : safe.at(static_cast<std::size_t>(step - first()));
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

// What --step or --snapshot names; the last state where neither is given.
StateChoice state_choice(std::optional<int> step, std::optional<int> snapshot);
// That state of the run; UsageError if it does not have it.
ChosenState chosen_state(const Trace& trace, const StateChoice& choice, const Form& form = {});
// A snapshot's number or "last"; UsageError if it is something else.
StateChoice snapshot_choice(const std::string& snapshot);
// Of commands whose --snapshot may be "all": the state that is named, or the unfused program and all
// snapshots. UsageError as above.
std::vector<ChosenState> chosen_states(const Trace& trace, std::optional<int> step,
                                       const std::string& snapshot, const Form& form);

// The program after `steps` steps of the algorithm; UsageError if it takes fewer.
Trace fuse_up_to(const ProgramPtr& initial, int steps);

}  // namespace blockscope::cli
