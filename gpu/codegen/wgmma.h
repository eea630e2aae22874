// The instruction wgmma.mma_async as functions. Its accumulators are so many operands of their own, for each
// number of columns another many, that the functions are written by a program.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "core/graph/type.h"

namespace blockscope::gpu {

// One instruction: operands of a type (f16, bf16, e4m3; f32 for tf32) by so many columns, 8 to 256.
using WgmmaShape = std::pair<ElemType, int>;

// The shapes that group_step (resources/cuda/wgmma.cuh) wants for a result of so many columns.
std::set<WgmmaShape> wgmma_shapes(ElemType elem, std::int64_t columns);

// Functions
//     wgmma<LEFT_TRANSPOSED, RIGHT_TRANSPOSED, FIRST>(T(), Size<N>(), upper, lower, left, right)
// for the left operand in shared memory and in registers.
std::string wgmma_functions(const std::set<WgmmaShape>& shapes);

}  // namespace blockscope::gpu
