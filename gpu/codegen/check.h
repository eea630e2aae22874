// What cannot be generated, before anything is.
#pragma once

#include "gpu/codegen/kernel_writer.h"

namespace blockscope::gpu {

// The threads of a thread block that suit the program's blocks.
int threads_for(const LoopProgram& program, const Values& values);
// The same with tensor cores: a warp for each 16 or 32 rows, so that accumulators fit its registers.
int threads_for_tensor_cores(const LoopProgram& program, const Values& values, const Products& products);

// The same in groups of four warps, which take 64 rows at once.
int threads_for_warpgroups(const LoopProgram& program, const Values& values, const Products& products);

// Operators without a CUDA form and values that do not fit a thread block, each with its line of the listing.
Problems find_problems(const Generation& generation, int threads);

// A kernel whose tiles do not fit the target, if there is one.
Problems find_large_kernels(const Generation& generation, const TilePlan& tiles, Target target);

// Shared memory of products in float32: panels of two operands.
constexpr int kPanelBytes = 48 * 1024;

}  // namespace blockscope::gpu
