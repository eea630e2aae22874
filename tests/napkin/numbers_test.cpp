// Numbers of the papers that follow from formulas: formula, inputs, value, source. Where the program derives
// another number than a paper gives, the row holds the program's and its source says what the paper has and
// why.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/cost/counts.h"
#include "core/cost/tiling_space.h"
#include "core/fusion/trace.h"
#include "core/napkin/power_law.h"
#include "core/program/convert.h"

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

// Rule 1, as the paper's example has it (mhnk and mnkh are both nk): without the loops that index the output
// E[m,h], which are bound to blockIdx. In a flat expression h runs after k, so that m alone is bound.
double expressions_per_thread_block() {
    std::set<std::string> left;
    for (std::string expression : tiling_expressions(kGemmChain)) {
        const bool flat = expression.find('(') != std::string::npos;
        std::erase_if(expression, [&](char loop) { return loop == 'm' || (loop == 'h' && !flat); });
        left.insert(expression);
    }
    return static_cast<double>(left.size());
}

// Rule 4's share of the tiles that rule 3 leaves, on a card with so much shared memory in a thread block.
// Tiles are "smaller than the dimension size" (section III-A).
struct Pruned {
    double all = 0;
    double fitting = 0;
};
Pruned pruned_by_rule4(std::int64_t shared_bytes) {
    Pruned pruned;
    const auto smaller = [](std::int64_t extent) {
        std::vector<std::int64_t> tiles = unpadded_tiles(extent, 16);
        std::erase(tiles, extent);
        return tiles;
    };
    for (const std::int64_t m : smaller(1024))
        for (const std::int64_t n : smaller(1024))
            for (const std::int64_t k : smaller(512))
                for (const std::int64_t h : smaller(512)) {
                    ++pruned.all;
                    if (5 * chain_shared_bytes({m, n, k, h}, 2) <= 6 * shared_bytes) ++pruned.fitting;
                }
    return pruned;
}
// Both cards of the paper: 163 KB on an A100, 99 KB on an RTX 3080.
double discarded_by_rule4() {
    const Pruned a100 = pruned_by_rule4(std::int64_t{163} << 10);
    const Pruned rtx = pruned_by_rule4(std::int64_t{99} << 10);
    return 1 - (a100.fitting + rtx.fitting) / (a100.all + rtx.all);
}

std::vector<Number> mcfuser() {
    const auto expressions = tiling_expressions(kGemmChain);
    const ChainPruning left = pruned_tiles({1024, 1024, 512, 512}, 16, 2, std::int64_t{163} << 10);
    return {
        {"tiling expressions", "4! deep + 2 flat", static_cast<double>(expressions.size()), 26, 0,
         "MCFuser, section III-A"},
        {"candidates", "26·64²·32²",
         static_cast<double>(tiling_candidates(kGemmChain, {1024, 1024, 512, 512}, 16)), 109'051'904, 0,
         "MCFuser, section III-C"},
        {"φ of tiles 128×128, K = 64", "2·T_M T_N K/(2 T_M T_N + T_M K + T_N K)",
         product_intensity(128, 128, 64), 2.0 * 128 * 128 * 64 / (2 * 128 * 128 + 2 * 128 * 64), 0,
         "MCFuser, section II-A"},
        {"φ of tiles 128×128, K -> ∞", "2 T_M T_N/(T_M + T_N)", product_intensity(128, 128, 1e12), 128, 1e-6,
         "MCFuser, section II-A"},
        {"expressions after rule 1", "nk, kn, n(k,h)", expressions_per_thread_block(), 3, 0,
         "MCFuser, section III-C, says 26 to 5 and does not list them: binding m and h of the 24 deep ones, "
         "as in its "
         "example, leaves 2, and binding m of the 2 flat ones leaves 1. Its step from 5 to 3 by rule 2 needs "
         "that list"},
        {"tile sizes after rule 3", "(7·6)²", static_cast<double>(left.unpadded), 1764, 0,
         "MCFuser, section III-C: the powers of two from 16 to the extent"},
        {"tile sizes discarded by rule 3", "1 - 1764/4194304",
         1 - static_cast<double>(left.unpadded) / static_cast<double>(left.all), 0.99, 0.0101,
         "MCFuser, section III-C: 99%; it is 99.96%"},
        {"tile sizes discarded by rule 4", "1 - 1084/1800, equation 1 over 1.2 times 163 and 99 KB",
         discarded_by_rule4(), 0.40, 0.01,
         "MCFuser, sections III-C and VI-E1: 40% over its experiments on both cards. Counting the full "
         "extents "
         "as tiles, too, an A100 keeps 751 of 1764: it discards 57%"}};
}

