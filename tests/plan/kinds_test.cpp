// The kinds of fusion, and what they save as the taxonomy counts.
#include "core/plan/kinds.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "core/exec/evaluate.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/state/state.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using plan::FusionGroup;
using plan::FusionKind;
using plan::OperatorGraph;

struct Whole {
    ArrayProgram program;
    OperatorGraph graph = plan::operator_graph(program);
    FusionGroup all;

    explicit Whole(ArrayProgram of) : program(std::move(of)), all(graph.op.size()) {
        std::iota(all.begin(), all.end(), 0);
    }
    FusionKind kind() const { return plan::fusion_kind(program, graph, all); }
    FusionKind kind(const FusionGroup& kernel) const { return plan::fusion_kind(program, graph, kernel); }
    double saved() const { return 100 * plan::kind_saving(program, graph, all).share(); }
};

// 12 MB, as the taxonomy's examples have.
Whole whole(const std::string& statements) {
    return Whole(
        parse_program("dim M = 1000 / 100\ndim N = 3000 / 100\ninput x[M, N] : f32\n" + statements, "p.bp")
            .value());
}

TEST(FusionKinds, SaveWhatTheTaxonomySays) {
    const Whole elementwise = whole("output y = relu(x) * 2 + 1\n");
    ASSERT_EQ(elementwise.all.size(), 3U);
    EXPECT_EQ(elementwise.kind(), FusionKind::Elementwise);
    EXPECT_NEAR(elementwise.saved(), 67, 0.5);

    const Whole reduction = whole("output norm = sqrt(row_sum(x ^ 2))\n");
    EXPECT_EQ(reduction.kind(), FusionKind::Reduction);
    EXPECT_NEAR(reduction.saved(), 67, 0.5);

    const Whole broadcast = whole("output y = x - row_mean(x)\n");
    EXPECT_EQ(broadcast.kind(), FusionKind::Broadcast);
    EXPECT_NEAR(broadcast.saved(), 60, 0.5);
}

ArrayProgram guides(const std::string& name) {
    return read_sample("plans/guide-" + name);
}

// The guide's patterns, each an output whose operators are one kernel of this kind.
TEST(FusionKinds, OfTheGuidesPatterns) {
    const auto kinds = [](const char* name) {
        const Whole all(guides(name));
        std::map<std::string, FusionKind> by_output;
        for (int node = 0; node < all.graph.nodes(); ++node) {
            if (!all.graph.output[static_cast<std::size_t>(node)]) continue;
            FusionGroup kernel{node};
            for (std::size_t i = 0; i < kernel.size(); ++i)
                for (const int from : all.graph.before[static_cast<std::size_t>(kernel[i])])
                    kernel.push_back(from);
            std::sort(kernel.begin(), kernel.end());
            by_output[all.graph.names[static_cast<std::size_t>(node)]] = all.kind(kernel);
        }
        return by_output;
    };
    using enum FusionKind;
    EXPECT_THAT(kinds("elementwise"),
                testing::UnorderedElementsAre(testing::Pair("add_relu", Elementwise),
                                              testing::Pair("add_relu_mul", Elementwise),
                                              testing::Pair("add_batchnorm_relu", Elementwise),
                                              testing::Pair("mul_add_sigmoid", Elementwise)));
    EXPECT_EQ(kinds("reduction").size(), 3U);
    EXPECT_THAT(kinds("matrix"),
                testing::UnorderedElementsAre(testing::Pair("gemm_bias", Epilogue),
                                              testing::Pair("gemm_bias_relu", Epilogue),
                                              testing::Pair("gemm_bias_gelu", Epilogue),
                                              testing::Pair("gemm_residual_layernorm", Broadcast)));
}

// Its softmax takes the maximum and the sum of each tile of 256 columns.
TEST(GuidesSlips, RowsOfItsSoftmaxSumToTwo) {
    const ArrayProgram program = guides("softmax-tiles");
    const Tensors<double> results = evaluate(program, random_doubles(program, 3));
    ASSERT_EQ(results.at("total").data.size(), 64U);
    for (const double total : results.at("total").data) EXPECT_NEAR(total, 2, 1e-12);
}

// 16,384 + 32,768 bytes of operands, 131,072 of sums; the bias's 1,024 are read where they are added.
TEST(GuidesSlips, ItsTilesTakeMoreThanTheyMay) {
    const Trace trace =
        fuse(std::make_shared<const BlockProgram>(to_block_program(guides("gemm-tiles")).program));
    const State last(trace.last(), safe_form());
    const KernelWork& kernel = last.work().kernels.at(0);
    EXPECT_EQ(kernel.register_bytes + kernel.tile_bytes + 1024, 181'248);
}

// It says 71%, which leaves the product's other operand out of the fused kernel's 36 MB.
TEST(FusionKinds, ATransposedProductSaves57PercentAndNot71) {
    const Whole transposed =
        Whole(parse_program(
                  "dim M = 1000 / 100\ndim N = 3000 / 100\ndim K = 1000 / 100\ninput x[N, M], W[N, K] : f32\n"
                  "u = x.T\nv = custom(\"reshape\", u)\noutput y = v @ W\n",
                  "p.bp")
                  .value());
    const plan::KindSaving saving = plan::kind_saving(transposed.program, transposed.graph, transposed.all);
    EXPECT_EQ(transposed.kind(), FusionKind::Transpose);
    EXPECT_EQ(saving.fused, 12e6 + 12e6 + 4e6) << "of a result of 4 MB";
    EXPECT_EQ(saving.unfused, 24e6 + 24e6 + 28e6);
    const auto share = [](double fused, double unfused) { return 100 * (1 - fused / unfused); };
    EXPECT_NEAR(share(36, 84), 57, 0.5) << "with a result of 12 MB, as the taxonomy has";
    EXPECT_NEAR(share(24, 84), 71, 0.5);
}

TEST(FusionKinds, AreThoseOfSamples) {
    const Whole attention(read_sample("attention"));
    EXPECT_EQ(attention.kind(), FusionKind::Algorithmic);
    EXPECT_EQ(attention.kind({0}), FusionKind::Transpose) << "K is read the other way round";
    EXPECT_EQ(attention.kind({2}), FusionKind::None);
    EXPECT_EQ(attention.kind({2, 3}), FusionKind::Algorithmic);
    const Whole decoder(read_sample("decoder-block"));
    EXPECT_EQ(decoder.graph.names[10], "x4");
    EXPECT_EQ(decoder.kind({10, 11}), FusionKind::Reduction) << "the sums over heads";
    const Whole mlp(read_sample("gated-mlp"));
    EXPECT_EQ(mlp.kind(), FusionKind::Other);
    EXPECT_EQ(mlp.kind({0, 1}), FusionKind::Epilogue);
    EXPECT_EQ(Whole(read_sample("rmsnorm-matmul")).kind(), FusionKind::Algorithmic);
    EXPECT_EQ(whole("y = softmax(x)\noutput z = y * 2\n").kind(), FusionKind::Broadcast);
}

}  // namespace
}  // namespace blockscope::test
