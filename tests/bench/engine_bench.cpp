// Speed of the CPU engine: its matmul against the machine's peak, its overhead, its threads, fused programs
// against their unfused selves and against libraries. The machine may be busy with other things: whatever is
// compared runs in turns, and best times and medians of paired ratios are given. Counters: ms_* are best
// times, the other figures medians over the rounds unless they say best.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <optional>

#include "core/engine/block_search.h"
#include "core/engine/cpu_program.h"
#include "core/engine/kernels.h"
#include "core/engine/micro.h"
#include "core/fusion/trace.h"
#include "core/measure/statistics.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "tests/bench/library_attention.h"
#include "tests/support/samples.h"

namespace {

using namespace blockscope;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
    return values.empty() ? 0 : measure::summarize(std::move(values)).median;
}

double best(const std::vector<double>& values) {
    return *std::min_element(values.begin(), values.end());
}

struct Sizes {
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> dims;  // name: size, block
};

Trace traced(const std::string& sample, const Sizes& sizes) {
    ArrayProgram program = test::read_sample(sample);
    for (Dim& dim : program.dims) {
        const auto found = sizes.dims.find(dim.name);
        if (found == sizes.dims.end()) continue;
        dim.size = found->second.first;
        dim.block = found->second.second;
    }
    return fuse(std::make_shared<const BlockProgram>(to_block_program(program).program));
}

CpuProgram prepared(const BlockProgram& state, int threads) {
    EngineOptions options;
    options.threads = threads;
    Result<CpuProgram> result = CpuProgram::prepare(lower(state), options);
    if (!result) throw std::runtime_error(to_string(result.problems()[0]));
    CpuProgram program = std::move(result).value();
    std::uint32_t seed = 1;
    for (std::size_t i = 0; i < program.inputs().size(); ++i) {
        std::vector<float> values(static_cast<std::size_t>(program.inputs()[i].elements));
        for (float& value : values) {
            seed = seed * 1664525U + 1013904223U;
            value = static_cast<float>(seed >> 8) / 16777216.0F - 0.5F;
        }
        program.set_input(static_cast<int>(i), values);
    }
    program.run();
    return program;
}

// Things that run in turns.
class Contest {
public:
    void add(const std::string& name, std::function<void()> run) {
        run();
        runs_.push_back({name, std::move(run), {}});
    }

    void rounds(benchmark::State& state) {
        for (auto _ : state)
            for (Runner& runner : runs_) {
                const double start = now();
                runner.run();
                runner.times.push_back(now() - start);
            }
    }

    double best_of(const std::string& name) const { return best(find(name).times); }
    // How many times as long `slow` takes as `fast`, median over the rounds.
    double ratio(const std::string& slow, const std::string& fast) const {
        return measure::paired_ratio(find(slow).times, find(fast).times).median;
    }

    void report(benchmark::State& state, const std::string& baseline) const {
        for (const Runner& runner : runs_) {
            state.counters["ms_" + runner.name] = 1e3 * best(runner.times);
            if (runner.name != baseline)
                state.counters[runner.name + "_takes"] = ratio(runner.name, baseline);
        }
    }

private:
    struct Runner {
        std::string name;
        std::function<void()> run;
        std::vector<double> times;
    };

    const Runner& find(const std::string& name) const {
        return *std::find_if(runs_.begin(), runs_.end(), [&](const Runner& r) { return r.name == name; });
    }

    std::vector<Runner> runs_;
};

// ---- the matmul inside a program ------------------------------------------------------------------

double peak_now() {
    const engine::KernelTable& kernels = engine::kernels();
    const std::int64_t repeats = 50000;
    const double start = now();
    benchmark::DoNotOptimize(kernels.fma(repeats));
    return 2.0 * static_cast<double>(repeats) * kernels.fma_width / (now() - start);
}

struct Round {
    double peak_before;
    double peak_after;
    double rate;      // of the matmuls, FLOP/s
    double overhead;  // part of the time that no kernel takes
};

Round profiled_round(CpuProgram& program) {
    const double before = peak_now();
    const RunProfile profile = program.run_profiled();
    return {before, peak_now(), static_cast<double>(profile.matmul_flops) / profile.matmul_seconds,
            profile.overhead_seconds / profile.wall_seconds};
}

