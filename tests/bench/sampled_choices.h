// How good the choice is that the model makes: of a hundred random states and block sizes of one program, how
// much slower than the fastest is the one that is predicted to be fastest?
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/graph/graph.h"
#include "core/program/array_program.h"

namespace blockscope::bench {

// A state at block sizes.
struct SampledChoice {
    ProgramPtr program;
    std::string name;      // "snapshot 2, M=256/32 N=256/64"
    double predicted = 0;  // seconds
    double measured = 0;   // seconds; 0: it could not be measured
};

struct ChoiceRegret {
    std::size_t measured = 0;  // of the sampled ones
    SampledChoice predicted_best;
    SampledChoice measured_best;
    double regret = 0;  // 0.03: the predicted best takes 3% longer than the measured best
};

// Seconds of a program with warm caches, of samples for so long; none if it cannot be run.
using TimeOf = std::function<std::optional<double>(const ProgramPtr&, const ArrayProgram&, double seconds)>;

// The safe forms of all snapshots of a sample at `sizes`, which say nothing of blocks; each combination is as
// likely. All are measured for a short while, then the predicted best one and the five fastest in turns:
// the fastest of a hundred short measurements is often one that was lucky. None if nothing can be measured.
std::optional<ChoiceRegret> choice_regret(const std::string& sample, const DimTable& sizes, int count,
                                          const Device& device, const TimeOf& time_of);

}  // namespace blockscope::bench
