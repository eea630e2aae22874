// Numbers as they lie in a card's memory.
#pragma once

#include <span>
#include <vector>

#include "core/graph/type.h"

namespace blockscope::gpu {

// f32, f16 or bf16 (has_bytes). Values that the type does not have are rounded to the nearest, ties to even.
bool has_bytes(ElemType elem);
std::vector<unsigned char> to_bytes(ElemType elem, std::span<const double> values);
std::vector<double> from_bytes(ElemType elem, std::span<const unsigned char> bytes);

}  // namespace blockscope::gpu
