// Numerical safety (Blockbuster, appendix): a rewrite after fusion. Every value that an exponential
// reaches becomes a significand-exponent pair (s, t) for s * e^t; exponents are shared by row, or by
// block. Fused attention becomes online softmax.
//
//   exp(x), x a block          (exp(x-z), z), z = row_max(x) or block_max(x)
//   exp(x), x vector, scalar   (exp(x-x), x): every element has its own exponent
//   mul(a,b), row_scale(a,c)   significands multiplied, exponents added
//   row_sum(a), rotations      exponent kept
//   dot(a,b), outer(a,b),      per row: exponent of a kept, b made plain; per block: exponents added
//   col_scale(a,b)
//   add(a,b), row_shift(a,c)   same exponent: kept; else both rescaled to the greater one (0 of a plain
//                              operand)
//   col_shift(a,r)             per row: r made plain; a pair a gets outer(exp(-z), r) added
//   row_max, block_max,        made plain
//   maxima over iterations
//   -x, x*y, x/y, sqrt, x**c   exponent negated, added, subtracted, halved, multiplied (c a multiple of 1/2)
//   any other elementwise      its operands made plain
//   miscellaneous, outputs     made plain
//
// Made plain is multiplied by exp(t). row_scale by the reciprocal of a row sum adds -t to t, so that no
// exponent is left at the end of fused attention.
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
