#include "app/worker/backends.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <random>

#include "app/worker/probe.h"
#include "core/cost/models/fit.h"
#include "core/engine/cpu_program.h"
#include "core/engine/micro.h"
#include "core/fusion/trace.h"
#include "core/json/device_files.h"
#include "core/measure/sampling.h"
#include "core/program/convert.h"
#include "core/state/state.h"
#include "core/support/result.h"

namespace blockscope::worker {

DeviceFigure measured_figure(double value, const std::string& how) {
    return {value, kMeasured, how};
}

std::optional<measure::Failure> take_steps(const std::vector<CalibrationStep>& steps,
                                           const measure::WorkProgress& progress) {
    const auto total = static_cast<int>(steps.size());
    for (int i = 0; i < total; ++i) {
        const CalibrationStep& step = steps[static_cast<std::size_t>(i)];
        if (!progress(step.phase, i, total)) return calibration_cancelled();
        if (auto failure = step.take()) return failure;
    }
    return std::nullopt;
}

measure::Failure calibration_cancelled() {
    return {measure::FailureClass::Cancelled, Text("The calibration was cancelled."), {}};
}

std::vector<ProgramPtr> unfused_and_fused(const std::string& text) {
    const Result<ArrayProgram> array = parse_program(text, "calibration");
    if (!array) throw InternalError(to_string(array.problems()[0]));
    const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(*array).program));
    return {trace.initial, trace.last()};
}

namespace {

// Products, exponentials, rows that are normed, and what only moves numbers.
constexpr std::array kFitPrograms = {
    R"(dim M = 512 / 64
dim K = 512 / 64
dim N = 512 / 64
input A[M, K], B[K, N] : f32
output C = relu(A @ B)
)",
    R"(dim M = 384 / 64
dim N = 384 / 64
dim D = 64 / 64
input Q[M, D], K[N, D], V[N, D] : f32
output O = softmax(Q @ K.T * D^-0.5) @ V
)",
    R"(dim M = 512 / 32
dim D = 256 / 32
dim N = 256 / 32
input X[M, D], W[D, N] : f32
output Y = rmsnorm(X) @ W
)",
    R"(dim M = 1024 / 128
dim N = 1024 / 128
input A[M, N], B[M, N] : f32
T = A * B
output C = exp(T) + A
)",
};

double fit_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The median time of a run, warm, as `run` and `tune` give it; 0 if it cannot be run.
double cpu_seconds(const State& state, double seconds) {
    Result<CpuProgram> prepared = CpuProgram::prepare(state.loops());
    if (!prepared) return 0;
    CpuProgram program = std::move(prepared).value();
    std::minstd_rand random(1);
    std::uniform_real_distribution<float> numbers(-0.5F, 0.5F);
    for (std::size_t i = 0; i < program.inputs().size(); ++i) {
        std::vector<float> values(static_cast<std::size_t>(program.inputs()[i].elements));
        for (float& value : values) value = numbers(random);
        program.set_input(static_cast<int>(i), values);
    }
    program.run();
    std::vector<double> times;
    const double start = fit_seconds();
    while (times.empty() || fit_seconds() - start < seconds) {
        const double begin = fit_seconds();
        program.run();
        times.push_back(fit_seconds() - begin);
    }
    return measure::summarize(std::move(times)).median;
}

}  // namespace

Device fitted_to_programs(const Device& device, double seconds, const std::function<void()>& alive) {
    std::vector<FitSample> samples;
    for (const char* text : kFitPrograms)
        for (const ProgramPtr& program : unfused_and_fused(text)) {
            alive();
            const State state(program);
            const double measured = cpu_seconds(state, seconds);
            const StoredTypes types{ElemType::F32, ElemType::F32};
            if (measured > 0) samples.push_back({engine_work(state.loops(), types), {}, measured});
        }
    if (samples.empty()) return device;
    FitOptions options;
    options.parameters = {"overlap",    "matmul_efficiency", "simple_cycles",    "copy_cycles", "exp_cycles",
                          "row_cycles", "memory_efficiency", "cache_efficiency", "launch_scale"};
    const FitResult result = fit(device, samples, options);
    return with_parameters(device, result.parameters,
                           {kFitSource, "Fitted to programs that blockscope-cli calibrate ran", ""});
}

using measure::Failure;
using measure::FailureClass;
using measure::Outcome;

namespace {

constexpr const char* kSystem = "system";
constexpr const char* kAssumed = "assumed";
constexpr std::int64_t kLeastMemory = std::int64_t{256} << 20;

int vector_bits(const measure::Machine& machine) {
    const auto has = [&](const char* name) {
        return std::find(machine.isa.begin(), machine.isa.end(), name) != machine.isa.end();
    };
    return has("avx512f") ? 512 : has("avx2") ? 256 : 128;
}

// One calibration: figures are added one after the other, each a step of progress.
class Calibration {
public:
    Calibration(const measure::WorkProgress& progress, const CalibrationOptions& options)
        : progress_(progress),
          options_(options),
          machine_(this_machine()),
          conditions_(current_conditions()) {
        one_ = {options.seconds, 1};
        all_ = {options.seconds, machine_.cores};
    }