// A core whose sibling works for somebody else does multiply-adds alone at almost full speed, but not what
// reads caches as well: a round counts as undisturbed if the peak right before and right after it is within
// 1% of the best. `share_of_peak` is the median of these, `share_of_peak_all` of all rounds.
void matmul_share_of_peak(benchmark::State& state, const std::string& sample, const Sizes& sizes) {
    const Trace trace = traced(sample, sizes);
    CpuProgram program = prepared(*trace.last(), 1);
    static double best_peak = 0;  // of all rounds of all programs so far
    std::vector<Round> rounds;
    for (auto _ : state) {
        rounds.push_back(profiled_round(program));
        best_peak = std::max({best_peak, rounds.back().peak_before, rounds.back().peak_after});
    }
    std::vector<double> undisturbed;
    std::vector<double> all;
    std::vector<double> overheads;
    double best_rate = 0;
    for (const Round& round : rounds) {
        all.push_back(round.rate / best_peak);
        overheads.push_back(round.overhead);
        best_rate = std::max(best_rate, round.rate);
        if (std::min(round.peak_before, round.peak_after) > 0.996 * best_peak)
            undisturbed.push_back(all.back());
    }
    state.counters["share_of_peak"] = median(undisturbed);
    state.counters["undisturbed"] = static_cast<double>(undisturbed.size());
    state.counters["share_of_peak_all"] = median(all);
    state.counters["best_share"] = best_rate / best_peak;
    state.counters["best_gflops"] = best_rate / 1e9;
    state.counters["peak_gflops"] = best_peak / 1e9;
    state.counters["overhead"] = median(overheads);
    state.counters["best_overhead"] = best(overheads);
}

// ---- threads --------------------------------------------------------------------------------------

// The scale is how multiply-adds alone do on two threads. Short runs show what starting and ending a parallel
// loop costs, long ones how the work itself scales.
void threads(benchmark::State& state, const std::string& sample, const Sizes& sizes) {
    const Trace trace = traced(sample, sizes);
    CpuProgram one = prepared(*trace.last(), 1);
    CpuProgram two = prepared(*trace.last(), 2);
    Contest contest;
    contest.add("one", [&] { one.run(); });
    contest.add("two", [&] { two.run(); });
    contest.rounds(state);
    state.counters["ms_one"] = 1e3 * contest.best_of("one");
    state.counters["ms_two"] = 1e3 * contest.best_of("two");
    state.counters["speedup"] = contest.ratio("one", "two");
    state.counters["best_speedup"] = contest.best_of("one") / contest.best_of("two");
    MicroOptions two_threads;
    two_threads.threads = 2;
    state.counters["fma_speedup"] = measure_fma(two_threads).best / measure_fma().best;
}

// ---- fused and unfused ----------------------------------------------------------------------------

void fused_and_unfused(benchmark::State& state, const std::string& sample, const Sizes& sizes, int count) {
    const Trace trace = traced(sample, sizes);
    CpuProgram unfused = prepared(*trace.initial, count);
    Contest contest;
    contest.add("unfused", [&] { unfused.run(); });
    std::vector<CpuProgram> programs;
    for (const int step : trace.snapshots) programs.push_back(prepared(*trace.state(step), count));
    for (std::size_t i = 0; i < programs.size(); ++i)
        contest.add("snapshot" + std::to_string(i), [&programs, i] { programs[i].run(); });
    contest.rounds(state);
    contest.report(state, "unfused");
}

// The state at the block sizes of the search's favourites, and the fastest of them on two runs each. Block
// sizes decide whether a fused state repeats work: a whole output row in one block repeats none.
CpuProgram tuned(const BlockProgram& state, int count) {
    constexpr int kTried = 6;
    CacheModel model;
    model.local_bytes = std::int64_t{3} << 19;  // three quarters of a level-2 cache of 2 MiB
    model.threads = count;
    std::optional<CpuProgram> best;
    double least = 0;
    for (const BlockChoice& choice : suggest_blocks(lower(state), model, kTried)) {
        BlockProgram blocked = state;
        for (std::size_t i = 0; i < choice.blocks.size(); ++i) blocked.dims[i].block = choice.blocks[i];
        CpuProgram program = prepared(blocked, count);
        double seconds = 0;
        for (int run = 0; run < 2; ++run) {
            const double start = now();
            program.run();
            seconds = run == 0 ? now() - start : std::min(seconds, now() - start);
        }
        if (best && seconds >= least) continue;
        least = seconds;
        best = std::move(program);
    }
    if (!best) throw std::runtime_error("no block sizes fit");
    return std::move(*best);
}

