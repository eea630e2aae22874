// Circuit documents: what is written is read again as it was; what is wrong has a place.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "core/diagram/arrange.h"
#include "core/diagram/document.h"
#include "core/diagram/layout/drawing.h"
#include "core/diagram/place.h"
#include "core/diagram/term.h"
#include "core/fusion/trace.h"
#include "core/rules/rule.h"
#include "core/safety/safety.h"
#include "tests/diagram/drawing_checks.h"
#include "tests/diagram/figures.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;
using testing::HasSubstr;

void expect_same_again(const CircuitDocument& document) {
    const std::string text = json::print(to_json(document));
    const Result<CircuitDocument> read = read_circuit(text, "circuit.json");
    ASSERT_TRUE(read) << to_string(read.problems().front());
    EXPECT_EQ(json::print(to_json(*read)), text);
    EXPECT_EQ(to_string(read->circuit), to_string(document.circuit));
    EXPECT_EQ(read->execution, document.execution);
    EXPECT_EQ(resources(read->circuit).transferred.text(), resources(document.circuit).transferred.text());
    // Whatever can be written can be drawn.
    const Drawing drawing = lay_out(read->circuit);
    EXPECT_EQ(drawing.glyphs.size(), columns(read->circuit).executions.size());
    EXPECT_THAT(loose_ends(drawing), testing::IsEmpty());
    EXPECT_THAT(outside(drawing), testing::IsEmpty());
}

class CircuitDocuments : public testing::TestWithParam<std::string> {};

TEST_P(CircuitDocuments, AreReadAsTheyWereWritten) {
    const ArrayProgram program = read_sample(GetParam());
    const Flow flow = flow_of(program);
    expect_same_again({"A title", circuit_of(flow), std::nullopt});
    const Flow apart = separated(flow);
    const Result<Circuit> one = fused(apart, natural_plan(apart, program.dims, 1));
    ASSERT_TRUE(one);
    expect_same_again(
        {"", *one, Deployment{"h100-sxm5", {{"s_x", 64}, {"w_q", 128}}, true, 3, Overlap::Intra, 0.5, 0.25}});
    const Trace trace = fuse(block_sample(GetParam()));
    expect_same_again({"", *circuit_of(*trace.last()), std::nullopt});
    expect_same_again({"", *circuit_of(make_safe(*trace.last()).program), std::nullopt});
    for (const Match& match : all_matches(*trace.initial))
        if (match.rule.number == 7) {
            expect_same_again({"", *circuit_of(*branch(trace, 0, match).last()), std::nullopt});
            break;
        }
}

// A diagram on any number of levels is the program's own list of operators again.
TEST_P(CircuitDocuments, AreAlgorithmsAgain) {
    const ArrayProgram program = read_sample(GetParam());
    const Flow flow = separated(flow_of(program));
    const Hierarchy hierarchy = hierarchy_of(device("h100-sxm5"), true, false);
    const Result<Circuit> drawn = fused(flow, natural_plan(flow, program.dims, 1), hierarchy);
    ASSERT_TRUE(drawn);
    expect_same_again({"", *drawn, std::nullopt});
    const Result<Flow> again = flow_of(*drawn);
    ASSERT_TRUE(again) << again.problems().front().message;
    ASSERT_EQ(again->ops.size(), flow.ops.size());
    EXPECT_EQ(again->inputs.size(), flow.inputs.size());
    Formula work;
    Formula before;
    for (const FlowOp& op : again->ops) work += work_of(again->axes, op.apply).matrix;
    for (const FlowOp& op : flow.ops) before += work_of(flow.axes, op.apply).matrix;
    EXPECT_EQ(work.text(), before.text());
}

INSTANTIATE_TEST_SUITE_P(Samples, CircuitDocuments, testing::ValuesIn(sample_names()),
                         [](const auto& sample) { return test_name(sample.param); });

