// This machine's processor, through the CPU engine.
#pragma once

#include <memory>

#include "core/measure/backend.h"

namespace blockscope::worker {

std::unique_ptr<measure::Backend> cpu_backend();

}  // namespace blockscope::worker
