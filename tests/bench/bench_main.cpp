// Speed and growth of the core, with a summary at the end. Times are never tests.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "tests/bench/layout_bench.h"
#include "tests/bench/summary.h"
#include "tests/support/decoder_stack.h"
#include "tests/support/paper_examples.h"

namespace {

using namespace blockscope;

constexpr int kNodes = 2000;  // of the graph in which one rule is applied

ProgramPtr converted(const ArrayProgram& program) {
    return std::make_shared<const BlockProgram>(to_block_program(program).program);
}

ProgramPtr stack_of_operators(int operators) {
    return converted(decoder_stack(operators / kDecoderBlockOperators));
}

// The smallest stack whose top-level graph alone has kNodes nodes.
const ProgramPtr& large_program() {
    static const ProgramPtr kProgram = [] {
        for (int blocks = 1;; ++blocks) {
            ProgramPtr program = converted(decoder_stack(blocks));
            if (program->graph->nodes().size() >= kNodes) return program;
        }
    }();
    return kProgram;
}

void fuse_program(benchmark::State& state, const ArrayProgram& program) {
    const ProgramPtr initial = converted(program);
    std::size_t steps = 0;
    for (auto _ : state) steps = fuse(initial).steps.size();
    state.counters["steps"] = static_cast<double>(steps);
}

void fuse_decoder_stack(benchmark::State& state) {
    const ProgramPtr initial = stack_of_operators(static_cast<int>(state.range(0)));
    std::size_t steps = 0;
    for (auto _ : state) steps = fuse(initial).steps.size();
    state.counters["steps"] = static_cast<double>(steps);
}

void apply_in_2000_nodes(benchmark::State& state) {
    const ProgramPtr& program = large_program();
    const std::vector<Match> matches = all_matches(*program);
    std::size_t next = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(checked_apply(program, matches[next]));
        next = (next + 97) % matches.size();
    }
    state.counters["nodes"] = static_cast<double>(program->graph->nodes().size());
    state.counters["matches"] = static_cast<double>(matches.size());
}

void all_matches_in_2000_nodes(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(all_matches(*large_program()));
}

void index_of_2000_nodes(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(GraphIndex(*large_program()->graph));
}

void verify_2000_nodes(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(verify(*large_program()));
}

void parse_decoder_stack(benchmark::State& state) {
    const std::string text = print_program(decoder_stack(40));
    for (auto _ : state) benchmark::DoNotOptimize(parse_program(text, "stack.bp"));
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(text.size()));
}

void convert_decoder_stack(benchmark::State& state) {
    const ArrayProgram program = decoder_stack(40);
    for (auto _ : state) benchmark::DoNotOptimize(to_block_program(program));
}

void prove_attention(benchmark::State& state) {
    const ProgramPtr initial = converted(test::paper_attention());
    const Trace trace = fuse(initial);
    const Prover prover(*initial, 1);
    for (auto _ : state)
        if (prover.check(*trace.last())) state.SkipWithError("the fused program is not equal");
}

void register_all() {
    const auto in_milliseconds = [](benchmark::internal::Benchmark* b) { b->Unit(benchmark::kMillisecond); };
    in_milliseconds(benchmark::RegisterBenchmark("fuse/attention", fuse_program, test::paper_attention()));
    in_milliseconds(
        benchmark::RegisterBenchmark("fuse/layernorm_matmul", fuse_program, test::paper_layernorm_matmul()));
    in_milliseconds(
        benchmark::RegisterBenchmark("fuse/rmsnorm_swiglu", fuse_program, test::paper_rmsnorm_swiglu()));
    auto* stacks = benchmark::RegisterBenchmark("fuse_decoder_stack", fuse_decoder_stack);
    for (const int operators : {125, 250, 500, 1000}) stacks->Arg(operators);
    in_milliseconds(stacks);
    in_milliseconds(benchmark::RegisterBenchmark("apply_in_2000_nodes", apply_in_2000_nodes));
    in_milliseconds(benchmark::RegisterBenchmark("all_matches_in_2000_nodes", all_matches_in_2000_nodes));
    in_milliseconds(benchmark::RegisterBenchmark("index_of_2000_nodes", index_of_2000_nodes));
    in_milliseconds(benchmark::RegisterBenchmark("verify_2000_nodes", verify_2000_nodes));
    in_milliseconds(benchmark::RegisterBenchmark("parse_decoder_stack", parse_decoder_stack));
    in_milliseconds(benchmark::RegisterBenchmark("convert_decoder_stack", convert_decoder_stack));
    in_milliseconds(benchmark::RegisterBenchmark("prove_attention", prove_attention));
#ifdef BLOCKSCOPE_WINDOW
    register_layout_benchmarks();
#endif
}

}  // namespace

int main(int count, char** texts) {
    benchmark::Initialize(&count, texts);
    if (benchmark::ReportUnrecognizedArguments(count, texts)) return 2;
    register_all();
    RememberingReporter reporter(isatty(1) && !std::getenv("NO_COLOR"));
    benchmark::RunSpecifiedBenchmarks(&reporter);
    std::fputs(summary(reporter.seconds()).c_str(), stdout);
    return 0;
}
