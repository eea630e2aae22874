// The graphics cards of this machine as devices that a worker measures on.
#pragma once

#include <memory>
#include <vector>

#include "core/measure/backend.h"

namespace blockscope::worker {

// One per card: "cuda0", "cuda1", ... as the driver counts them; none without a driver or a card. Opens the
// driver, and the compiler when the first program is prepared.
std::vector<std::unique_ptr<measure::Backend>> gpu_backends();

}  // namespace blockscope::worker
