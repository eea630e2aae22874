// How long a state takes on a device as it would run there: on a card the kernels that the CUDA generator
// makes of it, with their reductions in parts, registers and shared memory; on a processor the passes of the
// engine's plan. Command line and window ask here, so that one state has one time on one device.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/algebra/search.h"
#include "core/cost/device.h"
#include "core/cost/models/baseline.h"
#include "core/cost/models/model.h"
#include "core/state/choose.h"
#include "core/state/state.h"
#include "core/state/step_effect.h"
#include "core/support/stop_sign.h"

namespace blockscope::worker {

// The form that a state is built in for a device, so that a time is of the same form wherever it is shown:
// the numerically safe one (computable_form), on a processor with all arrays in float32, as its engine runs
// it unless told otherwise. `safe` is false where the plain one is asked for (--unsafe). Loops, element types
// and shared exponents are those of `asked` where it has some.
Form built_form(const Device& device, Form asked = {}, bool safe = true);

// What the generator would make of a state for a card.
struct BuildPlan {
    ModelSetting setting;      // thread blocks that an SM holds, parts, products by warps
    std::string target;        // "sm_90a"; empty where nothing can be generated
    std::string why_not = {};  // then a sentence
    // Smaller blocks than the state's, where those do not fit: as the generator takes them.
    std::optional<DimTable> dims = std::nullopt;
    std::string smaller = {};  // "--set K=4096/64"
};

// The plan for a card; one without a target for a processor. Made once for a program, form and device, while
// somebody holds the program. Ends with Stopped while `stop` is up.
BuildPlan build_plan(const State& state, const Device& device, const StopSign& stop = kNeverStop);

// What time models need of a state on a device: on a processor the engine's plan, with all but inputs in
// float32.
StateWork work_on(const State& state, const Device& device);

// `setting` says how many processors work and whether caches are warm; the rest comes from the plan. Models
// other than Blockscope's own do not ask how a kernel is built.
Prediction predict_as_built(const TimeModel& model, const State& state, const Device& device,
                            const ModelSetting& setting = {}, const StopSign& stop = kNeverStop);

// How long states take with other blocks: about, by their counts, and exactly, as built. NaN of what would be
// built in smaller blocks than its own, or not at all.
SecondsOfStates paying_seconds(const TimeModel& model, const Device& device, const ModelSetting& setting = {},
                               const StopSign& stop = kNeverStop);

// The seconds of predict_as_built() by the usual model, as an objective; NaN of what the target that is asked
// for (Device::target) does not build. The states of a run are looked at
// part by part, as far as they come apart.
Objective predicted_seconds(const Device& device, const ModelSetting& setting = {},
                            const StopSign& stop = kNeverStop);

// What the algorithm would reach with the rules that round values elsewhere (RuleSet::rounding).
struct RoundingQuestion {
    ProgramPtr initial;
    double without = 0;  // seconds of the best state that is known
    Form form;           // as built_form() has it
    Device device;
    const TimeModel* model = nullptr;
    ModelSetting setting = {};
};
// Seconds of the best state of that run. None where those rules find no step, or make nothing 5% faster than
// `without` and than a whole run that has none of them. Ends with Stopped while `stop` is up.
std::optional<double> best_with_rounding(const RoundingQuestion& question, const StopSign& stop = kNeverStop);

// Block sizes by the model alone, for any device that is described: what `tune --predict` prints for a card
// that one does not have, and what `tune` starts from on one that is there.

// By dimension: powers of two from 16 to 256 (to 512 on a processor) that pad by at most 5%, the present
// block, and the whole dimension where it has at most 256 (on a processor always); of a dimension that has to
// be in one block, that. While there are more than
// `most` combinations, every second choice of the longest list goes.
ChoiceLists block_candidates(const DimTable& dims, const BlockNeeds& needs, DeviceKind kind, double most);

// The program with other sizes or blocks.
ProgramPtr with_dims(const ProgramPtr& program, const DimTable& dims);

struct PredictedChoice {
    std::size_t state = 0;  // of those that were searched
    DimTable dims;
    BuildPlan plan;
    Prediction prediction;  // as built
    // Those that it is built with: smaller ones where the generator takes smaller ones.
    const DimTable& built_dims() const { return plan.dims ? *plan.dims : dims; }
};

struct PredictedSearch {
    std::vector<PredictedChoice> best;  // fastest first
    Text why_none = {};                 // where there is none: what does not fit, and by how much, or what
                                        // the generator refuses
    bool no_room = false;               // where there is none: it is that nothing fits
    double considered = 0;              // combinations of all states
    double predicted = 0;               // of them those that fit the device
};

// Told which share of a search is done, 0 to 1.
using SearchProgress = std::function<void(double share)>;

// How much a search looks at.
struct SearchEffort {
    double ranked_lines = 400'000;                 // lines of listings that are counted for the ranking,
    double built_lines = 6'000;                    // and generated for the best of it: seconds in all
    std::size_t least_built = 8, most_built = 72;  // whatever the length of the listing
    double least_ranked = 64;                      // block sizes of each state, however long its listing is
    // Where the best of the ranking would take longer though all processors were busy, it alone is built.
    double give_up_seconds = std::numeric_limits<double>::infinity();
    // Only what can be built as it is: neither the state's own block sizes, if they do not fit, nor what the
    // generator refuses. What it makes in smaller blocks has those.
    bool must_fit = false;
};
// For whoever searches hundreds of programs.
constexpr SearchEffort kQuickSearch{
    .ranked_lines = 20'000, .built_lines = 600, .least_built = 1, .most_built = 17, .least_ranked = 16};

// The fastest `top` of all states and block sizes by Blockscope's own model. All candidates are ranked by
// their counts; those that come out best are predicted as they would be built, more of them for a longer
// list. The states' own block sizes are among them. Ends with Stopped while `stop` is up; asked between
// candidates.
PredictedSearch search_predicted(const std::vector<ChosenState>& states, const Device& device, int top,
                                 const StopSign& stop = kNeverStop, const SearchProgress& progress = {},
                                 SearchEffort effort = {});

// The same with the whole effort for each state: what a search of several states finds is sometimes worse
// than what one of the best of them alone finds.
PredictedSearch search_each(const std::vector<ChosenState>& states, const Device& device, int top,
                            const StopSign& stop = kNeverStop, SearchEffort effort = {});

// "M = 64, N = 256": block sizes; a dimension in one block has none to choose.
std::string blocks_text(const DimTable& dims);
// "M/64 N/256": the same in short.
std::string short_blocks(const DimTable& dims, const std::string& between = " ");
// "M=4096/64, N=4096/256": sizes and block sizes, each as --set takes it.
std::string sizes_and_blocks(const DimTable& dims, const std::string& between);
// "--set M=4096/64 --set N=4096/256": the options that choose them; empty if there are none.
std::string set_options(const DimTable& dims);
// The first choice of search_predicted(), which `tune --predict` lists and the window's search shows: what a
// verdict says of states that lose in the file's block sizes (core/cost/models/baseline.h). None where
// nothing fits.
std::optional<SearchedBlocks> other_blocks(const std::vector<ChosenState>& states, const Device& device,
                                           const StopSign& stop = kNeverStop);

}  // namespace blockscope::worker
