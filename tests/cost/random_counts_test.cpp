// Static counts of random programs, every step of them, against execution. In parts, so that they run side by
// side.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/cost/terms.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "tests/cost/executed.h"
#include "tests/proof/check.h"
#include "tests/support/random_blocks.h"
#include "tests/support/random_program.h"

namespace blockscope::test {
namespace {

constexpr int kParts = 8;
#ifdef __SANITIZE_ADDRESS__  // some fifteen times slower
constexpr int kProgramsPerPart = 20;
constexpr int kWalksPerPart = 8;
#else
constexpr int kProgramsPerPart = 100;
constexpr int kWalksPerPart = 25;
#endif
constexpr int kMostSteps = 60;
constexpr int kWalkSteps = 25;
constexpr std::int64_t kMostWork = 2'000'000;  // operations of a state that a walk goes on from

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

std::int64_t executed_work(const BlockProgram& program) {
    const Counts counts = count(lower(program));
    return saturating_add(counts.flops.total(), counts.bytes());
}

class RandomCounts : public testing::TestWithParam<int> {};

TEST_P(RandomCounts, AreWhatTheListingDoes) {
    int states = 0;
    for (int i = 0; i < kProgramsPerPart; ++i) {
        const int seed = GetParam() * kProgramsPerPart + i;
        SCOPED_TRACE("seed " + std::to_string(seed));
        const ProgramPtr initial = random_initial(static_cast<std::uint64_t>(seed));
        if (!reads_and_writes_arrays(*initial)) continue;
        const BothLoops unfused(initial);
        int steps = 0;
        const Trace trace = fuse(initial, [&](const Step&) { return ++steps < kMostSteps; });
        for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
            SCOPED_TRACE("step " + std::to_string(step));
            const BothLoops state(trace.state(step));
            ASSERT_EQ(count_difference(state), "");
            ASSERT_EQ(derivation_difference(state, unfused), "");
            ++states;
        }
        const BothLoops last(make_safe(*trace.last()).program);
        SCOPED_TRACE("the safe form");
        ASSERT_EQ(count_difference(last), "");
        ASSERT_EQ(derivation_difference(last, unfused), "");
    }
    EXPECT_GT(states, kProgramsPerPart);  // the programs had steps, whatever the seeds
}

// What the parts count holds everything that there is to count; a single part may lack it.
TEST(RandomPrograms, HoldMiscellaneousOperatorsAndExponentials) {
    int miscellaneous = 0;
    int safe = 0;
    for (int seed = 0; seed < kParts * kProgramsPerPart; ++seed) {
        const ProgramPtr initial = random_initial(static_cast<std::uint64_t>(seed));
        if (!reads_and_writes_arrays(*initial)) continue;
        miscellaneous += runs_misc(lower(*initial).body);
        safe += make_safe(*initial).exponentials > 0;
    }
    EXPECT_GT(miscellaneous, 0);
    EXPECT_GT(safe, 0);
}

// Rules in any order make states that the algorithm never does.
TEST_P(RandomCounts, AreWhatTheListingDoesInAnyOrderOfTheRules) {
    int states = 0;
    for (int i = 0; i < kWalksPerPart; ++i) {
        const int seed = 10'000 + GetParam() * kWalksPerPart + i;
        SCOPED_TRACE("seed " + std::to_string(seed));
        ProgramPtr state = random_initial(static_cast<std::uint64_t>(seed));
        if (!reads_and_writes_arrays(*state)) continue;
        const BothLoops unfused(state);
        std::minstd_rand random(static_cast<unsigned>(seed));
        for (int step = 0; step < kWalkSteps; ++step) {
            const std::vector<Match> matches = all_matches(*state);
            if (matches.empty()) break;
            const Match& match = matches[random() % matches.size()];
            SCOPED_TRACE("step " + std::to_string(step) + ", rule " + to_string(match.rule));
            state = checked_apply(state, match).after;
            if (executed_work(*state) > kMostWork) break;
            const BothLoops both(state);
            ASSERT_EQ(count_difference(both), "");
            ASSERT_EQ(derivation_difference(both, unfused), "");
            ++states;
        }
        if (executed_work(*state) > kMostWork) continue;
        SCOPED_TRACE("the safe form");
        ASSERT_EQ(count_difference(BothLoops(make_safe(*state).program)), "");
    }
    EXPECT_GE(states, kWalksPerPart / 2);  // some walks end at once: too much work, or no arrays
}

INSTANTIATE_TEST_SUITE_P(Cost, RandomCounts, testing::Range(0, kParts),
                         [](const auto& part) { return "Part" + std::to_string(part.param); });

}  // namespace
}  // namespace blockscope::test
