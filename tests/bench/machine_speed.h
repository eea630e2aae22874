// How fast the machine is while something is measured. A virtual machine's speed drifts by a fifth within
// minutes, which no model of the program can know: a fixed probe before and after each measurement shows it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/engine/cpu_program.h"

namespace blockscope::bench {

// One and the same work on all cores, some milliseconds of it: a product, as calibration has it, and a sum of
// arrays that come from memory.
class SpeedProbe {
public:
    SpeedProbe();
    // Of the fastest of a few runs.
    double seconds();

private:
    CpuProgram product_, sum_;
};

constexpr double kDrift = 0.05;  // by which the probe's time may change meanwhile
constexpr int kSteadyTries = 3;  // of a measurement

struct SteadyTime {
    double seconds = 0;  // as measured
    double probe = 0;    // the probe's seconds then: the mean of before and after
    double drift = 0;    // 0.1: one of the two is 10% longer than the other
    int tries = 1;

    bool steady() const { return drift <= kDrift; }
};

// Measures with the probe before and after, and again where the machine's speed has moved; then the try that
// moved least counts. None as soon as there is nothing measured.
std::optional<SteadyTime> steady_time(const std::function<double()>& probe,
                                      const std::function<std::optional<double>()>& measure);

// What `seconds` would have been while the probe takes `reference` seconds. As it is where either is not
// known (0).
double normalised(double seconds, double probe, double reference);

// How the machine did over all measurements.
struct Drift {
    double least = 0, median = 0, most = 0;  // the probe's seconds
    int repeated = 0;                        // measurements that were made again
    int unsteady = 0;                        // and those that moved in each try
};
// All 0 of none.
Drift drift_of(const std::vector<SteadyTime>& times);

}  // namespace blockscope::bench
