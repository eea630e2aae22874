#include "app/worker/samples.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace blockscope::worker {

using measure::Outcome;

constexpr int kMostRuns = 100;
constexpr double kTogether = 10;  // of the least seconds that are timed: what several runs take together

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Outcome<int> runs_of_sample(measure::Prepared& prepared) {
    const double least = prepared.least_seconds();
    if (least <= 0) return 1;
    double shortest = least;
    for (int i = 0; i < 3; ++i) {
        const Outcome<double> seconds = prepared.run();
        if (!seconds) return seconds.failure();
        shortest = std::min(shortest, *seconds);
    }
    if (shortest >= least) return 1;
    const double runs = std::ceil(kTogether * least / std::max(shortest, 1e-9));
    return static_cast<int>(std::min<double>(kMostRuns, runs));
}

measure::Sampled sampled(measure::Prepared& prepared, int runs) {
    measure::Sampled what;
    what.run = [&prepared, runs] { return runs == 1 ? prepared.run() : prepared.run_many(runs); };
    what.clock = [&prepared] { return prepared.clock(); };
    what.now = now;
    return what;
}

Outcome<measure::Timing> timing_of(measure::Prepared& prepared, std::vector<double> samples,
                                   const measure::Course& course, int runs) {
    const Outcome<double> empty = prepared.empty_seconds();
    if (!empty) return empty.failure();
    return measure::Timing{measure::summarize(std::move(samples)), course, runs, *empty};
}

}  // namespace blockscope::worker