// One change each to a sound document, and the place and sentence that follow.
TEST(CircuitDocument, ProblemsNameTheirPlace) {
    const std::string sound = json::print(to_json(circuit_of(flow_from(kMatmul))));
    struct Change {
        std::string from, to, place, sentence;
    };
    const std::vector<Change> changes = {
        {"\"contraction\"", "\"concatenation\"", "/diagram/operator", "\"contraction\""},
        {"\"version\": 1", "\"version\": 2", "/version", "1"},
        {"\"own\": [1]", "\"own\": [7]", "/diagram/own/0", "7"},
        {"\"slots\": [-1, 0]", "\"slots\": [-1, 3]", "/diagram/inputs/0/slots/1", "3"},
        {"\"slots\": [-1, 0]", "\"slots\": [-1]", "/diagram", "has other arrays"},
        {"\"level\": 0", "\"level\": 2", "/levels", "level 2"},
        {"\"kind\": \"apply\"", "\"kind\": \"jump\"", "/diagram/kind", "\"apply\""},
        {"\"size\": 4096", "\"size\": 0", "/axes/0/size", "0"},
        {"\"label\": \"·\"", "\"labels\": \"·\"", "/diagram", "labels"},
        {"\"inputs\": [\"A\", \"B\"]", "\"inputs\": [\"A\"]", "/diagram", "inputs are not all named"},
    };
    for (const Change& change : changes) {
        std::string text = sound;
        const std::size_t at = text.find(change.from);
        ASSERT_NE(at, std::string::npos) << change.from << " in\n" << sound;
        text.replace(at, change.from.size(), change.to);
        const Result<CircuitDocument> read = read_circuit(text, "circuit.json");
        ASSERT_FALSE(read) << change.to;
        std::string all;
        bool placed = false;
        for (const Problem& problem : read.problems()) {
            all += to_string(problem) + "\n";
            placed = placed || problem.place.pointer == change.place;
        }
        EXPECT_TRUE(placed) << change.place << " in\n" << all;
        EXPECT_THAT(all, HasSubstr(change.sentence)) << change.to;
    }
    EXPECT_FALSE(read_circuit("{", "circuit.json"));
    EXPECT_FALSE(read_circuit("{\"format\": \"blockscope trace\", \"version\": 1}", "circuit.json"));
}

// Global, L2 that only caches (asterisks), shared, registers, tensor cores.
TEST(Hierarchies, OfAGpu) {
    const Flow flow = flow_from(kAttention);
    const Plan plan = {{axis(flow, "q"), PartitionKind::Group, 128},
                       {axis(flow, "x"), PartitionKind::Stream, 64}};
    const Resources two = resources(*fused(flow, plan));
    for (const bool caches : {false, true})
        for (const bool fragments : {false, true}) {
            const Hierarchy hierarchy = hierarchy_of(device("h100-sxm5"), caches, fragments);
            const Result<Circuit> drawn = fused(flow, plan, hierarchy);
            ASSERT_TRUE(drawn);
            EXPECT_THAT(verify(*drawn), testing::IsEmpty()) << to_string(*drawn);
            EXPECT_EQ(drawn->levels.size(), caches ? 5u : 4u);
            EXPECT_EQ(drawn->levels.back(), "tensor cores");
            const Resources costs = resources(*drawn);
            // Global memory sees what the two-level drawing says.
            EXPECT_EQ(costs.transferred.text(), two.transferred.text());
            EXPECT_EQ(costs.work.matrix.text(), two.work.matrix.text());
            EXPECT_EQ(costs.between(hierarchy.threads, hierarchy.matrix).is_zero(), !fragments);
            if (caches) {
                EXPECT_TRUE(costs.widest(1).is_zero());
            }
            for (const Execution& execution : costs.columns.executions) {
                if (execution.apply->op.kind != OperatorKind::Contraction) continue;
                EXPECT_EQ(execution.outputs[0].type.level, hierarchy.matrix);
            }
        }
}

TEST(Hierarchies, OfACpu) {
    const Hierarchy hierarchy = hierarchy_of(device("epyc-9755"), true, false);
    EXPECT_EQ(hierarchy.names, (std::vector<std::string>{"DDR5", "L3", "L2", "L1"}));
    EXPECT_EQ(hierarchy.local, 2);
    EXPECT_EQ(hierarchy.matrix, 3);
    const Flow flow = flow_from(kMatmul);
    const Plan plan = {{axis(flow, "a"), PartitionKind::Group, 64},
                       {axis(flow, "b"), PartitionKind::Stream, 64}};
    const Result<Circuit> drawn = fused(flow, plan, hierarchy);
    ASSERT_TRUE(drawn);
    EXPECT_THAT(verify(*drawn), testing::IsEmpty()) << to_string(*drawn);
}

}  // namespace
}  // namespace blockscope::test
