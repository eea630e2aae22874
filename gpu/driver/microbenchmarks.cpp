#include "gpu/driver/microbenchmarks.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "gpu/codegen/kernel_set.h"

namespace blockscope::gpu {

using measure::Failure;
using measure::Outcome;

namespace {

constexpr int kThreads = 32;
constexpr int kEmptyRuns = 25;

// The counter of nanoseconds moves in steps, of a microsecond on some cards: both ends are at such a step.
constexpr const char* kClockKernels = R"(
#ifndef BLOCKSCOPE_EMULATED
DEVICE unsigned long long cycle_count() { return (unsigned long long)clock64(); }
DEVICE unsigned long long nanosecond_count() {
    unsigned long long count;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(count));
    return count;
}
#endif

KERNEL clock_nothing() {}

KERNEL clock_count(unsigned long long* to) {
    if (thread_index() == 0) {
        const unsigned long long before = nanosecond_count();
        unsigned long long begin = before, end;
        while (begin == before) begin = nanosecond_count();
        const unsigned long long cycles = cycle_count();
        do end = nanosecond_count();
        while (end - begin < 20000);
        global_write(to, cycle_count() - cycles);
        global_write(to + 1, end - begin);
    }
}
)";

std::optional<Failure> start(const CardModule& module, CardSession& session, const char* kernel,
                             void** parameters) {
    const Outcome<DriverApi::Handle> function = module.function(kernel);
    if (!function) return function.failure();
    const int code = session.api().launch(*function, 1, 1, 1, static_cast<unsigned>(kThreads), 1, 1, 0,
                                          session.stream(), parameters, nullptr);
    return session.check(code, Text("its clock was read"));
}

}  // namespace

std::string clock_source() {
    KernelSet settings;
    settings.threads = kThreads;
    settings.panel_bytes = 1024;
    return prelude(settings) + kClockKernels;
}

Outcome<CardClock> CardClock::load(const std::shared_ptr<CardSession>& session, const Compiled& compiled) {
    Outcome<CardModule> module = CardModule::load(session, compiled.cubin);
    if (!module) return module.failure();
    Outcome<CardMemory> counts = CardMemory::allocate(session, 2 * sizeof(std::uint64_t));
    if (!counts) return counts.failure();
    return CardClock(session, std::move(module).value(), std::move(counts).value());
}

Outcome<measure::Clock> CardClock::read() {
    DevicePointer to = counts_.address();
    std::array<void*, 1> parameters{&to};
    if (auto failure = start(module_, *session_, "clock_count", parameters.data())) return *failure;
    if (auto failure = session_->wait(Text("its clock was read"))) return *failure;
    std::array<unsigned char, 2 * sizeof(std::uint64_t)> bytes{};
    if (auto failure = counts_.read(bytes)) return *failure;
    std::array<std::uint64_t, 2> counts{};
    std::memcpy(counts.data(), bytes.data(), bytes.size());
    const double hertz =
        counts[1] == 0 ? 0 : static_cast<double>(counts[0]) / static_cast<double>(counts[1]) * 1e9;
    best_ = std::max(best_, hertz);
    return measure::Clock{hertz, best_};
}

Outcome<double> CardClock::empty_seconds() {
    std::array<double, kEmptyRuns> found{};
    if (empty_ > 0) return empty_;
    for (double& seconds : found) {
        const Outcome<double> one =
            session_->time([&] { return start(module_, *session_, "clock_nothing", nullptr); });
        if (!one) return one.failure();
        seconds = *one;
    }
    std::nth_element(found.begin(), found.begin() + kEmptyRuns / 2, found.end());
    return empty_ = found[kEmptyRuns / 2];
}

using measure::Failure;
using measure::Outcome;

