#include "app/worker/calibrate_card.h"

#include <algorithm>
#include <array>
#include <functional>

#include "app/worker/calibrate_cpu.h"
#include "app/worker/probe.h"
#include "core/cost/models/fit.h"
#include "core/json/device_files.h"
#include "core/measure/reference.h"
#include "gpu/driver/for_card.h"

namespace blockscope::worker {

using measure::Failure;
using measure::Outcome;

namespace {

constexpr const char* kDriver = "driver";
constexpr std::int64_t kMostMemory = std::int64_t{1} << 30;  // bytes that are read to measure memory
constexpr int kRuns = 5;

MemoryLevel* level_of(Device& device, LevelRole role) {
    for (MemoryLevel& level : device.memory)
        if (level.role == role) return &level;
    return nullptr;
}

void set_rate(Device& device, Unit unit, ElemType elem, double peak, const std::string& how) {
    PeakRate rate;
    rate.unit = unit;
    rate.elem = elem;
    rate.peak = measured_figure(peak, how);
    rate.per_clock = measured_figure(peak / device.processors.value / device.clock.value, how);
    const auto known = std::find_if(device.rates.begin(), device.rates.end(), [&](const PeakRate& other) {
        return other.unit == unit && other.elem == elem;
    });
    if (known == device.rates.end())
        device.rates.push_back(rate);
    else
        *known = rate;
}

// What the driver says of the card, in place of the base's.
void describe(Device& device, const gpu::Card& card) {
    const measure::Machine machine = this_machine();
    device.name = calibrated_name("", "cuda" + std::to_string(card.index));
    device.title = card.name;
    device.sources.push_back({kMeasured, "Measured on this card by blockscope-cli calibrate", ""});
    device.sources.push_back({kDriver, "What NVIDIA's driver says of this card", ""});
    device.calibration = {utc_now(), machine.host + ": " + card.name, "Blockscope " + machine.program};
    device.processors = {static_cast<double>(card.processors), kDriver, ""};
    if (card.clock_hz > 0) device.clock = {static_cast<double>(card.clock_hz), kDriver, "the highest"};
    device.base_clock = device.matrix_clock = {};
    MemoryLevel* shared = level_of(device, LevelRole::Shared);
    if (shared && card.shared_bytes_per_processor > 0) {
        shared->capacity = {static_cast<double>(card.shared_bytes_per_processor), kDriver, ""};
        shared->block_capacity = {static_cast<double>(card.shared_bytes_per_block), kDriver, ""};
        const DeviceFigure clock = device.clock;
        if (clock.known()) shared->bandwidth = {128 * clock.value, kDriver, "128 bytes a clock"};
    }
    if (MemoryLevel* cache = level_of(device, LevelRole::Cache); cache && card.l2_bytes > 0)
        cache->capacity = {static_cast<double>(card.l2_bytes), kDriver, ""};
    if (card.memory_bytes > 0)
        device.memory.back().capacity = {static_cast<double>(card.memory_bytes), kDriver, ""};
}

// Measures one figure and puts it into the description.
CalibrationStep step(const char* phase, std::function<Outcome<double>()> measure,
                     std::function<void(double)> take) {
    return {phase, [measure = std::move(measure), take = std::move(take)]() -> std::optional<Failure> {
                const Outcome<double> found = measure();
                if (!found) return found.failure();
                take(*found);
                return std::nullopt;
            }};
}

std::vector<CalibrationStep> steps(gpu::MicroKernels& kernels, const gpu::Card& card, Device& device) {
    const std::int64_t cache_bytes = std::max<std::int64_t>(card.l2_bytes / 4, 1 << 16);
    const std::int64_t memory_bytes =
        std::min({kMostMemory, card.memory_bytes / 4, std::max<std::int64_t>(16 * card.l2_bytes, 1 << 20)});
    std::vector<CalibrationStep> all = {
        step(
            "launches", [&] { return kernels.launch_seconds(); },
            [&](double found) {
                device.launch = measured_figure(found, "empty kernels, one after the other");
            }),
        step(
            "memory", [&kernels, memory_bytes] { return kernels.read_rate(memory_bytes); },
            [&device, memory_bytes](double found) {
                device.memory.back().bandwidth = measured_figure(
                    found, "all multiprocessors read " + std::to_string(memory_bytes) + " bytes");
            }),
        step(
            "caches", [&kernels, cache_bytes] { return kernels.read_rate(cache_bytes); },
            [&device, cache_bytes](double found) {
                if (MemoryLevel* cache = level_of(device, LevelRole::Cache))
                    cache->bandwidth = measured_figure(
                        found, "all multiprocessors read " + std::to_string(cache_bytes) + " bytes again");
            }),
        step(
            "multiply-add", [&] { return kernels.multiply_add_rate(); },
            [&](double found) {
                for (const Unit unit : {Unit::Vector, Unit::Matrix})
                    set_rate(device, unit, ElemType::F32, found, "independent multiply-adds in registers");
            }),
        step(
            "exp", [&] { return kernels.exp_rate(); },
            [&](double found) { set_rate(device, Unit::Special, ElemType::F32, found, "ex2 in registers"); }),
    };
    if (kernels.tensor_cores())
        all.push_back(step(
            "tensor cores", [&] { return kernels.tensor_rate(); },
            [&](double found) {
                for (const ElemType elem : {ElemType::F16, ElemType::BF16})
                    set_rate(device, Unit::Matrix, elem, found, kernels.tensor_instruction() + " in f16");
            }));
    return all;
}

// ---- Programs

// Products, attention, rows that are normed, and what only moves numbers; N is their size.
constexpr std::array kCardPrograms = {
    R"(dim M = @ / 64
dim K = @ / 64
dim N = @ / 64
input A[M, K], B[K, N] : f16
output C = relu(A @ B)
)",
    R"(dim M = @ / 64
dim N = @ / 64
dim D = 64 / 64
input Q[M, D], K[N, D], V[N, D] : f16
output O = softmax(Q @ K.T * D^-0.5) @ V
)",
    R"(dim M = @ / 64
dim D = @ / 64
dim N = @ / 64
input X[M, D], W[D, N] : f16
output Y = rmsnorm(X) @ W
)",
    R"(dim M = @ / 64
