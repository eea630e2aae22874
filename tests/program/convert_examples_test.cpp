// The paper's three examples: how many top-level operators they start with, and which.
#include <gmock/gmock.h>

#include "tests/program/sketch.h"
#include "tests/support/paper_examples.h"

namespace blockscope::test {
namespace {

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
    const std::string text = converted(paper_attention());
    EXPECT_THAT(block_operators(text),
                testing::ElementsAre("dot(x0, x1)", "x0*(DD**-0.5)", "exp(x0)", "row_sum(x0)", "1/x0",
                                     "row_scale(x0, x1)", "dot(x0, x1)"));
    EXPECT_THAT(text, testing::StartsWith("M[i Q, b K]"));
    EXPECT_THAT(text, testing::HasSubstr("M[i v5, b VT]{L[b x0, i x1]{N[i x0, i x1]"));
}

TEST(ConvertExamples, LayerNormAndMatmulStartWithEightOperators) {
    const std::string text = converted(paper_layernorm_matmul());
    EXPECT_THAT(block_operators(text),
                testing::ElementsAre("row_sum(x0)", "-x0/KK", "row_shift(x0, x1)", "x0**2", "row_sum(x0)",
                                     "(x0/KK-x1**2)**(-0.5)", "row_scale(x0, x1)", "dot(x0, x1)"));
    EXPECT_THAT(text, testing::HasSubstr("M[i v6, b YT]{N[b x0, i x1]{K[i x0, i x1]"));
}

TEST(ConvertExamples, RmsNormAndSwiGluStartWithNineOperators) {
    EXPECT_THAT(block_operators(converted(paper_rmsnorm_swiglu())),
                testing::ElementsAre("x0**2", "row_sum(x0)", "1/sqrt(x0)", "row_scale(x0, x1)", "dot(x0, x1)",
                                     "x0/(1+exp(-x0))", "dot(x0, x1)", "mul(x0, x1)", "dot(x0, x1)"));
}

}  // namespace
}  // namespace blockscope::test