namespace {

constexpr int kMicroThreads = 256;
constexpr int kBlocksPerProcessor = 8;  // of 256 threads: a full multiprocessor
constexpr int kChains = 8;              // of dependent instructions, side by side in each thread
constexpr double kLeastSeconds = 2e-3;  // of a run that is timed
constexpr int kMostRounds = 1 << 20;
constexpr int kMostLaunches = 4096;
constexpr int kRepetitions = 5;

// Results are used in a way that no compiler can leave out, and that never happens.
constexpr const char* kMicrobenchmarks = R"(
struct alignas(16) Four {
    float x[4];
};

KERNEL micro_empty() {}

// Each round starts elsewhere, so that what a multiprocessor's own cache holds is not what it wants next.
KERNEL micro_read(const Four* from, float* to, int count, int rounds, int blocks) {
    float sum = 0;
    for (int round = 0; round < rounds; ++round) {
        const int start_micro_kernel = ((int)tile_index() + round) % blocks;
        for (int i = start_micro_kernel * THREADS + thread_index(); i < count; i += blocks * THREADS) {
            const Four four = global_read(from + i);
            sum += four.x[0] + four.x[1] + four.x[2] + four.x[3];
        }
    }
    if (sum == 12345.0f) global_write(to, sum);
}

KERNEL micro_multiply_add(float* to, int rounds) {
    float x[8];
    UNROLL for (int i = 0; i < 8; ++i) x[i] = (float)(thread_index() + i);
    for (int round = 0; round < rounds; ++round) UNROLL for (int i = 0; i < 8; ++i) x[i] = x[i] * 0.999f + 0.001f;
    float sum = 0;
    UNROLL for (int i = 0; i < 8; ++i) sum += x[i];
    if (sum == 12345.0f) global_write(to, sum);
}

KERNEL micro_exp(float* to, int rounds) {
    float x[8];
    UNROLL for (int i = 0; i < 8; ++i) x[i] = (float)(thread_index() + i) * 0.001f;
    for (int round = 0; round < rounds; ++round) UNROLL for (int i = 0; i < 8; ++i) x[i] = exp2_fast(-x[i]);
    float sum = 0;
    UNROLL for (int i = 0; i < 8; ++i) sum += x[i];
    if (sum == 12345.0f) global_write(to, sum);
}
)";

constexpr const char* kTensorKernel = R"(
KERNEL micro_tensor(float* to, int rounds) {
    float d[8][4];
    UNROLL for (int i = 0; i < 8; ++i) UNROLL for (int j = 0; j < 4; ++j) d[i][j] = 0;
    const unsigned int one = 0x14001400u + (unsigned int)thread_index();
    const unsigned int left[4] = {one, one + 1, one + 2, one + 3};
    for (int round = 0; round < rounds; ++round)
        UNROLL for (int i = 0; i < 8; ++i) mma(f16{}, d[i][0], d[i][1], d[i][2], d[i][3], left, one, one);
    float sum = 0;
    UNROLL for (int i = 0; i < 8; ++i) UNROLL for (int j = 0; j < 4; ++j) sum += d[i][j];
    if (sum == 12345.0f) global_write(to, sum);
}
)";

constexpr double kTensorFlops = 2.0 * 16 * 8 * 16;  // of one mma.sync

// Two groups of four warps, which wait for their own products only: while one does the other's are under way.
// Numbers of both signs between 1/8 and 1/4, as tensor cores that multiply zeros take less power and keep a
// higher clock.
constexpr const char* kGroupKernel = R"(
KERNEL micro_groups(float* to, int rounds) {
    const SharedTile<f16, 128, 64, false> left{0, 128, 64};
    const SharedTile<f16, 256, 64, false> right{128 * 128, 256, 64};
    for (int i = thread_index(); i < 384 * 128 / 4; i += THREADS)
        shared_write_word(4 * i, ((unsigned int)i * 2654435761u & 0x83ff83ffu) | 0x30003000u);
    show_writes();
    sync();
    Block<128, 256> sum = filled_block<128, 256>(0.0f, 128, 256);
    for (int round = 0; round < rounds; ++round) add_group_dot(sum, left, right);
    float all = 0;
    UNROLL for (int i = 0; i < sum.kI; ++i) UNROLL for (int j = 0; j < sum.kJ; ++j) all += sum.v[i][j];
    if (all == 12345.0f) global_write(to, all);
}
)";
constexpr double kGroupFlops = 2.0 * 128 * 256 * 64;  // of a round of a thread block
constexpr int kGroupBytes = (128 + 256) * 128;        // of shared memory

}  // namespace

std::string microbenchmark_source(Target target) {
    KernelSet settings;
    settings.threads = kMicroThreads;
    settings.tensor_cores = has_tensor_cores(target);
    settings.warp_specialised = has_warpgroups(target);
    if (settings.warp_specialised) settings.wgmma = wgmma_shapes(ElemType::F16, 256);
    settings.fast_math = true;
    settings.panel_bytes = 48 * 1024;
    return prelude(settings) + kMicrobenchmarks +
           (has_warpgroups(target)     ? kGroupKernel
            : has_tensor_cores(target) ? kTensorKernel
                                       : "");
}

