// What documents cost: opening, saving, keeping the journal, undoable changes; the largest sample and a
// program of 1,000 operators, each with its whole run.
#include <benchmark/benchmark.h>

#include <QCoreApplication>
#include <QTemporaryDir>
#include <cstdlib>

#include "app/document/document.h"
#include "app/document/files.h"
#include "core/program/convert.h"
#include "tests/document/contents.h"
#include "tests/support/decoder_stack.h"

namespace {

using namespace blockscope;

Content stack(int operators) {
    const ArrayProgram program = decoder_stack(operators / kDecoderBlockOperators);
    return test::content_of_text(print_program(program));
}

void count(benchmark::State& state, const Content& content) {
    state.counters["states"] = static_cast<double>(content.history.states().size());
    state.counters["nodes"] = node_count(*content.history.state(0).program);
    state.counters["million_held"] = static_cast<double>(content.history.weight()) / 1e6;
}

void run(benchmark::State& state, const Content& content) {
    for (auto _ : state) benchmark::DoNotOptimize(prepared(content));
    count(state, prepared(content));
}

void open(benchmark::State& state, const Content& content) {
    const std::string text = write_document(prepared(content));
    for (auto _ : state)
        if (!read_document(text, "d")) std::abort();
    state.counters["bytes"] = static_cast<double>(text.size());
}

void write(benchmark::State& state, const Content& content) {
    const Content whole = prepared(content);
    for (auto _ : state) benchmark::DoNotOptimize(write_document(whole));
}

// As the journal does it, too.
void save(benchmark::State& state, const Content& content) {
    const Content whole = prepared(content);
    const QTemporaryDir folder;
    const QString path = folder.filePath("d.blockscope");
    for (auto _ : state)
        if (save_document(path, whole)) std::abort();
}

// On the interface thread.
void note(benchmark::State& state, const Content& content) {
    Document document;
    document.reset(prepared(content), {});
    int number = 0;
    for (auto _ : state) {
        ++number;
        document.set_note(number % 2, QString::number(number));
    }
}

void go(benchmark::State& state, const Content& content) {
    Document document;
    document.reset(prepared(content), {});
    document.end();
    for (auto _ : state) {
        document.back();
        document.forward();
    }
}

void other_sizes(benchmark::State& state, const Content& content) {
    const Content whole = prepared(content);
    DimTable dims = whole.program()->dims;
    dims[0].size *= 2;
    for (auto _ : state)
        if (!with_dims(whole, dims)) std::abort();
}

void register_all(const std::string& name, const Content& content) {
    const std::pair<const char*, void (*)(benchmark::State&, const Content&)> all[] = {
        {"run", run},
        {"open", open},
        {"write", write},
        {"save", save},
        {"note", note},
        {"go", go},
        {"other_sizes", other_sizes}};
    for (const auto& [what, function] : all)
        benchmark::RegisterBenchmark((name + "/" + what).c_str(), function, content)
            ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    register_all("decoder-block", test::sample_content("decoder-block"));
    register_all("1000_operators", stack(1000));
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
