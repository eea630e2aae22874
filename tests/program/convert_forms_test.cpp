// Transposition: which arrays are read, computed or converted into the form that their users need.
#include <gmock/gmock.h>

#include "core/graph/verify.h"
#include "core/program/convert.h"
#include "tests/program/array_maker.h"
#include "tests/program/sketch.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string converted(const ArrayMaker& maker) {
    const Conversion conversion = to_block_program(maker.program);
    for (const Violation& violation : verify(conversion.program)) ADD_FAILURE() << violation.sentence;
    return sketch(conversion.program);
}

ExprPtr relu() {
    return call(Fn::Max, arg(0), number(0));
}

// Y = C @ X for a matrix X [N, K] that `program` has made.
void use_as_right_operand(ArrayMaker& p, int x) {
    p.output("Y", p.op(ArrayOpKind::Matmul, {p.input("C", "MN"), x}, "MK"));
}

TEST(ConvertForms, ARightOperandIsReadTransposedAndKeepsItsName) {
    ArrayMaker p;
    const int v = p.input("V", "B|NK", ElemType::BF16);
    p.output("Y", p.op(ArrayOpKind::Matmul, {p.input("C", "MN"), v}, "B|MK"));
    const BlockProgram program = to_block_program(p.program).program;
    const Node& node = *program.graph->nodes().at(0);
    EXPECT_EQ(*node.as<Input>(), (Input{"V", true, InputSource::Array}));
    EXPECT_EQ(to_string(node.outputs.at(0), program.dims), "(B,K,N) block[K,N] bf16");
}

TEST(ConvertForms, TheTransposeOfAnInputCancels) {
    ArrayMaker p;
    const int k = p.input("K", "KN");
    use_as_right_operand(p, p.op(ArrayOpKind::Transpose, {k}, "NK"));
    EXPECT_THAT(converted(p), HasSubstr("M[i C, b K]"));
}

TEST(ConvertForms, OneInputMayBeReadBothWays) {
    ArrayMaker p;
    const int x = p.input("X", "MM");
    p.output("Y", p.op(ArrayOpKind::Matmul, {x, x}, "MM"));
    EXPECT_THAT(converted(p), HasSubstr("M[i X, b XT]"));
    EXPECT_EQ(to_block_program(p.program).program.graph->inputs().size(), 2u);
}

TEST(ConvertForms, AProductThatIsOnlyNeededTransposedSwapsItsOperands) {
    ArrayMaker p;
    const int a = p.input("A", "ND");
    const int b = p.input("B", "DK");
    use_as_right_operand(p, p.op(ArrayOpKind::Matmul, {a, b}, "NK"));
    EXPECT_EQ(converted(p),
              "K[i BT, b A]{N[b x0, i x1]{D[i x0, i x1]{dot(x0, x1); -> v0}; sum D(v0); -> v1}; -> v0}\n"
              "M[i C, b v0]{K[b x0, i x1]{N[i x0, i x1]{dot(x0, x1); -> v0}; sum N(v0); -> v1}; -> v0}\n"
              "Y = v1\n");
}

TEST(ConvertForms, AProductThatIsNeededBothWaysIsTransposedByAMiscellaneousOperator) {
    ArrayMaker p;
    const int product = p.op(ArrayOpKind::Matmul, {p.input("A", "ND"), p.input("B", "DK")}, "NK");
    p.output("P", product);
    use_as_right_operand(p, product);
    EXPECT_EQ(converted(p),
              "N[i A, b BT]{K[b x0, i x1]{D[i x0, i x1]{dot(x0, x1); -> v0}; sum D(v0); -> v1}; -> v0}\n"
              "misc transpose(v0)\n"
              "M[i C, b v1]{K[b x0, i x1]{N[i x0, i x1]{dot(x0, x1); -> v0}; sum N(v0); -> v1}; -> v0}\n"
              "P = v0\nY = v2\n");
}

