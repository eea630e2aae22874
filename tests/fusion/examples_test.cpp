// The algorithm takes the paper's steps on the paper's examples (Blockbuster section 5).
#include <gmock/gmock.h>

#include "core/fusion/trace.h"
#include "tests/fusion/examples.h"

namespace blockscope::test {
namespace {

// "1 1 4 | 6a 1 |": the rules in order, a bar for each snapshot.
std::string sequence(const Trace& trace) {
    std::string text;
    std::size_t snapshot = 0;
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
        if (step > 0) text += to_string(trace.steps[static_cast<std::size_t>(step) - 1].match.rule) + " ";
        if (snapshot < trace.snapshots.size() && trace.snapshots[snapshot] == step) {
            text += "| ";
            ++snapshot;
        }
    }
    return text;
}

Trace run(BlockProgram program) {
    return fuse(std::make_shared<const BlockProgram>(std::move(program)));
}

TEST(Examples, AttentionTakes17Steps) {
    EXPECT_EQ(sequence(run(attention())), "1 1 1 1 1 1 4 3 1 1 1 1 9 3 3 | 6a 1 | ");
}

TEST(Examples, LayerNormMatmulTakes22Steps) {
    EXPECT_EQ(sequence(run(layernorm_matmul())), "1 1 1 1 1 1 1 4 5 3 3 1 1 1 1 1 2 3 3 2 | 6b 2 | ");
}

TEST(Examples, RmsNormSwiGluTakes26Steps) {
    EXPECT_EQ(sequence(run(rmsnorm_swiglu())),
              "1 1 1 1 1 1 1 1 8 4 4 3 1 1 1 1 1 1 3 3 2 3 | 6a 1 | 6b 2 | ");
}

}  // namespace
}  // namespace blockscope::test