// Every state at block sizes of its own.
void tuned_fused_and_unfused(benchmark::State& state, const std::string& sample, const Sizes& sizes,
                             int count) {
    const Trace trace = traced(sample, sizes);
    CpuProgram unfused = tuned(*trace.initial, count);
    Contest contest;
    contest.add("unfused", [&] { unfused.run(); });
    std::vector<CpuProgram> programs;
    for (const int step : trace.snapshots) programs.push_back(tuned(*trace.state(step), count));
    for (std::size_t i = 0; i < programs.size(); ++i)
        contest.add("snapshot" + std::to_string(i), [&programs, i] { programs[i].run(); });
    contest.rounds(state);
    contest.report(state, "unfused");
}

// ---- attention and libraries ----------------------------------------------------------------------

void attention_and_libraries(benchmark::State& state, std::int64_t length, std::int64_t head,
                             std::int64_t block) {
    const Sizes sizes{
        {{"M", {length, block}}, {"N", {length, block}}, {"D", {head, head}}, {"L", {head, head}}}};
    const Trace trace = traced("attention", sizes);
    CpuProgram unfused = prepared(*trace.initial, 1);
    CpuProgram fused = prepared(*trace.last(), 1);
    CpuProgram safe = prepared(make_safe(*trace.last()).program, 1);
    bench::LibraryAttention library(static_cast<int>(length), static_cast<int>(head));
    Contest contest;
    contest.add("fused", [&] { fused.run(); });
    contest.add("fused_safe", [&] { safe.run(); });
    contest.add("unfused", [&] { unfused.run(); });
    if (library.has_blas()) contest.add("blas", [&] { library.run_blas(); });
    if (library.has_onednn()) contest.add("onednn", [&] { library.run_onednn(); });
    contest.rounds(state);
    contest.report(state, "fused");
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

Sizes attention_sizes(std::int64_t length, std::int64_t head, std::int64_t block) {
    return {{{"M", {length, block}},
             {"N", {length, block}},
             {"D", {head, std::min(head, block)}},
             {"L", {head, std::min(head, block)}}}};
}

Sizes feed_forward_sizes(std::int64_t rows, std::int64_t width, std::int64_t inner, std::int64_t block) {
    return {{{"M", {rows, block}}, {"D", {width, block}}, {"N", {width, block}}, {"K", {inner, block}}}};
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
BENCHMARK_CAPTURE(fused_and_unfused, attention_1024, "attention", attention_sizes(1024, 64, 64), 1)
    ->Iterations(40);
BENCHMARK_CAPTURE(fused_and_unfused, attention_4096, "attention", attention_sizes(4096, 64, 64), 1)
    ->Iterations(9);
BENCHMARK_CAPTURE(fused_and_unfused, rmsnorm_swiglu_512, "rmsnorm-swiglu",
                  feed_forward_sizes(512, 512, 1024, 64), 1)
    ->Iterations(15);
BENCHMARK_CAPTURE(fused_and_unfused, rmsnorm_swiglu_wide, "rmsnorm-swiglu",
                  feed_forward_sizes(1024, 128, 4096, 64), 1)
    ->Iterations(15);
BENCHMARK_CAPTURE(tuned_fused_and_unfused, attention_2048, "attention", attention_sizes(2048, 64, 64), 1)
    ->Iterations(15);
BENCHMARK_CAPTURE(tuned_fused_and_unfused, rmsnorm_swiglu_512, "rmsnorm-swiglu",
                  feed_forward_sizes(512, 512, 1024, 64), 1)
    ->Iterations(15);
BENCHMARK_CAPTURE(tuned_fused_and_unfused, rmsnorm_swiglu_wide, "rmsnorm-swiglu",
                  feed_forward_sizes(1024, 128, 4096, 64), 1)
    ->Iterations(15);
BENCHMARK_CAPTURE(attention_and_libraries, 1024_64, 1024, 64, 64)->Iterations(40);
BENCHMARK_CAPTURE(attention_and_libraries, 2048_128, 2048, 128, 128)->Iterations(15);
BENCHMARK_CAPTURE(attention_and_libraries, 4096_64, 4096, 64, 64)->Iterations(9);

}  // namespace

BENCHMARK_MAIN();
