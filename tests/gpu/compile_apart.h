// Compiling for cards in a process without sanitizers (tests/gpu/apart).
#pragma once

#include <string>

#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::test {

// As Nvrtc::compile has it, less the code.
Result<gpu::Compiled> compile_apart(const std::string& source, const std::string& card);

}  // namespace blockscope::test
