// How the samples of a prepared program are taken: what measure::sample() wants to know of it.
#pragma once

#include <vector>

#include "core/measure/backend.h"
#include "core/measure/record.h"

namespace blockscope::worker {

// Seconds of a steady clock.
double now();

// How many warm runs make a sample: one, or where three runs show that it is too short for the device's clock
// (Prepared::least_seconds) so many that they last ten times as long as they have to, but no more than 100.
measure::Outcome<int> runs_of_sample(measure::Prepared& prepared);

// Samples that are the mean of so many runs each; without anything to do before them, and without progress.
measure::Sampled sampled(measure::Prepared& prepared, int runs);

// At least one sample.
measure::Outcome<measure::Timing> timing_of(measure::Prepared& prepared, std::vector<double> samples,
                                            const measure::Course& course, int runs);

}  // namespace blockscope::worker
