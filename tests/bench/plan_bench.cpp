// How long plans take: of plain graphs by layers, of a decoder block on four devices against its unfused form
// and the best of its own states, and of models of more and more layers.
//
//     blockscope_plan_bench [graphs] [block] [model LAYERS]        all of it, with 32 layers, where nothing
//     is named
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/worker/predict.h"
#include "app/worker/program_plan.h"
#include "core/fusion/trace.h"
#include "core/json/device_files.h"
#include "core/program/convert.h"
#include "core/state/choose.h"
#include "tests/plan/random_graph.h"
#include "tests/support/decoder_stack.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

double seconds_of(const std::function<void()>& what) {
    const auto start = std::chrono::steady_clock::now();
    what();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Device device(const std::string& name) {
    for (const EmbeddedDevice& embedded : embedded_devices())
        if (embedded.name == name) return read_device(embedded.text, name).value();
    throw std::runtime_error("no device " + name);
}

void graphs() {
    std::printf("plain graphs   layers  nodes  states  seconds  exponent\n");
    double before = 0;
    for (const int layers : {16, 32, 64, 128}) {
        const plan::PlainGraph graph = layered_graph(layers, 4);
        plan::Plan made;
        const double seconds = seconds_of([&] { made = plan::exact_plan(graph); });
        std::printf("               %6d  %5d  %6lld  %7.3f", layers, graph.nodes(),
                    static_cast<long long>(made.states), seconds);
        if (before > 0) std::printf("  %8.2f", std::log2(seconds / before));
        std::printf("  %s\n", made.optimal ? "proven" : made.bounded.c_str());
        before = seconds;
    }
}

// The least that a state of the whole program takes, at its own block sizes.
double best_state(const ArrayProgram& program, const Device& on) {
    const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(program).program));
    const TimeModel& model = *find_time_model(kUsualModel);
    const Ranking ranking = rank(states_of(trace), safe_form(), [&](const State& state) {
        return worker::predict_as_built(model, state, on).seconds;
    });
    return ranking.best().value;
}

void block() {
    std::printf(
        "decoder block  device          seconds   plan ms  kernels  whole ms  best state ms  library's ms\n");
    const ArrayProgram program = read_sample("decoder-block");
    for (const char* name : {"h100-sxm5", "a100-sxm-80gb", "rtx-4090", "epyc-9755"}) {
        worker::GroupCosts costs(program, device(name));
        std::vector<worker::ProgramWay> ways;
        const double seconds = seconds_of([&] { ways = worker::program_ways(costs); });
        const auto value = [&](const char* way) {
            for (const worker::ProgramWay& one : ways)
                if (one.name == way) return one.plan.value * 1e3;
            return 0.0;
        };
        std::printf("               %-14s  %7.1f  %8.3f  %7zu  %8.2f  %13.2f  %12.2f\n", name, seconds,
                    value("exact"), ways.front().plan.kernels.size(), value("one"),
                    best_state(program, costs.device()) * 1e3, value("library"));
    }
}

void model(int most) {
    std::printf(
        "model on H100  layers  operators  candidates  different  states  seconds   plan ms  kernels\n");
    for (int layers = std::max(1, most / 8); layers <= most; layers *= 2) {
        worker::GroupCosts costs(decoder_stack(layers), device("h100-sxm5"));
        std::vector<worker::ProgramWay> ways;
        const double seconds = seconds_of([&] { ways = worker::program_ways(costs); });
        const plan::Plan& exact = ways.front().plan;
        std::printf("               %6d  %9d  %10zu  %9zu  %6lld  %7.1f  %8.2f  %7zu  %s\n", layers,
                    costs.graph().nodes(), costs.candidates(), costs.searched(),
                    static_cast<long long>(exact.states), seconds, exact.value * 1e3, exact.kernels.size(),
                    exact.optimal ? "proven" : exact.bounded.c_str());
        std::fflush(stdout);
    }
}

}  // namespace
}  // namespace blockscope::test

// `--only graphs|block|model`, `--layers N` of the largest model.
int main(int count, char** words) {
    using namespace blockscope::test;
    std::string only;
    int layers = 32;
    for (int i = 1; i + 1 < count; i += 2) {
        if (std::string(words[i]) == "--only") only = words[i + 1];
        if (std::string(words[i]) == "--layers") layers = std::stoi(words[i + 1]);
    }
    if (only.empty() || only == "graphs") graphs();
    if (only.empty() || only == "block") block();
    if (only.empty() || only == "model") model(layers);
}
