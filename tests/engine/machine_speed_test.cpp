// Reports tell the machine's drift from the model's error: a measurement during which the machine's speed
// moved is made again, and times are brought to one speed.
#include "tests/bench/machine_speed.h"

#include <gtest/gtest.h>

namespace blockscope::test {
namespace {

using bench::kSteadyTries;
using bench::SteadyTime;

// A probe that takes these times, one after the other.
std::function<double()> probe_of(std::vector<double> times) {
    return [times = std::move(times), next = std::size_t{0}]() mutable { return times.at(next++); };
}

// Measurements of 1, 2, 3, ... seconds.
std::function<std::optional<double>()> measurements(int* made) {
    return [made] { return std::optional<double>(++*made); };
}

TEST(MachineSpeed, ASteadyMeasurementIsMadeOnce) {
    int made = 0;
    const auto time = bench::steady_time(probe_of({0.1, 0.104}), measurements(&made));
    ASSERT_TRUE(time);
    EXPECT_TRUE(time->steady());
    EXPECT_EQ(time->seconds, 1);
    EXPECT_EQ(time->tries, 1);
    EXPECT_NEAR(time->probe, 0.102, 1e-12);
    EXPECT_EQ(made, 1);
}

// Whether it became faster or slower.
TEST(MachineSpeed, OneDuringWhichTheSpeedMovedIsMadeAgain) {
    int made = 0;
    const auto time = bench::steady_time(probe_of({0.1, 0.11, 0.11, 0.1, 0.1, 0.1}), measurements(&made));
    ASSERT_TRUE(time);
    EXPECT_TRUE(time->steady());
    EXPECT_EQ(time->seconds, 3);
    EXPECT_EQ(time->tries, 3);
}

TEST(MachineSpeed, OfTriesThatAllMovedTheOneThatMovedLeastCounts) {
    int made = 0;
    const auto time = bench::steady_time(probe_of({0.1, 0.13, 0.1, 0.11, 0.1, 0.2}), measurements(&made));
    ASSERT_TRUE(time);
    EXPECT_FALSE(time->steady());
    EXPECT_EQ(time->seconds, 2);
    EXPECT_NEAR(time->drift, 0.1, 1e-12);
    EXPECT_EQ(time->tries, kSteadyTries);
    EXPECT_EQ(made, kSteadyTries);
}

TEST(MachineSpeed, WhatFailsIsNotTriedAgain) {
    int made = 0;
    const auto fails = [&]() -> std::optional<double> {
        ++made;
        return std::nullopt;
    };
    EXPECT_FALSE(bench::steady_time(probe_of({0.1}), fails));
    EXPECT_EQ(made, 1);
}

TEST(MachineSpeed, TimesAreBroughtToOneSpeed) {
    EXPECT_DOUBLE_EQ(bench::normalised(3, 0.12, 0.1), 2.5) << "the machine was slower then";
    EXPECT_EQ(bench::normalised(3, 0, 0.1), 3) << "nobody knows";
}

TEST(MachineSpeed, DriftIsToldOfAllMeasurements) {
    const SteadyTime calm{.seconds = 1, .probe = 0.1, .drift = 0.01};
    const SteadyTime again{.seconds = 1, .probe = 0.2, .drift = 0.02, .tries = 2};
    const SteadyTime moved{.seconds = 1, .probe = 0.3, .drift = 0.2, .tries = kSteadyTries};
    const bench::Drift drift = bench::drift_of({again, calm, moved});
    EXPECT_EQ(drift.least, 0.1);
    EXPECT_EQ(drift.median, 0.2);
    EXPECT_EQ(drift.most, 0.3);
    EXPECT_EQ(drift.repeated, 2);
    EXPECT_EQ(drift.unsteady, 1);
    EXPECT_EQ(bench::drift_of({}).most, 0);
}

// Its programs run; how fast is the machine's matter.
TEST(MachineSpeed, TheProbeRuns) {
    bench::SpeedProbe probe;
    EXPECT_GT(probe.seconds(), 0);
}

}  // namespace
}  // namespace blockscope::test