    Outcome<Device> run() {
        describe();
        plan_memory();
        plan_rates();
        plan_matmuls();
        plan_passes();
        plan_costs();
        // The longest step by far says in between that it goes on.
        add("programs", [this] {
            const auto all = static_cast<int>(steps_.size());
            device_ =
                fitted_to_programs(device_, options_.seconds, [&] { progress_("programs", all - 1, all); });
        });
        if (const auto failure = take_steps(steps_, progress_)) return *failure;
        return device_;
    }

private:
    // Of a processor no step fails.
    void add(const char* phase, std::function<void()> take) {
        steps_.push_back({phase, [take = std::move(take)] {
                              take();
                              return std::nullopt;
                          }});
    }

    void describe() {
        device_.name = kLocalCpu;
        device_.title = machine_.cpu.empty() ? "This machine" : machine_.cpu;
        device_.kind = DeviceKind::Cpu;
        device_.sources = {{kMeasured, "Measured on this machine by blockscope-cli calibrate", ""},
                           {kSystem, "What the operating system says of this machine", ""},
                           {kAssumed, "Assumed, not measured", ""}};
        device_.calibration = {
            utc_now(), machine_.host + ": " + machine_.cpu,
            "Blockscope " + machine_.program + ", load " + std::to_string(conditions_.load)};
        device_.processors = {static_cast<double>(machine_.cores), kSystem, "cores that the process may use"};
        if (conditions_.clock_ghz > 0)
            device_.clock =
                measured_figure(conditions_.clock_ghz * 1e9, "a chain of dependent additions, one a cycle");
        device_.vector_bits = {static_cast<double>(vector_bits(machine_)), kSystem,
                               "the widest instruction set"};
        device_.line = {64, kAssumed, "bytes of a cache line"};
    }

    void plan_memory() {
        std::vector<measure::Cache> caches;
        for (const measure::Cache& cache : machine_.caches)
            if (cache.type != "Instruction" && cache.bytes > 0) caches.push_back(cache);
        std::sort(caches.begin(), caches.end(),
                  [](const measure::Cache& a, const measure::Cache& b) { return a.level < b.level; });
        std::int64_t inner = 0;  // the cache before this one
        for (const measure::Cache& cache : caches) {
            plan_cache(cache, inner);
            inner = cache.bytes;
        }
        plan_main_memory();
    }

    // Caches of level 3 and up belong to all cores. Arrays fill half of a private cache, and of a shared one
    // what is well beyond the cache before it, as a virtual machine may have but a part of it.
    void plan_cache(const measure::Cache& cache, std::int64_t inner) {
        const bool shared = cache.level >= 3;
        const std::size_t index = device_.memory.size();
        MemoryLevel level;
        level.name = "L" + std::to_string(cache.level);
        level.role = LevelRole::Cache;
        level.per = shared ? Share::Device : Share::Processor;
        level.capacity = {static_cast<double>(cache.bytes), kSystem, ""};
        device_.memory.push_back(level);
        const std::int64_t bytes =
            shared ? std::min(cache.bytes / 2 / machine_.cores, 4 * inner) : cache.bytes / 2;
        add("caches", [this, index, bytes, shared] {
            const double rate = measure_read(bytes, one_).best;
            MemoryLevel& to = device_.memory[index];
            if (!shared) {
                to.bandwidth = measured_figure(rate, "one core reads " + std::to_string(bytes) + " bytes");
                return;
            }
            const double together = std::max(rate, measure_read(bytes, all_).best);
            to.bandwidth =
                measured_figure(together, "all cores read " + std::to_string(bytes) + " bytes each");
            to.processor_bandwidth = measured_figure(std::min(rate, together), "one core alone");
        });
    }

    void plan_main_memory() {
        MemoryLevel level;
        level.name = "memory";
        level.role = LevelRole::Memory;
        level.per = Share::Device;
        level.capacity = {static_cast<double>(machine_.memory_bytes), kSystem, ""};
        const std::size_t index = device_.memory.size();
        device_.memory.push_back(level);
        std::int64_t bytes = options_.memory_bytes;
        if (bytes == 0) {
            bytes = std::max(kLeastMemory, 4 * machine_.last_level_cache());
            bytes = std::max(kLeastMemory, std::min(bytes, conditions_.free_bytes / 4));
        }
        add("memory", [this, index, bytes] {
            const double alone = measure_read(bytes, one_).best;
            const double together = std::max(alone, measure_read(bytes / machine_.cores, all_).best);
            MemoryLevel& to = device_.memory[index];
            to.bandwidth =
                measured_figure(together, "all cores read " + std::to_string(bytes) + " bytes together");
            to.processor_bandwidth = measured_figure(std::min(alone, together), "one core alone");
        });
    }

