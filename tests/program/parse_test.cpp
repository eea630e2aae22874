// The text language: what a program means, operator by operator.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/program/array_program.h"

namespace blockscope {
namespace {

std::string read_sample(const std::string& name) {
    std::ifstream file(std::string(BLOCKSCOPE_SOURCE_DIR) + "/samples/" + name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(Parse, AttentionIsThePapersProgram) {
    const Result<ArrayProgram> result = parse_program(read_sample("attention.bp"), "attention.bp");
    ASSERT_TRUE(result) << to_string(result.problems()[0]);
    const ArrayProgram& program = *result;
    ASSERT_EQ(program.dims.size(), 4u);
    EXPECT_EQ(program.dims[0].blocks(), 32);
    ASSERT_EQ(program.ops.size(), 8u);
    EXPECT_EQ(program.ops[3].kind, ArrayOpKind::Transpose);
    EXPECT_EQ(program.ops[4].kind, ArrayOpKind::Matmul);
    EXPECT_EQ(to_string(*program.ops[5].expr, {"s"}, program.dims), "s*(DD**-0.5)");
    EXPECT_EQ(program.ops[6].kind, ArrayOpKind::Softmax);
    EXPECT_EQ(program.ops[7].kind, ArrayOpKind::Matmul);
    ASSERT_EQ(program.outputs.size(), 1u);
    EXPECT_EQ(program.outputs[0].name, "O");
    EXPECT_EQ(program.outputs[0].op, 7);
}

}  // namespace
}  // namespace blockscope
