// Conversion to block programs: the table of operators and of transpositions, types, origins and names.
#include "core/program/convert.h"

#include <gmock/gmock.h>

#include "tests/program/sketch.h"
#include "tests/support/array_maker.h"
#include "tests/support/text_cases.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;

// A program over the dimensions of ArrayMaker.
Result<ArrayProgram> program_over_letters(const std::string& statements) {
    std::string text;
    for (const Dim& dim : ArrayMaker().program.dims)
        text += (dim.kind == DimKind::Blocked ? "dim "
                 : dim.kind == DimKind::Batch ? "batch "
                                              : "group ") +
                dim.name + " = " + std::to_string(dim.size) +
                (dim.kind == DimKind::Blocked ? " / " + std::to_string(dim.block) : "") + "\n";
    return parse_program(text + statements, "t");
}

TEST(ConvertTable, GivesTheMapsOfEveryOperatorAndForm) {
    const std::string table = BLOCKSCOPE_SOURCE_DIR "/tests/program/convert.txt";
    EXPECT_GE(text_cases(table).size(), 44U);
    const auto sketches = [](const TextCase& text_case) {
        const Result<ArrayProgram> program = program_over_letters(text_case.input);
        return lines_of(program ? converted(*program) : to_string(program.problems().front()));
    };
    EXPECT_EQ(said_otherwise(table, sketches), "");
}

ExprPtr relu() {
    return call(Fn::Max, arg(0), number(0));
}

// Y = C @ X for a matrix X [N, K] that `program` has made.
void use_as_right_operand(ArrayMaker& p, int x) {
    p.output("Y", p.op(ArrayOpKind::Matmul, {p.input("C", "MN"), x}, "MK"));
}

ExprPtr exp_of_first() {
    return call(Fn::Exp, arg(0));
}

// What the language refuses.
TEST(ConvertElementwise, AnOperandWithoutABatchDimensionComesInBroadcast) {
    ArrayMaker p;
    const int x = p.input("X", "BH|M");
    const int y = p.input("Y", "H|M");
    p.output("Z", p.elementwise(call(Fn::Max, arg(0), arg(1)), {x, y}, "BH|M"));
    EXPECT_EQ(converted(p),
              "B[i X, b Y]{H[i x0, i x1]{M[i x0, i x1]{max(x0,x1); -> v0}; -> v0}; -> v0}\nZ = v0\n");
}

TEST(ConvertForms, AMatmulOfTwoElementTypesKeepsTheTypeOfItsLeftOperandWhenSwapped) {
    ArrayMaker p;
    const int product = p.op(ArrayOpKind::Matmul,
                             {p.input("A", "ND", ElemType::F32), p.input("B", "DK", ElemType::BF16)}, "NK");
    p.output("Y", p.op(ArrayOpKind::Transpose, {product}, "KN"));
    EXPECT_THAT(converted(p), HasSubstr("K[i v0]{N[i x0]{x0 as f32; -> v0}; -> v0}\nY = v1\n"));
}

TEST(ConvertCast, GivesTheNewElementType) {
    ArrayMaker p;
    p.output("Y", p.cast(ElemType::BF16, p.input("X", "MN", ElemType::F32), "MN"));
    const Conversion conversion = to_block_program(p.program);
    EXPECT_EQ(conversion.program.graph->nodes().at(1)->outputs.at(0).elem(), ElemType::BF16);
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

TEST(ConvertForms, ARightOperandIsReadTransposedAndKeepsItsName) {
    ArrayMaker p;
    const int v = p.input("V", "B|NK", ElemType::BF16);
    p.output("Y", p.op(ArrayOpKind::Matmul, {p.input("C", "MN"), v}, "B|MK"));
    const BlockProgram program = to_block_program(p.program).program;
    const Node& node = *program.graph->nodes().at(0);
    EXPECT_EQ(*node.as<Input>(), (Input{"V", true, InputSource::Array}));
    EXPECT_EQ(to_string(node.outputs.at(0), program.dims), "(B,K,N) block[K,N] bf16");
}

TEST(ConvertForms, OneInputMayBeReadBothWays) {
    ArrayMaker p;
    const int x = p.input("X", "MM");
    p.output("Y", p.op(ArrayOpKind::Matmul, {x, x}, "MM"));
    EXPECT_THAT(converted(p), HasSubstr("M[i X, b XT]"));
    EXPECT_EQ(to_block_program(p.program).program.graph->inputs().size(), 2u);
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
