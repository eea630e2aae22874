// Expansions of programs, and what is refused. (The paper's tables: paper_kernels.cpp.)
#include "core/napkin/expand.h"

#include <gmock/gmock.h>

#include "core/napkin/clocks.h"
#include "tests/diagram/figures.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

Expansion expanded(const Flow& flow, const std::string& rows, const std::string& stream,
                   bool fragments = false) {
    const Result<Expansion> expansion = expand(flow, axis(flow, rows), axis(flow, stream), {fragments});
    if (!expansion) throw std::runtime_error(expansion.problems().front().message.str());
    return *expansion;
}

// Section 5.4: sizes that break a divisor are said.
TEST(Divisors, ThatAreBroken) {
    const Flow flow = flow_from(kAttention);
    const Expansion expansion = expanded(flow, "q", "x");
    Configuration configuration = default_configuration(expansion, flow, 64);
    const std::vector<Divisor> all = divisors(expansion, flow, configuration, device("h100-sxm5"));
    EXPECT_THAT(broken_divisors(all, configuration), testing::IsEmpty());
    configuration.sizes["u_x"] = 24;
    EXPECT_THAT(broken_divisors(all, configuration),
                testing::ElementsAre(testing::HasSubstr("u_x = 24 does not divide by 16")));
}

TEST(Expansion, RefusesWhatCannotBe) {
    const Flow flow = flow_from(kAttention);
    EXPECT_FALSE(expand(flow, axis(flow, "x"), axis(flow, "x")));
    EXPECT_FALSE(expand(flow, axis(flow, "q"), axis(flow, "q")));
    const Expansion expansion = expanded(flow, "q", "x");
    EXPECT_FALSE(level_uses(expansion, default_configuration(expansion, flow, 64), device("epyc-9755")));
}

// Three warpgroups that hide their overheads wait for the tensor cores.
TEST(Overlap, HasBarriers) {
    const std::vector<LaneTask> tasks = {{"a", Unit::Matrix, 4, 0}, {"b", Unit::Special, 4, 0}};
    EXPECT_FALSE(schedule(tasks, 3, Overlap::Inter, 24).barriers.empty());
}

// RMSNorm+SwiGLU on an A100, three warpgroups: however the ends of iterations waver, no pipeline works more
// than all the time.
TEST(Overlap, NoPipelineIsMoreThanBusy) {
    const std::vector<LaneTask> tasks = {{"H", Unit::Matrix, 256, 0},
                                         {"silu", Unit::Special, 4, 0},
                                         {"gate", Unit::Matrix, 256, 0},
                                         {"O", Unit::Matrix, 8, 0}};
    for (const int lanes : {1, 2, 3, 4})
        for (const Overlap overlap : {Overlap::Inter, Overlap::Intra}) {
            const Schedule made = schedule(tasks, lanes, overlap, 24);
            EXPECT_LE(made.busy(Unit::Matrix), 1 + 1e-9) << lanes;
            EXPECT_GE(made.period, lanes * 520) << lanes;
        }
}

// A program and a device that the paper never saw: the machinery is general.
TEST(Expansion, OfRmsNormSwiGluOnA100) {
    const Flow flow = separated(flow_of(read_sample("rmsnorm-swiglu")));
    const Expansion expansion = expanded(flow, "M", "D");
    const Configuration configuration = default_configuration(expansion, flow, 32);
    const Result<ClockAnalysis> analysis = clock_analysis(expansion, configuration, device("a100-sxm-80gb"));
    ASSERT_TRUE(analysis);
    // Two products with the weights of the gate in the loop; the last product is its tail.
    ASSERT_EQ(analysis->pipelines.size(), 2u);
    EXPECT_FORMULA(analysis->pipelines[0].ops, "2·K·s_D");
    EXPECT_EQ(analysis->bytes, 2.0 * 2 * 32 * 14336);  // parts of W and V, two bytes each
    EXPECT_EQ(analysis->bound(), 2 * 2.0 * 14336 * 32 / 2048);
    // All 14,336 columns of both at once are far more than its registers hold.
    const auto uses = level_uses(expansion, configuration, device("a100-sxm-80gb"));
    ASSERT_TRUE(uses);
    EXPECT_EQ(warpgroups(*uses), 0);
}

}  // namespace
}  // namespace blockscope::test
