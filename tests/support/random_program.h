// Random array programs that hold every awkward shape: dimensions used twice (A (M,K) times
// BT (M,K), scores (M,M)), residuals, several outputs, shared inputs, values used twice, batch and group
// dimensions, ragged blocks, single blocks.
#pragma once

#include <cstdint>

#include "core/program/array_program.h"

namespace blockscope {

// Always valid, small enough to be evaluated in well under a millisecond, and the same for one seed on
// every platform.
ArrayProgram random_array_program(std::uint64_t seed);

}  // namespace blockscope
