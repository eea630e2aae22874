// The last part of a calibration: how much of what the micro-kernels reach whole programs reach.
#pragma once

#include <functional>

#include "core/cost/device.h"

namespace blockscope::worker {

// Runs some small programs, unfused and fused, for `seconds` each, and fits the model's free parameters to
// their times (core/cost/fit.h), held to what was measured before. Returns the device with them; with the
// same parameters if nothing could be run.
// `alive` is called before each of them.
Device fitted_to_programs(const Device& device, double seconds, const std::function<void()>& alive);

}  // namespace blockscope::worker
