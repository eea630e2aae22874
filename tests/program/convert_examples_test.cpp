// The paper's three examples: how many top-level operators they start with, and which.
#include <gmock/gmock.h>

#include "core/graph/verify.h"
#include "core/program/convert.h"
#include "tests/program/array_maker.h"
#include "tests/program/sketch.h"

namespace blockscope::test {
namespace {

std::string converted(const ArrayMaker& maker) {
    const Conversion conversion = to_block_program(maker.program);
    for (const Violation& violation : verify(conversion.program)) ADD_FAILURE() << violation.sentence;
    return sketch(conversion.program);
}

// The first line of the body of what each top-level map does, innermost maps only.
std::vector<std::string> block_operators(const std::string& text) {
    std::vector<std::string> names;
    std::size_t start = 0;
    while (start < text.size()) {
        const std::size_t end = text.find('\n', start);
        const std::string line = text.substr(start, end - start);
        const std::size_t open = line.rfind('{');
        if (open != std::string::npos)
            names.push_back(line.substr(open + 1, line.find(';', open) - open - 1));
        start = end + 1;
    }
    return names;
}

TEST(ConvertExamples, AttentionStartsWithSevenOperators) {
    ArrayMaker p;
    const int q = p.input("Q", "MD");
    const int k = p.input("K", "ND");
    const int v = p.input("V", "NL");
    const int kt = p.op(ArrayOpKind::Transpose, {k}, "DN");
    const int s = p.op(ArrayOpKind::Matmul, {q, kt}, "MN");
    const ExprPtr scale = call(Fn::Mul, arg(0), call(Fn::Pow, size_of(p.dim('D')), number(-0.5)));
    const int soft = p.op(ArrayOpKind::Softmax, {p.elementwise(scale, {s}, "MN")}, "MN");
    p.output("O", p.op(ArrayOpKind::Matmul, {soft, v}, "ML"));
    const std::string text = converted(p);
    EXPECT_THAT(block_operators(text),
                testing::ElementsAre("dot(x0, x1)", "x0*(DD**-0.5)", "exp(x0)", "row_sum(x0)", "1/x0",
                                     "row_scale(x0, x1)", "dot(x0, x1)"));
    EXPECT_THAT(text, testing::StartsWith("M[i Q, b K]"));
    EXPECT_THAT(text, testing::HasSubstr("M[i v5, b VT]{L[b x0, i x1]{N[i x0, i x1]"));
}

TEST(ConvertExamples, LayerNormAndMatmulStartWithEightOperators) {
    ArrayMaker p;
    const int x = p.input("X", "MK");
    const int y = p.input("Y", "KN");
    const int norm = p.norm(ArrayOpKind::LayerNorm, {x}, "MK", true);
    p.output("Z", p.op(ArrayOpKind::Matmul, {norm, y}, "MN"));
    const std::string text = converted(p);
    EXPECT_THAT(block_operators(text),
                testing::ElementsAre("row_sum(x0)", "-x0/KK", "row_shift(x0, x1)", "x0**2", "row_sum(x0)",
                                     "(x0/KK-x1**2)**(-0.5)", "row_scale(x0, x1)", "dot(x0, x1)"));
    EXPECT_THAT(text, testing::HasSubstr("M[i v6, b YT]{N[b x0, i x1]{K[i x0, i x1]"));
}

TEST(ConvertExamples, RmsNormAndSwiGluStartWithNineOperators) {
    ArrayMaker p;
    const int x = p.input("X", "MD");
    const int w = p.input("W", "DK");
    const int v = p.input("V", "DK");
    const int u = p.input("U", "KN");
    const int norm = p.norm(ArrayOpKind::RmsNorm, {x}, "MD", true);
    const int gate = p.op(ArrayOpKind::Matmul, {norm, w}, "MK");
    const ExprPtr swish =
        call(Fn::Div, arg(0), call(Fn::Add, number(1), call(Fn::Exp, call(Fn::Neg, arg(0)))));
    const int swished = p.elementwise(swish, {gate}, "MK");
    const int up = p.op(ArrayOpKind::Matmul, {norm, v}, "MK");
    const int product = p.elementwise(call(Fn::Mul, arg(0), arg(1)), {swished, up}, "MK");
    p.output("O", p.op(ArrayOpKind::Matmul, {product, u}, "MN"));
    EXPECT_THAT(block_operators(converted(p)),
                testing::ElementsAre("x0**2", "row_sum(x0)", "1/sqrt(x0)", "row_scale(x0, x1)", "dot(x0, x1)",
                                     "x0/(1+exp(-x0))", "dot(x0, x1)", "mul(x0, x1)", "dot(x0, x1)"));
}

}  // namespace
}  // namespace blockscope::test
