// What fuse, apply and replay have in common: a run of rewrites, a part of it to show, and a proof.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/cli/best.h"
#include "app/cli/load.h"
#include "app/cli/terminal.h"
#include "core/exec/prove.h"
#include "core/state/choose.h"

namespace blockscope::cli {

std::vector<std::string>
format_names();  // what a state is printed as: "listing", "text", and texts for files

// What to show of a run, and how.
struct View {
    std::optional<int> step;            // 0 is the initial block program
    std::string snapshot;               // a number from 1, or "last"; empty: none is asked for
    std::string state = {};             // words of --state; empty: none are given
    bool all = false;                   // every state
    std::optional<std::string> format;  // one of format_names()
    bool safe = false;                  // the numerically safe form of what is shown
    bool per_block = false;             // with one exponent per block (implies safe)
    LoopForm loops = LoopForm::Built;
    std::optional<bool> prove;  // by default where it takes under a second
    std::uint64_t seed = 1;
    bool json = false;           // the envelope of docs/cli.md instead of text
    std::string objective = {};  // that the best state has least of; empty: predicted time
    std::string device = {};     // that times are predicted for
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
    Form form;                // of the states themselves

    int first() const { return all ? 0 : last; }
    // What is shown of a state between first() and last.
    State state(const Trace& trace, int step) const {
        return safe.empty() ? State(trace.state(step), form)
                            : safe.at(static_cast<std::size_t>(step - first()));
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
Trace fuse_watched(const ProgramPtr& initial, RuleSet rules = {});
// The same from the last state of a trace on.
Trace fuse_on_watched(Trace trace);

// safe_form(safe) with these loops.
Form form_of(bool safe, LoopForm loops);

// What --step names; the last state where it is not given.
StateChoice step_choice(std::optional<int> step);
// That state of the run; UsageError if it does not have it.
ChosenState chosen_state(const Trace& trace, const StateChoice& choice, const Form& form = {});
// A snapshot's number or "last"; UsageError if it is something else.
StateChoice snapshot_choice(const std::string& snapshot);
// Of commands whose --snapshot may be "all": the state that an option names, or the unfused program and all
// snapshots. UsageError as above.
struct NamedStates {
    std::optional<int> step = std::nullopt;
    std::string snapshot = {};
    std::string state = {};   // words of --state
    std::string device = {};  // on which the best state is the fastest; empty: as stakes_of() has it
    bool safe = true;         // in which form
};
std::vector<ChosenState> chosen_states(const Trace& trace, const NamedStates& names, const Form& form);

// The program after `steps` steps of the algorithm; UsageError if it takes fewer.
Trace fuse_up_to(const ProgramPtr& initial, int steps, RuleSet rules = {});

// ---- A run as it is printed: for people (the program, one line per step, the final listing), and its states
// in the formats that other programs read.

// `width` is the terminal's; 0 if there is none, and no line is then cut.
void print_report(std::ostream& out, const Run& run, const Shown& shown, const Proof& proof,
                  const std::optional<Worth>& worth, const Style& style, int width);

// The program's name, what it is about, its inputs, outputs and dimensions.
void print_heading(std::ostream& out, const Loaded& loaded, const Style& style);

// A listing with loops and global memory traffic set off.
void print_listing(std::ostream& out, const State& state, const Style& style);

// What a match is about: its operators, shorter than the rule's explanation.
struct Operators {
    std::vector<std::string> names;     // "M-map n17"
    std::vector<std::string> contents;  // " (dot, sum)", or empty
    std::vector<std::string> links;     // before each name but the first: " → " if it reads the one before
    // All in one line of at most `width` columns if that can be done by leaving contents out, longest first.
    std::string text(int width) const;
};
Operators operators(const BlockProgram& program, const Match& match);

// ---- States in the formats that other programs read.

std::string print_state(const State& state, const std::string& format);

// The states that `shown` names; several are set apart by a comment line in the format's own syntax,
// and in JSON they are one trace.
void print_states(std::ostream& out, const Trace& trace, const Shown& shown, const std::string& format);

}  // namespace blockscope::cli
