// When to take how many samples (docs/measuring.md). The clock and the work come from outside, so that the
// protocol itself can be tested.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/measure/failure.h"

namespace blockscope::measure {

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

}  // namespace blockscope::measure
