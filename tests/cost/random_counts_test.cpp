// Static counts of random programs, every step of them, against execution. In parts, so that they run side by
// side.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "tests/cost/executed.h"
#include "tests/proof/check.h"
#include "tests/support/random_blocks.h"
#include "tests/support/random_program.h"

namespace blockscope::test {
namespace {

constexpr int kParts = 8;
#ifdef __SANITIZE_ADDRESS__  // some fifteen times slower
constexpr int kProgramsPerPart = 20;
#else
constexpr int kProgramsPerPart = 100;
#endif
constexpr int kMostSteps = 60;

ProgramPtr random_initial(std::uint64_t seed) {
    if (is_array_seed(seed))
        return std::make_shared<const BlockProgram>(to_block_program(random_array_program(seed)).program);
    return std::make_shared<const BlockProgram>(random_block_program(seed));
}

bool runs_misc(const Block& block) {
    return std::any_of(block.begin(), block.end(), [](const Statement& statement) {
        const LoopPtr* loop = std::get_if<LoopPtr>(&statement.what);
        return loop ? runs_misc((*loop)->body) : std::holds_alternative<CallMisc>(statement.what);
    });
}

class RandomCounts : public testing::TestWithParam<int> {};

TEST_P(RandomCounts, AreWhatTheListingDoes) {
    int states = 0;
    int miscellaneous = 0;
    for (int i = 0; i < kProgramsPerPart; ++i) {
        const int seed = GetParam() * kProgramsPerPart + i;
        SCOPED_TRACE("seed " + std::to_string(seed));
        const ProgramPtr initial = random_initial(static_cast<std::uint64_t>(seed));
        if (!reads_and_writes_arrays(*initial)) continue;
        int steps = 0;
        const Trace trace = fuse(initial, [&](const Step&) { return ++steps < kMostSteps; });
        for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
            SCOPED_TRACE("step " + std::to_string(step));
            const ProgramPtr state = trace.state(step);
            ASSERT_EQ(count_difference(*state), "");
            ASSERT_EQ(derivation_difference(*state, *initial), "");
            ++states;
            miscellaneous += runs_misc(lower(*state).body);
        }
    }
    EXPECT_GT(states, kProgramsPerPart);  // the programs had steps, whatever the seeds
    EXPECT_GT(miscellaneous, 0);
}

INSTANTIATE_TEST_SUITE_P(Cost, RandomCounts, testing::Range(0, kParts),
                         [](const auto& part) { return "Part" + std::to_string(part.param); });

}  // namespace
}  // namespace blockscope::test
