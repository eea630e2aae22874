// When to take how many samples (docs/measuring.md). The clock and the work come from outside, so that the
// protocol itself can be tested.
#pragma once

#include <functional>
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

// What there is to time. Everything but `run` and `now` may be empty.
struct Sampled {
    std::function<Outcome<double>()> run;  // one execution: its seconds
    std::function<void()> before;          // before each sample, not timed: flushes caches
    // After each run; `done` of about `expected` samples are taken (0 while warming up). False cancels.
    std::function<bool(int done, int expected)> progress;
    std::function<double()> now;  // seconds of a steady clock
};

struct Samples {
    std::vector<double> seconds;
    bool capped = false;  // ended by the cap with fewer samples, or a shorter time, than planned
};

Outcome<Samples> sample(const SamplingPlan& plan, const Sampled& what);

// ABAB...: as many samples of both, each of b right after the one of a with the same index.
struct PairedSamples {
    std::vector<double> a;
    std::vector<double> b;
    bool capped = false;
};
Outcome<PairedSamples> sample_pairs(const SamplingPlan& plan, const Sampled& a, const Sampled& b);

}  // namespace blockscope::measure
