// The text language: what a program means, operator by operator.
#include <gtest/gtest.h>
#include <cstdio>
#include <string>

#include "core/program/array_program.h"

namespace blockscope {
namespace {

std::string kind_name(const ArrayProgram& program, const ArrayOp& op) {
    switch (op.kind) {
        case ArrayOpKind::Input:
            return "causal mask";
        case ArrayOpKind::Elementwise: {
            std::vector<std::string> names;
            for (std::size_t i = 0; i < op.operands.size(); ++i) names.push_back("x" + std::to_string(i));
            return "elementwise " + to_string(*op.expr, names, program.dims);
        }
        case ArrayOpKind::Broadcast:
            return to_string(op.fn) + (op.vector_axis == VectorAxis::Rows ? " along rows" : " along columns");
        case ArrayOpKind::Matmul:
            return "matmul";
        case ArrayOpKind::Transpose:
            return "transpose";
        case ArrayOpKind::RmsNorm:
        case ArrayOpKind::LayerNorm: {
            char epsilon[32];
            std::snprintf(epsilon, sizeof epsilon, " eps %g", op.epsilon);
            return describe(op.kind) + (op.paper_form ? " paper" : epsilon);
        }
        case ArrayOpKind::SumOver:
            return "sum over " + program.dims[op.dim.value].name;
        case ArrayOpKind::Custom:
            return "custom " + op.custom_name;
        case ArrayOpKind::Softmax:
        case ArrayOpKind::RowSum:
        case ArrayOpKind::RowMean:
        case ArrayOpKind::RowMax:
        case ArrayOpKind::Rope:
        case ArrayOpKind::RopeInterleaved:
        case ArrayOpKind::Outer:
        case ArrayOpKind::Cast:
            return describe(op.kind);
    }
    return "?";
}

// A program as a short text, one line per operator: "S [M, N] bf16 = elementwise x0*(DD**-0.5) (%4)". Inputs
// of the Array source are left out.
std::string structure(const ArrayProgram& program) {
    std::string text;
    const auto name = [&](int i) {
        const std::string& given = program.ops[static_cast<std::size_t>(i)].name;
        return given.empty() ? "%" + std::to_string(i) : given;
    };
    for (int i = 0; i < static_cast<int>(program.ops.size()); ++i) {
        const ArrayOp& op = program.ops[static_cast<std::size_t>(i)];
        if (op.kind == ArrayOpKind::Input && op.source == InputSource::Array) continue;
        text += name(i) + " " + to_string(op.shape, program.dims) + " " + to_string(op.elem) + " = " +
                kind_name(program, op);
        for (std::size_t k = 0; k < op.operands.size(); ++k)
            text += (k == 0 ? " (" : ", ") + name(op.operands[k]);
        text += op.operands.empty() ? "\n" : ")\n";
    }
    for (const ArrayOutput& output : program.outputs)
        text += "output " + output.name + " = " + name(output.op) + "\n";
    return text;
}

// 16 inputs; operators count from there.
const std::string kStructureDeclarations =
    "dim M = 64 / 16\n"
    "dim N = 48 / 16\n"
    "dim D = 32 / 16\n"
    "dim B = 2\n"
    "batch H = 3\n"
    "group G = 2\n"
    "input A[M, D], a[M], d[D], m[M], S[M, M], V[N, D], s[], W[D, N], W2[N, D]\n"
    "input S3[H, M, D], K3[H, N, D], Q4[H, G, M, D], h1[H], b2[B, H], b3[B, H, N, D] : f32, F[M, D] : f16\n";

struct Reading {
    std::string text;
    std::string structure;
};

const std::vector<Reading> readings = {
    {"output O = A @ V.T\n",
     "%16 [D, N] f32 = transpose (V)\n"
     "O [M, N] f32 = matmul (A, %16)\n"
     "output O = O\n"},
    {"output O = A @ V.T * D^-0.5\n",
     "%16 [D, N] f32 = transpose (V)\n"
     "%17 [M, N] f32 = matmul (A, %16)\n"
     "O [M, N] f32 = elementwise x0*(DD**-0.5) (%17)\n"
     "output O = O\n"},
    {"output O = D^-0.5 * A @ V.T\n",
     "%16 [M, D] f32 = elementwise (DD**-0.5)*x0 (A)\n"
     "%17 [D, N] f32 = transpose (V)\n"
     "O [M, N] f32 = matmul (%16, %17)\n"
     "output O = O\n"},
    {"output O = A * 2 + 1\n",
     "%16 [M, D] f32 = elementwise x0*2 (A)\n"
     "O [M, D] f32 = elementwise x0+1 (%16)\n"
     "output O = O\n"},
    {"output O = -A^2\n",
     "%16 [M, D] f32 = elementwise x0**2 (A)\n"
     "O [M, D] f32 = elementwise -x0 (%16)\n"
     "output O = O\n"},
    {"output O = 2^-A\n",
     "%16 [M, D] f32 = elementwise -x0 (A)\n"
     "O [M, D] f32 = elementwise 2**x0 (%16)\n"
     "output O = O\n"},
    {"output O = A / D / M\n",
     "%16 [M, D] f32 = elementwise x0/DD (A)\n"
     "O [M, D] f32 = elementwise x0/MM (%16)\n"
     "output O = O\n"},
    {"output O = A / (D / M)\n",
     "O [M, D] f32 = elementwise x0/(DD/MM) (A)\n"
     "output O = O\n"},
    {"output O = A - 1 - 2\n",
     "%16 [M, D] f32 = elementwise x0-1 (A)\n"
     "O [M, D] f32 = elementwise x0-2 (%16)\n"
     "output O = O\n"},
    {"output O = A ** 2 ^ 3\n",
     "O [M, D] f32 = elementwise x0**(2**3) (A)\n"
     "output O = O\n"},
    {"output O = 2 * pi * A\n",
     "O [M, D] f32 = elementwise 2*3.141592653589793*x0 (A)\n"
     "output O = O\n"},
    {"output O = sqrt(D) * A + exp(1)\n",
     "%16 [M, D] f32 = elementwise sqrt(DD)*x0 (A)\n"
     "O [M, D] f32 = elementwise x0+exp(1) (%16)\n"
     "output O = O\n"},
    {"output O = A * -D\n",
     "O [M, D] f32 = elementwise x0*(-DD) (A)\n"
     "output O = O\n"},
    {"output O = A * A\n",
     "O [M, D] f32 = elementwise x0*x1 (A, A)\n"
     "output O = O\n"},
    {"output O = A + a\n",
     "O [M, D] f32 = add along rows (A, a)\n"
     "output O = O\n"},
    {"output O = A - d\n",
     "O [M, D] f32 = sub along columns (A, d)\n"
     "output O = O\n"},
    {"output O = d * A\n",
     "O [M, D] f32 = mul along columns (d, A)\n"
     "output O = O\n"},
    {"output O = a / A\n",
     "O [M, D] f32 = div along rows (a, A)\n"
     "output O = O\n"},
    {"output O = S + m\n",
     "O [M, M] f32 = add along columns (S, m)\n"
     "output O = O\n"},
    {"output O = S + column(m)\n",
     "O [M, M] f32 = add along rows (S, m)\n"
     "output O = O\n"},
    {"output O = row_max(S) * S\n",
     "%16 [M] f32 = row_max (S)\n"
     "O [M, M] f32 = mul along columns (%16, S)\n"
     "output O = O\n"},
    {"output O = A * s\n",
     "O [M, D] f32 = elementwise x0*x1 (A, s)\n"
     "output O = O\n"},
    {"output O = S3 + A\n",
     "O [H, M, D] f32 = elementwise x0+x1 (S3, A)\n"
     "output O = O\n"},
    {"output O = Q4 @ K3.T\n",
     "%16 [H, D, N] f32 = transpose (K3)\n"
     "O [H, G, M, N] f32 = matmul (Q4, %16)\n"
     "output O = O\n"},
    {"output O = K3 @ Q4.T\n",
     "%16 [H, G, D, M] f32 = transpose (Q4)\n"
     "O [H, G, N, M] f32 = matmul (K3, %16)\n"
     "output O = O\n"},
    {"output O = h1 * S3 - h1\n",
     "%16 [H, M, D] f32 = elementwise x0*x1 (h1, S3)\n"
     "O [H, M, D] f32 = elementwise x0-x1 (%16, h1)\n"
     "output O = O\n"},
    {"output O = h1 + exp(h1)\n",
     "%16 [H] f32 = elementwise exp(x0) (h1)\n"
     "O [H] f32 = elementwise x0+x1 (h1, %16)\n"
     "output O = O\n"},
    {"output O = h1 * Q4\n",
     "O [H, G, M, D] f32 = elementwise x0*x1 (h1, Q4)\n"
     "output O = O\n"},
    {"output O = exp(b2) * b3\n",
     "%16 [B, H] f32 = elementwise exp(x0) (b2)\n"
     "O [B, H, N, D] f32 = elementwise x0*x1 (%16, b3)\n"
     "output O = O\n"},
    {"output O = sum(Q4, G) + S3\n",
     "%16 [H, M, D] f32 = sum over G (Q4)\n"
     "O [H, M, D] f32 = elementwise x0+x1 (%16, S3)\n"
     "output O = O\n"},
    {"output O = S3 @ W\n",
     "O [H, M, N] f32 = matmul (S3, W)\n"
     "output O = O\n"},
    {"output O = W2 @ S3.T\n",
     "%16 [H, D, M] f32 = transpose (S3)\n"
     "O [H, N, M] f32 = matmul (W2, %16)\n"
     "output O = O\n"},
    {"output O = outer(a, d)\n",
     "O [M, D] f32 = outer (a, d)\n"
     "output O = O\n"},
    {"output O = outer(row_sum(S3), d)\n",
     "%16 [H, M] f32 = row_sum (S3)\n"
     "O [H, M, D] f32 = outer (%16, d)\n"
     "output O = O\n"},
    {"output O = softmax(A)\n",
     "O [M, D] f32 = softmax (A)\n"
     "output O = O\n"},
    {"output O = rmsnorm(A)\n",
     "O [M, D] f32 = rmsnorm eps 1e-06 (A)\n"
     "output O = O\n"},
    {"output O = rmsnorm(A, d, eps=1e-5)\n",
     "O [M, D] f32 = rmsnorm eps 1e-05 (A, d)\n"
     "output O = O\n"},
    {"output O = rmsnorm(A, form=paper)\n",
     "O [M, D] f32 = rmsnorm paper (A)\n"
     "output O = O\n"},
    {"output O = layernorm(A, d, d)\n",
     "O [M, D] f32 = layernorm eps 1e-05 (A, d, d)\n"
     "output O = O\n"},
    {"output O = layernorm(A, d, form=paper)\n",
     "O [M, D] f32 = layernorm paper (A, d)\n"
     "output O = O\n"},
    {"output O = row_mean(A) + row_sum(A)\n",
     "%16 [M] f32 = row_mean (A)\n"
     "%17 [M] f32 = row_sum (A)\n"
     "O [M] f32 = elementwise x0+x1 (%16, %17)\n"
     "output O = O\n"},
    {"output O = cast(A, e4m3)\n",
     "O [M, D] e4m3 = cast (A)\n"
     "output O = O\n"},
    {"output O = cast(F, f32) + A\n",
     "%16 [M, D] f32 = cast (F)\n"
     "O [M, D] f32 = elementwise x0+x1 (%16, A)\n"
     "output O = O\n"},
    {"output O = max(A, A) + min(A, 0) + max(1, A)\n",
     "%16 [M, D] f32 = elementwise max(x0,x1) (A, A)\n"
     "%17 [M, D] f32 = elementwise min(x0,0) (A)\n"
     "%18 [M, D] f32 = elementwise x0+x1 (%16, %17)\n"
     "%19 [M, D] f32 = elementwise max(1,x0) (A)\n"
     "O [M, D] f32 = elementwise x0+x1 (%18, %19)\n"
     "output O = O\n"},
    {"output O = exp(sqrt(rsqrt(square(reciprocal(log(A))))))\n",
     "%16 [M, D] f32 = elementwise log(x0) (A)\n"
     "%17 [M, D] f32 = elementwise 1/x0 (%16)\n"
     "%18 [M, D] f32 = elementwise x0**2 (%17)\n"
     "%19 [M, D] f32 = elementwise x0**-0.5 (%18)\n"
     "%20 [M, D] f32 = elementwise sqrt(x0) (%19)\n"
     "O [M, D] f32 = elementwise exp(x0) (%20)\n"
     "output O = O\n"},
    {"output O = sigmoid(A) + silu(A)\n",
     "%16 [M, D] f32 = elementwise 1/(1+exp(-x0)) (A)\n"
     "%17 [M, D] f32 = elementwise x0/(1+exp(-x0)) (A)\n"
     "O [M, D] f32 = elementwise x0+x1 (%16, %17)\n"
     "output O = O\n"},
    {"output O = relu(A) + gelu(A)\n",
     "%16 [M, D] f32 = elementwise max(x0,0) (A)\n"
     "%17 [M, D] f32 = elementwise 0.5*x0*(1+erf(x0/2**0.5)) (A)\n"
     "O [M, D] f32 = elementwise x0+x1 (%16, %17)\n"
     "output O = O\n"},
    {"output O = gelu_tanh(A) + softplus(A)\n",
     "%16 [M, D] f32 = elementwise 0.5*x0*(1+tanh(0.7978845608028654*(x0+0.044715*x0**3))) (A)\n"
     "%17 [M, D] f32 = elementwise max(x0,0)+log(1+exp(-abs(x0))) (A)\n"
     "O [M, D] f32 = elementwise x0+x1 (%16, %17)\n"
     "output O = O\n"},
    {"output O = elu(A) + leaky_relu(A, 0.2)\n",
     "%16 [M, D] f32 = elementwise max(x0,0)+1*(exp(min(x0,0))-1) (A)\n"
     "%17 [M, D] f32 = elementwise max(x0,0)+0.2*min(x0,0) (A)\n"
     "O [M, D] f32 = elementwise x0+x1 (%16, %17)\n"
     "output O = O\n"},
    {"output O = hardswish(A) + tanh(abs(sin(cos(floor(erf(A))))))\n",
     "%16 [M, D] f32 = elementwise x0*(min(max(x0+3,0),6)/6) (A)\n"
     "%17 [M, D] f32 = elementwise erf(x0) (A)\n"
     "%18 [M, D] f32 = elementwise floor(x0) (%17)\n"
     "%19 [M, D] f32 = elementwise cos(x0) (%18)\n"
     "%20 [M, D] f32 = elementwise sin(x0) (%19)\n"
     "%21 [M, D] f32 = elementwise abs(x0) (%20)\n"
     "%22 [M, D] f32 = elementwise tanh(x0) (%21)\n"
     "O [M, D] f32 = elementwise x0+x1 (%16, %22)\n"
     "output O = O\n"},
    {"output O = elementwise(x, y: x * exp(y) + M, A, A @ A.T @ A)\n",
     "%16 [D, M] f32 = transpose (A)\n"
     "%17 [M, M] f32 = matmul (A, %16)\n"
     "%18 [M, D] f32 = matmul (%17, A)\n"
     "O [M, D] f32 = elementwise x0*exp(x1)+MM (A, %18)\n"
     "output O = O\n"},
    {"mask C[M, D] = causal\n"
     "output O = F + C\n",
     "C [M, D] f16 = causal mask\n"
     "O [M, D] f16 = elementwise x0+x1 (F, C)\n"
     "output O = O\n"},
    {"mask C[M, D] = causal\n"
     "X1 = exp(C)\n"
     "output O = A + C + X1\n",
     "C [M, D] f32 = causal mask\n"
     "X1 [M, D] f32 = elementwise exp(x0) (C)\n"
     "%18 [M, D] f32 = elementwise x0+x1 (A, C)\n"
     "O [M, D] f32 = elementwise x0+x1 (%18, X1)\n"
     "output O = O\n"},
    {"mask C[M, D] : f16 = causal\n"
     "output O = C + F\n",
     "C [M, D] f16 = causal mask\n"
     "O [M, D] f16 = elementwise x0+x1 (C, F)\n"
     "output O = O\n"},
    {"output O = softmax(causal(A)) + causal(A)\n",
     "CAUSAL [M, D] f32 = causal mask\n"
     "%17 [M, D] f32 = elementwise x0+x1 (A, CAUSAL)\n"
     "%18 [M, D] f32 = softmax (%17)\n"
     "%19 [M, D] f32 = elementwise x0+x1 (A, CAUSAL)\n"
     "O [M, D] f32 = elementwise x0+x1 (%18, %19)\n"
     "output O = O\n"},
    {"X1 = A + 1\n"
     "output O = F + cast(causal(X1), f16)\n"
     "output P = causal(F)\n",
     "X1 [M, D] f32 = elementwise x0+1 (A)\n"
     "CAUSAL [M, D] f32 = causal mask\n"
     "%18 [M, D] f32 = elementwise x0+x1 (X1, CAUSAL)\n"
     "%19 [M, D] f16 = cast (%18)\n"
     "O [M, D] f16 = elementwise x0+x1 (F, %19)\n"
     "CAUSAL2 [M, D] f16 = causal mask\n"
     "P [M, D] f16 = elementwise x0+x1 (F, CAUSAL2)\n"
     "output O = O\n"
     "output P = P\n"},
    {"X1 = causal(A * 2)\n"
     "output O = causal(X1) + CAUSAL\n",
     "CAUSAL [M, D] f32 = causal mask\n"
     "%17 [M, D] f32 = elementwise x0*2 (A)\n"
     "X1 [M, D] f32 = elementwise x0+x1 (%17, CAUSAL)\n"
     "%19 [M, D] f32 = elementwise x0+x1 (X1, CAUSAL)\n"
     "O [M, D] f32 = elementwise x0+x1 (%19, CAUSAL)\n"
     "output O = O\n"},
    {"CAUSAL = A + 1\n"
     "output O = causal(CAUSAL)\n",
     "CAUSAL [M, D] f32 = elementwise x0+1 (A)\n"
     "CAUSAL2 [M, D] f32 = causal mask\n"
     "O [M, D] f32 = elementwise x0+x1 (CAUSAL, CAUSAL2)\n"
     "output O = O\n"},
    {"output O = custom(\"topk\", A, V)\n",
     "O [M, D] f32 = custom topk (A, V)\n"
     "output O = O\n"},
    {"O[N] : f16 = custom(\"topk\", A, V)\n"
     "output O\n",
     "O [N] f16 = custom topk (A, V)\n"
     "output O = O\n"},
    {"X1[M, D] = A + 1\n"
     "X2 = X1\n"
     "output O : f32 = X2\n"
     "output X1\n",
     "X1 [M, D] f32 = elementwise x0+1 (A)\n"
     "output O = X1\n"
     "output X1 = X1\n"},
    {"output O = (\n"
     "  A    # a comment\n"
     "  + A\n"
     ")\n",
     "O [M, D] f32 = elementwise x0+x1 (A, A)\n"
     "output O = O\n"},
    {"output O = sum(\n"
     "  S3,\n"
     "  H)\n",
     "O [M, D] f32 = sum over H (S3)\n"
     "output O = O\n"},
};

class Structure : public testing::TestWithParam<Reading> {};

TEST_P(Structure, IsOneOperatorPerSyntacticOperation) {
    const Result<ArrayProgram> program = parse_program(kStructureDeclarations + GetParam().text, "t");
    ASSERT_TRUE(program) << to_string(program.problems()[0]);
    EXPECT_EQ(structure(*program), GetParam().structure) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(Texts, Structure, testing::ValuesIn(readings));

}  // namespace
}  // namespace blockscope
