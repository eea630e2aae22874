// Which axes can be grouped and streamed, and the theorem that says so.
#include "core/diagram/flow.h"

#include <gmock/gmock.h>

#include "core/diagram/place.h"
#include "core/diagram/resources.h"
#include "tests/diagram/figures.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

AxisVerdict verdict(const Flow& flow, const std::string& name) {
    for (const AxisVerdict& verdict : axis_verdicts(flow))
        if (axis_of(flow.axes, verdict.axis).name == name) return verdict;
    throw std::runtime_error("no verdict on " + name);
}

std::vector<std::string> theorems(const AxisVerdict& verdict) {
    std::vector<std::string> names;
    for (const Reason& reason : verdict.stream_reasons) names.push_back(reason.theorem.str());
    return names;
}

// Appendix A.1: from softmax-contraction by composition with E (scores and scale) and weaving over q and d.
TEST(Streams, AttentionFollowsFromSoftmaxContraction) {
    const Flow flow = flow_from(kAttention);
    const AxisVerdict x = verdict(flow, "x");
    EXPECT_TRUE(x.stream);
    EXPECT_FALSE(x.group);
    EXPECT_EQ(x.auxiliary, 3);
    EXPECT_THAT(theorems(x), testing::ElementsAre("Appendix A.3.2", "Theorem 1, composition",
                                                  "Theorem 1, composition", "Theorem 1, weaving"));
    EXPECT_THAT(x.stream_reasons[0].sentence,
                testing::HasSubstr("SoftMax followed by the contraction that makes O"));
    EXPECT_THAT(x.stream_reasons[3].sentence, testing::HasSubstr("Weaving over q, d'"));
    ASSERT_EQ(x.accumulators.size(), 1u);
    EXPECT_EQ(flow.arrays[static_cast<std::size_t>(
                              flow.ops[static_cast<std::size_t>(x.accumulators[0])].outputs[0])]
                  .name,
              "O");
    const AxisVerdict q = verdict(flow, "q");
    EXPECT_TRUE(q.group);
    EXPECT_FALSE(q.stream);
}

struct Case {
    std::string name;
    std::string program;
    std::string axis;
    bool group;
    bool stream;
    std::string because;  // in the first reason on streams
};

const std::string kDims = "dim m = 64 / 8\ndim n = 64 / 8\ndim k = 64 / 8\n";

std::vector<Case> cases() {
    return {
        // The paper's: streamable with a contraction, not without.
        {"Softmax", kDims + "input X[m, n]\noutput Y = softmax(X)\n", "n", false, false,
         "The softmax that makes Y is known only after all of n, and the output Y has n: what an accumulator "
         "maintains would grow with it. Followed by a contraction along n, it could be streamed."},
        {"Norm", kDims + "input X[m, n]\noutput Y = layernorm(X)\n", "n", false, false,
         "Followed by a contraction along n"},
        {"SoftmaxRows", kDims + "input X[m, n]\noutput Y = softmax(X)\n", "m", true, false, "would grow"},
        {"ScaledSoftmax", kDims + "input X[m, n], V[n, k], c[n]\nP = softmax(X)\noutput Y = (P * c) @ V\n",
         "n", false, true, "running maximum"},
        {"BentSoftmax", kDims + "input X[m, n], V[n, k]\nP = softmax(X)\noutput Y = exp(P) @ V\n", "n", false,
         false, "not linear"},
        {"ShiftedSoftmax",
         kDims + "input X[m, n], V[n, k], B[m, n]\nP = softmax(X)\noutput Y = (P + B) @ V\n", "n", false,
         false, "not linear"},
        {"RmsNorm", kDims + "input X[m, n], V[n, k]\noutput Y = rmsnorm(X) @ V\n", "n", false, true,
         "sum of squares"},
        {"LayerNorm", kDims + "input X[m, n], V[n, k]\noutput Y = layernorm(X) @ V\n", "n", false, true,
         "sums of values and squares"},
        {"RowSum", kDims + "input X[m, n]\noutput y = row_sum(X)\n", "n", false, true,
         "sum of the parts' sums"},
        {"RowMax", kDims + "input X[m, n]\noutput y = row_max(X)\n", "n", false, true, "larger of the parts"},
        // Spelled out, the division needs the finished sum for every part.
        {"TwoPasses",
         kDims + "input X[m, n], V[n, k]\nE = exp(X)\ns = row_sum(E)\nP = E / column(s)\noutput Y = P @ V\n",
         "n", false, false, "finished over all of n"},
        {"Opaque", kDims + "input X[m, n], V[n, k]\nP[m, n] : f32 = custom(\"sort\", X)\noutput Y = P @ V\n",
         "n", false, false, "no accumulator"},
        {"Chain", kDims + "input A[m, k], B[k, n], D[n, k]\nC = A @ B\noutput E = C @ D\n", "n", false, true,
         "first part plus"},
    };
}

