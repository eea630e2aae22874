// Every listing can be executed by a reader that knows only the grammar, and gives what the block
// program gives: all operators in all shapes, and every step of the paper's examples.
#include <gtest/gtest.h>

#include <set>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "tests/program/operator_cases.h"
#include "tests/support/listing_check.h"
#include "tests/support/paper_examples.h"

namespace blockscope::test {
namespace {

// Every state, and what every rule makes of it by hand (peeling, which the algorithm does not use, too).
void check_branches(const ArrayProgram& program) {
    const Trace trace = fused_trace(program);
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
        const ProgramPtr& state = trace.state(step);
        const DimTable dims = proof_dims(*state);
        ASSERT_EQ(reader::check_listing(*state, dims, 1), "") << "after step " << step;
        for (const Match& match : all_matches(*state))
            ASSERT_EQ(reader::check_listing(*checked_apply(state, match).after, dims, 1), "")
                << "after step " << step << " and rule " << to_string(match.rule);
    }
}

// The first, the middle and the last state.
void check_fusion(const ArrayProgram& program) {
    const Trace trace = fused_trace(program);
    const int steps = static_cast<int>(trace.steps.size());
    for (const int step : std::set<int>{0, steps / 2, steps}) {
        const BlockProgram& state = *trace.state(step);
        ASSERT_EQ(reader::check_listing(state, proof_dims(state), 1), "") << "after step " << step;
    }
}

TEST(ExecutedListings, EveryStepOfAttention) {
    check_branches(paper_attention());
}

TEST(ExecutedListings, EveryStepOfLayerNormAndMatmul) {
    check_branches(paper_layernorm_matmul());
}

TEST(ExecutedListings, EveryStepOfRmsNormAndSwiGlu) {
    check_branches(paper_rmsnorm_swiglu());
}

class OperatorListings : public testing::TestWithParam<Use> {};

TEST_P(OperatorListings, EveryOperator) {
    for (const CaseDims& dims : all_case_dims())
        for (const OperatorCase& one : operator_cases(dims, GetParam())) {
            SCOPED_TRACE(one.name + " on " + dims.batch + "|" + dims.rows + dims.cols + dims.inner);
            ArrayProgram program = one.program;
            for (ArrayOutput& output : program.outputs) output.name = "R" + output.name;  // Y is an input
            ASSERT_NO_FATAL_FAILURE(check_fusion(program));
        }
}

INSTANTIATE_TEST_SUITE_P(Uses, OperatorListings,
                         testing::Values(Use::Plain, Use::TransposedOnly, Use::BothWays));

}  // namespace
}  // namespace blockscope::test
