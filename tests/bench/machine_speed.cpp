#include "tests/bench/machine_speed.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>

#include "core/program/convert.h"
#include "core/state/state.h"

namespace blockscope::bench {

namespace {

constexpr int kProbeRuns = 3;

constexpr const char* kProduct = R"(dim M = 512 / 64
dim K = 512 / 64
dim N = 512 / 64
input A[M, K], B[K, N] : f32
output C = A @ B
)";
constexpr const char* kSum = R"(dim M = 2048 / 64
dim N = 1024 / 1024
input A[M, N], B[M, N] : f32
output C = A + B
)";

CpuProgram prepared(const char* text) {
    const Result<ArrayProgram> array = parse_program(text, "probe");
    if (!array) throw std::runtime_error(to_string(array.problems()[0]));
    const State state(to_block_program(*array).program);
    Result<CpuProgram> program = CpuProgram::prepare(state.loops());
    if (!program) throw std::runtime_error(to_string(program.problems()[0]));
    CpuProgram ready = std::move(program).value();
    ready.run();
    return ready;
}

double least_seconds(CpuProgram& program) {
    using Clock = std::chrono::steady_clock;
    double least = std::numeric_limits<double>::infinity();
    for (int run = 0; run < kProbeRuns; ++run) {
        const Clock::time_point start = Clock::now();
        program.run();
        least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return least;
}

}  // namespace

SpeedProbe::SpeedProbe() : product_(prepared(kProduct)), sum_(prepared(kSum)) {}

double SpeedProbe::seconds() {
    return least_seconds(product_) + least_seconds(sum_);
}

std::optional<SteadyTime> steady_time(const std::function<double()>& probe,
                                      const std::function<std::optional<double>()>& measure) {
    std::optional<SteadyTime> best;
    int tries = 0;
    while (tries < kSteadyTries && !(best && best->steady())) {
        ++tries;
        const double before = probe();
        const std::optional<double> seconds = measure();
        if (!seconds) return std::nullopt;
        const double after = probe();
        const double drift = std::max(before, after) / std::min(before, after) - 1;
        if (!best || drift < best->drift)
            best = SteadyTime{.seconds = *seconds, .probe = (before + after) / 2, .drift = drift};
    }
    best->tries = tries;
    return best;
}

double normalised(double seconds, double probe, double reference) {
    return probe > 0 && reference > 0 ? seconds * reference / probe : seconds;
}

Drift drift_of(const std::vector<SteadyTime>& times) {
    if (times.empty()) return {};
    std::vector<double> probes;
    Drift drift;
    for (const SteadyTime& time : times) {
        probes.push_back(time.probe);
        drift.repeated += time.tries > 1 ? 1 : 0;
        drift.unsteady += time.steady() ? 0 : 1;
    }
    std::sort(probes.begin(), probes.end());
    drift.least = probes.front();
    drift.median = probes[probes.size() / 2];
    drift.most = probes.back();
    return drift;
}

}  // namespace blockscope::bench
