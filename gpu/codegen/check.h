// What cannot be generated, before anything is.
#pragma once

#include "gpu/codegen/kernel_writer.h"

namespace blockscope::gpu {

// The threads of a thread block that suit the program's blocks.
int threads_for(const LoopProgram& program, const Values& values);

// Operators without a CUDA form and values that do not fit a thread block, each with its line of the listing.
Problems find_problems(const Generation& generation, int threads);

// Shared memory of the plain target: two panels of operands of dot.
constexpr int kPlainSharedBytes = 48 * 1024;

}  // namespace blockscope::gpu
