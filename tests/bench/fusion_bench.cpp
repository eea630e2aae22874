// Fused programs against their unfused selves and against libraries, on the CPU engine: everything that is
// compared runs in turns, and nothing whose result is wrong.
#include <benchmark/benchmark.h>

#include <memory>
#include <optional>

#include "app/worker/predict.h"
#include "app/worker/session.h"
#include "core/json/device_files.h"
#include "core/safety/safety.h"
#include "tests/bench/checked.h"
#include "tests/bench/contest.h"
#include "tests/bench/library_attention.h"

namespace {

using namespace blockscope;
using namespace blockscope::bench;

// ---- fused and unfused ----------------------------------------------------------------------------

void fused_and_unfused(benchmark::State& state, const std::string& sample, const Sizes& sizes, int count) {
    guarded(state, [&] {
        const ArrayProgram array = sized_sample(sample, sizes);
        const Trace trace = traced(array);
        const Checked checked(array);
        CpuProgram unfused = checked.prepared(*trace.initial, count);
        Contest contest;
        contest.add("unfused", [&] { unfused.run(); });
        std::vector<CpuProgram> programs;
        for (const int step : trace.snapshots)
            programs.push_back(checked.prepared(*trace.state(step), count));
        for (std::size_t i = 0; i < programs.size(); ++i)
            contest.add("snapshot" + std::to_string(i), [&programs, i] { programs[i].run(); });
        contest.rounds(state);
        contest.report(state, "unfused");
    });
}

// The state at the block sizes of the search's favourites, and the fastest of them on two runs each. Block
// sizes decide whether a fused state repeats work: a whole output row in one block repeats none.
CpuProgram tuned(const Checked& checked, const BlockProgram& state, int count) {
    constexpr int kTried = 6;
    Device processor = *find_device(builtin_devices(), kUsualProcessor);
    processor.processors.value = count;
    const ChosenState chosen{State(std::make_shared<const BlockProgram>(state)), 0, ""};
    std::optional<CpuProgram> best;
    double least = 0;
    for (const worker::PredictedChoice& choice : worker::search_predicted({chosen}, processor, kTried).best) {
        BlockProgram blocked = state;
        blocked.dims = choice.dims;
        CpuProgram program = checked.prepared(blocked, count);
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
    guarded(state, [&] {
        const ArrayProgram array = sized_sample(sample, sizes);
        const Trace trace = traced(array);
        const Checked checked(array);
        CpuProgram unfused = tuned(checked, *trace.initial, count);
        Contest contest;
        contest.add("unfused", [&] { unfused.run(); });
        std::vector<CpuProgram> programs;
        for (const int step : trace.snapshots) programs.push_back(tuned(checked, *trace.state(step), count));
        for (std::size_t i = 0; i < programs.size(); ++i)
            contest.add("snapshot" + std::to_string(i), [&programs, i] { programs[i].run(); });
        contest.rounds(state);
        contest.report(state, "unfused");
    });
}

// ---- attention and libraries ----------------------------------------------------------------------

void attention_and_libraries(benchmark::State& state, std::int64_t length, std::int64_t head,
                             std::int64_t block) {
    guarded(state, [&] {
        const Sizes sizes = attention_sizes(length, head, block);
        const ArrayProgram array = sized_sample("attention", sizes);
        const Trace trace = traced(array);
        const Checked checked(array);
        CpuProgram unfused = checked.prepared(*trace.initial, 1);
        CpuProgram fused = checked.prepared(*trace.last(), 1);
        CpuProgram safe = checked.prepared(make_safe(*trace.last()).program, 1);
        LibraryAttention library(checked.inputs());
        Contest contest;
        contest.add("fused", [&] { fused.run(); });
        contest.add("fused_safe", [&] { safe.run(); });
        contest.add("unfused", [&] { unfused.run(); });
        const auto add = [&](const std::string& name, const std::function<void()>& run) {
            library.forget_output();
            contest.add(name, run);
            checked.check(name, library.output());
        };
        if (library.has_blas()) add("blas", [&] { library.run_blas(); });
        if (library.has_onednn()) add("onednn", [&] { library.run_onednn(); });
        contest.rounds(state);
        contest.report(state, "fused");
    });
}

Sizes feed_forward_sizes(std::int64_t rows, std::int64_t width, std::int64_t inner, std::int64_t block) {
    return {{{"M", {rows, block}}, {"D", {width, block}}, {"N", {width, block}}, {"K", {inner, block}}}};
}

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
