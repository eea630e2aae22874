// Section 4 and Appendices A.2 and B.1 as numbers: formula, inputs, value, source.
#include "core/circuit/levels.h"

#include <gmock/gmock.h>

#include <cmath>

#include "core/circuit/check.h"
#include "core/circuit/intensity.h"
#include "core/circuit/level_plans.h"
#include "core/circuit/optimum.h"
#include "core/cost/counts.h"
#include "core/fusion/trace.h"
#include "tests/circuit/figures.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

Analysis analysed(const char* program, std::vector<std::pair<std::string, int>> groups,
                  const std::string& stream) {
    const Flow flow = flow_from(program);
    Plan plan;
    for (const auto& [name, size] : groups) plan.push_back({axis(flow, name), PartitionKind::Group, size});
    plan.push_back({axis(flow, stream), PartitionKind::Stream, 1});
    return analyse(flow, plan);
}

Analysis matmul() {
    return analysed(kMatmul, {{"a", 64}, {"c", 64}}, "b");
}
Analysis attention() {
    return analysed(kAttention, {{"q", 64}}, "x");
}

// Section 4.3: "up to ×4" for attention, "2^1.5 ≈ 2.83" for large matrix products, from FP32 to FP16.
TEST(Levels, QuantisationGains) {
    EXPECT_DOUBLE_EQ(napkin::quantisation_gain(attention().law->terms[0].beta.value(), 4, 2), 4);
    EXPECT_NEAR(napkin::quantisation_gain(matmul().law->terms[0].beta.value(), 4, 2), 2.83, 0.002);
    // The whole of Equation 3: what does not depend on memory gains the factor 2 only.
    const Analysis a = attention();
    const napkin::PowerLaw law = a.law->numbers(sizes(a.circuit.axes));
    const std::vector<ByteLevel> levels = {{"shared", 232448, 3.352e12}};
    const double wide = total_cost(law, transfer_levels(levels, 4));
    const double narrow = total_cost(law, transfer_levels(levels, 2));
    EXPECT_GT(wide / narrow, 2);
    EXPECT_LT(wide / narrow, 4);
}

// Equation 2 by hand: two levels of an attention with q = 4096, x = 8192, d = 128.
TEST(Levels, AddUpWeighted) {
    const Analysis a = attention();
    const auto transfers = [](double memory) {
        return 2.0 * 4096 * 128 + 4.0 * 8192 * 4096 * 128 * 128 / memory;
    };
    const std::vector<napkin::TransferLevel> levels = {{"L2", 1e-12, 1e7}, {"shared", 2e-13, 1e5}};
    EXPECT_DOUBLE_EQ(total_cost(a.law->numbers(sizes(a.circuit.axes)), levels),
                     1e-12 * transfers(1e7) + 2e-13 * transfers(1e5));
}

// Appendix B.1: H/K of a matmul is M^-1/2 + (2b)^-1; bandwidths of 1.7e12 and 6.0e12 FP16 values per second.
TEST(Levels, ArithmeticIntensityOfMatmul) {
    const Analysis a = matmul();
    const Formula intensity = transfers_per_operation(*a.law, a.resources.work.matrix);
    EXPECT_FORMULA(intensity, "M^-1/2 + 0.5·b^-1");
    const double from_memory = napkin::quantised("L2", 3352e9, 0, 2).weight;
    EXPECT_NEAR(1 / from_memory, 1.7e12, 0.03e12);
    const double compute = 989e12;
    // With a long inner axis the memory alone decides: M = (K'/H')^2.
    Values long_axis = sizes(a.circuit.axes);
    long_axis["b"] = 1e15;
    EXPECT_NEAR(least_memory(intensity, long_axis, 6.0e12, compute), std::pow(compute / 6.0e12, 2), 1);
    // With all the memory of 132 processors in the L2 (Theorem 2) the inner axis has to reach 1/2 (H'/K' -
    // M^-1/2)^-1.
    const double memory = 132 * 232448.0 / 2;
    const double least = 0.5 / (1.676e12 / compute - 1 / std::sqrt(memory));
    EXPECT_NEAR(least_axis(intensity, "b", sizes(a.circuit.axes), memory, 1.676e12, compute), least,
                1e-6 * least);
    // Too little memory: no inner axis is long enough.
    EXPECT_EQ(least_axis(intensity, "b", sizes(a.circuit.axes), 1000, 1.676e12, compute), 0);
}

