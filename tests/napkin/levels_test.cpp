// Levels, the groups of each, and the best groups of samples. (The paper's numbers: paper_models.cpp.)
#include "core/napkin/levels.h"

#include <gmock/gmock.h>

#include <cmath>

#include "core/cost/counts.h"
#include "core/diagram/term.h"
#include "core/fusion/trace.h"
#include "core/napkin/group_sizes.h"
#include "tests/diagram/figures.h"
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
    EXPECT_NEAR(napkin::total_cost(a.law->numbers(at), transfer_levels(levels, 4)), sum, 1e-9 * sum);
}

// Searched sizes come to the closed form where that has whole sizes.
TEST(Optimum, SearchMeetsThePowerLaw) {
    const Flow flow = flow_from(kMatmul);
    Plan plan = {{axis(flow, "a"), PartitionKind::Group, 1},
                 {axis(flow, "c"), PartitionKind::Group, 1},
                 {axis(flow, "b"), PartitionKind::Stream, 1}};
    const double tile = 256;
    const std::optional<BestGroups> best = best_groups(flow, plan, tile * tile + 2 * tile);
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
        const std::optional<BestGroups> best = best_groups(flow, plan, limit);
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
