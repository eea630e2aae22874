// Speed of the CPU engine: its matmul against the machine's peak, what is not kernels, its threads. The
// machine may be busy with other things: whatever is compared runs in turns, and best times and medians of
// paired ratios are given. Counters: ms_* are best times, the other figures medians over the rounds unless
// they say best.
#include <benchmark/benchmark.h>

#include "core/engine/micro.h"
#include "core/engine/simd.h"
#include "core/engine/worker.h"
#include "tests/bench/checked.h"
#include "tests/bench/contest.h"

namespace {

using namespace blockscope;
using namespace blockscope::bench;

// ---- the matmul inside a program ------------------------------------------------------------------

double peak_now() {
    const engine::SimdTable& table = engine::simd();
    const std::int64_t repeats = 50000;
    const double start = now();
    benchmark::DoNotOptimize(table.fma(repeats));
    return 2.0 * static_cast<double>(repeats) * table.fma_width / (now() - start);
}

constexpr double kUndisturbed = 0.996;  // of the best peak

// What a clock around a kernel adds to the time that it tells: looking at the time once.
double seconds_of_a_clock() {
    const double start = now();
    const std::uint64_t start_ticks = engine::ticks();
    std::uint64_t least = ~std::uint64_t{0};
    for (int i = 0; i < 100000; ++i) {
        const std::uint64_t before = engine::ticks();
        least = std::min(least, engine::ticks() - before);
    }
    const double tick = (now() - start) / static_cast<double>(engine::ticks() - start_ticks);
    return tick * static_cast<double>(least);
}

struct Round {
    double peak_before;
    double peak_after;
    double rate;      // of the matmuls, FLOP/s
    double overhead;  // part of a run without clocks that no kernel takes, nor packing
    double packing;   // and that inputs take on their way into their readers' layout
};

// Kernels by the clocks around them; what is left of a run without any clock is overhead. (run_profiled()
// tells an overhead, too, in which clocks have a part.) Two runs disturbed by others may differ by more than
// that: only medians of these say something.
Round profiled_round(CpuProgram& program) {
    static const double clock = seconds_of_a_clock();
    const double before = peak_now();
    const RunProfile profile = program.run_profiled();
    const double start = now();
    program.run();
    const double wall = now() - start;
    const auto calls = static_cast<double>(profile.matmul_calls + profile.routine_calls);
    const double kernels = profile.matmul_seconds + profile.routine_seconds - calls * clock;
    return {before, peak_now(), static_cast<double>(profile.matmul_flops) / profile.matmul_seconds,
            (wall - kernels - profile.packing_seconds) / wall, profile.packing_seconds / wall};
}

// A core whose sibling works for somebody else does multiply-adds alone at almost full speed, but not what
// reads caches as well: a round counts as undisturbed if the peak right before and right after it is within
// 0.4% of the best. `share_of_peak` is the median of these, `share_of_peak_all` of all rounds.
void matmul_share_of_peak(benchmark::State& state, const std::string& sample, const Sizes& sizes) {
    guarded(state, [&] {
        const ArrayProgram array = sized_sample(sample, sizes);
        CpuProgram program = Checked(array).prepared(*traced(array).last(), 1);
        static double best_peak = 0;  // of all rounds of all programs so far
        std::vector<Round> rounds;
        for (auto _ : state) {
            rounds.push_back(profiled_round(program));
            best_peak = std::max({best_peak, rounds.back().peak_before, rounds.back().peak_after});
        }
        std::vector<double> undisturbed;
        std::vector<double> all;
        std::vector<double> overheads;
        std::vector<double> packings;
        std::vector<double> both;
        double best_rate = 0;
        for (const Round& round : rounds) {
            all.push_back(round.rate / best_peak);
            overheads.push_back(round.overhead);
            packings.push_back(round.packing);
            both.push_back(round.overhead + round.packing);
            best_rate = std::max(best_rate, round.rate);
            if (std::min(round.peak_before, round.peak_after) > kUndisturbed * best_peak)
                undisturbed.push_back(all.back());
        }
        state.counters["share_of_peak"] = median(undisturbed);
        state.counters["undisturbed"] = static_cast<double>(undisturbed.size());
        state.counters["share_of_peak_all"] = median(all);
        state.counters["best_share"] = best_rate / best_peak;
        state.counters["best_gflops"] = best_rate / 1e9;
        state.counters["peak_gflops"] = best_peak / 1e9;
        state.counters["overhead"] = median(overheads);
        state.counters["packing"] = median(packings);
        state.counters["not_kernels"] = median(both);  // the two together
    });
}

// ---- threads --------------------------------------------------------------------------------------

// The scale is how multiply-adds alone do on two threads. Short runs show what starting and ending a parallel
// loop costs, long ones how the work itself scales. Each timed run follows one of its own: else the data of a
// short run would lie in the other core's cache, where the other contestant has left it.
void threads(benchmark::State& state, const std::string& sample, const Sizes& sizes) {
    guarded(state, [&] {
        const ArrayProgram array = sized_sample(sample, sizes);
        const Trace trace = traced(array);
        const Checked checked(array);
        CpuProgram one = checked.prepared(*trace.last(), 1);
        CpuProgram two = checked.prepared(*trace.last(), 2);
        Contest contest;
        contest.add("one", [&] { one.run(); });
        contest.add("two", [&] { two.run(); });
        contest.rounds(state, Contest::Before::ItsOwn);
        state.counters["ms_one"] = 1e3 * contest.best_of("one");
        state.counters["ms_two"] = 1e3 * contest.best_of("two");
        state.counters["speedup"] = contest.ratio("one", "two");
        state.counters["best_speedup"] = contest.best_of("one") / contest.best_of("two");
        MicroOptions two_threads;
        two_threads.threads = 2;
        state.counters["fma_speedup"] = measure_fma(two_threads).best / measure_fma().best;
    });
}

void machine(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(measure_call(0.05).best);
    state.counters["fma_gflops"] = measure_fma().best / 1e9;
    MicroOptions two;
    two.threads = 2;
    state.counters["fma_gflops_2"] = measure_fma(two).best / 1e9;
    state.counters["matmul64_gflops"] = measure_matmul(64, 64, 64).best / 1e9;
    state.counters["matmul128_gflops"] = measure_matmul(128, 128, 128).best / 1e9;
    state.counters["exp_per_ns"] = measure_exp().best / 1e9;
    state.counters["read_l1_gb"] = measure_read(32 << 10).best / 1e9;
    state.counters["read_l2_gb"] = measure_read(1 << 20).best / 1e9;
    state.counters["read_memory_gb"] = measure_read(512 << 20).best / 1e9;
    state.counters["region_us"] = measure_region(2).best * 1e6;
    state.counters["call_ns"] = measure_call().best * 1e9;
}

Sizes square(std::int64_t size, std::int64_t block) {
    return {{{"M", {size, block}}, {"K", {size, block}}, {"N", {size, block}}}};
}

BENCHMARK(machine)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(matmul_share_of_peak, gemm_relu_64, "gemm-relu", square(384, 64))->Iterations(2000);
BENCHMARK_CAPTURE(matmul_share_of_peak, gemm_relu_128, "gemm-relu", square(512, 128))->Iterations(2000);
BENCHMARK_CAPTURE(matmul_share_of_peak, attention_64, "attention", attention_sizes(512, 64, 64))
    ->Iterations(2000);
BENCHMARK_CAPTURE(matmul_share_of_peak, attention_128, "attention", attention_sizes(512, 128, 128))
    ->Iterations(2000);
BENCHMARK_CAPTURE(threads, gemm_relu_512, "gemm-relu", square(512, 128))->Iterations(300);
BENCHMARK_CAPTURE(threads, gemm_relu_1536, "gemm-relu", square(1536, 128))->Iterations(25);
BENCHMARK_CAPTURE(threads, attention_512, "attention", attention_sizes(512, 64, 64))->Iterations(600);
BENCHMARK_CAPTURE(threads, attention_2048, "attention", attention_sizes(2048, 64, 64))->Iterations(60);

}  // namespace

BENCHMARK_MAIN();
