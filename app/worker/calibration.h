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

}  // namespace blockscope::worker
