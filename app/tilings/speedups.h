// Fig. 8's comparison by the model alone: what fusing brings each of the paper's workloads. No Qt.
#pragma once

#include <functional>
#include <vector>

#include "core/cost/device.h"
#include "core/tilings/model.h"
#include "core/tilings/workloads.h"

namespace blockscope::tilings {

// Estimated seconds; infinite where the rules drop every candidate.
struct WorkloadTimes {
    Workload workload = {};
    double fused = 0;    // the best candidate
    double deep = 0;     // the best one of Chimera's space
    double unfused = 0;  // the best tilings of each product alone, and a softmax of its own
};

// By the 21 workloads. `told` hears how many are done. A device that lacks a figure is a problem.
Result<std::vector<WorkloadTimes>> workload_times(const Device& device, const Rules& rules, TripCounts counts,
                                                  const std::function<void(std::size_t)>& told,
                                                  const StopSign& stop = kNeverStop);

}  // namespace blockscope::tilings
