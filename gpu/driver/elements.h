// Numbers as they lie in a card's memory.
#pragma once

#include <span>
#include <vector>

#include "core/graph/type.h"

namespace blockscope::gpu {

// Values that the type does not have are rounded to the nearest, ties to even (measure::round_to).
std::vector<unsigned char> to_bytes(ElemType elem, std::span<const double> values);
std::vector<double> from_bytes(ElemType elem, std::span<const unsigned char> bytes);

}  // namespace blockscope::gpu
