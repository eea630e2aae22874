// Intervals of the median: known values, and what they promise, by simulation.
#include "core/measure/sampling.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace blockscope::test {
namespace {

using namespace measure;
using testing::DoubleNear;

// Table A.25 of Hahn and Meeker, Statistical Intervals, and the binomial itself.
TEST(MedianInterval, RanksAreThoseOfTheBinomial) {
    EXPECT_EQ(median_rank(5), 0);
    EXPECT_EQ(median_rank(6), 1);
    EXPECT_EQ(median_rank(8), 1);
    EXPECT_EQ(median_rank(9), 2);
    EXPECT_EQ(median_rank(10), 2);
    EXPECT_EQ(median_rank(20), 6);
    EXPECT_EQ(median_rank(25), 8);
    EXPECT_EQ(median_rank(30), 10);
    EXPECT_EQ(median_rank(50), 18);
    EXPECT_EQ(median_rank(100), 40);
    // For many samples: n/2 - 0.98 sqrt(n).
    EXPECT_NEAR(median_rank(10000), 5000 - 98, 1);
    EXPECT_NEAR(median_coverage(25, 8), 0.9567, 1e-4);
}

TEST(MedianInterval, RankIsTheLargestThatCovers) {
    for (int count = 6; count < 300; ++count) {
        const int k = median_rank(count);
        EXPECT_GE(median_coverage(count, k), kCoverage) << count;
        EXPECT_LT(median_coverage(count, k + 1), kCoverage) << count;
    }
}

// The share of 4,000 simulated experiments whose interval holds the true median.
template <class Draw>
double covered(int samples, double median, Draw draw) {
    std::mt19937_64 random(7);
    int hits = 0;
    constexpr int kExperiments = 4000;
    for (int i = 0; i < kExperiments; ++i) {
        std::vector<double> values;
        for (int j = 0; j < samples; ++j) values.push_back(draw(random));
        const Summary summary = summarize(values);
        hits += summary.interval.low <= median && median <= summary.interval.high;
    }
    return static_cast<double>(hits) / kExperiments;
}

// Four standard deviations of 4,000 experiments are 0.014.
TEST(MedianInterval, CoversTheMedianOfAnyDistribution) {
    std::uniform_real_distribution<double> uniform(0, 1);
    std::exponential_distribution<double> exponential(1);
    std::lognormal_distribution<double> heavy(0, 2);  // times of a disturbed machine
    for (const int samples : {6, 9, 25, 60}) {
        const double promised = median_coverage(samples, median_rank(samples));
        EXPECT_THAT(covered(samples, 0.5, uniform), DoubleNear(promised, 0.014)) << samples;
        EXPECT_THAT(covered(samples, std::log(2), exponential), DoubleNear(promised, 0.014)) << samples;
        EXPECT_THAT(covered(samples, 1, heavy), DoubleNear(promised, 0.014)) << samples;
    }
}

TEST(Summary, QuartilesInterpolate) {
    const Summary s = summarize({4, 1, 3, 2, 5, 6, 7, 8});
    EXPECT_EQ(s.count, 8);
    EXPECT_EQ(s.min, 1);
    EXPECT_EQ(s.max, 8);
    EXPECT_EQ(s.q1, 2.75);
    EXPECT_EQ(s.median, 4.5);
    EXPECT_EQ(s.q3, 6.25);
    EXPECT_EQ(s.interval, (Interval{1, 8}));
    EXPECT_EQ(s.coverage, kCoverage);
}

TEST(Summary, FewSamplesPromiseLess) {
    const Summary one = summarize({3});
    EXPECT_EQ(one.interval, (Interval{3, 3}));
    EXPECT_EQ(one.coverage, 0);
    EXPECT_EQ(summarize({1, 2, 3, 4, 5}).coverage, 1 - 2.0 / 32);
}

TEST(PairedRatio, DriftThatHitsBothCancels) {
    std::vector<double> a;
    std::vector<double> b;
    for (int i = 0; i < 40; ++i) {
        const double drift = 1 + 0.1 * i;
        a.push_back(2 * drift * (1 + 0.001 * (i % 3 - 1)));
        b.push_back(drift);
    }
    const Ratio ratio = paired_ratio(a, b);
    EXPECT_NEAR(ratio.median, 2, 0.003);
    EXPECT_LT(ratio.interval.high - ratio.interval.low, 0.005);
    EXPECT_FALSE(ratio.tie());
    EXPECT_EQ(ratio.pairs, 40);
}

TEST(PairedRatio, EqualOnesTie) {
    std::mt19937_64 random(3);
    std::lognormal_distribution<double> noise(0, 0.05);
    std::vector<double> a;
    std::vector<double> b;
    for (int i = 0; i < 50; ++i) {
        a.push_back(noise(random));
        b.push_back(noise(random));
    }
    EXPECT_TRUE(paired_ratio(a, b).tie());
}

}  // namespace
}  // namespace blockscope::test
