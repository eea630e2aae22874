// Kernels for a card as codegen makes them: for its own target, with smaller blocks where those of the file
// do not fit.
#pragma once

#include <array>
#include <string>

#include "core/graph/graph.h"
#include "gpu/codegen/kernel_set.h"

namespace blockscope::test {

constexpr std::array<const char*, 6> kCards{"sm_80", "sm_86", "sm_89", "sm_90a", "sm_100", "sm_120"};

gpu::KernelSet for_card(const BlockProgram& state, const std::string& card);

}  // namespace blockscope::test
