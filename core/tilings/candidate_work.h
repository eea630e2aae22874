// What a candidate does, as Blockscope's own time models take it (core/cost/kernel_work.h): one kernel, whose
// loops are the expression's. So the model of states and the model of the paper rank the same candidates.
//
// On a processor it is what a blocked run does: a product reads its operands' tiles where they lie and adds
// to its own tile, which is memory as well, so that caches serve all of them. On a card it is what the
// paper's text says: tiles are loaded where the third stage has their loads, and products stay in registers.
#pragma once

#include <vector>

#include "core/cost/device.h"
#include "core/cost/kernel_work.h"
#include "core/support/stop_sign.h"
#include "core/tilings/space.h"

namespace blockscope::tilings {

StateWork candidate_work(const Space& space, const Candidate& candidate, DeviceKind kind);

// Seconds of each candidate by Blockscope's own model. `processors`: that work; 0: all. Ends with Stopped
// while `stop` is up.
std::vector<double> own_seconds(const Space& space, const std::vector<Candidate>& candidates,
                                const Device& device, int processors = 0, const StopSign& stop = kNeverStop);

}  // namespace blockscope::tilings
