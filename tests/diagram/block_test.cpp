// States of block programs as diagrams: the two derive the same transfers and, for attention, the same
// memory. Every state that there is: of fusion, peeled ones, safe ones, operators without a block form.
#include <set>

#include "core/diagram/place.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/rules/rule.h"
#include "core/safety/safety.h"
#include "tests/diagram/counted.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

class BlockDiagram : public testing::TestWithParam<std::string> {};

TEST_P(BlockDiagram, MovesAndComputesWhatIsCounted) {
    const Trace trace = fuse(block_sample(GetParam()));
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
        SCOPED_TRACE("step " + std::to_string(step));
        expect_counted(*trace.state(step));
        if (HasFatalFailure()) return;
    }
}

// Rule 7 wherever it applies, and the algorithm from there to its end.
// Of a peeled loop the drawing has a row's sum before and after an addition beside the product: where rotated
// queries are read again in the loop, nothing else is larger, so that it holds one vector more than is
// counted.
TEST_P(BlockDiagram, OfPeeledMaps) {
    const Held held = GetParam() == "rotary-attention" ? Held::AtMost : Held::Exactly;
    const Trace trace = fuse(block_sample(GetParam()));
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
        SCOPED_TRACE("step " + std::to_string(step));
        bool first = true;
        for (const Match& match : all_matches(*trace.state(step))) {
            if (match.rule.number != 7) continue;
            const Trace peeled = branch(trace, step, match);
            expect_counted(*peeled.last(), held);
            if (first && step % 4 == 0) expect_counted(*fuse_on(peeled).last(), held);
            if (HasFatalFailure()) return;
            first = false;
        }
    }
}

TEST_P(BlockDiagram, OfSafeForms) {
    const Trace trace = fuse(block_sample(GetParam()));
    std::vector<int> steps = trace.snapshots;
    steps.push_back(0);
    for (const int step : steps)
        for (const SharedExponent sharing : {SharedExponent::PerRow, SharedExponent::PerBlock}) {
            SCOPED_TRACE("step " + std::to_string(step));
            expect_counted(make_safe(*trace.state(step), sharing).program);
            if (HasFatalFailure()) return;
        }
}

INSTANTIATE_TEST_SUITE_P(Samples, BlockDiagram, testing::ValuesIn(distinct_samples()),
                         [](const auto& sample) { return test_name(sample.param); });

// Attention after step 17: one kernel over blocks of queries, keys streamed, scores never stored.
TEST(BlockDiagrams, OfFusedAttention) {
    const Trace trace = fuse(block_sample("attention"));
    const BlockProgram& state = *trace.state(17);
    const Result<Circuit> circuit = circuit_of(state);
    ASSERT_TRUE(circuit);
    const Resources costs = resources(*circuit);
    const Values values = sizes(circuit->axes);
    const Counts counts = count(lower(state));
    EXPECT_EQ(costs.widest(1).value(values), static_cast<double>(counts.local.values));
}

// The same algorithm drawn from the array program: queries grouped, keys and values streamed, in its blocks.
// Two things are the block program's own: it loads the queries' block again for every block of keys, and the
// row sums have a place of their own, which the diagram's softmax does not show.
TEST(BlockDiagrams, OfFusedAttentionAreNearlyTheStreamedDiagram) {
    const Trace trace = fuse(block_sample("attention"));
    const Circuit blocks = circuit_of(*trace.state(17)).value();
    const Flow flow = separated(flow_of(read_sample("attention")));
    Plan plan;
    for (std::size_t a = 0; a < flow.axes.size(); ++a) {
        const AxisId axis{static_cast<int>(a)};
        if (flow.axes[a].name == "M") plan.insert(plan.begin(), {axis, PartitionKind::Group, 128});
        if (flow.axes[a].name == "N") plan.push_back({axis, PartitionKind::Stream, 128});
    }
    const Circuit drawn = fused(flow, plan).value();
    const Resources one = resources(blocks), other = resources(drawn);
    const Values at = sizes(blocks.axes), there = sizes(drawn.axes);
    EXPECT_EQ(one.groups.value(at), other.groups.value(there));
    const double queries = 4096.0 * 128, parts_of_keys = 4096.0 / 128, row_sums = 128;
    EXPECT_EQ(one.transferred.value(at), other.transferred.value(there) + (parts_of_keys - 1) * queries);
    EXPECT_EQ(one.widest(1).value(at), other.widest(1).value(there) + row_sums);
}

