// Blockscope's own answer for a program, to set beside a tiling (core/tilings): the best of all states of its
// fusion with searched block sizes, predicted, and on this machine's processor measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/program/array_program.h"
#include "core/state/state.h"
#include "core/support/result.h"
#include "core/support/stop_sign.h"

namespace blockscope::worker {

struct OwnState {
    int step = 0;
    std::string name;       // "step 5", "snapshot 1"
    State state;            // with its block sizes, in the safe form as the device builds it
    double predicted = 0;   // seconds by Blockscope's own model, as built
    double by_mcfuser = 0;  // by the paper's model of states
    std::optional<double> measured = {};
};

struct OwnSearch {
    int measured = 0;  // of the predicted ones: on this machine's processor; 0: none
    int threads = 0;   // of a processor, for which times are predicted and measured; 0: all
};

// The fastest: as measured, else as predicted. With `unfused` step 0 alone is looked at. None runs or fits:
// a problem. Ends with Stopped while `stop` is up.
Result<OwnState> own_best(const ArrayProgram& program, const Device& device, bool unfused,
                          const OwnSearch& search = {}, const StopSign& stop = kNeverStop);

// Seconds of a run on this machine's processor, the best of some, as best_seconds() has it of a candidate.
// A problem says why the engine refuses the state.
Result<double> engine_seconds(const State& state, int threads);

}  // namespace blockscope::worker
