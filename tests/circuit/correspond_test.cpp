// Snapshots of block programs that are grouped and streamed algorithms: the two derive the same H and M.
#include "core/circuit/correspond.h"

#include <gmock/gmock.h>

#include <set>
#include <stdexcept>

#include "core/circuit/accumulators.h"
#include "core/circuit/check.h"
#include "core/circuit/from_block.h"
#include "core/cost/counts.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/rules/table.h"
#include "tests/circuit/figures.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

Flow flow_of_sample(const std::string& name) {
    return separated(flow_of(read_sample(name)));
}

// H and M of the state after `step`, of the program split alike, and that they are the same.
HM same_hm(const std::string& name, int step) {
    const Trace trace = fuse(block_sample(name));
    const Result<StateAlgorithm> state = algorithm_of(*trace.state(step));
    if (!state) throw std::runtime_error(state.problems().front().message);
    const Flow flow = flow_of_sample(name);
    const Result<Plan> plan = plan_of(flow, *state);
    if (!plan) throw std::runtime_error(plan.problems().front().message);
    const Result<PlannedAlgorithm> planned = algorithm_of(flow, *plan);
    if (!planned) throw std::runtime_error(planned.problems().front().message);
    EXPECT_THAT(verify(state->circuit), testing::IsEmpty());
    EXPECT_THAT(verify(planned->circuit), testing::IsEmpty());
    const HM found = hm_of(state->circuit, state->resources);
    EXPECT_EQ(found, hm_of(planned->circuit, planned->resources)) << name;
    return found;
}

