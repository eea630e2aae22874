// The parts of `cost`: what it is asked, the derivation of one number, and the prediction of times (which
// device, which models, and how to print what they say).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/envelope.h"
#include "app/cli/terminal.h"
#include "core/cost/counts.h"
#include "core/cost/models/baseline.h"
#include "core/cost/models/model.h"
#include "core/fusion/trace.h"
#include "core/state/choose.h"

namespace blockscope::cli {

struct CostArguments {
    std::string file;
    RuleChoice rules;
    std::optional<int> step;  // otherwise step 0 and all snapshots
    std::string snapshot;     // "all" or a number from 1
    std::string state;        // words of --state
    std::string objective;    // that the best state has least of; empty: predicted time
    std::string device;       // a name or a file; empty: counts only
    std::string model;        // a time model's name or "all"
    std::string baseline;     // a baseline's name; empty: library
    int processors = 0;       // of the device that work; 0: all
    bool safe = false;        // counts of the numerically safe forms
    bool unsafe = false;      // times of the plain forms
    LoopForm loops = LoopForm::Built;
    bool execute = false;            // counts of an execution have to be the same
    std::vector<std::string> sizes;  // NAME=SIZE[/BLOCK]
    std::string derive;              // a quantity to derive, or "all"; empty: the tables
    bool csv = false;
    bool json = false;
};

// A built-in device, one of the user's, or a file (a name with '/' or that ends in ".json"). Throws
// UsageError for a name that there is not, BadInput for a file that is no description.
Device chosen_device(const std::string& name);

struct TimesRequest {
    Device device;
    std::vector<const TimeModel*> models;
    ModelSetting setting;
    bool safe = true;  // of the safe forms (worker::built_form), or of the plain ones
};
// The state in the form that its time is of, whatever it is listed in.
State timed(const TimesRequest& request, const State& state);

// None if neither a device nor a model is asked for. The device is usual_device() by default; the model is
// Blockscope's own.
std::optional<TimesRequest> times_request(const CostArguments& arguments);

// "snapshot 2 ★" of the best state, otherwise the name alone.
std::string starred(const std::string& name, int step, const std::optional<Ranking>& ranking);

// Of one state, a prediction per model of the request.
struct StateTimes {
    std::string name;
    int step = 0;
    std::vector<const TimeModel*> models;
    std::vector<Prediction> predictions = {};  // as the device's kernels are built (app/worker/predict.h)
    Form form;                                 // that they are of
    std::string built;                         // how that is: "as generated for sm_90a", or why it is not
};
StateTimes predict_times(const TimesRequest& request, const ChosenState& chosen);

// A table of all states and models, then of the one at `detailed`, which is `its_state`, the kernels with
// their terms, what serves its loads and stores, and where it keeps what is alive.
void print_times(const TimesRequest& request, const std::vector<StateTimes>& all, std::size_t detailed,
                 const State& its_state, const std::optional<Ranking>& ranking, const Style& style);
Json times_json(const TimesRequest& request, const StateTimes& times);
// ",roofline_seconds,..." and ",0.0012,...".
std::string times_csv_head(const TimesRequest& request);
std::string times_csv(const StateTimes& times);

// Baselines in `cost`: what kernels that people have would take (core/cost/models/baseline.h), and whether
// the states that are shown are worth building.

struct BaselineCosts {
    BaselineKind kind = BaselineKind::Library;
    Baseline made;  // without kernels of the unfused program
    double bytes = 0;
    std::size_t kernels = 0;
    std::optional<Prediction> prediction;  // with a device
};

struct Baselines {
    std::vector<BaselineCosts> all;
    std::size_t chosen = 0;  // of `all`
    std::string note;        // where others are missing: why
    const BaselineCosts& against() const { return all[chosen]; }
};

// Those of the program at the sizes of `unfused`, in the element types of its form. UsageError if `name` is
// one that the program does not have.
Baselines baselines_of(const Loaded& loaded, const State& unfused, const std::string& name,
                       const std::optional<TimesRequest>& request);

// Of those whose time is predicted.
std::vector<BaselineSeconds> seconds_of(const Baselines& baselines);

// "2.1 times faster than library kernels"; without times "moves 2.1 times less than library kernels".
std::string against_text(const Baselines& baselines, const State& state, const StateTimes* times);

// All states of the run, shown or not, by their times (timed()) with the loops of `form`; none without times
// of the usual model.
std::optional<Ranking> rank_by_time(const Trace& trace, const Form& form, const TimesRequest& request);
// The table of all of them, what the shown states are to the chosen one, and the verdict on the best state.
void print_baselines(const Baselines& baselines, const std::vector<ChosenState>& states,
                     const std::vector<StateTimes>& times, const std::optional<Ranking>& ranking,
                     const std::optional<Verdict>& said, const Style& style);
Json baselines_json(const Baselines& baselines);
// On the best state; none without a ranking by time. Where it loses at the file's block sizes, others
// are searched for as `tune --predict` does.
std::optional<Verdict> verdict_on(const Trace& trace, const Baselines& baselines,
                                  const std::optional<Ranking>& ranking,
                                  const std::optional<TimesRequest>& request);
// The unfused program, the snapshots and the best state: what block sizes are searched for where no state is
// named.
std::vector<ChosenState> states_to_search(const Trace& trace, const Ranking& ranking);
// "with --set A=4096/256 ... the best state is predicted to take 168 us; ...": where a search finds block
// sizes that make one of the snapshots or the best state at least 5% faster than that; else empty.
std::string faster_blocks_text(const Trace& trace, const Ranking& ranking, const Device& device);
Json verdict_json(const Verdict& said, const std::string& state);

// Of the usual model among those that were asked for; null if it is not.
const Prediction* usual_prediction(const StateTimes& times);

std::vector<std::string> baseline_names();

}  // namespace blockscope::cli
