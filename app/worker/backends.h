// What a worker can measure on: the processor, the graphics cards, and a device for tests.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/graph/graph.h"
#include "core/measure/backend.h"

namespace blockscope::worker {

// Empties the caches of processors that cannot drop single lines: writes a buffer larger than all of them.
class CacheFlush {
public:
    // Four times the largest cache, but no more than a quarter of the memory that is free and no more than
    // 512 MiB: what a virtual machine says of its caches may be the whole host's.
    explicit CacheFlush(std::int64_t last_level_cache, std::int64_t free_bytes);
    void operator()();
    std::int64_t bytes() const { return bytes_; }

private:
    std::int64_t bytes_;
    std::vector<std::uint64_t> buffer_;  // made by the first flush
    std::uint64_t value_ = 0;
};

// This machine's processor, through the CPU engine.

std::unique_ptr<measure::Backend> cpu_backend();

// ---- A device for tests: computes with the float64 interpreter, tells times that follow from the program's
// counts, and breaks where it is told to.

// `spec`: words set apart by commas. FAULT@WHEN, where WHEN is prepare, check (the two runs of a check),
// measure (all later runs) or calibrate, and FAULT is
//   crash, exit      ends the process (by a signal, with code 3)
//   hang             never returns
//   slow             takes 300 ms more
//   compile, launch, illegal, oom    reports this failure
//   wrong, nan       gives a wrong result (from check on)
//   garbage          writes a line that is no message
//   partial          writes half a message and ends the process
// run=MS makes each run really take MS milliseconds. once=FILE: faults happen only if FILE can be removed.
// Anything else is ignored.
std::unique_ptr<measure::Backend> fake_backend(const std::string& spec, int out);

// ---- The graphics cards of this machine as devices that a worker measures on.

// One per card: "cuda0", "cuda1", ... as the driver counts them; none without a driver or a card. Opens the
// driver, and the compiler when the first program is prepared.
std::vector<std::unique_ptr<measure::Backend>> gpu_backends();

// What calibrations of processors and cards have in common: measured figures, steps with progress, programs.

// The source of figures that a calibration has measured itself.
constexpr const char* kMeasured = "measured";
DeviceFigure measured_figure(double value, const std::string& how);

// One step of progress. What it finds it puts into the description itself.
struct CalibrationStep {
    std::string phase;
    std::function<std::optional<measure::Failure>()> take;
};
// One after the other, until one fails or `progress` says that nobody waits any more.
std::optional<measure::Failure> take_steps(const std::vector<CalibrationStep>& steps,
                                           const measure::WorkProgress& progress);
measure::Failure calibration_cancelled();

// The program (text language, of this program's own: throws InternalError if it is none) as it stands, and
// fused to the end.
std::vector<ProgramPtr> unfused_and_fused(const std::string& text);

// The last part of a calibration: how much of what the microbenchmarks reach whole programs reach.

// Runs some small programs, unfused and fused, for `seconds` each, and fits the model's free parameters to
// their times (core/cost/models/fit.h), held to what was measured before. Returns the device with them; with
// the same parameters if nothing could be run. `alive` is called before each of them.
Device fitted_to_programs(const Device& device, double seconds, const std::function<void()>& alive);

// Measures this machine's processor with the engine's microkernels: the description that time models read.

struct CalibrationOptions {
    double seconds = 0.2;  // per figure
    std::int64_t memory_bytes =
        0;  // of the arrays that lie in memory; 0: more than four times the largest cache
    std::vector<int> matmul_sides = {16, 32, 64, 128, 256};
};

// About 10 seconds. Rates are the best of several repetitions: what the machine is able to do. The
// description is one that read_device accepts.
measure::Outcome<Device> calibrate_cpu(const measure::WorkProgress& progress,
                                       const CalibrationOptions& options = {});

}  // namespace blockscope::worker
