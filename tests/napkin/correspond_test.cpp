// Snapshots of block programs that are grouped and streamed algorithms: the two derive the same H and M.
#include "core/napkin/correspond.h"

#include <gmock/gmock.h>

#include <map>
#include <set>
#include <stdexcept>

#include "core/cost/counts.h"
#include "core/diagram/arrange.h"
#include "core/diagram/term.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/rules/rule.h"
#include "tests/diagram/figures.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

Flow flow_of_sample(const std::string& name) {
    return separated(flow_of(read_sample(name)));
}

// "g_M=128 s_N=128"; inner ones stand in parentheses.
std::string parts_of(const StateAlgorithm& state) {
    std::string text;
    for (const StateAlgorithm::Part& part : state.parts) {
        const std::string one =
            (part.kind == PartitionKind::Group ? "g_" : "s_") + part.axis + "=" + std::to_string(part.size);
        text += (text.empty() ? "" : " ") + (part.inner ? "(" + one + ")" : one);
    }
    return text;
}

// H and M of the state after `step`, of the program split alike, and that they are the same.
HM same_hm(const std::string& name, int step) {
    const Trace trace = fuse(block_sample(name), {}, kPaperRules);
    const Result<StateAlgorithm> state = algorithm_of(*trace.state(step));
    if (!state) throw std::runtime_error(state.problems().front().message.str());
    const Flow flow = flow_of_sample(name);
    const Result<SplitAlike> split = split_alike(flow, *state);
    if (!split) throw std::runtime_error(split.problems().front().message.str());
    const Result<PlannedAlgorithm> planned = algorithm_of(split->flow, split->plan);
    if (!planned) throw std::runtime_error(planned.problems().front().message.str());
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
    EXPECT_EQ(parts_of(*state), "g_M=128 s_N=128");
    using Wires = std::set<ProgramWire>;
    EXPECT_EQ(state->parts[0].wires, (Wires{{"Q", "M", 0}, {"O", "M", 0}}));
    EXPECT_EQ(state->parts[1].wires, (Wires{{"K", "N", 0}, {"V", "N", 0}}));
    const Flow flow = flow_of_sample("attention");
    const Plan plan = split_alike(flow, *state)->plan;
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

// By the paper's rules, which move no learned weight, the last state of every sample but two is a grouped and
// streamed algorithm: the decoder block and rotated queries and keys are several.
TEST(Correspondence, OfEverySample) {
    for (const std::string& name : sample_names()) {
        if (name == "decoder-block" || name == "rotary-attention") continue;
        SCOPED_TRACE(name);
        const Trace trace = fuse(block_sample(name), {}, kPaperRules);
        same_hm(name, static_cast<int>(trace.steps.size()));
    }
}

// The decoder block is several algorithms one after the other: what goes through global memory between them
// is named, and what it adds to H.
TEST(Correspondence, OfTheDecoderBlockSaysWhatIsStored) {
    const StateAlgorithm state =
        algorithm_of(*fuse(block_sample("decoder-block"), {}, kPaperRules).last()).value();
    const Result<SplitAlike> split = split_alike(flow_of_sample("decoder-block"), state);
    ASSERT_FALSE(split);
    EXPECT_THAT(
        split.problems().front().message,
        testing::HasSubstr("intermediate results that go through global memory (I1, I2, I3, I4, I5, I6, "
                           "I7, I8, I9, I10, I11)"));
    std::vector<std::string> moved;
    for (const StateAlgorithm::Stored& stored : state.stored) moved.push_back(stored.moved.text());
    // The first norm, V, K, Q, the exponentials and the sums over heads (done again for every block of D),
    // the residual, the second norm, and the hidden layer.
    EXPECT_THAT(moved, testing::ElementsAre("2·D·Hkv·M·g_Hkv^-1 + D·M + D²·G·Hkv·M·g_D^-1·g_G^-1·g_Hkv^-1",
                                            "D·E·G·Hkv·M²·g_D^-1·g_G^-1·g_Hkv^-1·g_M^-1 + E·Hkv·M·g_Hkv^-1",
                                            "D·E·G·Hkv·M²·g_D^-1·g_G^-1·g_Hkv^-1·g_M^-1 + E·Hkv·M·g_Hkv^-1",
                                            "2·D·E·G·Hkv·M·g_D^-1·g_G^-1·g_Hkv^-1",
                                            "2·D·G·Hkv·M²·g_D^-1·g_G^-1·g_Hkv^-1",
                                            "D·G·Hkv·M·g_G^-1·g_Hkv^-1 + D·G·Hkv·M·g_Hkv^-1·s_G^-1",
                                            "D·Hkv·M·g_Hkv^-1 + D·Hkv·M·s_Hkv^-1", "2·D·M", "3·D·M",
                                            "D·F·M·g_F^-1 + D·M", "D·F·M·g_D^-1 + F·M"));
}

// What of H goes through global memory between loops is what the cost counter counts of each intermediate,
// the rest what it counts of inputs and outputs: every snapshot of every sample.
TEST(Correspondence, StoredIntermediatesAreThoseThatAreCounted) {
    int stored_in_all = 0;
    for (const std::string& name : sample_names()) {
        const Trace trace = fuse(block_sample(name));
        for (const int step : trace.snapshots) {
            SCOPED_TRACE(name + " after step " + std::to_string(step));
            const StateAlgorithm state = algorithm_of(*trace.state(step)).value();
            const Values at = sizes(state.circuit.axes);
            std::map<std::string, double> found;
            double rest = hm_of(state.circuit, state.resources).transferred;
            for (const StateAlgorithm::Stored& stored : state.stored) {
                found[stored.name] = stored.moved.value(at);
                rest -= stored.moved.value(at);
            }
            stored_in_all += static_cast<int>(state.stored.size());
            const LoopProgram loops = lower(*trace.state(step));
            std::map<std::string, double> counted;
            double others = 0;
            for (const blockscope::Term& term : cost_terms(loops, LoadPlacement::Hoisted)) {
                if (term.quantity != Quantity::LoadValues && term.quantity != Quantity::StoreValues) continue;
                const Buffer& buffer = loops.buffers.at(static_cast<std::size_t>(term.buffer));
                if (buffer.source == InputSource::CausalMask) continue;
                double& sum = buffer.kind == Buffer::Kind::Intermediate ? counted[buffer.name] : others;
                sum += static_cast<double>(value(term, loops.dims));
            }
            EXPECT_EQ(found, counted);
            EXPECT_EQ(rest, others);
        }
    }
    EXPECT_GT(stored_in_all, 11);
}

std::multiset<std::string> of_dimensions(const Formula& formula) {
    std::string text = formula.text();
    std::erase(text, '\'');
    const std::vector<std::string> parts = summands(text);
    return {parts.begin(), parts.end()};
}

// Several loops along one axis: a pass over X for the sums of its rows and another one, product by product,
// inside a stream that does the sums again in each of its parts, and before groups.
TEST(Correspondence, OfSeveralLoopsAlongOneAxis) {
    struct Row {
        const char *sample, *parts, *transferred, *memory;
    };
    const Row rows[] = {
        {"rmsnorm-matmul", "g_M=128 g_N=128 s_D=128 s_D=128",
         "D·M·N·g_M^-1 + D·M·N·g_M^-1·g_N^-1 + 2·D·M·N·g_N^-1 + M·N",
         "g_M + g_M·g_N + g_M·s_D + g_N·s_D + s_D"},
        {"lora", "g_M=128 g_N=128 s_D=128 s_D=128",
         "D·M·N·R·g_M^-1·g_N^-1 + D·M·N·g_M^-1 + 2·D·M·N·g_N^-1 + M·N + M·N·R·g_M^-1",
         "R·g_N + g_M·g_N + g_M·s_D + g_N·s_D"},
        {"gated-mlp", "g_M=128 g_D=128 s_F=128 (s_D=128)",
         "D·F·M·g_M^-1 + D·M + 2·D²·F·M·g_D^-1·g_M^-1 + D²·F·M·g_D^-1·s_F^-1",
         "g_D·g_M + g_D·s_F + g_M·s_D + 2·g_M·s_F + 2·s_D·s_F"},
        {"bias-gelu-mlp", "g_M=128 g_D=128 s_F=128 (s_D=128)",
         "D·F·M·g_D^-1·g_M^-1 + D·F·M·g_M^-1 + D·M + D·M·g_M^-1 + D²·F·M·g_D^-1·g_M^-1 + "
         "D²·F·M·g_D^-1·s_F^-1",
         "g_D + g_D·g_M + g_D·s_F + g_M·s_D + g_M·s_F + s_D·s_F + s_F"},
        {"rmsnorm-swiglu", "g_M=128 g_N=128 s_K=128 (s_D=128)",
         "2·D·K·M·N·g_M^-1·g_N^-1 + D·K·M·N·g_N^-1·s_K^-1 + K·M·N·g_M^-1 + M·N",
         "g_M + g_M·g_N + 2·g_M·s_D + 2·g_M·s_K + g_N·s_K + 2·s_D·s_K"},
        {"layernorm", "g_M=128 s_D=128 (g_D=128)", "3·D·M + 2·D·M·g_M^-1", "2·g_D + g_D·g_M + 2·g_M"},
        // The exponentials go through global memory: 2·M·N of the four.
        {"softmax", "g_M=128 s_N=128 (g_N=128)", "4·M·N", "g_M + g_M·s_N"},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.sample);
        const Result<StateAlgorithm> state =
            algorithm_of(*fuse(block_sample(row.sample), {}, kPaperRules).last());
        ASSERT_TRUE(state);
        EXPECT_EQ(parts_of(*state), row.parts);
        const Result<SplitAlike> split = split_alike(flow_of_sample(row.sample), *state);
        ASSERT_TRUE(split) << split.problems().front().message;
        const PlannedAlgorithm planned = algorithm_of(split->flow, split->plan).value();
        EXPECT_FORMULA(state->resources.transferred, row.transferred);
        EXPECT_FORMULA(state->resources.widest(1), row.memory);
        // The program's own diagram tells the axes apart that one dimension is: D and D'.
        EXPECT_EQ(of_dimensions(planned.resources.transferred), of_dimensions(state->resources.transferred));
        EXPECT_EQ(of_dimensions(planned.resources.widest(1)), of_dimensions(state->resources.widest(1)));
    }
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
        const Result<SplitAlike> split = split_alike(flow, *state);
        ASSERT_TRUE(split) << split.problems().front().message;
        const PlannedAlgorithm planned = algorithm_of(split->flow, split->plan).value();
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
    const StateAlgorithm first = algorithm_of(*trace.state(0)).value();
    const Result<SplitAlike> split = split_alike(flow_of_sample("attention"), first);
    ASSERT_FALSE(split);
    EXPECT_THAT(split.problems().front().message,
                testing::HasSubstr("intermediate results that go through global memory (I1"));
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
    // A state of another program.
    const Result<StateAlgorithm> matmul = algorithm_of(*fuse(block_sample("matmul")).last());
    EXPECT_FALSE(split_alike(flow_of_sample("attention"), *matmul));
}

// A stream inside another one's parts repeats what of it does not have that axis, if asked to, and if that
// does not wait for the other stream's end.
TEST(Correspondence, StreamsThatRepeatOthers) {
    const Flow flow = flow_of_sample("rmsnorm-swiglu");
    const Part outer{axis(flow, "K"), PartitionKind::Stream, 128};
    Part inner{axis(flow, "D"), PartitionKind::Stream, 128};
    EXPECT_THAT(impossible(flow, {outer, inner}).at(0).message,
                testing::HasSubstr("share only some of their operators"));
    inner.inner = true;
    EXPECT_THAT(impossible(flow, {outer, inner}), testing::IsEmpty());
    Part late = outer;
    late.inner = true;
    EXPECT_THAT(impossible(flow, {{inner.axis, PartitionKind::Stream, 128}, late}), testing::SizeIs(1));
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
    const PlannedAlgorithm planned = algorithm_of(layer, split_alike(layer, *state)->plan).value();
    EXPECT_FORMULA(planned.resources.widest(1), "2·g_M + g_M·g_N + 2·g_M·s_K + g_N + g_N·s_K");
    EXPECT_FORMULA(state->resources.widest(1), planned.resources.widest(1).text());
}

}  // namespace
}  // namespace blockscope::test
