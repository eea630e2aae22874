// States of block programs as diagrams: the two derive the same transfers and, for attention, the same
// memory.
#include <gmock/gmock.h>

#include "core/circuit/check.h"
#include "core/circuit/from_block.h"
#include "core/circuit/print.h"
#include "core/circuit/resources.h"
#include "core/cost/counts.h"
#include "core/fusion/trace.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

class BlockDiagram : public testing::TestWithParam<std::string> {};

TEST_P(BlockDiagram, MovesAndComputesWhatIsCounted) {
    const Trace trace = fuse(block_sample(GetParam()));
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
        SCOPED_TRACE("step " + std::to_string(step));
        const BlockProgram& state = *trace.state(step);
        const Result<Circuit> circuit = circuit_of(state);
        ASSERT_TRUE(circuit) << circuit.problems().front().message;
        ASSERT_THAT(verify(*circuit), testing::IsEmpty()) << to_string(*circuit);
        const Resources costs = resources(*circuit);
        const Values values = sizes(circuit->axes);
        const Counts counts = count(lower(state));
        const auto moved =
            static_cast<double>(counts.inputs.values + counts.outputs.values + counts.intermediates.values);
        EXPECT_DOUBLE_EQ(costs.transferred.value(values), moved) << to_string(*circuit);
        EXPECT_DOUBLE_EQ(costs.work.matrix.value(values), static_cast<double>(counts.flops.matrix));
        // The drawing shows what has to be there; the counter adds what waits in loops and for its result.
        EXPECT_LE(costs.widest(1).value(values), static_cast<double>(counts.local.values));
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, BlockDiagram, testing::ValuesIn(sample_names()),
                         [](const auto& sample) { return test_name(sample.param); });

// Attention after step 17: one kernel over blocks of queries, keys streamed, scores never stored.
TEST(BlockDiagram, OfFusedAttention) {
    const Trace trace = fuse(block_sample("attention"));
    const BlockProgram& state = *trace.state(17);
    const Result<Circuit> circuit = circuit_of(state);
    ASSERT_TRUE(circuit);
    const Resources costs = resources(*circuit);
    const Values values = sizes(circuit->axes);
    const Counts counts = count(lower(state));
    EXPECT_EQ(costs.widest(1).value(values), static_cast<double>(counts.local.values));
}

}  // namespace
}  // namespace blockscope::test
