// How samples are taken and what they say (docs/measuring.md): order statistics, when to take how many,
// whether others use the machine meanwhile, and races of several candidates. The clock and the work come from
// outside, so that the protocol itself can be tested.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "core/measure/failure.h"

namespace blockscope::measure {

// What a set of times says, without any assumption about their distribution: order statistics only.

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

struct SamplingPlan {
    int warmup_runs = 3;           // at least so many runs before the first sample
    double warmup_seconds = 0.05;  // and so long
    int samples = 25;              // at least so many samples
    double seconds = 0.3;          // and so long, all samples together
    double cap_seconds = 20;       // but no new sample after so long (one is always taken)

    bool operator==(const SamplingPlan&) const = default;
};

// The clock that a device has right now, and the highest one that it has had so far; Hz. 0: not known.
struct Clock {
    double now = 0;
    double best = 0;
};
// Samples that were taken at less than this of the best clock do not count.
constexpr double kLeastClock = 0.75;

// What there is to time. Everything but `run` and `now` may be empty.
struct Sampled {
    std::function<Outcome<double>()> run;            // one sample: the seconds of an execution
    std::function<std::optional<Failure>()> before;  // before each sample, not timed: flushes caches
    std::function<Outcome<Clock>()> clock;           // right after each sample, not timed
    // After each run; `done` of about `expected` samples are taken (0 while warming up). False cancels.
    std::function<bool(int done, int expected)> progress;
    std::function<double()> now;  // seconds of a steady clock
};

// How the samples of a measurement were come by.
struct Course {
    bool capped = false;  // ended by the cap with fewer samples, or a shorter time, than planned
    int discarded = 0;    // samples whose clock was too low: they do not count
    // Most had too low a clock, four times the plan long: all of them count, none is discarded.
    bool slow = false;
    double clock_hz = 0;  // the median of those that count; 0: not known
    bool operator==(const Course&) const = default;
};

struct Samples {
    std::vector<double> seconds;
    Course course;
};

Outcome<Samples> sample(const SamplingPlan& plan, const Sampled& what);

// ABAB...: as many samples of both, each of b right after the one of a with the same index.
struct PairedSamples {
    std::vector<double> a;
    std::vector<double> b;
    Course course;
};
Outcome<PairedSamples> sample_pairs(const SamplingPlan& plan, const Sampled& a, const Sampled& b);

// Whether others use the machine while something is measured: processor time that is not this process's own.
// The load average is of the last minute, and counts whoever measures.

// Seconds, at one moment: of a steady clock, of all processors together not idle, and of this process on
// them.
struct CpuTimes {
    double now = 0;
    double busy = 0;
    double own = 0;
};

// How many processors others kept busy between two moments, on average; 0 if no time lies between them.
double cores_of_others(const CpuTimes& before, const CpuTimes& after);

// From so much on figures are not to be trusted: a quarter of one processor.
constexpr double kBusyCores = 0.25;
// Whether others disturbed what was measured until then. Where that is not known, they did not.
bool disturbed(const Conditions& after);

// "Others kept 1.3 processors busy meanwhile: these figures are not to be trusted."
Text distrust(double cores_of_others);

// How a machine was found, after having waited for it.
struct Calm {
    std::optional<double> others;  // cores, at the last look; none: the device cannot tell
    double waited = 0;             // seconds
    bool busy() const { return others && *others > kBusyCores; }
    bool operator==(const Calm&) const = default;
};

// What waiting needs; `pause` lets the time pass of one look, `go_on` is asked before each (seconds waited,
// of at most so many), false cancels.
struct Watch {
    std::function<std::optional<CpuTimes>()> times;
    std::function<void()> pause;
    std::function<bool(double waited, double most)> go_on;
};
// Looks at least once, and again until the machine is calm or `most` seconds are over.
Outcome<Calm> wait_for_calm(const Watch& watch, double most);

// Several candidates timed in turns, until it is clear which of them is the fastest (docs/measuring.md). One
// after the other, whatever disturbs the machine for some seconds would disturb but one of them.

// A candidate leaves once it is slower than the fastest by more than this, with 95% probability.
constexpr double kClearlySlower = 1.02;

// One candidate's times.
struct Lane {
    std::vector<double> seconds;  // of rounds 0, 1, 2, ... until it left
    bool stayed = true;           // to the end; else it was clearly slower, or failed
    std::optional<Failure> failure;
};

struct Race {
    std::vector<Lane> lanes;  // in the order of the candidates
    Course course;
};

// Rounds in which each candidate that is still in the race runs once untimed, so that caches hold its own
// data, and once timed; every other round runs backwards. Ends when one candidate is left, or with the plan's
// samples (rounds) and seconds, or with its cap. `progress` and `now` are those of the first candidate. A
// candidate whose run fails leaves with its failure; only cancelling fails the race. Needs at least one.
Outcome<Race> race(const SamplingPlan& plan, const std::vector<Sampled>& what);

// How a race, or what is known of it so far, ends.
struct Standing {
    std::size_t best = 0;           // the least median
    std::vector<Ratio> over_best;   // by lane: its times over the best's, round by round; of the best 1
    std::vector<std::size_t> ties;  // lanes that stayed and are not different from the best
};
// None if no lane has a time.
std::optional<Standing> standing(const std::vector<Lane>& lanes);

}  // namespace blockscope::measure