    void plan_rates() {
        add("multiply-add", [this] {
            const double one = measure_fma(one_).best;
            const double all = std::max(one, measure_fma(all_).best);
            for (const Unit unit : {Unit::Matrix, Unit::Vector})
                add_rate(unit, one, all, "independent multiply-adds in registers");
        });
        add("exp", [this] {
            const double one = measure_exp(one_).best;
            add_rate(Unit::Special, one, std::max(one, measure_exp(all_).best),
                     "exp of numbers in the first cache");
        });
    }

    void add_rate(Unit unit, double one, double all, const std::string& how) {
        PeakRate rate;
        rate.unit = unit;
        rate.elem = ElemType::F32;
        if (device_.clock.known())
            rate.per_clock = measured_figure(one / device_.clock.value, how + ", one core");
        rate.peak = measured_figure(all, how + ", all cores");
        device_.rates.push_back(rate);
    }

    void plan_matmuls() {
        const std::vector<int>& sides = options_.matmul_sides;
        for (const int side : sides) plan_matmul(side, side, side);
        for (const int side : sides) {  // long and flat ones
            if (side == sides.back()) continue;
            plan_matmul(side, side, sides.back());
            plan_matmul(side, sides.back(), side);
        }
    }

    void plan_matmul(int rows, int cols, int depth) {
        add("block products", [this, rows, cols, depth] {
            const MicroOptions quick{options_.seconds / 2, 1};
            device_.matmul.push_back(
                {.elem = ElemType::F32,
                 .rows = rows,
                 .cols = cols,
                 .depth = depth,
                 .rate = measured_figure(measure_matmul(rows, cols, depth, quick).best, "one core")});
        });
    }

    // Cycles of a vector of results, in the first-level cache; rows of their own for what works row by row.
    void plan_passes() {
        if (!device_.clock.known()) return;
        constexpr int kRows = 32;
        constexpr int kCols = 32;
        const double vectors = kRows * kCols / (device_.vector_bits.value / 32);
        plan_pass("simple_cycles", PassKind::Simple, 1, kRows * kCols, vectors);
        plan_pass("divide_cycles", PassKind::Divide, 1, kRows * kCols, vectors);
        plan_pass("exp_cycles", PassKind::Exp, 1, kRows * kCols, vectors);
        plan_pass("log_cycles", PassKind::Log, 1, kRows * kCols, vectors);
        plan_pass("tanh_cycles", PassKind::Tanh, 1, kRows * kCols, vectors);
        plan_pass("erf_cycles", PassKind::Erf, 1, kRows * kCols, vectors);
        plan_pass("slow_cycles", PassKind::Slow, 1, kRows * kCols, kRows * kCols);
        plan_pass("fold_cycles", PassKind::Fold, kRows, kCols, vectors);
        plan_pass("copy_cycles", PassKind::Copy, 1, kRows * kCols, vectors);
        plan_pass("transpose_cycles", PassKind::Transpose, kRows, kCols, vectors);
        add("passes", [this] {
            const MicroOptions quick{options_.seconds / 2, 1};
            const double rows = measure_pass(PassKind::Simple, kRows, kCols, quick).best;
            const double flat = measure_pass(PassKind::Simple, 1, kRows * kCols, quick).best;
            add_parameter("row_cycles", std::max(0.1, (rows - flat) / kRows * device_.clock.value),
                          "products of 32 rows of 32, less those of one row of 1,024");
        });
    }

    // `steps`: vectors or elements of the block.
    void plan_pass(const char* name, PassKind kind, int rows, int cols, double steps) {
        add("passes", [this, name, kind, rows, cols, steps] {
            const MicroOptions quick{options_.seconds / 2, 1};
            const double seconds = measure_pass(kind, rows, cols, quick).best;
            add_parameter(name, seconds / steps * device_.clock.value,
                          std::to_string(rows) + " x " + std::to_string(cols) + " numbers, one core");
        });
    }

    void add_parameter(const char* name, double value, const std::string& how) {
        device_.parameters.push_back({name, measured_figure(value, how)});
    }

    void plan_costs() {
        add("parallel regions", [this] {
            device_.launch = measured_figure(measure_region(machine_.cores, options_.seconds).median,
                                             "starting and joining all threads with nothing to do");
            device_.task = {2e-7, kAssumed, "one task from a shared counter"};
        });
        add("calls", [this] {
            add_parameter("call", measure_call(options_.seconds).best,
                          "a block operation on a single element");
        });
    }

    const measure::WorkProgress& progress_;
    const CalibrationOptions& options_;
    measure::Machine machine_;
    measure::Conditions conditions_;
    MicroOptions one_, all_;
    Device device_;
    std::vector<CalibrationStep> steps_;
};

}  // namespace

Outcome<Device> calibrate_cpu(const measure::WorkProgress& progress, const CalibrationOptions& options) {
    Outcome<Device> device = Calibration(progress, options).run();
    if (!device) return device;
    const Result<Device> read = read_device(write_json(*device), kLocalCpu);
    if (!read)
        return Failure{FailureClass::Internal,
                       Text("The measured description is none: %1", to_string(read.problems()[0])),
                       write_json(*device)};
    return device;
}

}  // namespace blockscope::worker
