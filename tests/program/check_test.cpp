// check_program on programs that no text gives: what a reader of JSON, or a mistake, can make.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "core/program/array_program.h"

namespace blockscope {
namespace {

ArrayProgram valid_program() {
    Result<ArrayProgram> program = parse_program(
        "dim M = 64 / 16\ndim N = 48 / 16\nbatch B = 2\ninput X[B, M, N], v[N]\nY = X * 2 + v\n"
        "output Z = rmsnorm(Y, v)\n",
        "t");
    if (!program) throw InternalError(to_string(program.problems()[0]));
    return std::move(program).value();
}

struct Breakage {
    std::string name;
    std::function<void(ArrayProgram&)> apply;
    std::string problem;  // the first one
};

ArrayOp& times(ArrayProgram& p) {
    return p.ops[2];
}
ArrayOp& plus(ArrayProgram& p) {
    return p.ops[3];
}
ArrayOp& norm(ArrayProgram& p) {
    return p.ops[4];
}

ExprPtr deep_expr() {
    ExprPtr expr = arg(0);
    for (int i = 0; i < 200; ++i) expr = call(Fn::Exp, expr);
    return expr;
}

// 2^100 nodes that share all their parts.
ExprPtr wide_expr() {
    ExprPtr expr = arg(0);
    for (int i = 0; i < 100; ++i) expr = call(Fn::Add, expr, expr);
    return expr;
}

const std::vector<Breakage> breakages = {
    {"dim_size", [](auto& p) { p.dims[0].size = 0; },
     "#/dims/0: found the size 0 of M; expected 1 to 2147483647"},
    {"dim_size_large", [](auto& p) { p.dims[1].size = std::int64_t{1} << 31; },
     "#/dims/1: found the size 2147483648 of N; expected 1 to 2147483647"},
    {"dim_block", [](auto& p) { p.dims[0].block = 65; },
     "#/dims/0: found the block size 65 of M; expected 1 to its size, 64"},
    {"batch_block", [](auto& p) { p.dims[2].block = 2; },
     "#/dims/2: found a block size of 2 for the dimension B; batch and group dimensions have blocks of 1"},
    {"dim_name", [](auto& p) { p.dims[1].name = "a b"; },
     "#/dims/1: found a name that is no name; expected a letter or '_', then letters, digits and '_'"},
    {"dim_twins", [](auto& p) { p.dims[1].name = "m"; },
     "#/dims/1: found the dimension m beside M, which differs only in upper and lower case; their loop "
     "variables would be the same, expected another name"},
    {"comment",
     [](auto& p) {
         p.comment = {"fine", "two\nlines"};
     },
     "#/comment/1: found a comment that is no line of text; expected one line of UTF-8"},
    {"array_name", [](auto& p) { plus(p).name = "X"; },
     "t:5:11: found a second definition of X, which is already an array (line 4); expected a new name"},
    {"array_named_like_dim", [](auto& p) { plus(p).name = "M"; },
     "t:5:11: found a second definition of M, which is already a dimension; expected a new name"},
    {"nameless_input", [](auto& p) { p.ops[0].name.clear(); },
     "t:4:7: found an input without a name; expected one"},
    {"later_operand", [](auto& p) { times(p).operands = {2}; },
     "t:5:7: found operand 2 of operator 2; expected an earlier operator"},
    {"negative_operand", [](auto& p) { times(p).operands = {-1}; },
     "t:5:7: found operand -1 of operator 2; expected an earlier operator"},
    {"operand_count", [](auto& p) { plus(p).operands = {2}; },
     "t:5:11: found 1 operands; an operator on a matrix and a vector expects 2"},
    {"no_expression", [](auto& p) { times(p).expr = nullptr; },
     "t:5:7: found an operator without an expression; expected one"},
    {"deep_expression", [](auto& p) { times(p).expr = deep_expr(); },
     "t:5:7: found an expression of more than 128 levels; expected fewer"},
    {"wide_expression", [](auto& p) { times(p).expr = wide_expr(); },
     "t:5:7: found an expression of more than 10000 operations; expected fewer"},
    {"unknown_argument", [](auto& p) { times(p).expr = call(Fn::Add, arg(0), arg(1)); },
     "t:5:7: found argument 1 in an expression; expected one of the 1 operands"},
    {"unused_operand",
     [](auto& p) {
         times(p).operands = {0, 0};
     },
     "t:5:7: found operand 1, which the expression does not use; expected its use"},
    {"infinite_number",
     [](auto& p) { times(p).expr = call(Fn::Mul, arg(0), number(std::numeric_limits<double>::infinity())); },
     "t:5:7: found a number that is not finite; expected a finite one"},
    {"unknown_size", [](auto& p) { times(p).expr = call(Fn::Mul, arg(0), size_of(DimId{9})); },
     "t:5:7: found the size of an unknown dimension; expected a declared one"},
    {"arity",
     [](auto& p) {
         times(p).expr = std::make_shared<const Expr>(Expr{Call{Fn::Add, {arg(0)}}});
     },
     "t:5:7: found 1 arguments of add; expected 2"},
    {"broadcast_function", [](auto& p) { plus(p).fn = Fn::Pow; },
     "t:5:11: found pow of a matrix and a vector; expected add, sub, mul or div"},
    {"broadcast_axis", [](auto& p) { plus(p).vector_axis = VectorAxis::Rows; },
     "t:5:11: found v[N] beside a left operand [B, M, N]; expected a vector along M under column(...)"},
    {"unknown_axis", [](auto& p) { p.ops[0].shape.axes[0] = DimId{7}; },
     "t:4:7: found an unknown dimension; expected a declared one"},
    {"three_axes", [](auto& p) { p.ops[0].shape.axes.push_back(DimId{0}); },
     "t:4:7: found 3 axes; expected at most two after the batch dimensions"},
    {"batch_as_axis", [](auto& p) { p.ops[0].shape.axes[0] = DimId{2}; },
     "t:4:7: found the batch dimension B as an axis; expected batch and group dimensions first and only "
     "there, "
     "then at most two others"},
    {"axis_as_batch", [](auto& p) { p.ops[0].shape.batch = {DimId{0}}; },
     "t:4:7: found the dimension M as a batch dimension; expected one declared by batch or group"},
    {"nine_batch_dims", [](auto& p) { p.ops[0].shape.batch.assign(9, DimId{2}); },
     "t:4:7: found more than 8 dimensions; expected fewer"},
    {"epsilon", [](auto& p) { norm(p).epsilon = -1; },
     "t:6:12: found a wrong epsilon; expected a finite number that is not negative, 0 in the paper's form"},
    {"paper_epsilon", [](auto& p) { norm(p).paper_form = true; },
     "t:6:12: found a wrong epsilon; expected a finite number that is not negative, 0 in the paper's form"},
    {"element_type", [](auto& p) { p.ops[1].elem = ElemType::F16; },
     "t:5:11: found a left operand [B, M, N] of type f32 and v[N] of type f16; an operator on a matrix and a "
     "vector expects one element type, as with cast(v, f32)"},
    {"output_operator", [](auto& p) { p.outputs[0].op = 5; },
     "t:6:8: found the output Z of an unknown operator; expected an operator"},
    {"output_twice", [](auto& p) { p.outputs.push_back(p.outputs[0]); },
     "t:6:8: found the output Z a second time; expected each output once"},
    {"output_name", [](auto& p) { p.outputs[0].name = "\x1b[2J"; },
     "t:6:8: found a name that is no name; expected a letter or '_', then letters, digits and '_'"},
    {"no_output", [](auto& p) { p.outputs.clear(); }, "#/outputs: found no output; expected at least one"},
    {"unused_operator", [](auto& p) { p.outputs[0].op = 3; },
     "t:6:8: found a second definition of Z, which is already an array (line 6); expected a new name"},
    {"dead_operator",
     [](auto& p) {
         p.outputs[0] = {"Y", 3, {}};
     },
     "t:6:12: found Z, which nothing uses; expected its use by a later operator or as an output"},
};

class Breakages : public testing::TestWithParam<Breakage> {};

TEST_P(Breakages, AreFound) {
    ArrayProgram program = valid_program();
    GetParam().apply(program);
    const Problems problems = check_program(program);
    ASSERT_FALSE(problems.empty());
    EXPECT_EQ(to_string(problems[0]), GetParam().problem);
}

INSTANTIATE_TEST_SUITE_P(Programs, Breakages, testing::ValuesIn(breakages),
                         [](const auto& breakage) { return breakage.param.name; });

TEST(CheckProgram, AcceptsWhatTheTextGives) {
    ArrayProgram program = valid_program();
    EXPECT_TRUE(check_program(program).empty());
}

TEST(CheckProgram, FillsInShapesAndTypes) {
    const ArrayProgram expected = valid_program();
    ArrayProgram program = expected;
    for (std::size_t i = 2; i < program.ops.size(); ++i) {
        program.ops[i].shape = {};
        program.ops[i].elem = ElemType::E4M3;
    }
    ASSERT_TRUE(check_program(program).empty());
    for (std::size_t i = 2; i < program.ops.size(); ++i) {
        EXPECT_EQ(program.ops[i].shape, expected.ops[i].shape);
        EXPECT_EQ(program.ops[i].elem, expected.ops[i].elem);
    }
}

}  // namespace
}  // namespace blockscope
