// Programs with sums over iterations, for the tests of the numerical-safety pass.
#pragma once

#include <limits>

#include "tests/safety/cases.h"

namespace blockscope::test {

using Op = FunctionalOp;
inline constexpr double kNothing = -std::numeric_limits<double>::infinity();
inline const Type kBlocks = list({kM, kN}, block(kM, kN));  // of A

ValueRef exp_of(Builder& b, ValueRef x);
ValueRef reciprocal(Builder& b, ValueRef x);
ValueRef row_sum(Builder& b, ValueRef x);
ValueRef row_scale(Builder& b, ValueRef x, ValueRef c);

// forall m, l: for n: exp, row_sum, dot; then row_scale by 1/sum. `body` says what happens in the n-loop.
BlockProgram over_rows(const std::function<Refs(Hand&, Builder&, const Refs&)>& body);
Refs exp_and_sums(Builder& b, const Refs& in);

}  // namespace blockscope::test
