// What a set of times says, without any assumption about their distribution: order statistics only.
#pragma once

#include <vector>

namespace blockscope::measure {

constexpr double kCoverage = 0.95;

struct Interval {
    double low = 0;
    double high = 0;
    bool operator==(const Interval&) const = default;
};

// Of one set of samples. Quartiles interpolate between neighbours (type 7 of Hyndman and Fan).
struct Summary {
    int count = 0;
    double min = 0;
    double q1 = 0;
    double median = 0;
    double q3 = 0;
    double max = 0;
    Interval interval;    // holds the true median with probability `coverage` or more
    double coverage = 0;  // 0.95, or less where there are too few samples for that (under 6)

    bool operator==(const Summary&) const = default;
};

// `samples` need at least one element, none a NaN.
Summary summarize(std::vector<double> samples);

// The largest k >= 1 such that the k-th smallest and the k-th largest of `count` samples enclose the true
// median with probability `coverage`; 0 if even the extremes do not. (The number of samples below the median
// is binomial with p = 1/2.)
int median_rank(int count, double coverage = kCoverage);
// The probability that the k-th smallest and the k-th largest of `count` samples enclose the median.
double median_coverage(int count, int k);

// Of pairs that were measured right after each other: the median of a[i] / b[i].
struct Ratio {
    double median = 1;
    Interval interval;
    double coverage = 0;
    int pairs = 0;

    // Whether the two are equal as far as these samples can tell.
    bool tie() const { return interval.low <= 1 && 1 <= interval.high; }
    bool operator==(const Ratio&) const = default;
};

// Both need the same number of elements, at least one, all positive.
Ratio paired_ratio(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace blockscope::measure
