// The kinds of fusion, and what they save as the taxonomy counts.
#include "core/plan/kinds.h"

#include <gmock/gmock.h>

#include <numeric>

#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using plan::FusionKind;
using plan::Kernel;
using plan::OperatorGraph;

struct Whole {
    ArrayProgram program;
    OperatorGraph graph = plan::operator_graph(program);
    Kernel all;

    explicit Whole(ArrayProgram of) : program(std::move(of)), all(graph.op.size()) {
        std::iota(all.begin(), all.end(), 0);
    }
    FusionKind kind() const { return plan::fusion_kind(program, graph, all); }
    FusionKind kind(const Kernel& kernel) const { return plan::fusion_kind(program, graph, kernel); }
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