class Verdicts : public testing::TestWithParam<Case> {};

TEST_P(Verdicts, AreThoseOfTheTheorems) {
    const Case& c = GetParam();
    const Flow flow = flow_from(c.program);
    const AxisVerdict v = verdict(flow, c.axis);
    EXPECT_EQ(v.group, c.group) << v.group_reasons.at(0).sentence;
    EXPECT_EQ(v.stream, c.stream) << v.stream_reasons.at(0).sentence;
    EXPECT_THAT(v.stream_reasons.at(0).sentence, testing::HasSubstr(c.because));
    const PartitionKind kind = PartitionKind::Stream;
    const Result<Circuit> circuit = fused(flow, {{v.axis, kind, 1}});
    EXPECT_EQ(static_cast<bool>(circuit), c.stream);
    if (!circuit) {
        EXPECT_THAT(circuit.problems()[0].message, testing::HasSubstr("cannot be streamed"));
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, Verdicts, testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.name; });

TEST(Plans, AreRefusedWithAReason) {
    const Flow flow = flow_from(kMatmul);
    const AxisId a = axis(flow, "a");
    const auto refusal = [&](const Plan& plan) {
        const Result<Circuit> circuit = fused(flow, plan);
        return circuit ? std::string() : circuit.problems()[0].message.str();
    };
    EXPECT_THAT(refusal({{a, PartitionKind::Group, 0}}), testing::HasSubstr("expected 1 to 4096"));
    EXPECT_THAT(refusal({{a, PartitionKind::Group, 5000}}), testing::HasSubstr("found parts of 5000"));
    EXPECT_THAT(refusal({{a, PartitionKind::Group, 8}, {a, PartitionKind::Group, 8}}),
                testing::HasSubstr("two partitions of a"));
    EXPECT_THAT(refusal({{{99}, PartitionKind::Group, 8}}), testing::HasSubstr("no array has"));
    EXPECT_THAT(refusal({{axis(flow, "b"), PartitionKind::Group, 8}}),
                testing::HasSubstr("b cannot be grouped: The contraction that makes C acts along b."));
}

// D is one block: streamed, it would load Q again for every part of N.
TEST(Plans, StreamNothingThatIsOnePart) {
    const ArrayProgram program = read_sample("attention");
    const Flow flow = separated(flow_of(program));
    const Plan plan = natural_plan(flow, program.dims, 128);
    std::vector<std::string> streams;
    for (const Part& part : plan)
        if (part.kind == PartitionKind::Stream) streams.push_back(axis_of(flow.axes, part.axis).name);
    EXPECT_THAT(streams, testing::ElementsAre("N"));
    const Circuit circuit = fused(flow, plan).value();
    EXPECT_FORMULA(resources(circuit).transferred, "D·M + D·M·N·g_M^-1 + L·M + L·M·N·g_M^-1");
    EXPECT_FORMULA(resources(circuit).widest(1), "D·g_M + D·s_N + L·g_M + L·s_N");
}

}  // namespace
}  // namespace blockscope::test