// B.1 as its sheet has it: into the L2, which caches for 132 processors, at 3352 GB/s, and into shared memory
// at 12 TB/s, FP16.
TEST(Levels, IntensityIntoTheL2AndIntoSharedMemory) {
    const Analysis a = matmul();
    const Formula intensity = transfers_per_operation(*a.law, a.resources.work.matrix);
    const double compute = 989e12, processor = 232448;
    const std::vector<ByteLevel> levels = {{"L2", 50e6, 3352e9, 1}, {"shared", processor, 12e12, 132}};
    Values at = sizes(a.circuit.axes);
    at["b"] = 1e15;
    const std::vector<LevelIntensity> found = level_intensities(intensity, at, levels, 2, compute);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_TRUE(found[0].caches);
    EXPECT_EQ(found[0].memory, 132 * processor / 2);  // not its own 50 MB
    EXPECT_FALSE(found[1].caches);
    EXPECT_EQ(found[1].memory, processor / 2);
    for (const LevelIntensity& level : found) {
        const double ratio = compute / level.values_per_second;
        EXPECT_NEAR(level.least_memory, ratio * ratio, 1e-5 * ratio * ratio) << level.level;
        ASSERT_EQ(level.axes.size(), 1u);
        EXPECT_EQ(level.axes[0].axis, "b");
        EXPECT_NEAR(level.axes[0].at_any_memory, ratio / 2, 1e-6 * ratio);
        EXPECT_NEAR(level.axes[0].at_memory, 0.5 / (1 / ratio - 1 / std::sqrt(level.memory)), 1e-3);
    }
    EXPECT_NEAR(found[0].axes[0].at_memory, 347,
                1);  // 1.676e12 values per second, 3,918 values of a tile's side
    EXPECT_NEAR(found[1].axes[0].at_memory, 160, 1);
}

// Appendix A.2.3, from FP16 transfers of an H800 (Luo et al.): 2.04 TB/s from memory, 3.27 TB/s among
// clusters of two processors, 2.65 TB/s among four. The trade-off is the algorithm's: attention (β = 1) gains
// more from two, a matrix product (β = 1/2) from four.
TEST(Levels, CrossTransfersOfAnH800) {
    const napkin::TransferLevel child = napkin::quantised("shared", 2.04e12, 232448, 2);
    const auto gain = [&](const napkin::PowerLaw& law, double bandwidth, double children) {
        return cross_transfer_gain(law, child, 2 / bandwidth, children);
    };
    const auto by_hand = [&](double alpha, double beta, double bandwidth, double children) {
        return (2 / 2.04e12 - 2 / bandwidth) * alpha * std::pow(child.memory, -beta) *
               (1 - std::pow(children, -beta));
    };
    const Analysis a = attention(), m = matmul();
    const napkin::PowerLaw of_attention = a.law->numbers(sizes(a.circuit.axes));
    const napkin::PowerLaw of_matmul = m.law->numbers(sizes(m.circuit.axes));
    const double alpha = 4.0 * 8192 * 4096 * 128 * 128, beta = 2.0 * 4096 * 2048 * 1024;
    const auto near = [](double found, double expected) { EXPECT_NEAR(found, expected, 1e-9 * expected); };
    near(gain(of_attention, 3.27e12, 2), by_hand(alpha, 1, 3.27e12, 2));
    near(gain(of_attention, 2.65e12, 4), by_hand(alpha, 1, 2.65e12, 4));
    near(gain(of_matmul, 3.27e12, 2), by_hand(beta, 0.5, 3.27e12, 2));
    near(gain(of_matmul, 2.65e12, 4), by_hand(beta, 0.5, 2.65e12, 4));
    EXPECT_GT(gain(of_attention, 3.27e12, 2), gain(of_attention, 2.65e12, 4));
    EXPECT_LT(gain(of_matmul, 3.27e12, 2), gain(of_matmul, 2.65e12, 4));
}

// Each level has groups of its own, inside those of the level around it; the sum is Equation 2's.
TEST(Levels, HaveGroupsOfTheirOwn) {
    const Analysis a = matmul();
    const Values at = sizes(a.circuit.axes);
    const std::vector<GroupAxis> groups = {{"g_a", 4096}, {"g_c", 1024}};
    const double big = 256 * 256 + 2 * 256, small = 16 * 16 + 2 * 16;
    const std::vector<ByteLevel> levels = {{"L2", 4 * big, 1e9, 1}, {"registers", 4 * small, 4e9, 8}};
    Values one = at;
    one["s_b"] = 1;
    const LevelPlans plans = level_plans(a.resources, groups, one, levels, 4);
    ASSERT_EQ(plans.levels.size(), 2u);
    using Groups = std::vector<std::pair<std::string, std::int64_t>>;
    EXPECT_EQ(plans.levels[0].groups, (Groups{{"g_a", 256}, {"g_c", 256}}));
    EXPECT_EQ(plans.levels[1].groups, (Groups{{"g_a", 16}, {"g_c", 16}}));
    // 2abc/g + ac at each.
    const double abc = 4096.0 * 2048 * 1024, ac = 4096.0 * 1024;
    EXPECT_DOUBLE_EQ(plans.levels[0].transferred, 2 * abc / 256 + ac);
    EXPECT_DOUBLE_EQ(plans.levels[1].transferred, 2 * abc / 16 + ac);
    EXPECT_DOUBLE_EQ(*plans.seconds, 4 / 1e9 * (2 * abc / 256 + ac) + 4 / 4e9 * (2 * abc / 16 + ac));
    // With more memory further in than around it, tiles still lie in tiles.
    const LevelPlans turned = level_plans(a.resources, groups, one, {levels[1], levels[0]}, 4);
    EXPECT_EQ(turned.levels[1].groups, (Groups{{"g_a", 16}, {"g_c", 16}}));
    const LevelPlans tight = level_plans(a.resources, groups, one, {levels[0], {"none", 4, 1e9, 1}}, 4);
    EXPECT_FALSE(tight.levels[1].fits);
    EXPECT_FALSE(tight.seconds);
}

