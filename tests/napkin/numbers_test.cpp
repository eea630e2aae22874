// Numbers of the papers that follow from formulas: formula, inputs, value, source.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/cost/tiling_space.h"
#include "core/napkin/configuration.h"
#include "core/napkin/power_law.h"

namespace blockscope::napkin {
namespace {

// "FlashAttention on a Napkin", Table 1: w_q = 128, s_x = u_x = 64, d = 128, d' = 32, d'' = 8, 128 threads
// per warpgroup. Keys and values are loaded while others are used.
std::vector<ConfigurationRow> attention_fp8() {
    constexpr double w = 128;
    constexpr double s = 64;
    constexpr double d = 128;
    constexpr double d1 = 32;
    constexpr double d2 = 8;
    return {{"Q", "shared", true, w * d, 1, 1},     {"K", "shared", false, s * d, 1, 2},
            {"V", "shared", false, s * d, 2, 2},    {"S", "registers", true, w * s, 2, 1},
            {"P", "shared", true, w * s, 2, 1},     {"P'", "registers", true, w * s, 2, 1},
            {"A", "shared", true, w * d1, 2, 1},    {"aux", "registers", true, w * 3, 2, 1},
            {"O'", "registers", true, w * d, 2, 1}, {"D", "registers", true, w * d1, 2, 1},
            {"dO", "shared", true, w * d1, 2, 1},   {"dO'", "registers", true, w * d2, 2, 1}};
}

// Table 3: a thread's operations for 64 keys.
std::vector<Stage> attention_stages() {
    return {{"S = QK", "tensor", 2.0 * 64 * 128, 8192},
            {"softmax", "special", 65, 16},
            {"O = PV", "tensor", 2.0 * 64 * 128, 4096},
            {"accumulate", "fp16", 256, 512}};
}
constexpr ProcessorRates kH100{132, 1.83e9, 3352e9};

const ChainLoops kGemmChain{{"m", "n"}, "k", "h"};

constexpr double kKilobyte = 1024;
double shared(double (*of)(const ConfigurationTotal&)) {
    return of(total(attention_fp8(), "shared"));
}
double registers(double (*of)(const ConfigurationTotal&)) {
    return of(total(attention_fp8(), "registers"));
}

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

std::vector<Number> configuration() {
    using T = ConfigurationTotal;
    return {
        {"shared memory per thread block, KB", "Σ size·q",
         shared([](const T& t) { return t.per_block; }) / kKilobyte, 48, 0, "Table 1"},
        {"shared memory per warpgroup, KB", "Σ size·q",
         shared([](const T& t) { return t.per_group; }) / kKilobyte, 48, 0, "Table 1"},
        {"registers per warpgroup, KB", "Σ size·q",
         registers([](const T& t) { return t.per_group; }) / kKilobyte, 74.75, 0, "Table 1"},
        {"warpgroups by shared memory", "(227 - 48) / 48",
         shared([](const T& t) { return t.most_groups(227 * kKilobyte); }), 3.7, 0.05, "Table 2"},
        {"warpgroups by registers", "(256 - 0) / 74.75",
         registers([](const T& t) { return t.most_groups(256 * kKilobyte); }), 3.4, 0.05, "Table 2"},
        {"shared memory left by 3, KB", "227 - 48 - 3·48",
         shared([](const T& t) { return t.excess(227 * kKilobyte, 3); }) / kKilobyte, 35, 0, "Table 2"},
        {"registers left by 3, KB", "256 - 3·74.75",
         registers([](const T& t) { return t.excess(256 * kKilobyte, 3); }) / kKilobyte, 31.75, 0, "Table 2"},
        {"registers left per thread, bytes", "31.75·1024 / 384",
         registers([](const T& t) { return t.excess(256 * kKilobyte, 3); }) / (3 * 128), 85, 0.5, "Table 2"}};
}

std::vector<Number> throughput() {
    const std::vector<Stage> stages = attention_stages();
    const double clocks = bound_clocks(stages);
    const double bytes = 64 * 128 * (1 + 2);  // FP8 keys, FP16 values
    return {{"QK, clocks", "16384 / 8192", stages[0].clocks(), 2, 0, "Table 3"},
            {"softmax, clocks", "65 / 16", stages[1].clocks(), 4.06, 0.005, "Table 3"},
            {"PV, clocks", "16384 / 4096", stages[2].clocks(), 4, 0, "Table 3"},
            {"accumulate, clocks", "256 / 512", stages[3].clocks(), 0.5, 0, "Table 3"},
            {"bound by tensor cores, clocks", "max over pipelines", clocks, 6, 0, "section 5.7"},
            {"least g_q", "f H N_SM / (B k)", least_group(clocks, bytes, kH100), 295, 0.5, "appendix B.0.1"},
            {"ideal PFLOP/s", "2·16384 / 6 · 132 · 1.83 GHz", ideal_rate(2 * 16384, clocks, kH100) / 1e15,
             1.32, 0.005, "section 5.7"}};
}

// The rates of appendix B.1: FP16 values, GPU-wide.
std::vector<Number> intensity() {
    const double operations = 989e12;
    const double from_memory = 3352e9 / 2;
    const double from_cache = 12e12 / 2;
    const double local = 227 * kKilobyte / 2;
    const double cache = caching_level("L2", 1, {"shared", 1, local}, 132).memory;
    const double inner = least_inner(from_memory / operations, cache);
    return {{"values per second from memory", "3352 GB/s / 2", from_memory / 1e12, 1.7, 0.05, "appendix B.1"},
            {"values per second from L2", "12 TB/s / 2", from_cache / 1e12, 6.0, 0.05, "appendix B.1"},
            {"least memory of an SM, values", "(H'/K')^-2", least_memory(from_cache / operations),
             std::pow(989e12 / 6e12, 2), 1e-6, "appendix B.1, recomputed"},
            {"least b from memory", "1 / 2(H'/K' - M^-1/2)", inner,
             1 / (2 * (1.676e12 / 989e12 - 1 / std::sqrt(132 * 116224.0))), 1e-9, "appendix B.1, recomputed"},
            {"at that b: transfers per operation", "M^-1/2 + 1/2b",
             matmul_transfers_per_operation(cache, inner), from_memory / operations, 1e-12, "appendix B.1"}};
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

INSTANTIATE_TEST_SUITE_P(OfThePapers, Numbers,
                         testing::Values(&quantisation, &configuration, &throughput, &intensity, &mcfuser));

// Which pipeline binds: softmax alone would take two thirds of the time.
TEST(Configurations, RunPipelinesSideBySide) {
    const std::map<std::string, double> clocks = clocks_by_pipeline(attention_stages());
    EXPECT_EQ(clocks.at("tensor"), 6);
    EXPECT_EQ(clocks.at("special"), 65.0 / 16);
    EXPECT_EQ(clocks.at("fp16"), 0.5);
}

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
