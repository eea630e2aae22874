// Races of candidates on a clock that the test winds, and those that a session runs on the fake device.
#include "core/measure/sampling.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/measure/worker_fixture.h"

namespace blockscope::test {
namespace {

using namespace measure;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Races : public testing::Test {
protected:
    // Candidates named a, b, c, ... that take so long each; between two moments everything takes ten times
    // that.
    Outcome<Race> raced(const std::vector<double>& seconds) {
        std::vector<Sampled> what;
        for (std::size_t i = 0; i < seconds.size(); ++i) {
            Sampled one;
            one.run = [this, i, own = seconds[i]]() -> Outcome<double> {
                const auto name = static_cast<char>('a' + i);
                story += name;
                if (name == broken && ++runs_of_broken > 4)
                    return Failure{FailureClass::Launch, Text("It does not start."), {}};
                const bool disturbed = clock >= burst_begins && clock < burst_ends;
                const double took = disturbed ? 10 * own : own;
                clock += took;
                return took;
            };
            one.now = [this] { return clock; };
            one.progress = [this](int, int) { return ++asked != cancelled_at; };
            what.push_back(std::move(one));
        }
        return race(plan, what);
    }

    SamplingPlan plan{1, 0, 25, 0, 1000};
    double clock = 0;
    double burst_begins = -1;
    double burst_ends = -1;
    char broken = 0;
    int runs_of_broken = 0;
    int asked = 0;
    int cancelled_at = 0;
    std::string story;
};

TEST_F(Races, WhatIsClearlySlowerLeavesWithItsFirstInterval) {
    const auto found = raced({0.030, 0.040, 0.0301});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->lanes[0].seconds.size(), 25U);
    EXPECT_EQ(found->lanes[1].seconds.size(), 6U) << "rounds; fewer have no interval of 95%";
    EXPECT_FALSE(found->lanes[1].stayed);
    EXPECT_TRUE(found->lanes[2].stayed) << "less than 2% slower";
    const auto end = standing(found->lanes);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->best, 0U);
    EXPECT_NEAR(end->over_best[1].median, 4.0 / 3, 1e-9);
    EXPECT_EQ(end->over_best[1].pairs, 6);
    EXPECT_THAT(end->ties, IsEmpty()) << "slower by little is slower";
}

// Somebody disturbs the machine while one of them would have been measured all alone.
TEST_F(Races, ABurstDoesNotChooseTheWinner) {
    burst_begins = 0.2;
    burst_ends = 1.1;
    const auto found = raced({0.030, 0.036});
    ASSERT_TRUE(found);
    const auto end = standing(found->lanes);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->best, 0U);
    EXPECT_NEAR(end->over_best[1].median, 1.2, 1e-9);
    EXPECT_NEAR(summarize(found->lanes[0].seconds).median, 0.030, 1e-9);
}

TEST_F(Races, RoundsRunForwardsAndBackwardsAndShortRunsFollowOneOfTheirOwn) {
    plan.samples = 2;
    ASSERT_TRUE(raced({0.030, 0.030, 0.030}));
    EXPECT_EQ(story,
              "abc"
              "aabbcc"
              "cba")
        << "a long run needs no other before it, once it is known to be long";
    story.clear();
    ASSERT_TRUE(raced({0.001, 0.001}));
    EXPECT_EQ(story,
              "ab"
              "aabb"
              "bbaa");
}

TEST_F(Races, EqualOnesAreTies) {
    const auto found = raced({0.030, 0.030});
    ASSERT_TRUE(found);
    const auto end = standing(found->lanes);
    ASSERT_TRUE(end);
    EXPECT_THAT(end->ties, ElementsAre(1U));
}

TEST_F(Races, OneThatFailsLeavesAndTheOthersGoOn) {
    broken = 'a';
    const auto found = raced({0.030, 0.0301, 0.030});
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->lanes[0].stayed);
    ASSERT_TRUE(found->lanes[0].failure);
    EXPECT_EQ(found->lanes[0].failure->cls, FailureClass::Launch);
    EXPECT_EQ(found->lanes[2].seconds.size(), 25U);
    EXPECT_EQ(standing(found->lanes)->best, 2U);
}