TEST(ConvertForms, ElementwiseOperatorsPassTheTranspositionOnToProductsAndInputs) {
    ArrayMaker p;
    const int product = p.op(ArrayOpKind::Matmul, {p.input("A", "ND"), p.input("B", "DK")}, "NK");
    const int bias = p.broadcast(Fn::Add, VectorAxis::Cols, product, p.input("b", "K"), "NK");
    const int gate = p.input("G", "NK");
    use_as_right_operand(
        p, p.elementwise(call(Fn::Mul, arg(0), arg(1)), {p.elementwise(relu(), {bias}, "NK"), gate}, "NK"));
    const std::string text = converted(p);
    EXPECT_THAT(text, Not(HasSubstr("transpose")));
    EXPECT_THAT(text, HasSubstr("K[i v0, i b]{N[i x0, b x1]{row_shift(x0, x1); -> v0}; -> v0}\n"
                                "K[i v1]{N[i x0]{max(x0,0); -> v0}; -> v0}\n"
                                "K[i v2, i GT]{N[i x0, i x1]{mul(x0, x1); -> v0}; -> v0}\n"));
}

TEST(ConvertForms, ASoftmaxIsTransposedAfterIt) {
    ArrayMaker p;
    use_as_right_operand(p, p.op(ArrayOpKind::Softmax, {p.input("X", "NK")}, "NK"));
    EXPECT_THAT(converted(p), HasSubstr("misc transpose(v3)\nM[i C, b v4]"));
}

TEST(ConvertForms, ATranspositionThatIsNotFreeBelowStaysWhereItIsNeeded) {
    ArrayMaker p;
    const int soft = p.op(ArrayOpKind::Softmax, {p.input("X", "NK")}, "NK");
    const int first = p.elementwise(relu(), {soft}, "NK");
    use_as_right_operand(p, p.elementwise(relu(), {first}, "NK"));
    EXPECT_THAT(converted(p), HasSubstr("N[i v4]{K[i x0]{max(x0,0); -> v0}; -> v0}\nmisc transpose(v5)\n"));
}

TEST(ConvertForms, AProductUsedInBothFormsIsNotTransposedForAnElementwiseOperator) {
    ArrayMaker p;
    const int product = p.op(ArrayOpKind::Matmul, {p.input("A", "ND"), p.input("B", "DK")}, "NK");
    p.output("P", p.op(ArrayOpKind::RowSum, {product}, "N"));
    use_as_right_operand(p, p.elementwise(relu(), {product}, "NK"));
    EXPECT_THAT(converted(p), HasSubstr("N[i v0]{K[i x0]{max(x0,0); -> v0}; -> v0}\nmisc transpose(v2)\n"));
}

TEST(ConvertForms, OneWrongGuessWithdrawsNoOther) {
    ArrayMaker p;
    const int soft = p.op(ArrayOpKind::Softmax, {p.input("X", "NK")}, "NK");
    const int right =
        p.op(ArrayOpKind::Matmul, {p.input("C", "MN"), p.elementwise(relu(), {soft}, "NK")}, "MK");
    const int product = p.op(ArrayOpKind::Matmul, {p.input("A", "KD"), p.input("B", "DK")}, "KK");
    p.output("Y", p.op(ArrayOpKind::Matmul, {right, p.elementwise(relu(), {product}, "KK")}, "MK"));
    const std::string text = converted(p);
    EXPECT_EQ(text.find("misc transpose"), text.rfind("misc transpose"));
    EXPECT_THAT(text, HasSubstr("misc transpose(v4)\n"));
    EXPECT_THAT(text, HasSubstr("K[i BT, b A]"));
}

TEST(ConvertForms, ATransposedProductIsAvailableInTheFormThatIsComputed) {
    ArrayMaker p;
    const int product = p.op(ArrayOpKind::Matmul, {p.input("A", "KD"), p.input("B", "DN")}, "KN");
    const int turned = p.op(ArrayOpKind::Transpose, {product}, "NK");
    use_as_right_operand(p, p.elementwise(relu(), {turned}, "NK"));
    const std::string text = converted(p);
    EXPECT_THAT(text, Not(HasSubstr("transpose")));
    EXPECT_THAT(text, testing::StartsWith("K[i A, b BT]"));
}

TEST(ConvertForms, OnlyTheNeededFormOfATransposedResultIsComputed) {
    ArrayMaker p;
    const int product = p.op(ArrayOpKind::Matmul, {p.input("A", "ND"), p.input("B", "DK")}, "NK");
    p.output("Y", p.op(ArrayOpKind::Transpose, {product}, "KN"));
    EXPECT_EQ(converted(p),
              "K[i BT, b A]{N[b x0, i x1]{D[i x0, i x1]{dot(x0, x1); -> v0}; sum D(v0); -> v1}; -> v0}\n"
              "Y = v0\n");
}

