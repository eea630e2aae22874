// Exponents of significand-exponent pairs (Blockbuster, appendix) while the pass runs: linear
// combinations of symbols, so that what cancels in the algebra (t - t) vanishes without a trace.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/expr.h"

namespace blockscope::safety {

// `factor` times a symbol. A symbol stands for a vector along rows or a scalar, or for a list of
// them; a scalar is spread over rows where it meets a vector. A value with leading list dimensions 0, 1, ...
// varies its exponent only along those whose bit is set in `dims`; along the others one exponent serves all
// elements.
struct Term {
    int symbol = 0;
    std::uint8_t dims = 0;
    double factor = 1;
    bool operator==(const Term&) const = default;
};

// A sum of terms, sorted by symbol and dims, no factor zero. Empty: the value is plain.
using Exponent = std::vector<Term>;

Exponent operator+(const Exponent& a, const Exponent& b);
Exponent operator*(const Exponent& a, double factor);

// The sum as an expression over its terms' values; term i is Arg{first + i}. 0 for the empty sum.
ExprPtr linear(const Exponent& exponent, int first = 0);

}  // namespace blockscope::safety
