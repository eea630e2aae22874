// A failure is shown as the few operators that make it, whatever the random program was.
#include "tests/proof/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/graph/verify.h"
#include "tests/support/random_blocks.h"
#include "tests/support/random_program.h"

namespace blockscope {
namespace {

constexpr std::uint64_t kShrunkPrograms = 150;

// Stands for a broken rule: fails where a product takes a softmax as it is.
bool softmax_meets_product(const ArrayProgram& program) {
    return std::any_of(program.ops.begin(), program.ops.end(), [&](const ArrayOp& op) {
        return op.kind == ArrayOpKind::Matmul &&
               program.ops[static_cast<std::size_t>(op.operands[0])].kind == ArrayOpKind::Softmax;
    });
}

TEST(Shrink, ReducesArrayProgramsToTheOperatorsThatFail) {
    int reduced = 0;
    for (std::uint64_t seed = 0; seed < kShrunkPrograms; ++seed) {
        const ArrayProgram program = random_array_program(seed);
        if (!softmax_meets_product(program)) continue;
        ArrayProgram small = shrink(program, softmax_meets_product);
        EXPECT_TRUE(check_program(small).empty());
        EXPECT_TRUE(softmax_meets_product(small));
        EXPECT_EQ(operator_count(small), 2) << print_program(small);
        EXPECT_EQ(small.outputs.size(), 1U);
        for (const Dim& dim : small.dims) EXPECT_EQ(dim.size, 1);
        ++reduced;
    }
    EXPECT_GT(reduced, 10);
}

// Fails where a map that sits inside a map holds a row_sum.
bool nested_row_sum(const Graph& graph, int depth) {
    return std::any_of(graph.nodes().begin(), graph.nodes().end(), [&](const NodePtr& node) {
        const Functional* functional = node->as<Functional>();
        if (functional && functional->op == FunctionalOp::RowSum && depth >= 2) return true;
        const Map* map = node->as<Map>();
        return map && nested_row_sum(*map->body, depth + 1);
    });
}

TEST(Shrink, ReducesBlockPrograms) {
    const auto fails = [](const BlockProgram& program) { return nested_row_sum(*program.graph, 0); };
    int reduced = 0;
    for (std::uint64_t seed = 0; seed < kShrunkPrograms; ++seed) {
        const BlockProgram program = random_block_program(seed);
        if (!fails(program)) continue;
        const BlockProgram small = shrink(program, fails);
        EXPECT_TRUE(verify(small).empty());
        EXPECT_TRUE(fails(small));
        EXPECT_LE(operator_count(small), 10);
        ++reduced;
    }
    EXPECT_GT(reduced, 10);
}

}  // namespace
}  // namespace blockscope
