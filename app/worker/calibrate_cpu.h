// Measures this machine's processor with the engine's micro-kernels: the description that time models read.
#pragma once

#include "core/cost/device.h"
#include "core/measure/backend.h"

namespace blockscope::worker {

struct CalibrationOptions {
    double seconds = 0.2;  // per figure
    std::int64_t memory_bytes =
        0;  // of the arrays that lie in memory; 0: more than four times the largest cache
    std::vector<int> matmul_sides = {16, 32, 64, 128, 256};
};

// About 10 seconds. Rates are the best of several repetitions: what the machine is able to do. The
// description is one that read_device accepts.
measure::Outcome<Device> calibrate_cpu(const measure::WorkProgress& progress,
                                       const CalibrationOptions& options = {});

}  // namespace blockscope::worker