BlockProgram blocks_of(const std::string& text) {
    const Result<ArrayProgram> program = parse_program(text, "test.bp");
    if (!program) throw std::runtime_error(program.problems().front().message.str());
    return to_block_program(*program).program;
}

// The streams of a diagram that go on from a first value.
int carrying(const Circuit& circuit) {
    std::set<const Partition*> found;
    for (const Execution& execution : columns(circuit).executions)
        for (const Partition* partition : execution.around)
            for (std::size_t output = 0; output < partition->join.size(); ++output)
                if (partition->carried_to(output) >= 0) found.insert(partition);
    return static_cast<int>(found.size());
}

// A sum whose first iteration is peeled: lists are sliced, the stream begins with the first summand, and its
// number of parts is one less.
TEST(BlockDiagrams, SliceAndCarryPeeledSums) {
    int found = 0;
    for (const std::string& name : distinct_samples()) {
        const Trace trace = fuse(block_sample(name));
        for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step)
            for (const Match& match : all_matches(*trace.state(step))) {
                if (match.rule.number != 7) continue;
                const Result<Circuit> circuit = circuit_of(*branch(trace, step, match).last());
                ASSERT_TRUE(circuit);
                if (carrying(*circuit) == 0) continue;
                ++found;
                const std::string text = to_string(*circuit);
                EXPECT_THAT(text, testing::HasSubstr("[0] along"));
                EXPECT_THAT(text, testing::HasSubstr("[1:] along"));
                EXPECT_THAT(text, testing::HasSubstr("_1:, carrying ("));
                EXPECT_THAT(text, testing::HasSubstr("+="));
            }
    }
    EXPECT_GT(found, 0);
}

// One iteration is all that there is: the rest of a peeled map is nothing, and its list that of the first.
TEST(BlockDiagrams, OfAPeeledMapWithOneIteration) {
    const auto program = std::make_shared<const BlockProgram>(
        blocks_of("dim M = 64 / 64\ndim N = 64 / 64\ndim D = 64 / 64\ninput Q[M, D], K[N, D], V[N, D]\n"
                  "output O = softmax(Q @ K.T) @ V\n"));
    const Trace trace = fuse(program);
    int peeled = 0;
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step)
        for (const Match& match : all_matches(*trace.state(step))) {
            if (match.rule.number != 7) continue;
            ++peeled;
            expect_counted(*branch(trace, step, match).last());
        }
    EXPECT_GT(peeled, 0);
}

// The maximum of a block for the exponent that a block shares, and what the exponents begin with.
TEST(BlockDiagrams, OfSafeAttentionCarryExponents) {
    const Trace trace = fuse(block_sample("attention"));
    const SafeProgram safe = make_safe(*trace.last(), SharedExponent::PerBlock);
    const Result<Circuit> circuit = circuit_of(safe.program);
    ASSERT_TRUE(circuit);
    const std::string text = to_string(*circuit);
    EXPECT_GT(carrying(*circuit), 0);
    EXPECT_THAT(text, testing::HasSubstr("−∞"));
    EXPECT_THAT(text, testing::HasSubstr("max along"));
}

TEST(BlockDiagrams, OfOperatorsWithoutABlockForm) {
    const BlockProgram program = blocks_of(
        "dim M = 64 / 16\ndim N = 64 / 16\ninput A[M, N]\nB = custom(\"sort\", A)\n"
        "output C = relu(B)\n");
    expect_counted(program, Held::AtMost);
    const Result<Circuit> circuit = circuit_of(program);
    ASSERT_TRUE(circuit);
    EXPECT_THAT(to_string(*circuit), testing::HasSubstr("sort"));
}

}  // namespace
}  // namespace blockscope::test
