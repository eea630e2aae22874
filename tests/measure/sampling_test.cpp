// The protocol of a measurement, on a clock that the test winds.
#include "core/measure/sampling.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

namespace blockscope::test {
namespace {

using namespace measure;

// A program that takes `seconds`; everything that happens is written down.
struct FakeProgram {
    double seconds = 0.001;
    double* clock;
    std::string* story;
    char name = 'a';

    Sampled sampled() const {
        Sampled what;
        what.run = [p = *this]() -> Outcome<double> {
            *p.clock += p.seconds;
            *p.story += p.name;
            return p.seconds;
        };
        what.now = [now = clock] { return *now; };
        return what;
    }
};

class Sampling : public testing::Test {
protected:
    double clock = 100;
    std::string story;
    SamplingPlan plan;
};

TEST_F(Sampling, ShortProgramsRunLongEnough) {
    const auto samples = sample(plan, FakeProgram{0.001, &clock, &story}.sampled());
    ASSERT_TRUE(samples);
    EXPECT_NEAR(static_cast<double>(samples->seconds.size()), 300, 1);  // 300 ms
    EXPECT_NEAR(static_cast<double>(story.size()), 350, 2);             // 50 ms of warm-up before
    EXPECT_FALSE(samples->course.capped);
}

TEST_F(Sampling, LongProgramsRunOftenEnough) {
    const auto samples = sample(plan, FakeProgram{0.5, &clock, &story}.sampled());
    ASSERT_TRUE(samples);
    EXPECT_EQ(samples->seconds.size(), 25U);
    EXPECT_EQ(story.size(), 28U);  // three to warm up
    EXPECT_FALSE(samples->course.capped);
}

TEST_F(Sampling, VeryLongProgramsAreCapped) {
    const auto samples = sample(plan, FakeProgram{3, &clock, &story}.sampled());
    ASSERT_TRUE(samples);
    EXPECT_EQ(samples->seconds.size(), 7U);  // 20 s are over in the seventh
    EXPECT_TRUE(samples->course.capped);
    EXPECT_EQ(sample(plan, FakeProgram{50, &clock, &story}.sampled())->seconds.size(), 1U);
}

TEST_F(Sampling, CachesAreFlushedBeforeEachSampleOnly) {
    Sampled what = FakeProgram{0.5, &clock, &story}.sampled();
    what.before = [this] { return story += 'f', std::optional<Failure>(); };
    ASSERT_TRUE(sample(plan, what));
    EXPECT_EQ(story.substr(0, 9), "aaafafafa");
}

TEST_F(Sampling, PairsAlternate) {
    const FakeProgram a{0.4, &clock, &story, 'a'};
    const FakeProgram b{0.2, &clock, &story, 'b'};
    const auto pairs = sample_pairs(plan, a.sampled(), b.sampled());
    ASSERT_TRUE(pairs);
    EXPECT_EQ(pairs->a.size(), 25U);
    EXPECT_EQ(pairs->b.size(), 25U);
    for (std::size_t i = 0; i < story.size(); ++i) EXPECT_EQ(story[i], i % 2 == 0 ? 'a' : 'b') << i;
}

TEST_F(Sampling, StopsWhenToldTo) {
    Sampled what = FakeProgram{0.1, &clock, &story}.sampled();
    int last = 0;
    what.progress = [&last](int done, int expected) {
        last = done;
        EXPECT_GE(expected, done);
        return done < 10;
    };
    const auto samples = sample(plan, what);
    ASSERT_FALSE(samples);
    EXPECT_EQ(samples.failure().cls, FailureClass::Cancelled);
    EXPECT_EQ(last, 10);
}

TEST_F(Sampling, AFailureEndsIt) {
    int runs = 0;
    Sampled what = FakeProgram{0.1, &clock, &story}.sampled();
    what.run = [&]() -> Outcome<double> {
        if (++runs == 10) return Failure{FailureClass::IllegalAddress, Text("bad"), "log"};
        clock += 0.1;
        return 0.1;
    };
    const auto samples = sample(plan, what);
    ASSERT_FALSE(samples);
    EXPECT_EQ(samples.failure(), (Failure{FailureClass::IllegalAddress, Text("bad"), "log"}));
    EXPECT_EQ(runs, 10);
}

// A device whose clock the test sets: 2 GHz at best.
TEST_F(Sampling, SamplesOfALowClockDoNotCount) {
    Sampled what = FakeProgram{0.1, &clock, &story}.sampled();
    int taken = 0;
    what.run = [&]() -> Outcome<double> { return clock += 0.1, taken % 3 == 0 ? 0.2 : 0.1; };
    what.clock = [&]() -> Outcome<Clock> { return Clock{taken++ % 3 == 0 ? 1.49e9 : 2e9, 0}; };
    const auto samples = sample(plan, what);
    ASSERT_TRUE(samples);
    EXPECT_EQ(samples->seconds.size(), 25U) << "more are taken for those that do not count";
    EXPECT_EQ(*std::max_element(samples->seconds.begin(), samples->seconds.end()), 0.1);
    EXPECT_EQ(samples->course, (Course{false, 13, false, 2e9}));
}

// Whatever was sampled before the clock rose goes.
TEST_F(Sampling, TheBestClockMayComeLate) {
    Sampled what = FakeProgram{0.1, &clock, &story}.sampled();
    int taken = 0;
    what.clock = [&]() -> Outcome<Clock> { return Clock{++taken <= 20 ? 1e9 : 2e9, 0}; };
    const auto samples = sample(plan, what);
    ASSERT_TRUE(samples);
    EXPECT_EQ(samples->seconds.size(), 25U);
    EXPECT_EQ(samples->course.discarded, 20);
    const auto pairs = sample_pairs(plan, what, FakeProgram{0.1, &clock, &story}.sampled());
    ASSERT_TRUE(pairs);
    EXPECT_EQ(pairs->a.size(), pairs->b.size());
}

// A device that has become slow for good is measured all the same, and the result says so.
TEST_F(Sampling, AClockThatStaysLowIsSaid) {
    Sampled what = FakeProgram{0.01, &clock, &story}.sampled();
    what.clock = [] { return Outcome<Clock>(Clock{1e9, 2e9}); };
    const auto samples = sample(plan, what);
    ASSERT_TRUE(samples);
    EXPECT_EQ(samples->course, (Course{false, 0, true, 1e9}));
    EXPECT_NEAR(static_cast<double>(samples->seconds.size()), 120, 2) << "four times the 0.3 seconds";
}

TEST_F(Sampling, ACacheThatCannotBeFlushedIsAFailure) {
    Sampled what = FakeProgram{0.1, &clock, &story}.sampled();
    what.before = [] { return std::optional(Failure{FailureClass::OutOfMemory, Text("no room"), ""}); };
    const auto samples = sample(plan, what);
    ASSERT_FALSE(samples);
    EXPECT_EQ(samples.failure().message, "no room");
}

}  // namespace
}  // namespace blockscope::test
