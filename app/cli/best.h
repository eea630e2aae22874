// The state that a command is about: --step, --snapshot or --state, and by default the best one by an
// objective on a device.
//
//     codegen attention.bp                                         the fastest state, as predicted
//     codegen attention.bp --state last                            the last one
//     optimum decoder-block.bp --objective traffic                 the state that moves least
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "core/cost/device.h"
#include "core/fusion/trace.h"
#include "core/json/value.h"
#include "core/state/choose.h"
#include "core/state/step_effect.h"

namespace blockscope::cli {

struct StateArguments {
    std::optional<int> step;
    std::string snapshot;   // a number, or "last"; empty: none is asked for
    std::string state;      // words of parse_state_choice(); empty: "best"
    std::string objective;  // a name of objectives(); empty: predicted time

    bool given() const { return step || !snapshot.empty() || !state.empty() || !objective.empty(); }
};
// --step, --snapshot, --state and --objective.
std::vector<Option> state_options(StateArguments& arguments);
// --state and --objective, for commands that have their own --step and --snapshot.
std::vector<Option> best_options(StateArguments& arguments);
// --state alone, for commands whose default is more than one state, or not the best one.
Option state_option(std::string& words, std::vector<std::string> excludes = {"--step", "--snapshot"});

// --objective with a help text of the command's own.
Option objective_option(std::string& name, std::string help);

// How the states will be executed, where that is known. Times are predicted for this.
struct AsRun {
    std::string type;  // of the inputs: "bf16"
    int threads = 0;   // of a CPU; 0: on a GPU
    bool all = true;   // whether those are all of its cores
};

// An objective, and the conditions under which states are compared by it.
struct Stakes {
    ObjectiveKind objective = ObjectiveKind::Time;
    std::optional<Device> device = std::nullopt;  // none: the objective (traffic) needs no device
    std::optional<AsRun> run = std::nullopt;      // none: in the declared types, on all cores
    int processors = 0;                           // of the device that work, where no run says so; 0: all
    bool safe = true;  // compares the numerically safe forms of states (computable_form), else the plain ones

    bool by_time_on_device() const { return objective == ObjectiveKind::Time && device; }
};
// `device` is a name or the file of a description; empty: this machine if it is calibrated, else the H100
// SXM5, as in the window. Throws UsageError for an unknown objective.
Stakes stakes_of(const StateArguments& arguments, const std::string& device);
// The same on a given device.
Stakes stakes_on(const StateArguments& arguments, const Device& device);
// The objective as a function of states. Measured times are those of the same program and sizes that were
// measured like the newest one: on the same device and machine, in the same element type, on as many threads.
// Throws UsageError if there is no such measurement.
Objective objective_of(const Stakes& stakes, const ProgramPtr& initial);
// "predicted time on NVIDIA H100 SXM5 80 GB (safe form)", "predicted time on AMD EPYC 9755 in bf16 on 2
// threads, not calibrated (plain form)", "... with 16 of its 132 SMs, kernels for f32 (plain form)", "traffic
// (plain form)", "measured time on cpu of ... (safe form)".
std::string stakes_text(const Stakes& stakes, const Ranking& ranking);
// The form in which states are compared: by time the one that is generated, by traffic the one that is
// listed.
Form compared_form(const Stakes& stakes, const Form& form = {});
// "249 us", "538 MB".
std::string worth_text(const Stakes& stakes, double value);

// All states of the run, ordered by the objective.
Ranking rank_states(const Trace& trace, const Form& form, const Stakes& stakes);

// A state; if it was chosen as the best one, with the order of all states.
struct Choice {
    ChosenState state;
    std::optional<Ranking> ranking;
};
// The best state in `form`; none where no state has a number to compare.
std::optional<Choice> best_choice(const Trace& trace, const Form& form, const Stakes& stakes);
// The state in `form`; states are compared as `stakes` says, so that all commands mean the same by the best
// one. Throws UsageError for a state that the run does not have.
Choice choose(const Trace& trace, const StateArguments& arguments, const Form& form, const Stakes& stakes);

// The state that the words of --state name, in `form`: the best one by `objective` on `device`, both as
// stakes_of() reads them, in safe or plain forms as Stakes says. Throws UsageError as above.
ChosenState state_named(const Trace& trace, const std::string& words, const std::string& objective,
                        const std::string& device, const Form& form, bool safe = true);

// "best of 18 states by predicted time on ... (safe form): step 17, 105 us (102 us plain, which can
// overflow); then step 16, 139 us".
std::string best_sentence(const Ranking& ranking, const Stakes& stakes);
// {"objective", "device", "unit", "state", "step", "form", "value", "plain_value",
//  "runner_up": {"state", "step", "form", "value"}, "last": {...}}. `last` is the number of the run's steps.
json::Value best_json(const Ranking& ranking, const Stakes& stakes, int last);

// ---- The summary below a whole run: which state is the best, and which steps make the objective worse.

struct WorseStep {
    int step = 0;
    double before = 0;  // by the objective
    double after = 0;
    Text why;  // what the step computes again, when that pays, and which part of the time grows; never empty
    StepEffect effect;                                      // what `why` says of bytes and operations
    std::optional<TimeCondition> condition = std::nullopt;  // of predicted time; of the four that are worst
};

struct Worth {
    Stakes stakes;
    Ranking ranking;
    std::vector<WorseStep> worse;  // in the order of the run
    int steps = 0;                 // of the run
    DimTable dims = {};            // with the blocks that conditions are other than
};
// A step counts as worse if the objective grows by at least 2%. None if no state has a value.
std::optional<Worth> worth_of(const Trace& trace, const Stakes& stakes);
// "best of 18 states ...; the last state is 8.1 times that", and a line for each of the four steps that make
// it worst.
std::vector<std::string> worth_lines(const Worth& worth);
json::Value worth_json(const Worth& worth);

}  // namespace blockscope::cli