// Matmul on the caches of a CPU: each level at the bandwidth of the one that feeds it.
TEST(Levels, OfACpu) {
    const Device cpu = device("epyc-9755");
    const std::vector<ByteLevel> levels = byte_levels(cpu);
    ASSERT_GE(levels.size(), 2u);
    EXPECT_EQ(levels[0].bandwidth, global_memory(cpu).bandwidth.value);
    const Analysis a = matmul();
    const Values at = sizes(a.circuit.axes);
    double sum = 0;
    for (const ByteLevel& level : levels)
        sum += 4 / level.bandwidth * (2.0 * 4096 * 2048 * 1024 / std::sqrt(level.memory / 4) + 4096.0 * 1024);
    EXPECT_NEAR(total_cost(a.law->numbers(at), transfer_levels(levels, 4)), sum, 1e-9 * sum);
}

// Searched sizes come to the closed form where that has whole sizes.
TEST(Optimum, SearchMeetsThePowerLaw) {
    const Flow flow = flow_from(kMatmul);
    Plan plan = {{axis(flow, "a"), PartitionKind::Group, 1},
                 {axis(flow, "c"), PartitionKind::Group, 1},
                 {axis(flow, "b"), PartitionKind::Stream, 1}};
    const double tile = 256;
    const std::optional<Optimum> best = best_groups(flow, plan, tile * tile + 2 * tile);
    ASSERT_TRUE(best);
    EXPECT_EQ(best->plan[0].size, 256);
    EXPECT_EQ(best->plan[1].size, 256);
    const Analysis a = matmul();
    EXPECT_DOUBLE_EQ(best->transferred, a.law->value(sizes(a.circuit.axes), tile * tile));
    EXPECT_FALSE(best_groups(flow, plan, 2));
}

class Fused : public testing::TestWithParam<std::string> {};

// Every sample as one algorithm: its natural partition is sound, and more memory never costs transfers.
TEST_P(Fused, HasItsBestGroups) {
    const ArrayProgram program = read_sample(GetParam());
    const Flow flow = separated(flow_of(program));
    const Plan plan = natural_plan(flow, program.dims, 1);
    const Result<Circuit> circuit = fused(flow, plan);
    ASSERT_TRUE(circuit) << circuit.problems().front().message;
    EXPECT_THAT(verify(*circuit), testing::IsEmpty());
    const Resources costs = resources(*circuit);
    double before = HUGE_VAL;
    for (const double limit : {2e4, 1e5, 1e6, 1e12}) {
        const std::optional<Optimum> best = best_groups(flow, plan, limit);
        if (!best) continue;
        EXPECT_LE(best->memory, limit);
        EXPECT_LE(best->transferred, before);
        before = best->transferred;
    }
    EXPECT_LT(before, HUGE_VAL) << "no groups fit";
}

// The state that the algorithm ends in and the diagram of the array program, split alike, move the same.
TEST(Fused, AttentionMovesWhatItsBlockProgramMoves) {
    const ArrayProgram program = read_sample("attention");
    const Flow flow = separated(flow_of(program));
    Plan plan;
    for (const char* group : {"M", "L"}) plan.push_back({axis(flow, group), PartitionKind::Group, 128});
    for (const char* stream : {"N", "D"}) plan.push_back({axis(flow, stream), PartitionKind::Stream, 128});
    const Result<Circuit> circuit = fused(flow, plan);
    ASSERT_TRUE(circuit) << circuit.problems().front().message;
    const Counts counts = count(lower(*fuse(block_sample("attention")).state(17)));
    const Resources costs = resources(*circuit);
    const Values at = sizes(circuit->axes);
    EXPECT_EQ(costs.transferred.value(at), static_cast<double>(counts.inputs.values + counts.outputs.values +
                                                               counts.intermediates.values));
    EXPECT_EQ(costs.work.matrix.value(at), static_cast<double>(counts.flops.matrix));
    // Blocks of Q, K, V, the scores and the output; the block program loads V after the scores and keeps row
    // sums.
    EXPECT_EQ(costs.widest(1).value(at), 5.0 * 128 * 128);
    EXPECT_EQ(counts.local.values, 4 * 128 * 128 + 128);
}

INSTANTIATE_TEST_SUITE_P(Samples, Fused, testing::ValuesIn(sample_names()),
                         [](const auto& sample) { return test_name(sample.param); });

}  // namespace
}  // namespace blockscope::test
