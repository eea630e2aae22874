// The lookup table: every array operator becomes exactly the maps of Blockbuster's Table 2.
#include "core/program/convert.h"

#include <gmock/gmock.h>

#include "core/graph/verify.h"
#include "tests/program/array_maker.h"
#include "tests/program/sketch.h"

namespace blockscope::test {
namespace {

std::string converted(const ArrayMaker& maker) {
    const Conversion conversion = to_block_program(maker.program);
    for (const Violation& violation : verify(conversion.program)) ADD_FAILURE() << violation.sentence;
    return sketch(conversion.program);
}

ExprPtr exp_of_first() {
    return call(Fn::Exp, arg(0));
}

TEST(ConvertElementwise, IsOneMapPerAxisAroundTheFunction) {
    ArrayMaker p;
    p.output("Y", p.elementwise(exp_of_first(), {p.input("X", "MN")}, "MN"));
    EXPECT_EQ(converted(p), "M[i X]{N[i x0]{exp(x0); -> v0}; -> v0}\nY = v0\n");
}

TEST(ConvertElementwise, OfAVectorHasOneMap) {
    ArrayMaker p;
    p.output("Y", p.elementwise(exp_of_first(), {p.input("X", "M")}, "M"));
    EXPECT_EQ(converted(p), "M[i X]{exp(x0); -> v0}\nY = v0\n");
}

TEST(ConvertElementwise, OfAScalarIsAPlainNode) {
    ArrayMaker p;
    p.output("Y", p.elementwise(exp_of_first(), {p.input("X", "")}, ""));
    EXPECT_EQ(converted(p), "exp(X)\nY = v0\n");
}

TEST(ConvertElementwise, OfABatchOfScalarsHasBatchMapsOnly) {
    ArrayMaker p;
    p.output("Y", p.elementwise(exp_of_first(), {p.input("X", "BH|")}, "BH|"));
    EXPECT_EQ(converted(p), "B[i X]{H[i x0]{exp(x0); -> v0}; -> v0}\nY = v0\n");
}

TEST(ConvertElementwise, BatchMapsStandAroundTheAxisMaps) {
    ArrayMaker p;
    p.output("Y", p.elementwise(exp_of_first(), {p.input("X", "BH|MN")}, "BH|MN"));
    EXPECT_EQ(converted(p),
              "B[i X]{H[i x0]{M[i x0]{N[i x0]{exp(x0); -> v0}; -> v0}; -> v0}; -> v0}\nY = v0\n");
}

TEST(ConvertElementwise, AnOperandWithoutABatchDimensionComesInBroadcast) {
    ArrayMaker p;
    const int x = p.input("X", "BH|M");
    const int y = p.input("Y", "H|M");
    p.output("Z", p.elementwise(call(Fn::Max, arg(0), arg(1)), {x, y}, "BH|M"));
    EXPECT_EQ(converted(p),
              "B[i X, b Y]{H[i x0, i x1]{M[i x0, i x1]{max(x0,x1); -> v0}; -> v0}; -> v0}\nZ = v0\n");
}

TEST(ConvertElementwise, ScalarsAreSpreadOverTheAxes) {
    ArrayMaker p;
    const int x = p.input("X", "MN");
    const int s = p.input("s", "");
    p.output("Z", p.elementwise(call(Fn::Mul, arg(0), arg(1)), {x, s}, "MN"));
    EXPECT_EQ(converted(p), "M[i X, b s]{N[i x0, b x1]{x0*x1; -> v0}; -> v0}\nZ = v0\n");
}

TEST(ConvertElementwise, SumsAndProductsOfEqualShapesAreFunctional) {
    ArrayMaker p;
    const int x = p.input("X", "MN");
    const int y = p.input("Y", "MN");
    const int sum = p.elementwise(call(Fn::Add, arg(0), arg(1)), {x, y}, "MN");
    const int product = p.elementwise(call(Fn::Mul, arg(0), arg(1)), {sum, y}, "MN");
    p.output("Z", p.elementwise(call(Fn::Sub, arg(0), arg(1)), {product, x}, "MN"));
    EXPECT_EQ(converted(p),
              "M[i X, i Y]{N[i x0, i x1]{add(x0, x1); -> v0}; -> v0}\n"
              "M[i v0, i Y]{N[i x0, i x1]{mul(x0, x1); -> v0}; -> v0}\n"
              "M[i v1, i X]{N[i x0, i x1]{x0-x1; -> v0}; -> v0}\n"
              "Z = v2\n");
}

TEST(ConvertElementwise, OneValueTakenTwiceInOneWayEntersOnce) {
    ArrayMaker p;
    const int x = p.input("X", "MN");
    p.output("Z", p.elementwise(call(Fn::Mul, arg(0), arg(1)), {x, x}, "MN"));
    EXPECT_EQ(converted(p), "M[i X]{N[i x0]{mul(x0, x0); -> v0}; -> v0}\nZ = v0\n");
}

TEST(ConvertMatmul, IteratesLeftOverRowsAndRightOverColumns) {
    ArrayMaker p;
    const int a = p.input("A", "MK");
    const int b = p.input("B", "KN");
    p.output("C", p.op(ArrayOpKind::Matmul, {a, b}, "MN"));
    EXPECT_EQ(converted(p),
              "M[i A, b BT]{N[b x0, i x1]{K[i x0, i x1]{dot(x0, x1); -> v0}; sum K(v0); -> v1}; -> v0}\n"
              "C = v0\n");
}

TEST(ConvertMatmul, NeverInfersIterationFromADimensionsName) {
    ArrayMaker p;
    const int a = p.input("A", "MM");
    const int b = p.input("B", "MM");
    p.output("C", p.op(ArrayOpKind::Matmul, {a, b}, "MM"));
    EXPECT_EQ(converted(p),
              "M[i A, b BT]{M[b x0, i x1]{M[i x0, i x1]{dot(x0, x1); -> v0}; sum M(v0); -> v1}; -> v0}\n"
              "C = v0\n");
}

TEST(ConvertMatmul, OfAnArrayWithItselfTakesItInBothWays) {
    ArrayMaker p;
    const int x = p.input("X", "MK");
    const int xt = p.op(ArrayOpKind::Transpose, {x}, "KM");
    p.output("S", p.op(ArrayOpKind::Matmul, {x, xt}, "MM"));
    EXPECT_EQ(converted(p),
              "M[i X, b X]{M[b x0, i x1]{K[i x0, i x1]{dot(x0, x1); -> v0}; sum K(v0); -> v1}; -> v0}\n"
              "S = v0\n");
}

TEST(ConvertMatmul, AGroupOfQueriesSharesItsKeys) {
    ArrayMaker p;
    const int q = p.input("Q", "BHG|MD");
    const int k = p.input("K", "BH|ND");
    const int kt = p.op(ArrayOpKind::Transpose, {k}, "BH|DN");
    p.output("S", p.op(ArrayOpKind::Matmul, {q, kt}, "BHG|MN"));
    EXPECT_EQ(
        converted(p),
        "B[i Q, i K]{H[i x0, i x1]{G[i x0, b x1]{M[i x0, b x1]{N[b x0, i x1]{D[i x0, i x1]{dot(x0, x1); -> "
        "v0}; sum D(v0); -> v1}; -> v0}; -> v0}; -> v0}; -> v0}\nS = v0\n");
}

TEST(ConvertSoftmax, IsFourMaps) {
    ArrayMaker p;
    p.output("P", p.op(ArrayOpKind::Softmax, {p.input("S", "MN")}, "MN"));
    EXPECT_EQ(converted(p),
              "M[i S]{N[i x0]{exp(x0); -> v0}; -> v0}\n"
              "M[i v0]{N[i x0]{row_sum(x0); -> v0}; sum N(v0); -> v1}\n"
              "M[i v1]{1/x0; -> v0}\n"
              "M[i v0, i v2]{N[i x0, b x1]{row_scale(x0, x1); -> v0}; -> v0}\n"
              "P = v3\n");
}

TEST(ConvertRmsNorm, InThePapersFormIsFourMaps) {
    ArrayMaker p;
    p.output("Y", p.norm(ArrayOpKind::RmsNorm, {p.input("X", "MD")}, "MD", true));
    EXPECT_EQ(converted(p),
              "M[i X]{D[i x0]{x0**2; -> v0}; -> v0}\n"
              "M[i v0]{D[i x0]{row_sum(x0); -> v0}; sum D(v0); -> v1}\n"
              "M[i v1]{1/sqrt(x0); -> v0}\n"
              "M[i X, i v2]{D[i x0, b x1]{row_scale(x0, x1); -> v0}; -> v0}\n"
              "Y = v3\n");
}

TEST(ConvertRmsNorm, WithWeightHasMeanAndEpsilonAndAFifthMap) {
    ArrayMaker p;
    const int x = p.input("X", "MD");
    const int w = p.input("w", "D");
    p.output("Y", p.norm(ArrayOpKind::RmsNorm, {x, w}, "MD", false));
    const std::string text = converted(p);
    EXPECT_THAT(text, testing::HasSubstr("M[i v1]{1/sqrt(x0/DD+1e-05); -> v0}\n"));
    EXPECT_THAT(text,
                testing::EndsWith("M[i v3, b w]{D[i x0, i x1]{col_scale(x0, x1); -> v0}; -> v0}\nY = v4\n"));
}

TEST(ConvertLayerNorm, InThePapersFormIsSevenMaps) {
    ArrayMaker p;
    p.output("Y", p.norm(ArrayOpKind::LayerNorm, {p.input("X", "MK")}, "MK", true));
    EXPECT_EQ(converted(p),
              "M[i X]{K[i x0]{row_sum(x0); -> v0}; sum K(v0); -> v1}\n"
              "M[i v0]{-x0/KK; -> v0}\n"
              "M[i X, i v1]{K[i x0, b x1]{row_shift(x0, x1); -> v0}; -> v0}\n"
              "M[i X]{K[i x0]{x0**2; -> v0}; -> v0}\n"
              "M[i v3]{K[i x0]{row_sum(x0); -> v0}; sum K(v0); -> v1}\n"
              "M[i v4, i v1]{(x0/KK-x1**2)**(-0.5); -> v0}\n"
              "M[i v2, i v5]{K[i x0, b x1]{row_scale(x0, x1); -> v0}; -> v0}\n"
              "Y = v6\n");
}

TEST(ConvertLayerNorm, WithWeightAndBiasHasNineMaps) {
    ArrayMaker p;
    const int x = p.input("X", "B|MK");
    const int w = p.input("w", "K");
    const int b = p.input("b", "K");
    p.output("Y", p.norm(ArrayOpKind::LayerNorm, {x, w, b}, "B|MK", false));
    const std::string text = converted(p);
    EXPECT_THAT(text, testing::HasSubstr("{(x0/KK-x1**2+1e-05)**(-0.5); -> v0}"));
    EXPECT_THAT(text,
                testing::EndsWith(
                    "B[i v6, b w]{M[i x0, b x1]{K[i x0, i x1]{col_scale(x0, x1); -> v0}; -> v0}; -> v0}\n"
                    "B[i v7, b b]{M[i x0, b x1]{K[i x0, i x1]{col_shift(x0, x1); -> v0}; -> v0}; -> v0}\n"
                    "Y = v8\n"));
}

TEST(ConvertRowOperators, ReduceOverTheLastAxis) {
    ArrayMaker p;
    const int x = p.input("X", "MN");
    p.output("s", p.op(ArrayOpKind::RowSum, {x}, "M"));
    p.output("m", p.op(ArrayOpKind::RowMean, {x}, "M"));
    p.output("h", p.op(ArrayOpKind::RowMax, {x}, "M"));
    EXPECT_EQ(converted(p),
              "M[i X]{N[i x0]{row_sum(x0); -> v0}; sum N(v0); -> v1}\n"
              "M[i X]{N[i x0]{row_sum(x0); -> v0}; sum N(v0); -> v1}\n"
              "M[i v1]{x0/NN; -> v0}\n"
              "M[i X]{N[i x0]{row_max(x0); -> v0}; max N(v0); -> v1}\n"
              "s = v0\nm = v2\nh = v3\n");
}

TEST(ConvertOuter, IteratesEachVectorOverItsOwnAxis) {
    ArrayMaker p;
    const int a = p.input("a", "M");
    const int b = p.input("b", "N");
    p.output("Z", p.op(ArrayOpKind::Outer, {a, b}, "MN"));
    EXPECT_EQ(converted(p), "M[i a, b b]{N[b x0, i x1]{outer(x0, x1); -> v0}; -> v0}\nZ = v0\n");
}

struct BroadcastCase {
    Fn fn;
    VectorAxis axis;
    bool matrix_first;
    const char* expected;
};

class ConvertBroadcast : public testing::TestWithParam<BroadcastCase> {};

TEST_P(ConvertBroadcast, IsAShiftOrAScale) {
    const BroadcastCase& c = GetParam();
    ArrayMaker p;
    const int x = p.input("X", "MN");
    const int v = p.input("v", c.axis == VectorAxis::Rows ? "M" : "N");
    p.output("Y", p.broadcast(c.fn, c.axis, c.matrix_first ? x : v, c.matrix_first ? v : x, "MN"));
    EXPECT_EQ(converted(p), c.expected);
}

INSTANTIATE_TEST_SUITE_P(
    All, ConvertBroadcast,
    testing::Values(BroadcastCase{Fn::Add, VectorAxis::Cols, true,
                                  "M[i X, b v]{N[i x0, i x1]{col_shift(x0, x1); -> v0}; -> v0}\nY = v0\n"},
                    BroadcastCase{Fn::Add, VectorAxis::Rows, false,
                                  "M[i X, i v]{N[i x0, b x1]{row_shift(x0, x1); -> v0}; -> v0}\nY = v0\n"},
                    BroadcastCase{Fn::Mul, VectorAxis::Cols, false,
                                  "M[i X, b v]{N[i x0, i x1]{col_scale(x0, x1); -> v0}; -> v0}\nY = v0\n"},
                    BroadcastCase{Fn::Mul, VectorAxis::Rows, true,
                                  "M[i X, i v]{N[i x0, b x1]{row_scale(x0, x1); -> v0}; -> v0}\nY = v0\n"},
                    BroadcastCase{Fn::Sub, VectorAxis::Rows, true,
                                  "M[i v]{-x0; -> v0}\n"
                                  "M[i X, i v0]{N[i x0, b x1]{row_shift(x0, x1); -> v0}; -> v0}\nY = v1\n"},
                    BroadcastCase{Fn::Sub, VectorAxis::Cols, false,
                                  "M[i X]{N[i x0]{-x0; -> v0}; -> v0}\n"
                                  "M[i v0, b v]{N[i x0, i x1]{col_shift(x0, x1); -> v0}; -> v0}\nY = v1\n"},
                    BroadcastCase{Fn::Div, VectorAxis::Cols, true,
                                  "N[i v]{1/x0; -> v0}\n"
                                  "M[i X, b v0]{N[i x0, i x1]{col_scale(x0, x1); -> v0}; -> v0}\nY = v1\n"},
                    BroadcastCase{Fn::Div, VectorAxis::Rows, false,
                                  "M[i X]{N[i x0]{1/x0; -> v0}; -> v0}\n"
                                  "M[i v0, i v]{N[i x0, b x1]{row_scale(x0, x1); -> v0}; -> v0}\nY = v1\n"}));

TEST(ConvertSumOver, AFirstBatchDimensionIsAReductionOfLists) {
    ArrayMaker p;
    p.output("Y", p.sum_over('B', p.input("X", "BH|MN"), "H|MN"));
    EXPECT_EQ(converted(p), "sum B(X)\nY = v0\n");
}

TEST(ConvertSumOver, AnInnerBatchDimensionIsReducedInsideTheOuterOnes) {
    ArrayMaker p;
    p.output("Y", p.sum_over('H', p.input("X", "BHG|MN"), "BG|MN"));
    EXPECT_EQ(converted(p), "B[i X]{sum H(x0); -> v0}\nY = v0\n");
}

TEST(ConvertCast, IsTheIdentityToAnotherElementType) {
    ArrayMaker p;
    p.output("Y", p.cast(ElemType::BF16, p.input("X", "MN", ElemType::F32), "MN"));
    EXPECT_EQ(converted(p), "M[i X]{N[i x0]{x0 as bf16; -> v0}; -> v0}\nY = v0\n");
    const Conversion conversion = to_block_program(p.program);
    EXPECT_EQ(conversion.program.graph->nodes().at(1)->outputs.at(0).elem(), ElemType::BF16);
}

TEST(ConvertCustom, TakesWholeLists) {
    ArrayMaker p;
    const int x = p.input("X", "B|MN");
    p.output("Y", p.custom("sort", {x}, "B|MN"));
    EXPECT_EQ(converted(p), "misc sort(X)\nY = v0\n");
}

TEST(ConvertProgram, KeepsUnusedInputsAndLeavesOutUnusedResults) {
    ArrayMaker p;
    const int x = p.input("X", "MN");
    p.input("Z", "KN");
    p.op(ArrayOpKind::Softmax, {x}, "MN");
    p.output("Y", p.elementwise(exp_of_first(), {x}, "MN"));
    const Conversion conversion = to_block_program(p.program);
    EXPECT_EQ(conversion.program.graph->inputs().size(), 2u);
    EXPECT_EQ(top_level_operators(conversion.program), 1);
}

TEST(ConvertProgram, AnOutputThatIsAnInputIsCopied) {
    ArrayMaker p;
    const int x = p.input("X", "MN");
    p.output("Y", x).output("Z", p.op(ArrayOpKind::Transpose, {x}, "NM"));
    EXPECT_EQ(converted(p),
              "M[i X]{N[i x0]{x0; -> v0}; -> v0}\n"
              "N[i XT]{M[i x0]{x0; -> v0}; -> v0}\n"
              "Y = v0\nZ = v1\n");
}

TEST(ConvertProgram, EveryTopLevelNodeHasItsOriginInOrder) {
    ArrayMaker p;
    const int x = p.input("X", "MN");
    const int soft = p.op(ArrayOpKind::Softmax, {x}, "MN");
    p.output("Y", p.op(ArrayOpKind::RowSum, {soft}, "M"));
    const Conversion conversion = to_block_program(p.program);
    const auto& nodes = conversion.program.graph->nodes();
    std::vector<int> ops;
    ASSERT_EQ(conversion.origins.size(), nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        EXPECT_EQ(conversion.origins[i].node, nodes[i]->id);
        ops.push_back(conversion.origins[i].op);
    }
    EXPECT_EQ(ops, (std::vector<int>{0, 1, 1, 1, 1, 2, 2}));
}

TEST(ConvertProgram, TypesSayListsAndItems) {
    ArrayMaker p;
    const int q = p.input("Q", "B|MD", ElemType::BF16);
    const int k = p.input("K", "B|DN", ElemType::BF16);
    p.output("S", p.op(ArrayOpKind::Matmul, {q, k}, "B|MN"));
    const BlockProgram program = to_block_program(p.program).program;
    std::vector<std::string> types;
    for (const NodePtr& node : program.graph->nodes()) {
        for (const Type& type : node->outputs) types.push_back(to_string(type, program.dims));
    }
    EXPECT_THAT(types, testing::ElementsAre("(B,M,D) block[M,D] bf16", "(B,N,D) block[N,D] bf16",
                                            "(B,M,N) block[M,N] bf16"));
}

}  // namespace
}  // namespace blockscope::test
