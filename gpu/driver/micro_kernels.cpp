#include "gpu/driver/micro_kernels.h"

#include <algorithm>
#include <functional>

namespace blockscope::gpu {

using measure::Failure;
using measure::Outcome;

namespace {

constexpr int kThreads = 256;
constexpr int kBlocksPerProcessor = 8;  // of 256 threads: a full multiprocessor
constexpr int kChains = 8;              // of dependent instructions, side by side in each thread
constexpr double kLeastSeconds = 2e-3;  // of a run that is timed
constexpr int kMostRounds = 1 << 20;
constexpr int kMostLaunches = 4096;
constexpr int kRepetitions = 5;

// Results are used in a way that no compiler can leave out, and that never happens.
constexpr const char* kKernels = R"(
struct alignas(16) Four {
    float x[4];
};

KERNEL micro_empty() {}

// Each round starts elsewhere, so that what a multiprocessor's own cache holds is not what it wants next.
KERNEL micro_read(const Four* from, float* to, int count, int rounds, int blocks) {
    float sum = 0;
    for (int round = 0; round < rounds; ++round) {
        const int start = ((int)tile_index() + round) % blocks;
        for (int i = start * THREADS + thread_index(); i < count; i += blocks * THREADS) {
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

std::string micro_source(Target target) {
    KernelSet settings;
    settings.threads = kThreads;
    settings.tensor_cores = has_tensor_cores(target);
    settings.warp_specialised = has_warpgroups(target);
    if (settings.warp_specialised) settings.wgmma = wgmma_shapes(ElemType::F16, 256);
    settings.fast_math = true;
    settings.panel_bytes = 48 * 1024;
    return prelude(settings) + kKernels +
           (has_warpgroups(target)     ? kGroupKernel
            : has_tensor_cores(target) ? kTensorKernel
                                       : "");
}

Outcome<MicroKernels> MicroKernels::load(const std::shared_ptr<CardSession>& session,
                                         const Compiled& compiled, Target target) {
    Outcome<CardModule> module = CardModule::load(session, compiled.cubin);
    if (!module) return module.failure();
    Outcome<CardMemory> result = CardMemory::allocate(session, 16);
    if (!result) return result.failure();
    return MicroKernels(session, std::move(module).value(), std::move(result).value(), target);
}

int MicroKernels::blocks() const {
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

std::optional<Failure> start(CardSession& session, DriverApi::Handle function, int blocks,
                             std::vector<void*> parameters, int shared_bytes = 0) {
    const int code = session.api().launch(
        function, static_cast<unsigned>(blocks), 1, 1, static_cast<unsigned>(kThreads), 1, 1,
        static_cast<unsigned>(shared_bytes), session.stream(), parameters.data(), nullptr);
    return session.check(code, "a kernel of the calibration was started");
}

}  // namespace

Outcome<double> MicroKernels::launch_seconds() {
    const Outcome<DriverApi::Handle> function = module_.function("micro_empty");
    if (!function) return function.failure();
    return seconds_of_round(*session_, kMostLaunches, [&](int rounds) -> std::optional<Failure> {
        for (int i = 0; i < rounds; ++i)
            if (auto failure = start(*session_, *function, 1, {})) return failure;
        return std::nullopt;
    });
}

Outcome<double> MicroKernels::read_rate(std::int64_t bytes) {
    const Outcome<DriverApi::Handle> function = module_.function("micro_read");
    if (!function) return function.failure();
    Outcome<CardMemory> memory = CardMemory::allocate(session_, bytes);
    if (!memory) return memory.failure();
    if (auto failure = memory->fill(0)) return *failure;
    DevicePointer from = memory->address(), to = result_.address();
    int count = static_cast<int>(bytes / 16), grid = blocks();
    const Outcome<double> seconds = seconds_of_round(*session_, kMostRounds, [&](int rounds) {
        return start(*session_, *function, grid, {&from, &to, &count, &rounds, &grid});
    });
    if (!seconds) return seconds.failure();
    return static_cast<double>(count) * 16 / *seconds;
}

Outcome<double> MicroKernels::rate(const char* kernel, double work_of_round, int shared_bytes) {
    const Outcome<DriverApi::Handle> function = module_.function(kernel);
    if (!function) return function.failure();
    DevicePointer to = result_.address();
    const Outcome<double> seconds = seconds_of_round(*session_, kMostRounds, [&](int rounds) {
        return start(*session_, *function, blocks(), {&to, &rounds}, shared_bytes);
    });
    if (!seconds) return seconds.failure();
    return work_of_round * blocks() / *seconds;
}

Outcome<double> MicroKernels::multiply_add_rate() {
    return rate("micro_multiply_add", 2.0 * kChains * kThreads);
}

Outcome<double> MicroKernels::exp_rate() {
    return rate("micro_exp", 1.0 * kChains * kThreads);
}

Outcome<double> MicroKernels::tensor_rate() {
    if (has_warpgroups(target_)) return rate("micro_groups", kGroupFlops, kGroupBytes);
    return rate("micro_tensor", kTensorFlops * kChains * kThreads / 32);
}

std::string MicroKernels::tensor_instruction() const {
    return has_warpgroups(target_) ? "wgmma m64n256k16" : "mma.sync m16n8k16";
}

}  // namespace blockscope::gpu
