// How deep exponentials nest: exact arithmetic has images for a few levels only.
#pragma once

#include "core/graph/graph.h"

namespace blockscope {

// A safe form computes exponents in another way than the original; the images agree for as many nested
// exponentials (core/scalar/exact.h).
constexpr int kProvableExponentials = 3;

// The most exponentials that one value has passed through.
int nested_exponentials(const BlockProgram& program);

}  // namespace blockscope
