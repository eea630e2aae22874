#include "app/worker/own_best.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>

#include "app/worker/predict.h"
#include "core/engine/cpu_program.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"

namespace blockscope::worker {

namespace {

std::vector<ChosenState> states_to_try(const ArrayProgram& program, const Form& form, bool unfused,
                                       const StopSign& stop) {
    const auto initial = std::make_shared<const BlockProgram>(to_block_program(program).program);
    const Trace trace = fuse(initial, [&](const Step&) {
        stop.check();
        return !unfused;
    });
    std::vector<ChosenState> states;
    const int last = unfused ? 0 : static_cast<int>(trace.steps.size());
    for (int step = 0; step <= last; ++step)
        states.push_back({State(trace.state(step), form), step, "step " + std::to_string(step)});
    return states;
}

}  // namespace

Result<double> engine_seconds(const State& state, const tilings::MeasureOptions& options) {
    Result<CpuProgram> prepared = CpuProgram::prepare(state.loops(), {.threads = options.threads});
    if (!prepared) return prepared.problems();
    CpuProgram run = std::move(prepared).value();
    for (std::size_t i = 0; i < run.inputs().size(); ++i) {
        std::vector<float> values(static_cast<std::size_t>(run.inputs()[i].elements));
        std::uint32_t random = 12345u + static_cast<std::uint32_t>(i);
        for (float& value : values) {
            random = random * 1664525u + 1013904223u;
            value = static_cast<float>(random >> 8) * 0x1p-23f - 1;
        }
        run.set_input(static_cast<int>(i), values);
    }
    run.run();
    double best = std::numeric_limits<double>::infinity();
    double sum = 0;
    for (int i = 0; i < options.most_runs && (i == 0 || sum < options.least_seconds); ++i) {
        const auto start = std::chrono::steady_clock::now();
        run.run();
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        best = std::min(best, seconds);
        sum += seconds;
    }
    return best;
}

Result<OwnState> own_best(const ArrayProgram& program, const Device& device, bool unfused,
                          const OwnSearch& search, const StopSign& stop) {
    // The safe form: a tiling subtracts the largest number so far, too (core/tilings/blocked_run.h).
    const Form form = built_form(device);
    const std::vector<ChosenState> states = states_to_try(program, form, unfused, stop);
    const PredictedSearch found =
        search_predicted(states, device, std::max(1, search.measured), stop, {}, kQuickSearch);
    std::optional<OwnState> best;
    Problems problems;
    for (const PredictedChoice& choice : found.best) {
        stop.check();
        const ChosenState& from = states[choice.state];
        const State state(with_dims(from.state.source(), choice.plan.dims.value_or(choice.dims)), form);
        OwnState own{
            .step = from.step,
            .name = from.name,
            .state = state,
            .predicted = choice.prediction.seconds,
            .by_mcfuser = predict_as_built(*find_time_model("mcfuser"), state, device, {}, stop).seconds};
        if (search.measured > 0) {
            const Result<double> seconds = engine_seconds(state, search.options);
            if (!seconds) {
                problems = seconds.problems();
                continue;
            }
            own.measured = *seconds;
        }
        const bool better =
            !best || (own.measured ? *own.measured < *best->measured : own.predicted < best->predicted);
        if (better) best = std::move(own);
    }
    if (best) return std::move(*best);
    if (problems.empty())
        return Problem{{}, Text("no state of the program fits %1 at any block sizes", device.title)};
    return problems;
}

}  // namespace blockscope::worker
