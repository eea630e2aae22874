// How soon the costs page follows a slider, and what the models take: from the move of a slider to a painted
// table and chart, all of the table's states counted and predicted anew (at most 100 ms); work and
// predictions of all samples.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QSlider>
#include <QTableView>
#include <algorithm>

#include "app/costs/choosers.h"
#include "app/costs/cost_page.h"
#include "core/cost/models/model.h"
#include "core/engine/cpu_program.h"
#include "core/json/device_files.h"
#include "tests/panels/text_support.h"
#include "tests/support/samples.h"

namespace {

using namespace blockscope;

void slider(benchmark::State& state, const char* sample, const char* dim) {
    test::Desk desk;
    desk.services.say = [](const QString&) {};
    desk.open(sample);
    CostPage page(desk.document, desk.services);
    page.resize(1200, 900);
    page.show();
    page.charts().setCurrentIndex(static_cast<int>(state.range(0)));
    Costs& costs = Costs::of(desk.document);
    test::wait_until([&] { return !costs.busy(); });
    QSlider* moved = page.sliders().size_slider(dim);
    const int at = moved->value();
    bool up = false;
    for (auto _ : state) {
        up = !up;
        moved->setValue(up ? at + 1 : at);
        test::wait_until([&] {
            const std::vector<StateId> rows = costs.rows();
            return std::all_of(rows.begin(), rows.end(), [&](StateId id) { return costs.of(id) != nullptr; });
        });
        benchmark::DoNotOptimize(page.grab());
        state.PauseTiming();  // the timeline's other steps
        test::wait_until([&] { return !costs.busy(); });
        state.ResumeTiming();
    }
    state.counters["states"] = static_cast<double>(costs.rows().size());
}

void predict_all_samples(benchmark::State& state, const char* name) {
    std::vector<StateWork> work;
    for (const std::string& sample : test::sample_names()) {
        const Trace trace = fuse(test::block_sample(sample));
        for (const int step : trace.snapshots)
            work.push_back(engine_work(lower(*trace.state(step)), {ElemType::F32, ElemType::F32}));
    }
    const Device& device = *find_device(builtin_devices(), "xeon-8480");
    const TimeModel& model = *find_time_model(name);
    for (auto _ : state)
        for (const StateWork& each : work) benchmark::DoNotOptimize(predict(model, each, device).seconds);
    state.counters["states"] = static_cast<double>(work.size());
}

void work_of_all_samples(benchmark::State& state) {
    std::vector<LoopProgram> loops;
    for (const std::string& sample : test::sample_names())
        loops.push_back(lower(*fuse(test::block_sample(sample)).last()));
    for (auto _ : state)
        for (const LoopProgram& each : loops)
            benchmark::DoNotOptimize(engine_work(each, {ElemType::F32, ElemType::F32}));
    state.counters["states"] = static_cast<double>(loops.size());
}

BENCHMARK_CAPTURE(slider, attention, "attention", "M")->DenseRange(0, 3)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(slider, rmsnorm_swiglu, "rmsnorm-swiglu", "M")
    ->DenseRange(0, 3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(slider, decoder_block, "decoder-block", "M")
    ->DenseRange(0, 3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(predict_all_samples, blockscope, "blockscope")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(predict_all_samples, roofline, "roofline")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(predict_all_samples, mcfuser, "mcfuser")->Unit(benchmark::kMillisecond);
BENCHMARK(work_of_all_samples)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int count, char** texts) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(count, texts);
    benchmark::Initialize(&count, texts);
    if (benchmark::ReportUnrecognizedArguments(count, texts)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
