// Plans executed on this machine's processor: all kernels of a plan one after the other, and plans against
// each other in turns.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/worker/program_plan.h"
#include "core/engine/cpu_program.h"
#include "core/exec/evaluate.h"
#include "core/support/result.h"

namespace blockscope::worker {

// Large kernels that plans have in common: they are prepared once, as eight plans of a gated MLP of 8192 x
// 11008 take gigabytes. They have more memory than any cache, so that it is the same whoever ran them last.
using PreparedKernels = std::map<std::pair<plan::FusionGroup, GroupState>, std::shared_ptr<CpuProgram>>;

// The kernels of a plan, prepared by the engine with all of their inputs set. A kernel reads the results of
// others from a copy of its own, which is made once: copying is not timed, and no kernel finds in a cache
// what the one before has just left there.
class PreparedPlan {
public:
    // `inputs` by name, row-major. Problems if the engine refuses a kernel. Runs the plan once, kernels of
    // `known` too, as others may have computed what they read.
    static Result<PreparedPlan> prepare(GroupCosts& costs, const ProgramWay& way,
                                        const Tensors<double>& inputs, PreparedKernels& known);

    // Seconds of each kernel, one after the other, each from its start to its end.
    std::vector<double> run();
    // Results of all kernels, by name.
    const Tensors<double>& results() const { return results_; }
    void forget_results() { results_.clear(); }

private:
    std::vector<std::shared_ptr<CpuProgram>> kernels_;
    Tensors<double> results_;
};

struct MeasuredPlan {
    std::string problem;                 // why it did not run, a sentence; empty: it did
    std::vector<double> seconds;         // of whole runs, a round each
    std::vector<double> kernel_seconds;  // medians
    double difference = 0;  // of its outputs from those of the first plan, at most, as a share of their range
    // The largest difference from what the reference evaluator computes of the program, or of some rows of
    // every block of a large one (measure::expected_outputs); none where neither can be done.
    std::optional<double> from_reference;
    std::string checked;  // "all 262144 elements against the float64 reference", or why there is none
};

// Measures a kernel on this machine's processor, on random inputs, and says whether that is new: the median
// of `rounds` runs is what it costs from here on. A kernel that the engine refuses keeps what is predicted.
bool measure_kernel(GroupCosts& costs, const plan::FusionGroup& kernel, int rounds,
                    GroupState which = GroupState::Best);

// `rounds` rounds in which every way's plan runs once, in turns, on random inputs. Plans that have no kernels
// have a problem. Ends with Stopped while the sign of the costs is up.
std::vector<MeasuredPlan> race_plans(GroupCosts& costs, const std::vector<ProgramWay>& ways, int rounds,
                                     std::uint64_t seed = 1);

}  // namespace blockscope::worker