dim N = @ / 64
input A[M, N], B[M, N] : f16
T = A * B
output C = exp(T) + A
)",
};

// Its dimensions of any size are `size`.
std::string of_size(std::string text, int size) {
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at + 1))
        if (text.compare(at, 3, "@ /") == 0) text.replace(at, 1, std::to_string(size));
    return text;
}

// The least time of some runs, warm, and what ran; nothing if it cannot be had.
struct Ran {
    double seconds = 0;
    ModelSetting setting;
};
std::optional<Ran> run_seconds(measure::Backend& backend, const BlockProgram& program, ElemType elem) {
    measure::PrepareOptions options;
    options.elem = elem;
    const auto prepared = backend.prepare(program, options);
    if (!prepared) return std::nullopt;
    if ((*prepared)->set_inputs(measure::random_inputs(program, elem, 1))) return std::nullopt;
    std::optional<double> least;
    for (int i = 0; i <= kRuns; ++i) {
        const Outcome<double> seconds = (*prepared)->run();
        if (!seconds) return std::nullopt;
        if (i > 0) least = std::min(least.value_or(*seconds), *seconds);  // the first warms up
    }
    if (!least) return std::nullopt;
    return Ran{*least, setting_of((*prepared)->kernels())};
}

}  // namespace

Outcome<Device> measured_card(gpu::MicroKernels& kernels, const gpu::Card& card, const Device& base,
                              const measure::WorkProgress& progress) {
    Device device = base;
    describe(device, card);
    if (const auto failure = take_steps(steps(kernels, card, device), progress)) return *failure;
    return device;
}

Outcome<Device> fitted_to_card(const Device& device, measure::Backend& backend,
                               const measure::WorkProgress& progress) {
    // A card that computes as slowly as an emulator gets programs to match.
    const bool slow = device_rate(device, Unit::Vector, ElemType::F32) < 1e11;
    const std::vector<int> sizes = slow ? std::vector<int>{64} : std::vector<int>{1024, 4096};
    std::vector<FitSample> samples;
    const auto total = static_cast<int>(2 * kCardPrograms.size() * sizes.size());
    int done = 0;
    for (const char* text : kCardPrograms) {
        for (const int size : sizes)
            for (const ProgramPtr& program : unfused_and_fused(of_size(text, size))) {
                if (!progress("programs", done++, total)) return calibration_cancelled();
                const State state(program, safe_form().kept_in(ElemType::F16));
                const auto ran = run_seconds(backend, *state.program(), ElemType::F16);
                if (ran && ran->seconds > 0) samples.push_back({state.work(), ran->setting, ran->seconds});
            }
    }
    if (samples.empty()) return device;
    FitOptions options;
    options.parameters = {"overlap",
                          "matrix_efficiency",
                          "narrow_efficiency",
                          "vector_efficiency",
                          "special_efficiency",
                          "memory_efficiency",
                          "l2_efficiency",
                          "fill",
                          "launch_scale"};
    const FitResult result = fit(device, samples, options);
    return with_parameters(device, result.parameters,
                           {kFitSource, "Fitted to programs that blockscope-cli calibrate ran", ""});
}

}  // namespace blockscope::worker