// Attention after step 17 and the grouped and streamed diagram of attention: symbol for symbol. M is that of
// Figure 21 and the sums of the rows, which Section 5.1 shows and Section 2.4 does not.
TEST(Correspondence, OfAttentionAfterStep17) {
    const Result<StateAlgorithm> state = algorithm_of(*fuse(block_sample("attention")).state(17));
    ASSERT_TRUE(state) << state.problems().front().message;
    using Part = StateAlgorithm::Part;
    EXPECT_THAT(state->parts, testing::ElementsAre(Part{"M", PartitionKind::Group, 128},
                                                   Part{"N", PartitionKind::Stream, 128}));
    const Flow flow = flow_of_sample("attention");
    const Plan plan = plan_of(flow, *state).value();
    const PlannedAlgorithm planned = algorithm_of(flow, plan).value();
    EXPECT_FORMULA(state->resources.transferred, "D·M + D·M·N·g_M^-1 + L·M + L·M·N·g_M^-1");
    EXPECT_FORMULA(state->resources.widest(1), "D·g_M + D·s_N + L·g_M + L·s_N + g_M");
    EXPECT_FORMULA(planned.resources.transferred, state->resources.transferred.text());
    EXPECT_FORMULA(planned.resources.widest(1), state->resources.widest(1).text());
    EXPECT_FORMULA(planned.resources.groups, state->resources.groups.text());
    EXPECT_EQ(same_hm("attention", 17), (HM{34'603'008, 65'664}));
    // Without the sums, and as Section 3.2 has it.
    const Circuit plain = fused(flow, plan).value();
    EXPECT_EQ(hm_of(plain, resources(plain)), (HM{34'603'008, 65'536}));
}

// Where a snapshot is a grouped and streamed algorithm; of the other samples' snapshots one axis is split in
// two loops.
TEST(Correspondence, OfTheSamplesThatAreOneAlgorithm) {
    std::set<std::string> all;
    for (const std::string& name : sample_names()) {
        const Trace trace = fuse(block_sample(name));
        const Result<StateAlgorithm> state = algorithm_of(*trace.last());
        if (!state || !plan_of(flow_of_sample(name), *state)) continue;
        same_hm(name, static_cast<int>(trace.steps.size()));
        all.insert(name);
    }
    std::set<std::string> expected = {
        "attention", "biased-attention", "causal-attention", "gemm-relu",
        "gqa",       "layernorm-matmul", "matmul",           "multihead-attention"};
    for (int i = 1; i <= 12; ++i) expected.insert("mcfuser-g" + std::to_string(i));
    for (int i = 1; i <= 9; ++i) expected.insert("mcfuser-s" + std::to_string(i));
    EXPECT_EQ(all, expected);
}

// Sizes of blocks that are not all the same, so that nothing is equal by chance; several blocks of D.
TEST(Correspondence, AtOtherSizes) {
    for (const char* dims : {"dim M = 96 / 12\ndim N = 70 / 7\ndim D = 30 / 30\ndim L = 22 / 22\n",
                             "dim M = 96 / 12\ndim N = 70 / 7\ndim D = 30 / 10\ndim L = 22 / 11\n"}) {
        const ArrayProgram program =
            parse_program(std::string(dims) +
                              "input Q[M, D], K[N, D], V[N, L] : bf16\nS = Q @ K.T * D^-0.5\n"
                              "P = softmax(S)\noutput O = P @ V\n",
                          "t")
                .value();
        const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(program).program));
        const Result<StateAlgorithm> state = algorithm_of(*trace.last());
        ASSERT_TRUE(state);
        const Flow flow = separated(flow_of(program));
        const Result<Plan> plan = plan_of(flow, *state);
        ASSERT_TRUE(plan) << plan.problems().front().message;
        const PlannedAlgorithm planned = algorithm_of(flow, *plan).value();
        EXPECT_EQ(hm_of(state->circuit, state->resources), hm_of(planned.circuit, planned.resources)) << dims;
    }
}

// The option is the cost counter's: loads outside of the serial loops that do not index them. The exact
// counts of every snapshot of every sample are the diagram's.
TEST(Correspondence, HoistedLoadsAreThoseThatAreCounted) {
    for (const std::string& name : sample_names()) {
        const Trace trace = fuse(block_sample(name));
        for (const int step : trace.snapshots) {
            const Result<Circuit> drawn = circuit_of(*trace.state(step), LoadPlacement::Hoisted);
            ASSERT_TRUE(drawn) << drawn.problems().front().message;
            EXPECT_THAT(verify(*drawn), testing::IsEmpty());
            const LoopProgram loops = lower(*trace.state(step));
            double counted = 0;
            for (const blockscope::Term& term : cost_terms(loops, LoadPlacement::Hoisted)) {
                const bool load = term.quantity == Quantity::LoadValues;
                if (!load && term.quantity != Quantity::StoreValues) continue;
                if (loops.buffers.at(static_cast<std::size_t>(term.buffer)).source == InputSource::CausalMask)
                    continue;
                counted += static_cast<double>(value(term, loops.dims));
            }
            EXPECT_EQ(hm_of(*drawn, resources(*drawn)).transferred, counted)
                << name << " after step " << step;
        }
    }
}

TEST(Correspondence, SaysWhatIsNoSuchAlgorithm) {
    const Trace trace = fuse(block_sample("attention"));
    const Result<StateAlgorithm> first = algorithm_of(*trace.state(15));
    ASSERT_FALSE(first);
    EXPECT_THAT(first.problems().front().message, testing::HasSubstr("two loops along N"));
    int peeled = 0;
    for (int step = 0; step <= 17; ++step)
        for (const Match& match : all_matches(*trace.state(step))) {
            if (match.rule.number != 7) continue;
            ++peeled;
            const Result<StateAlgorithm> found = algorithm_of(*branch(trace, step, match).last());
            ASSERT_FALSE(found);
            EXPECT_THAT(found.problems().front().message, testing::HasSubstr("first iteration"));
        }
    EXPECT_GT(peeled, 0);
    // Queries cannot be streamed: the plan of another program.
    const Result<StateAlgorithm> matmul = algorithm_of(*fuse(block_sample("matmul")).last());
    EXPECT_FALSE(plan_of(flow_of_sample("attention"), *matmul));
}

// What softmax's accumulator keeps stands in the drawing; rmsnorm's, too; nothing else changes.
TEST(Accumulators, AreDrawn) {
    const Flow flow = flow_from(kAttention);
    const Flow drawn = with_accumulators(flow, {axis(flow, "x")});
    ASSERT_EQ(drawn.ops.size(), flow.ops.size() + 2);  // the sum, the division
    EXPECT_EQ(with_accumulators(flow, {}).ops.size(), flow.ops.size());
    EXPECT_EQ(with_accumulators(flow, {axis(flow, "q")}).ops.size(), flow.ops.size());  // does not stream
    const Plan plan = {{axis(flow, "q"), PartitionKind::Group, 64},
                       {axis(flow, "x"), PartitionKind::Stream, 8}};
    const PlannedAlgorithm made = algorithm_of(flow, plan).value();
    EXPECT_FORMULA(made.resources.widest(1), "2·d·g_q + 2·d·s_x + g_q");
    EXPECT_FORMULA(made.resources.transferred, "2·d·q + 2·d·q·x·g_q^-1");
    const Flow norm = flow_of_sample("rmsnorm-matmul");
    const AxisId along = axis(norm, "D");
    const Circuit circuit =
        fused(with_accumulators(norm, {along}), {{along, PartitionKind::Stream, 64}}).value();
    EXPECT_THAT(verify(circuit), testing::IsEmpty());
    const Circuit plain = fused(norm, {{along, PartitionKind::Stream, 64}}).value();
    EXPECT_GT(hm_of(circuit, resources(circuit)).memory, hm_of(plain, resources(plain)).memory);
    EXPECT_EQ(hm_of(circuit, resources(circuit)).transferred, hm_of(plain, resources(plain)).transferred);
    // LayerNorm: sums of values and squares of each row, of each column of the other operand.
    const Result<StateAlgorithm> state = algorithm_of(*fuse(block_sample("layernorm-matmul")).last());
    const Flow layer = flow_of_sample("layernorm-matmul");
    const PlannedAlgorithm planned = algorithm_of(layer, plan_of(layer, *state).value()).value();
    EXPECT_FORMULA(planned.resources.widest(1), "2·g_M + g_M·g_N + 2·g_M·s_K + g_N + g_N·s_K");
    EXPECT_FORMULA(state->resources.widest(1), planned.resources.widest(1).text());
}

}  // namespace
}  // namespace blockscope::test
