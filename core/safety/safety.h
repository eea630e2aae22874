// Numerical safety (Blockbuster, appendix): a rewrite after fusion. Every value that an exponential
// reaches becomes a significand-exponent pair (s, t) for s * e^t; exponents are shared by row, or by
// block. Fused attention becomes online softmax.
#pragma once

#include "core/graph/graph.h"
#include "core/rules/rule.h"

namespace blockscope {

enum class SharedExponent { PerRow, PerBlock };

struct SafeProgram {
    BlockProgram program;  // equal to the original program in exact arithmetic
    std::vector<Lineage> made;
    int exponentials = 0;  // elementwise operators made safe; 0 if there was nothing to do
};

SafeProgram make_safe(const BlockProgram& program, SharedExponent sharing = SharedExponent::PerRow);

}  // namespace blockscope
