// Numbers of the papers that follow from formulas: formula, inputs, value, source.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/cost/tiling_space.h"
#include "core/napkin/power_law.h"

namespace blockscope::napkin {
namespace {

const ChainLoops kGemmChain{{"m", "n"}, "k", "h"};

struct Number {
    const char* what;
    const char* formula;
    double value;
    double expected;
    double tolerance;  // half a unit of the last digit that the source gives; 0: exact
    const char* source;
};

std::vector<Number> quantisation() {
    return {
        {"FP32 to FP16, attention", "(4/2)^(1+β), β = 1", quantisation_gain(1, 4, 2), 4, 0, "section 4.3"},
        {"FP32 to FP16, matrix product", "(4/2)^(1+β), β = 1/2", quantisation_gain(0.5, 4, 2), 2.83, 0.005,
         "section 4.3"}};
}

std::vector<Number> mcfuser() {
    const auto expressions = tiling_expressions(kGemmChain);
    return {{"tiling expressions", "4! deep + 2 flat", static_cast<double>(expressions.size()), 26, 0,
             "MCFuser, section III-A"},
            {"candidates", "26·64²·32²",
             static_cast<double>(tiling_candidates(kGemmChain, {1024, 1024, 512, 512}, 16)), 109'051'904, 0,
             "MCFuser, section III-C"},
            {"φ of tiles 128×128, K = 64", "2·T_M T_N K/(2 T_M T_N + T_M K + T_N K)",
             product_intensity(128, 128, 64), 2.0 * 128 * 128 * 64 / (2 * 128 * 128 + 2 * 128 * 64), 0,
             "MCFuser, section II-A"},
            {"φ of tiles 128×128, K -> ∞", "2 T_M T_N/(T_M + T_N)", product_intensity(128, 128, 1e12), 128,
             1e-6, "MCFuser, section II-A"}};
}

class Numbers : public testing::TestWithParam<std::vector<Number> (*)()> {};

TEST_P(Numbers, FollowFromTheFormulas) {
    for (const Number& number : GetParam()())
        EXPECT_NEAR(number.value, number.expected, number.tolerance)
            << number.what << " = " << number.formula << " (" << number.source << ")";
}

INSTANTIATE_TEST_SUITE_P(OfThePapers, Numbers, testing::Values(&quantisation, &mcfuser));

TEST(TilingSpace, HasDeepAndFlatExpressions) {
    const std::vector<std::string> all = tiling_expressions(kGemmChain);
    const auto has = [&](const std::string& expression) {
        return std::count(all.begin(), all.end(), expression);
    };
    EXPECT_EQ(has("mnkh"), 1);
    EXPECT_EQ(has("hknm"), 1);
    EXPECT_EQ(has("mn(k,h)"), 1);
    EXPECT_EQ(has("nm(k,h)"), 1);
    EXPECT_EQ(has("mk(n,h)"), 0);
}

// A100: 312 TFLOP/s of FP16, 1555 GB/s. Products with a small K are bound by memory (MCFuser, Figure 2).
TEST(TilingSpace, TellsWhatIsBoundByMemory) {
    EXPECT_TRUE(is_memory_bound(128, 128, 64, 312e12, 1555e9 / 2));
    EXPECT_FALSE(is_memory_bound(1024, 1024, 1024, 312e12, 1555e9 / 2));
}

}  // namespace
}  // namespace blockscope::napkin
