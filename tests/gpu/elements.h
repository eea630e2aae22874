// Element types by their definition: exponents and mantissas, not the bits that the tile library shuffles.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/type.h"

namespace blockscope::test {

double round_to(ElemType elem, double value);
// Bytes as they lie in the device's memory, and back.
std::vector<unsigned char> encode(ElemType elem, const std::vector<double>& values);
std::vector<double> decode(ElemType elem, const std::vector<unsigned char>& bytes);
// Every byte 0xff: NaN in all of them.
std::vector<unsigned char> nan_bytes(ElemType elem, std::int64_t count);

}  // namespace blockscope::test
