// print_program: what it writes, and that reading it gives the same program.
#include <gtest/gtest.h>

#include "core/program/convert.h"
#include "tests/program/same_program.h"

namespace blockscope {
namespace {

const std::string dims = R"(dim M = 100 / 32
dim N = 48 / 16
dim K = 24 / 8
batch B = 2
batch H = 3
group G = 2
)";

// Statements that are printed as they stand, after the dimensions above.
const std::vector<std::string> canonical = {
    "input X[M, K], Y[K, N] : bf16\noutput Z = X @ Y\n",
    "input X[M, N]\noutput Z = X * K^-0.5\n",
    "input X[M, N]\noutput Z = X * (K^-0.5)^2\n",
    "input X[M, N]\noutput Z = X * K^2^-0.5\n",
    "input X[M, N]\noutput Z = (X * 2 + 1) * 3 - 4\n",
    "input X[M, N]\noutput Z = 1 - (2 - X)\n",
    "input X[M, N]\noutput Z = 1 / (2 / X)\n",
    "input X[M, N]\noutput Z = -X^2\n",
    "input X[M, N]\noutput Z = (-X)^2\n",
    "input X[M, N]\noutput Z = 2^-X\n",
    "input X[M, N]\noutput Z = (-2)^X\n",
    "input X[M, N]\noutput Z = X - -3\n",
    "input X[M, N]\noutput Z = X * neg(3)\n",
    "input X[M, N]\noutput Z = --X\n",
    "input X[M, N]\noutput Z = X * (2 * 3)\n",
    "input X[M, N]\noutput Z = 2 * 3 * X\n",
    "input X[M, N]\noutput Z = X * 1e-06 + 1e+30\n",
    "input X[M, K], Y[K, N], W[N, K]\noutput Z = X @ Y @ W + X @ (Y @ W)\n",
    "input X[M, K], Y[N, K]\noutput Z = X @ Y.T\n",
    "input X[M, K], Y[M, K], W[N, K]\noutput Z = (X + Y) @ (W * 2).T\n",
    "input X[M, K]\noutput Z = X.T.T\n",
    "input X[M, K], b[K], c[M]\noutput Z = X + b - c\n",
    "input X[M, K], b[K], c[M]\noutput Z = c / (b * X)\n",
    "input X[M, M], c[M]\noutput Y = X * c\noutput Z = X / column(row_sum(X) + c)\n",
    "input X[M, M], c[M]\noutput Z = column(c) - X\n",
    "input X[M, K], s[], t[B]\noutput Y = X * s\noutput Z = t / X\n",
    "input X[M, K]\noutput Z = softmax(X)\n",
    "dim W = 6 / 6\ninput X[M, W], C[M, W], S[M, W]\noutput Z = rope(exp(X), C, S)\n",
    "input X[B, M, K], C[M, K]\noutput Z = rope_interleaved(X, C, C) * 2\n",
    "input X[M, K], g[K], b[K]\noutput Z = layernorm(X, g, b, eps=0.001)\n",
    "input X[M, K], g[K]\noutput Z = rmsnorm(layernorm(X, form=paper), g)\n",
    "input X[M, K]\noutput Z = rmsnorm(X, form=paper)\n",
    "input X[M, K]\noutput Z = rmsnorm(X, eps=0)\n",
    "input X[M, K]\noutput Z = outer(row_sum(X), row_mean(X) + row_max(X))\n",
    "input X[B, H, M, K]\noutput Z = sum(sum(X, H), B)\n",
    "input X[M, K] : e4m3\noutput Z = cast(X, e5m2)\n",
    "input X[M, K]\nmask C[M, K] = causal\noutput Z = X + C\n",
    "input X[M, K]\nmask C[M, K] = causal(window=3)\noutput Z = X + C\n",
    "input X[M, K] : f16\nmask C[M, K] : f16 = causal\noutput Z = X + C\n",
    "input X[M, K]\noutput Z = custom(\"topk\", X) + 1\n",
    "input X[M, K]\nY[M, N] : f16 = custom(\"topk\", X, X)\noutput Z = exp(Y)\n",
    "input X[M, K]\noutput Z[M] = custom(\"argmax\", X)\n",
    "input X[M, K]\nY = exp(X)\noutput Z = Y + Y\noutput Y\n",
    "input X[M, K]\noutput X\n",
    "input X[M, K]\noutput Y = X\n",
    "input X[M, K]\noutput Y = exp(X)\noutput Z = Y\n",
    "input X[M, K]\noutput Z = leaky_relu(elu(X, 0.5), 1 / K)\n",
    "input X[M, K]\noutput Z = elementwise(x: x * exp(x), X)\n",
    "input X[M, K], Y[M, K]\noutput Z = elementwise(x, y: max(x, y) - y^2 / N, X, Y + 1)\n",
    "input X[M, K], Y[M, K]\noutput Z = max(X, Y) + min(X, 3) + max(3, X)\n",
    "input Q[B, H, G, M, K], W[B, H, N, K]\noutput S = Q @ W.T\n",
};

class Canonical : public testing::TestWithParam<std::string> {};

TEST_P(Canonical, IsPrintedAsItStands) {
    const std::string text = "# A comment\n#\n#   of three lines\n\n" + dims + GetParam();
    const Result<ArrayProgram> program = parse_program(text, "t.bp");
    ASSERT_TRUE(program) << to_string(program.problems()[0]) << "\n" << text;
    EXPECT_EQ(print_program(*program), text);
    const Result<ArrayProgram> again = parse_program(print_program(*program), "u.bp");
    ASSERT_TRUE(again);
    EXPECT_EQ(difference(*program, *again), "");
}

INSTANTIATE_TEST_SUITE_P(Statements, Canonical, testing::ValuesIn(canonical));

// Texts that are printed in another way.
struct Rewritten {
    std::string text;
    std::string printed;
};
const std::vector<Rewritten> rewritten = {
    {"input X[M, K]\ninput Y[M, K]\noutput Z = X+((Y))\n", "input X[M, K], Y[M, K]\noutput Z = X + Y\n"},
    {"input X[M, K] : f32\noutput Z = swish(reciprocal(rsqrt(X)))\n",
     "input X[M, K]\noutput Z = silu(1 / X^-0.5)\n"},
    {"input X[M, K]\nZ = square(X) ** 2\noutput Z\n", "input X[M, K]\noutput Z = (X^2)^2\n"},
    {"input X[M, K] : bf16\nmask C[M, K] = causal\noutput Z = X + C\n",
     "input X[M, K] : bf16\nmask C[M, K] : bf16 = causal\noutput Z = X + C\n"},
    {"input X[M, K]\noutput Z = causal(X, window=2) + causal(X, window=2) + causal(X)\n",
     "input X[M, K]\nmask CAUSAL[M, K] = causal(window=2)\nmask CAUSAL2[M, K] = causal\n"
     "output Z = X + CAUSAL + (X + CAUSAL) + (X + CAUSAL2)\n"},
    {"input X[M, K] : f16\noutput Z = exp(causal(2 * X)) + causal(X)\n",
     "input X[M, K] : f16\nmask CAUSAL[M, K] : f16 = causal\noutput Z = exp(2 * X + CAUSAL) + (X + "
     "CAUSAL)\n"},
    {"input X[M, K]\nA = X\noutput Z = A * leaky_relu(A, slope=0.01)\n",
     "input X[M, K]\noutput Z = X * leaky_relu(X)\n"},
    {"input X[M, K]\noutput Z[M, K] : f32 = rmsnorm(X, eps=1e-6, form=usual)\n",
     "input X[M, K]\noutput Z = rmsnorm(X)\n"},
    {"input X[M, K], c[M]\noutput Z = X + column(c)\n", "input X[M, K], c[M]\noutput Z = X + c\n"},
    {"input X[M, K]\noutput Z = elementwise(a: a / (1 + exp(-a)), X)\n",
     "input X[M, K]\noutput Z = silu(X)\n"},
    {"input X[M, K]\nY = exp(X)\noutput Z = log(Y)\noutput A = Y\n",
     "input X[M, K]\nY = exp(X)\noutput Z = log(Y)\noutput A = Y\n"},
};

class Printed : public testing::TestWithParam<Rewritten> {};

TEST_P(Printed, InItsOneForm) {
    const Result<ArrayProgram> program = parse_program(dims + GetParam().text, "t.bp");
    ASSERT_TRUE(program) << to_string(program.problems()[0]);
    EXPECT_EQ(print_program(*program), dims + GetParam().printed);
    const Result<ArrayProgram> again = parse_program(print_program(*program), "u.bp");
    ASSERT_TRUE(again);
    EXPECT_EQ(difference(*program, *again), "");
}

INSTANTIATE_TEST_SUITE_P(Texts, Printed, testing::ValuesIn(rewritten));

ArrayOp operation(ArrayOpKind kind, std::vector<int> operands) {
    ArrayOp op;
    op.kind = kind;
    op.operands = std::move(operands);
    return op;
}

// Programs that no text gives: nameless operators used twice, or not where they stand.
TEST(Print, NamesWhatHasNoPlaceInAFormula) {
    ArrayProgram program;
    program.dims = {{"M", 8, 4, DimKind::Blocked}, {"v1", 8, 4, DimKind::Blocked}};
    ArrayOp input;
    input.name = "X";
    input.shape.axes = {DimId{0}, DimId{0}};
    program.ops = {input, operation(ArrayOpKind::Softmax, {0}), operation(ArrayOpKind::Transpose, {0}),
                   operation(ArrayOpKind::Matmul, {2, 1}), operation(ArrayOpKind::Matmul, {3, 3})};
    program.outputs = {{"Y", 4, {}}};
    ASSERT_TRUE(check_program(program).empty());
    const std::string text =
        "dim M = 8 / 4\ndim v1 = 8 / 4\ninput X[M, M]\nv2 = softmax(X)\nv3 = X.T\nv4 = v3 @ v2\n"
        "output Y = v4 @ v4\n";
    EXPECT_EQ(print_program(program), text);
    const Result<ArrayProgram> again = parse_program(text, "t.bp");
    ASSERT_TRUE(again) << to_string(again.problems()[0]);
    EXPECT_EQ(print_program(*again), text);
}

TEST(Print, CutsFormulasThatAreTooDeep) {
    ArrayProgram program;
    program.dims = {{"M", 8, 4, DimKind::Blocked}};
    ArrayOp input;
    input.name = "X";
    input.shape.axes = {DimId{0}, DimId{0}};
    program.ops = {input};
    for (int i = 0; i < 500; ++i) program.ops.push_back(operation(ArrayOpKind::Softmax, {i}));
    program.outputs = {{"Y", 500, {}}};
    ASSERT_TRUE(check_program(program).empty());
    const Result<ArrayProgram> again = parse_program(print_program(program), "t.bp");
    ASSERT_TRUE(again) << to_string(again.problems()[0]);
    EXPECT_EQ(again->ops.size(), program.ops.size());
}

}  // namespace
}  // namespace blockscope
