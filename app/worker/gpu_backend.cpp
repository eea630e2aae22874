#include "app/worker/backends.h"

#include <algorithm>
#include <array>
#include <functional>
#include <sstream>
#include <utility>

#include "app/worker/card_search.h"
#include "app/worker/probe.h"
#include "core/cost/device.h"
#include "core/cost/models/fit.h"
#include "core/json/device_files.h"
#include "core/measure/backend.h"
#include "core/measure/reference.h"
#include "core/state/state.h"
#include "gpu/driver/card_program.h"
#include "gpu/driver/for_card.h"
#include "gpu/driver/microbenchmarks.h"

namespace blockscope::worker {

// ---- Measures a graphics card with microbenchmarks, and fits the model's free parameters to programs that
// run on it: the description that time models read.

// `base`: a description of the card, or of one of its generation, for what no kernel measures (limits, tiles
// of instructions). The result is called as calibrated_name() says of this machine's card.
measure::Outcome<Device> measured_card(gpu::Microbenchmarks& kernels, const gpu::Card& card,
                                       const Device& base, const measure::WorkProgress& progress);

// Runs some programs, unfused and fused, in f16 and f32, through `backend`, and fits the model to their
// times. The device with the same parameters if none ran; a failure if it was cancelled.
measure::Outcome<Device> fitted_to_card(const Device& device, measure::Backend& backend,
                                        const measure::WorkProgress& progress);

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

std::vector<CalibrationStep> steps(gpu::Microbenchmarks& kernels, const gpu::Card& card, Device& device) {
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

Outcome<Device> measured_card(gpu::Microbenchmarks& kernels, const gpu::Card& card, const Device& base,
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

namespace {

using measure::Failure;
using measure::FailureClass;
using measure::Outcome;

constexpr std::int64_t kLeastFlush = std::int64_t{256} << 20;  // bytes
constexpr double kLeastSeconds =
    20e-6;  // of a run that is timed on its own: events are right to half a microsecond

std::string sentences(const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& problem : problems) text += (text.empty() ? "" : "\n") + to_string(problem);
    return text;
}

// What ptxas said of each kernel, and what the driver says now that it is on the card.
std::string compile_report(const gpu::Compiled& compiled, const gpu::CardProgram& program,
                           const std::string& how) {
    std::ostringstream text;
    text << how << ", compiled " << (compiled.from_cache ? "before, in " : "in ")
         << static_cast<int>(compiled.seconds * 1e3) << " ms, " << program.bytes() << " bytes\n";
    for (const gpu::KernelFacts& facts : program.facts())
        text << facts.kernel << ": " << facts.registers << " registers, " << facts.shared_bytes
             << " bytes of shared memory, " << facts.local_bytes << " bytes spilled, "
             << facts.blocks_per_processor << " thread blocks a processor\n";
    for (const std::string& warning : compiled.warnings) text << warning << '\n';
    return text.str();
}

class GpuPrepared final : public measure::Prepared {
public:
    // `clock` gives the card's clock, which is opened when it is first wanted.
    GpuPrepared(gpu::CardProgram program, std::string log, std::string instead,
                std::function<Outcome<gpu::CardClock*>()> clock)
        : program_(std::move(program)),
          log_(std::move(log)),
          instead_(std::move(instead)),
          clock_(std::move(clock)) {}

    std::string log() const override { return log_; }
    std::string instead() const override { return instead_; }

    std::vector<measure::PreparedKernel> kernels() const override {
        std::vector<measure::PreparedKernel> found;
        for (std::size_t i = 0; i < program_.set().launches.size(); ++i) {
            const gpu::Launch& launch = program_.set().launches[i];
            if (launch.combines) continue;
            found.push_back({.node = launch.node,
                             .resident = program_.facts().at(i).blocks_per_processor,
                             .parts = launch.parts,
                             .part_bytes = static_cast<double>(launch.part_bytes),
                             .added = launch.adds,
                             .by_warps = !launch.wgmma});
        }
        if (!found.empty()) found.front().computed_in = program_.set().computed_in;
        return found;
    }

    std::optional<Failure> set_inputs(const Tensors<double>& inputs) override {
        for (const int i : arrays(gpu::DeviceArray::Kind::Input)) {
            const gpu::DeviceArray& array = program_.set().arrays[static_cast<std::size_t>(i)];
            const auto found = inputs.find(array.name);
            if (found == inputs.end() || found->second.size() != array.elements)
                return Failure{FailureClass::Internal, Text("The input %1 is missing.", array.name), {}};
            if (auto failure = program_.write(i, found->second.data)) return failure;
        }
        return std::nullopt;
    }

    std::optional<Failure> poison() override { return program_.poison(); }
    Outcome<double> run() override { return program_.run(); }
    Outcome<double> run_many(int runs) override { return program_.run(runs); }
    double least_seconds() const override { return kLeastSeconds; }

    Outcome<double> empty_seconds() override {
        const Outcome<gpu::CardClock*> clock = clock_();
        if (!clock) return clock.failure();
        return (*clock)->empty_seconds();
    }
    Outcome<measure::Clock> clock() override {
        const Outcome<gpu::CardClock*> clock = clock_();
        if (!clock) return clock.failure();
        return (*clock)->read();
    }

    Outcome<Tensors<double>> outputs() override {
        Tensors<double> result;
        for (const int i : arrays(gpu::DeviceArray::Kind::Output)) {
            const gpu::DeviceArray& array = program_.set().arrays[static_cast<std::size_t>(i)];
            Outcome<std::vector<double>> values = program_.read(i);
            if (!values) return values.failure();
            result[array.name] = {array.shape, std::move(values).value()};
        }
        return result;
    }

private:
    std::vector<int> arrays(gpu::DeviceArray::Kind kind) const {
        std::vector<int> found;
        for (std::size_t i = 0; i < program_.set().arrays.size(); ++i) {
            const gpu::DeviceArray& array = program_.set().arrays[i];
            if (array.kind == kind && array.elements > 0) found.push_back(static_cast<int>(i));
        }
        return found;
    }

    gpu::CardProgram program_;
    std::string log_, instead_;
    std::function<Outcome<gpu::CardClock*>()> clock_;
};

class GpuBackend final : public measure::Backend {
public:
    GpuBackend(std::shared_ptr<const gpu::Driver> driver, gpu::Card card)
        : driver_(std::move(driver)), card_(std::move(card)) {}

    measure::BackendInfo info() const override {
        return {"cuda" + std::to_string(card_.index), card_.name, card_.architecture()};
    }

    Outcome<std::unique_ptr<measure::Prepared>> prepare(const BlockProgram& program,
                                                        const measure::PrepareOptions& options) override {
        const std::optional<gpu::Target> wanted = gpu::target_named(options.target);
        if (!options.target.empty() && !wanted)
            return Failure{FailureClass::Refused, Text("There is no target '%1'.", options.target), {}};
        const Device device = description_for(builtin_devices(), {}, card_.name, card_.architecture());
        const State state(program, in_loops(options.loops));
        gpu::KernelChoice choice{.target = wanted,
                                 .threads = options.block_threads,
                                 .stages = options.stages,
                                 .device = &device,
                                 .tf32 = options.tf32};
        Result<gpu::CardKernels> generated = generate(state, options.elem, choice);
        if (!generated)
            return Failure{
                FailureClass::Compile, sentences(generated.problems()) + hint(program, options, choice), {}};
        gpu::CardKernels kernels = std::move(generated).value();
        if (!kernels.instead_of.empty()) kernels.instead_of += hint(program, options, choice);
        const Outcome<gpu::Compiled> compiled = compile(gpu::source(kernels.set));
        const std::optional<gpu::Target> other = wanted ? std::nullopt : gpu::instead_of(kernels.set.target);
        if (!compiled && other && *nvrtc_) {
            choice.target = other;
            Result<gpu::CardKernels> second = generate(state, options.elem, choice);
            if (!second) return compiled.failure();
            gpu::CardKernels kept = std::move(second).value();
            const Outcome<gpu::Compiled> again = compile(gpu::source(kept.set));
            if (!again) return compiled.failure();
            kept.instead_of =
                "not " + to_string(kernels.set.target) + ": " + compiled.failure().message.str();
            return load(std::move(kept), *again, {});
        }
        if (!compiled) return compiled.failure();
        return load(std::move(kernels), *compiled, other ? to_string(*other) : std::string());
    }

    // What is left of the program in the L2 cache goes.
    std::optional<Failure> flush_caches() override {
        if (!start()) return session_->failure();
        if (!flush_) {
            const std::int64_t bytes = std::max(kLeastFlush, 4 * card_.l2_bytes);
            auto memory = gpu::CardMemory::allocate(**session_, bytes);
            if (!memory)
                return Failure{
                    memory.failure().cls,
                    Text("There is no room on the card for the %1 MiB that are written to empty its caches, "
                         "so no run can be a cold one; warm times alone can be had (--no-cold).",
                         bytes >> 20),
                    memory.failure().message.str()};
            flush_ = std::make_unique<gpu::CardMemory>(std::move(memory).value());
        }
        const auto value = static_cast<unsigned char>(++flushes_);  // another one each time
        if (auto failure = flush_->fill(value)) return failure;
        return (**session_)->wait(Text("its caches were emptied"));
    }

    Outcome<json::Value> calibrate(const measure::WorkProgress& progress) override {
        if (!start()) return session_->failure();
        const gpu::Target target = gpu::target_for({card_.major, card_.minor}, ElemType::F16);
        const Outcome<gpu::Compiled> compiled = compile(gpu::microbenchmark_source(target));
        if (!compiled) return compiled.failure();
        Outcome<gpu::Microbenchmarks> kernels = gpu::Microbenchmarks::load(**session_, *compiled, target);
        if (!kernels) return kernels.failure();
        const Device base = description_for(builtin_devices(), {}, card_.name, card_.architecture());
        const Outcome<Device> measured = measured_card(*kernels, card_, base, progress);
        if (!measured) return measured.failure();
        const Outcome<Device> fitted = fitted_to_card(*measured, *this, progress);
        if (!fitted) return fitted.failure();
        return json::parse(write_json(*fitted), fitted->name).value();
    }

private:
    Result<gpu::CardKernels> generate(const State& state, ElemType elem,
                                      const gpu::KernelChoice& choice) const {
        return gpu::kernels_for(state, {card_.major, card_.minor}, elem, choice);
    }

    // The blocks that would fit the target, where those of the program do not; empty if there are none.
    std::string hint(const BlockProgram& program, const measure::PrepareOptions& options,
                     const gpu::KernelChoice& choice) const {
        const auto fits = [&](const BlockProgram& smaller) {
            const Result<gpu::CardKernels> kernels =
                generate(State(smaller, in_loops(options.loops)), options.elem, choice);
            return kernels && kernels->instead_of.empty();
        };
        const std::optional<DimTable> dims = gpu::fitting_blocks(program, fits);
        return dims ? " These fit: " + gpu::set_words(program.dims, *dims) : std::string();
    }

    Outcome<gpu::Compiled> compile(const std::string& source) {
        if (!nvrtc_) nvrtc_ = std::make_unique<gpu::Nvrtc>(gpu::Nvrtc::open(driver_->version()));
        if (!*nvrtc_)
            return Failure{FailureClass::Compile, Text("NVIDIA's run-time compiler is not there."),
                           nvrtc_->report()};
        Result<gpu::Compiled> compiled =
            gpu::CubinCache(gpu::cubin_folder()).compile(*nvrtc_, source, card_.architecture());
        if (compiled) return std::move(compiled).value();
        return Failure{FailureClass::Compile,
                       Text("The kernels do not compile for %1.", card_.architecture()),
                       sentences(compiled.problems())};
    }

    Outcome<gpu::CardClock*> clock() {
        if (!start()) return session_->failure();
        if (!clock_) {
            const Outcome<gpu::Compiled> compiled = compile(gpu::clock_source());
            if (!compiled) return compiled.failure();
            Outcome<gpu::CardClock> loaded = gpu::CardClock::load(**session_, *compiled);
            if (!loaded) return loaded.failure();
            clock_ = std::make_unique<gpu::CardClock>(std::move(loaded).value());
        }
        return clock_.get();
    }

    // The card's context, made for the first program.
    bool start() {
        if (!session_) session_ = gpu::CardSession::start(*driver_, card_);
        return static_cast<bool>(*session_);
    }

    Outcome<std::unique_ptr<measure::Prepared>> load(gpu::CardKernels kernels, const gpu::Compiled& compiled,
                                                     std::string instead) {
        if (!start()) return session_->failure();
        std::string how = "target " + to_string(kernels.set.target) + " for " + card_.architecture();
        if (!kernels.instead_of.empty()) how += " (" + kernels.instead_of + ")";
        const std::vector<std::string> notes = kernels.set.notes;
        Outcome<gpu::CardProgram> program =
            gpu::CardProgram::load(**session_, std::move(kernels.set), compiled);
        if (!program) return program.failure();
        std::string log = compile_report(compiled, *program, how);
        for (const std::string& note : notes) log += note + "\n";
        return std::unique_ptr<measure::Prepared>(std::make_unique<GpuPrepared>(
            std::move(program).value(), std::move(log), std::move(instead), [this] { return clock(); }));
    }

    std::shared_ptr<const gpu::Driver> driver_;
    gpu::Card card_;
    std::unique_ptr<gpu::Nvrtc> nvrtc_;
    std::optional<Outcome<std::shared_ptr<gpu::CardSession>>> session_;
    std::unique_ptr<gpu::CardClock> clock_;
    std::unique_ptr<gpu::CardMemory> flush_;
    unsigned flushes_ = 0;
};

}  // namespace

std::vector<std::unique_ptr<measure::Backend>> gpu_backends() {
    const auto driver = std::make_shared<const gpu::Driver>(gpu::Driver::open());
    std::vector<std::unique_ptr<measure::Backend>> backends;
    for (const gpu::Card& card : driver->cards())
        backends.push_back(std::make_unique<GpuBackend>(driver, card));
    return backends;
}

}  // namespace blockscope::worker