TEST_F(Races, EndsWithItsCapAndWhenCancelled) {
    plan.cap_seconds = 0.5;
    const auto capped = raced({0.030, 0.030});
    ASSERT_TRUE(capped);
    EXPECT_TRUE(capped->course.capped);
    EXPECT_LT(capped->lanes[0].seconds.size(), 25U);
    cancelled_at = asked + 9;
    const auto cancelled = raced({0.030, 0.030});
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.failure().cls, FailureClass::Cancelled);
}

TEST_F(Races, ASingleCandidateIsTimedAsLongAsThePlanSays) {
    const auto found = raced({0.030});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->lanes[0].seconds.size(), 25U);
    EXPECT_FALSE(standing({Lane{}})) << "nothing without a time";
}

// ---- sessions

std::vector<worker::Task> two(const worker::Task& task, const ProgramPtr& other) {
    worker::Task second = task;
    second.blocks = other;
    second.state = "snapshot 2";
    return {task, second};
}

TEST_F(WorkerTest, ASessionRacesItsTasks) {
    use_faults("");
    worker::Client client(command());
    worker::Session session(client, file("results.jsonl"));
    std::vector<std::size_t> prepared;
    const auto raced = session.race(two(task(), fused()), [&](std::size_t i) { prepared.push_back(i); });
    EXPECT_THAT(prepared, ElementsAre(0U, 1U));
    EXPECT_EQ(raced.best, 1U) << "fewer bytes, by the fake device";
    EXPECT_TRUE(raced.in_turns);
    ASSERT_TRUE(raced.records[0].warm && raced.records[1].warm && raced.records[0].against);
    EXPECT_EQ(raced.records[0].against->state, "snapshot 2");
    EXPECT_GT(raced.records[0].against->ratio.interval.low, kClearlySlower);
    EXPECT_EQ(raced.records[0].warm->summary.count, raced.records[0].against->ratio.pairs);
    EXPECT_FALSE(raced.records[1].against);
    EXPECT_FALSE(raced.records[0].cold) << "it left";
    EXPECT_TRUE(raced.records[1].cold);
    EXPECT_FALSE(raced.records[1].after.others) << "this device does not tell";
}

// The one that breaks its worker costs its own time alone, and the verdict says that there were no turns.
TEST_F(WorkerTest, ARaceWhoseWorkerIsLostIsRunOneByOne) {
    const std::string once = file("once");
    std::ofstream(once) << "x";
    use_faults("crash@measure,once=" + once);
    worker::Client client(command());
    worker::Session session(client, {});
    const auto raced = session.race(two(task(), fused()));
    EXPECT_FALSE(raced.in_turns);
    EXPECT_TRUE(raced.records[0].warm && raced.records[1].warm);
    EXPECT_EQ(raced.best, 1U);
}

// A worker that is lost while the second is prepared takes the first one's job with it.
TEST_F(WorkerTest, ARacePreparesAgainWhatALostWorkerTook) {
    const std::string once = file("once");
    use_faults("crash@prepare,once=" + once);
    worker::Client client(command());
    worker::Session session(client, {});
    std::vector<std::size_t> prepared;
    const auto raced = session.race(two(task(), fused()), [&](std::size_t i) {
        if (i == 1 && prepared.size() == 1) std::ofstream(once) << "x";
        prepared.push_back(i);
    });
    EXPECT_THAT(prepared, ElementsAre(0U, 1U, 0U));
    EXPECT_TRUE(raced.records[0].warm);
    ASSERT_TRUE(raced.records[1].failure);
    EXPECT_EQ(raced.records[1].failure->cls, FailureClass::LostWorker);
    EXPECT_EQ(raced.best, 0U);
}

TEST_F(WorkerTest, ARaceWithoutAnythingThatRunsHasFailuresOnly) {
    use_faults("oom@prepare");
    worker::Client client(command());
    worker::Session session(client, {});
    const auto raced = session.race(two(task(), fused()));
    EXPECT_FALSE(raced.best);
    for (const Record& record : raced.records) {
        ASSERT_TRUE(record.failure);
        EXPECT_EQ(record.failure->cls, FailureClass::OutOfMemory);
    }
}

}  // namespace
}  // namespace blockscope::test
