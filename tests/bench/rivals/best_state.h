// The fastest state of a run as somebody finds it who does not know the program: by prediction, then
// measured.
#pragma once

#include <string>

#include "core/cost/device.h"
#include "core/fusion/trace.h"
#include "tests/bench/checked.h"

namespace blockscope::bench {

struct BestState {
    CpuProgram program;
    std::string name;  // "step 20, M/512 K/1024 N/64"
};

// Of all steps of the run and all block sizes, the dozen that the model predicts to be fastest on
// `processor`, measured in turns; then the winner's neighbours (one block size twice or half as large, or the
// whole axis) as long as one of them is faster. Throws std::runtime_error if nothing can run.
BestState best_state(const Checked& checked, const Trace& trace, const Device& processor, int threads);

}  // namespace blockscope::bench