Outcome<Microbenchmarks> Microbenchmarks::load(const std::shared_ptr<CardSession>& session,
                                               const Compiled& compiled, Target target) {
    Outcome<CardModule> module = CardModule::load(session, compiled.cubin);
    if (!module) return module.failure();
    Outcome<CardMemory> result = CardMemory::allocate(session, 16);
    if (!result) return result.failure();
    return Microbenchmarks(session, std::move(module).value(), std::move(result).value(), target);
}

int Microbenchmarks::blocks() const {
    return kBlocksPerProcessor * std::max(1, session_->card().processors);
}

namespace {

// The least seconds of a round; rounds become more until a run takes long enough to be timed.
Outcome<double> seconds_of_round(CardSession& session, int most,
                                 const std::function<std::optional<Failure>(int rounds)>& launch) {
    const auto run = [&](int rounds) { return session.time([&] { return launch(rounds); }); };
    if (const auto first = run(1); !first) return first.failure();
    int rounds = 1;
    double least = 0;
    for (;;) {
        const Outcome<double> seconds = run(rounds);
        if (!seconds) return seconds.failure();
        least = *seconds;
        if (least >= kLeastSeconds || rounds >= most) break;
        const double more = least > 0 ? kLeastSeconds / least : 64;
        rounds = static_cast<int>(std::min<double>(most, rounds * std::clamp(1.5 * more, 2.0, 64.0)));
    }
    for (int i = 1; i < kRepetitions; ++i) {
        const Outcome<double> seconds = run(rounds);
        if (!seconds) return seconds.failure();
        least = std::min(least, *seconds);
    }
    return least / rounds;
}

std::optional<Failure> start_micro_kernel(CardSession& session, DriverApi::Handle function, int blocks,
                                          std::vector<void*> parameters, int shared_bytes = 0) {
    const int code = session.api().launch(
        function, static_cast<unsigned>(blocks), 1, 1, static_cast<unsigned>(kMicroThreads), 1, 1,
        static_cast<unsigned>(shared_bytes), session.stream(), parameters.data(), nullptr);
    return session.check(code, Text("a kernel of the calibration was started"));
}

}  // namespace

Outcome<double> Microbenchmarks::launch_seconds() {
    const Outcome<DriverApi::Handle> function = module_.function("micro_empty");
    if (!function) return function.failure();
    return seconds_of_round(*session_, kMostLaunches, [&](int rounds) -> std::optional<Failure> {
        for (int i = 0; i < rounds; ++i)
            if (auto failure = start_micro_kernel(*session_, *function, 1, {})) return failure;
        return std::nullopt;
    });
}

Outcome<double> Microbenchmarks::read_rate(std::int64_t bytes) {
    const Outcome<DriverApi::Handle> function = module_.function("micro_read");
    if (!function) return function.failure();
    Outcome<CardMemory> memory = CardMemory::allocate(session_, bytes);
    if (!memory) return memory.failure();
    if (auto failure = memory->fill(0)) return *failure;
    DevicePointer from = memory->address(), to = result_.address();
    int count = static_cast<int>(bytes / 16), grid = blocks();
    const Outcome<double> seconds = seconds_of_round(*session_, kMostRounds, [&](int rounds) {
        return start_micro_kernel(*session_, *function, grid, {&from, &to, &count, &rounds, &grid});
    });
    if (!seconds) return seconds.failure();
    return static_cast<double>(count) * 16 / *seconds;
}

Outcome<double> Microbenchmarks::rate(const char* kernel, double work_of_round, int shared_bytes) {
    const Outcome<DriverApi::Handle> function = module_.function(kernel);
    if (!function) return function.failure();
    DevicePointer to = result_.address();
    const Outcome<double> seconds = seconds_of_round(*session_, kMostRounds, [&](int rounds) {
        return start_micro_kernel(*session_, *function, blocks(), {&to, &rounds}, shared_bytes);
    });
    if (!seconds) return seconds.failure();
    return work_of_round * blocks() / *seconds;
}

Outcome<double> Microbenchmarks::multiply_add_rate() {
    return rate("micro_multiply_add", 2.0 * kChains * kMicroThreads);
}

Outcome<double> Microbenchmarks::exp_rate() {
    return rate("micro_exp", 1.0 * kChains * kMicroThreads);
}

Outcome<double> Microbenchmarks::tensor_rate() {
    if (has_warpgroups(target_)) return rate("micro_groups", kGroupFlops, kGroupBytes);
    return rate("micro_tensor", kTensorFlops * kChains * kMicroThreads / 32);
}

std::string Microbenchmarks::tensor_instruction() const {
    return has_warpgroups(target_) ? "wgmma m64n256k16" : "mma.sync m16n8k16";
}

}  // namespace blockscope::gpu
