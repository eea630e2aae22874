// The parts of `cost`: what it is asked, the derivation of one number, and the prediction of times (which
// device, which models, and how to print what they say).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/envelope.h"
#include "app/cli/terminal.h"
#include "core/cost/models/model.h"

namespace blockscope::cli {

struct CostArguments {
    std::string file;
    std::optional<int> step;         // otherwise step 0 and all snapshots
    std::string snapshot;            // "all" or a number from 1
    std::string device;              // a name or a file; empty: counts only
    std::string model;               // a time model's name or "all"
    int processors = 0;              // of the device that work; 0: all
    bool safe = false;               // of the numerically safe forms
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
};

// None if neither a device nor a model is asked for. The device is local-cpu by default, if this machine is
// calibrated; the model is Blockscope's own.
std::optional<TimesRequest> times_request(const CostArguments& arguments);

// Of one state, a prediction per model of the request.
struct StateTimes {
    std::string name;
    std::vector<Prediction> predictions;
};
StateTimes predict_times(const TimesRequest& request, const std::string& name, const LoopProgram& program);

// A table of all states and models, then the last state's kernels with their terms.
void print_times(const TimesRequest& request, const std::vector<StateTimes>& all, const LoopProgram& last,
                 const Style& style);
Json times_json(const TimesRequest& request, const StateTimes& times);
// ",roofline_seconds,..." and ",0.0012,...".
std::string times_csv_head(const TimesRequest& request);
std::string times_csv(const StateTimes& times);

}  // namespace blockscope::cli
