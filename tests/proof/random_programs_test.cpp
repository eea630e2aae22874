// 2,000 random programs: every step of the algorithm, of random orders of the rules, and the safe form, are
// proven. In parts, so that they run side by side.
#include <gtest/gtest.h>

#include "tests/proof/report.h"

namespace blockscope {
namespace {

constexpr int kParts = 8;
constexpr int kProgramsPerPart = 250;

class RandomPrograms : public testing::TestWithParam<int> {};

TEST_P(RandomPrograms, EveryStepIsProven) {
    Statistics statistics;
    for (int i = 0; i < kProgramsPerPart; ++i) {
        const auto seed =
            static_cast<std::uint64_t>(GetParam()) * kProgramsPerPart + static_cast<std::uint64_t>(i);
        CheckOptions options;
        options.walks = 2;
        options.listing = i % 4 == 0;
        const std::optional<Failure> failure = check_seed(seed, options, statistics);
        ASSERT_FALSE(failure) << failure_report(seed, *failure, options);
    }
    for (const Rule& rule : rules())
        EXPECT_GE(statistics.applied[rule.id], 3) << "rule " << to_string(rule.id) << " is hardly tested";
    EXPECT_GT(statistics.walks_ended, kProgramsPerPart / 2) << "few random orders come to an end";
    EXPECT_GT(statistics.safe_forms, kProgramsPerPart);
}

INSTANTIATE_TEST_SUITE_P(Proof, RandomPrograms, testing::Range(0, kParts),
                         [](const auto& part) { return "Part" + std::to_string(part.param); });

}  // namespace
}  // namespace blockscope