// ---- What fusing saves, by the program's own counts -------------------------------------------------

struct Fused {
    Counts before, after;

    double bytes_saved() const {
        return 1 - static_cast<double>(after.bytes()) / static_cast<double>(before.bytes());
    }
    double megabytes(const Counts& counts) const { return static_cast<double>(counts.bytes()) / 1e6; }
};

// Of arrays of 12 MB: 3,000 × 1,000 numbers of 4 bytes.
Fused fused(const std::string& statements) {
    const std::string text = "dim M = 3000 / 250\ndim N = 1000 / 250\ninput X[M, N] : f32\n" + statements;
    const ArrayProgram program = parse_program(text, "number.bp").value();
    const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(program).program));
    return {count(lower(*trace.initial)), count(lower(*trace.last()))};
}

// Bytes before and after, as a text adds them up itself.
double saved(double before, double after) {
    return 1 - after / before;
}

std::vector<Number> operator_fusion() {
    const Fused chain = fused("A = relu(X)\nB = A * 1.5\noutput Y = B + 0.5\n");
    const Fused norm = fused("A = X^2\noutput S = row_sum(A)\n");
    return {
        {"elementwise chain before, MB", "3·(12 + 12)", chain.megabytes(chain.before), 72, 0,
         "Operator fusion taxonomy, 1"},
        {"elementwise chain after, MB", "12 + 12", chain.megabytes(chain.after), 24, 0,
         "Operator fusion taxonomy, 1"},
        {"elementwise chain, saved", "1 - 24/72", chain.bytes_saved(), 0.67, 0.005,
         "Operator fusion taxonomy, 1"},
        {"elementwise chain, launches before", "3", static_cast<double>(chain.before.launches), 3, 0,
         "Operator fusion taxonomy, 1"},
        {"elementwise chain, launches after", "1", static_cast<double>(chain.after.launches), 1, 0,
         "Operator fusion taxonomy, 1"},
        {"squares and their sum, saved", "1 - 12/36", norm.bytes_saved(), 0.67, 0.005,
         "Operator fusion taxonomy, 2"},
        {"mean taken off, saved", "1 - 24/(12 + 12 + 24 + 12)", saved(12 + 12 + 24 + 12, 24), 0.60, 0,
         "Operator fusion taxonomy, 3: with the broadcast mean as an array, which block programs never make"},
        {"transposition and reshape, saved", "1 - 24/(24 + 24 + 24 + 12)", saved(24 + 24 + 24 + 12, 24), 0.71,
         0.005, "Operator fusion taxonomy, 4: with a reshape that copies, which block programs never do"}};
}

// Add, ReLU and Mul with a bias and a scale that are numbers.
std::vector<Number> pto() {
    const Fused chain = fused("A = X + 0.5\nB = relu(A)\noutput Y = B * 1.5\n");
    const auto accesses = [](const Counts& counts) {
        return static_cast<double>(counts.inputs.items + counts.outputs.items + counts.intermediates.items);
    };
    const double tiles = 12 * 4;  // each is loaded or stored once in an access
    const double unfused = 3 * (0.01 + 0.04 + 0.02);
    const double together = 3 * 0.01 + 0.04 + 0.02;
    return {
        {"accesses to global memory before", "3 + 3", accesses(chain.before) / tiles, 6, 0,
         "PTO operator fusion, 1.2"},
        {"accesses to global memory after", "1 + 1", accesses(chain.after) / tiles, 2, 0,
         "PTO operator fusion, 1.2"},
        {"accesses to global memory, saved", "(6 - 2)/6", chain.bytes_saved(), 0.67, 0.005,
         "PTO operator fusion, 1.2"},
        {"times as fast, bound by memory", "0.15 ms / 0.05 ms",
         static_cast<double>(chain.before.bytes()) / static_cast<double>(chain.after.bytes()), 3, 0,
         "PTO operator fusion, 2.1"},
        {"times as fast", "3·(0.01 + 0.04 + 0.02)/(3·0.01 + 0.04 + 0.02)", unfused / together, 2.3, 0.05,
         "PTO operator fusion, 4.1; the fusion-benefit model is held to it in tests/cost/models_test.cpp"}};
}

class Numbers : public testing::TestWithParam<std::vector<Number> (*)()> {};

TEST_P(Numbers, FollowFromTheFormulas) {
    for (const Number& number : GetParam()())
        EXPECT_NEAR(number.value, number.expected, number.tolerance)
            << number.what << " = " << number.formula << " (" << number.source << ")";
}

INSTANTIATE_TEST_SUITE_P(OfThePapers, Numbers,
                         testing::Values(&quantisation, &mcfuser, &operator_fusion, &pto));

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
