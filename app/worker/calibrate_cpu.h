// What calibrations of processors and cards have in common: measured figures, steps with progress, programs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/graph/graph.h"
#include "core/measure/backend.h"

namespace blockscope::worker {

// The source of figures that a calibration has measured itself.
constexpr const char* kMeasured = "measured";
DeviceFigure measured_figure(double value, const std::string& how);

// One step of progress. What it finds it puts into the description itself.
struct CalibrationStep {
    std::string phase;
    std::function<std::optional<measure::Failure>()> take;
};
// One after the other, until one fails or `progress` says that nobody waits any more.
std::optional<measure::Failure> take_steps(const std::vector<CalibrationStep>& steps,
                                           const measure::WorkProgress& progress);
measure::Failure calibration_cancelled();

// The program (text language, of this program's own: throws InternalError if it is none) as it stands, and
// fused to the end.
std::vector<ProgramPtr> unfused_and_fused(const std::string& text);

// The last part of a calibration: how much of what the micro-kernels reach whole programs reach.

// Runs some small programs, unfused and fused, for `seconds` each, and fits the model's free parameters to
// their times (core/cost/models/fit.h), held to what was measured before. Returns the device with them; with
// the same parameters if nothing could be run. `alive` is called before each of them.
Device fitted_to_programs(const Device& device, double seconds, const std::function<void()>& alive);

// Measures this machine's processor with the engine's micro-kernels: the description that time models read.

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
