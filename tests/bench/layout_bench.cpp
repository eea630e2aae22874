#include "tests/bench/layout_bench.h"

#include <benchmark/benchmark.h>

#include <algorithm>

#include "app/layout/layout.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "tests/support/decoder_stack.h"
#include "tests/support/samples.h"

namespace blockscope {

namespace {

Picture fresh_picture(Layouter& layouter, const BlockProgram& program) {
    Figure figure = make_figure(program, {}, plain_measure);
    Geometry geometry = layouter.fresh(figure);
    return {std::move(figure), std::move(geometry)};
}

void count(benchmark::State& state, const BlockProgram& program, const Figure& figure) {
    state.counters["nodes"] = node_count(program);
    state.counters["boxes"] = static_cast<double>(figure.boxes.size());
}

void lay_out_fresh(benchmark::State& state, const ProgramPtr& program) {
    Layouter layouter;
    const Figure figure = make_figure(*program, {}, plain_measure);
    for (auto _ : state) benchmark::DoNotOptimize(layouter.fresh(figure));
    count(state, *program, figure);
}

// One merge of maps in the middle of the program.
void lay_out_next(benchmark::State& state, const ProgramPtr& program) {
    Layouter layouter;
    const Picture before = fresh_picture(layouter, *program);
    const std::vector<Match> matches = all_matches(*program);
    const Step step = checked_apply(program, matches[matches.size() / 2]);
    const Figure figure = make_figure(*step.after, {}, plain_measure);
    for (auto _ : state) benchmark::DoNotOptimize(layouter.follow(figure, before, step.made));
    count(state, *program, figure);
}

void follow_run(benchmark::State& state, const std::string& sample) {
    Layouter layouter;
    const Trace trace = fuse(test::block_sample(sample));
    std::vector<double> moved;
    for (auto _ : state) {
        moved.clear();
        Picture picture = fresh_picture(layouter, *trace.initial);
        for (const Step& step : trace.steps) {
            Figure figure = make_figure(*step.after, {}, plain_measure);
            Geometry geometry = layouter.follow(figure, picture, step.made);
            Picture next{std::move(figure), std::move(geometry)};
            moved.push_back(moved_share(picture, next));
            picture = std::move(next);
        }
    }
    std::sort(moved.begin(), moved.end());
    state.counters["steps"] = static_cast<double>(moved.size());
    state.counters["median_moved"] = moved.empty() ? 0 : moved[moved.size() / 2];
    state.counters["worst_moved"] = moved.empty() ? 0 : moved.back();
}

void register_size(const std::string& nodes, const ProgramPtr& program) {
    benchmark::RegisterBenchmark(("layout/fresh/" + nodes).c_str(), lay_out_fresh, program)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("layout/follow/" + nodes).c_str(), lay_out_next, program)
        ->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_layout_benchmarks() {
    for (const char* sample : {"softmax", "multihead-attention"}) {
        const ProgramPtr program = test::block_sample(sample);
        register_size(std::to_string(node_count(*program)), program);
    }
    for (const int blocks : {1, 2, 4, 10}) {
        const auto program =
            std::make_shared<const BlockProgram>(to_block_program(decoder_stack(blocks)).program);
        register_size(std::to_string(node_count(*program)), program);
    }
    for (const std::string& sample : test::sample_names())
        benchmark::RegisterBenchmark(("stability/" + sample).c_str(), follow_run, sample)
            ->Unit(benchmark::kMillisecond)
            ->Iterations(1);
}

}  // namespace blockscope