TEST(ConvertForms, TwoTransposesCancel) {
    ArrayMaker p;
    const int x = p.input("X", "NK");
    const int xt = p.op(ArrayOpKind::Transpose, {x}, "KN");
    const int xtt = p.op(ArrayOpKind::Transpose, {xt}, "NK");
    p.output("s", p.op(ArrayOpKind::RowSum, {xtt}, "N"));
    EXPECT_THAT(converted(p), testing::StartsWith("N[i X]"));
}

TEST(ConvertForms, OuterProductsSwapTheirVectors) {
    ArrayMaker p;
    use_as_right_operand(p, p.op(ArrayOpKind::Outer, {p.input("a", "N"), p.input("b", "K")}, "NK"));
    EXPECT_THAT(converted(p), HasSubstr("K[i b, b a]{N[b x0, i x1]{outer(x0, x1); -> v0}; -> v0}\n"));
}

TEST(ConvertForms, AMatmulOfTwoElementTypesKeepsTheTypeOfItsLeftOperandWhenSwapped) {
    ArrayMaker p;
    const int product = p.op(ArrayOpKind::Matmul,
                             {p.input("A", "ND", ElemType::F32), p.input("B", "DK", ElemType::BF16)}, "NK");
    p.output("Y", p.op(ArrayOpKind::Transpose, {product}, "KN"));
    EXPECT_THAT(converted(p), HasSubstr("K[i v0]{N[i x0]{x0 as f32; -> v0}; -> v0}\nY = v1\n"));
}

// Each link is needed transposed if the next one is, except that every product is also needed as it is: one
// guess after the other turns out wrong, and the planner still ends with a valid plan.
TEST(ConvertForms, AChainOfWrongGuessesEnds) {
    ArrayMaker p;
    int value = p.input("X", "MM");
    for (int i = 0; i < 40; ++i) {
        const int left = p.op(ArrayOpKind::Matmul, {p.input("A" + std::to_string(i), "MM"), value}, "MM");
        const int both = p.elementwise(call(Fn::Add, arg(0), arg(1)), {left, value}, "MM");
        value = p.elementwise(relu(), {p.op(ArrayOpKind::Transpose, {both}, "MM")}, "MM");
    }
    p.output("Y", value);
    EXPECT_THAT(converted(p), HasSubstr("Y = "));
}

TEST(ListingNames, AnArrayMayNotBeCalledLikeATransposedInput) {
    ArrayMaker p;
    const int v = p.input("V", "NK");
    p.last().place = {"f.bp", 3, 7, ""};
    p.input("VT", "KN");
    p.last().place = {"f.bp", 4, 9, ""};
    EXPECT_TRUE(check_listing_names(p.program).empty());
    use_as_right_operand(p, v);
    const Problems problems = check_listing_names(p.program);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].place.line, 4);
    EXPECT_EQ(
        problems[0].message,
        "found the name VT beside the input V (line 3), whose transpose, which the program reads, has that "
        "name in listings; expected another name");
}

TEST(ListingNames, TheCheckOfAProgramAsksForThem) {
    const std::string text =
        "dim M = 8 / 4\ndim N = 8 / 4\ninput X[M, N], V[N, M]\ninput VT[M, N]\noutput Y = X @ V\n";
    const auto program = parse_program(text, "f.bp");
    ASSERT_FALSE(program);
    EXPECT_THAT(to_string(program.problems().at(0)),
                testing::StartsWith("f.bp:4:7: found the name VT beside"));
}

TEST(ListingNames, AnOutputMayNotBeCalledLikeATransposedInput) {
    ArrayMaker p;
    const int v = p.input("V", "NK");
    p.output("VT", p.op(ArrayOpKind::Matmul, {p.input("C", "MN"), v}, "MK"));
    EXPECT_EQ(check_listing_names(p.program).size(), 1u);
    p.program.outputs[0].name = "O";
    EXPECT_TRUE(check_listing_names(p.program).empty());
}

}  // namespace
}  // namespace blockscope::test
