// Static counts are what execution does: equal, not close.
#include "core/cost/counts.h"

#include <gmock/gmock.h>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/print/print.h"
#include "core/safety/safety.h"
#include "tests/cost/executed.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

BlockProgram sized(const BlockProgram& program, const DimTable& dims) {
    BlockProgram result = program;
    result.dims = dims;
    return result;
}

class CountsOf : public testing::TestWithParam<std::string> {};

TEST_P(CountsOf, EveryStepAreWhatItsListingDoes) {
    const ProgramPtr initial = block_sample(GetParam());
    const DimTable dims = proof_dims(*initial);
    const Trace& trace = sample_trace(GetParam());
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
        SCOPED_TRACE("step " + std::to_string(step));
        ASSERT_EQ(count_difference(BothLoops(sized(*trace.state(step), dims))), "");
    }
}

TEST_P(CountsOf, SafeFormsOfEveryStepAreWhatTheirListingsDo) {
    const ProgramPtr initial = block_sample(GetParam());
    const DimTable dims = proof_dims(*initial);
    const BothLoops unfused(sized(*initial, dims));
    const Trace& trace = sample_trace(GetParam());
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
        SCOPED_TRACE("step " + std::to_string(step));
        const BothLoops safe(sized(make_safe(*trace.state(step)).program, dims));
        ASSERT_EQ(count_difference(safe), "");
        ASSERT_EQ(derivation_difference(safe, unfused), "");
    }
}

// Both at ragged sizes and at the sample's own, where dimensions in one block drop out.
TEST_P(CountsOf, EveryStepAreSumsThatAddUp) {
    const ProgramPtr initial = block_sample(GetParam());
    const DimTable ragged = proof_dims(*initial);
    const BothLoops unfused(initial);
    const BothLoops ragged_unfused(sized(*initial, ragged));
    const Trace& trace = sample_trace(GetParam());
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
        SCOPED_TRACE("step " + std::to_string(step));
        const ProgramPtr state = trace.state(step);
        ASSERT_EQ(derivation_difference(BothLoops(state), unfused), "");
        ASSERT_EQ(derivation_difference(BothLoops(sized(*state, ragged)), ragged_unfused), "");
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, CountsOf, testing::ValuesIn(sample_names()),
                         [](const auto& sample) { return test_name(sample.param); });

// Attention at 4096 x 4096, d = 128, blocks of 128: the figures by hand.
TEST(Counts, OfFusedAttention) {
    const Trace& trace = sample_trace("attention");
    const Counts fused = count(lower(*trace.last()));
    const std::int64_t size = 4096;
    const std::int64_t matrix = size * 128;
    EXPECT_EQ(fused.inputs.values, 96 * matrix);  // Q again for each n; K and V for each m
    EXPECT_EQ(fused.outputs.values, matrix);
    EXPECT_EQ(fused.intermediates, Transfers{});
    EXPECT_EQ(fused.flops.matrix, 4 * size * size * 128);
    EXPECT_EQ(fused.flops.special, size * size);
    EXPECT_EQ(fused.launches, 1);
    EXPECT_EQ(fused.tasks, 32);
    EXPECT_EQ(fused.outputs.bytes, 2 * matrix);

    const Counts unfused = count(lower(*trace.initial));
    EXPECT_EQ(unfused.launches, 7);
    EXPECT_EQ(unfused.flops.matrix, fused.flops.matrix);
    EXPECT_GT(unfused.intermediates.values, 6 * size * size);
    EXPECT_LT(unfused.intensity(), fused.intensity());
}

// Alive while scores are summed: blocks of Q, K and the scores, the output's accumulator, the row sums.
TEST(Counts, FindTheLargestLiveSet) {
    const Counts fused = count(lower(*sample_trace("attention").last()));
    EXPECT_EQ(fused.local.values, 4 * 128 * 128 + 128);
    EXPECT_EQ(fused.local.alive.size(), 5u);
}

// The same counts as formulas: H of attention as the loops stand, with D and L in one block.
TEST(Formulas, OfFusedAttention) {
    const LoopProgram loops = lower(*sample_trace("attention").last());
    const std::vector<Term> terms = cost_terms(loops);
    std::map<std::string, std::string> loads;
    for (std::size_t i = 0; i < loops.buffers.size(); ++i)
        loads[loops.buffers[i].name] = formula(terms, Quantity::LoadValues, static_cast<int>(i), loops.dims);
    EXPECT_EQ(loads["Q"], "M·D·N/n");
    EXPECT_EQ(loads["K"], "N·D·M/m");
    EXPECT_EQ(loads["VT"], "N·L·M/m");
    EXPECT_EQ(loads["O"], "0");
    EXPECT_EQ(formula(terms, Quantity::Matrix, -1, loops.dims), "2·M·N·D + 2·M·N·L");
    EXPECT_EQ(formula(terms, Quantity::Special, -1, loops.dims), "M·N");
}

TEST(Counts, SaturateInsteadOfOverflowing) {
    EXPECT_EQ(saturating_multiply(INT64_MAX / 2, 3), kCountLimit);
    EXPECT_EQ(saturating_add(INT64_MAX, 1), kCountLimit);
    BlockProgram huge = *block_sample("gemm-relu");
    for (Dim& dim : huge.dims) dim = {dim.name, INT32_MAX, 1, dim.kind};
    EXPECT_EQ(count(lower(huge)).flops.matrix, kCountLimit);
}

}  // namespace
}  // namespace blockscope::test
