#include "app/worker/own_best.h"

#include <algorithm>
#include <memory>

#include "app/worker/predict.h"
#include "core/engine/cpu_program.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/state/choose.h"
#include "core/tilings/blocked_run.h"

namespace blockscope::worker {

namespace {

struct States {
    RunStates run;
    std::vector<ChosenState> all;
};

States states_to_try(const ArrayProgram& program, const Form& form, bool unfused, const StopSign& stop) {
    const auto initial = std::make_shared<const BlockProgram>(to_block_program(program).program);
    const auto go_on = [&](const Step&) {
        stop.check();
        return true;
    };
    States states{
        .run = unfused ? RunStates{.programs = {initial}, .snapshots = {}} : states_of(fuse(initial, go_on)),
        .all = {}};
    for (int step = 0; step < static_cast<int>(states.run.programs.size()); ++step)
        states.all.push_back(choose_state(states.run, StateChoice::step(step), form).value());
    return states;
}

// The snapshots, those that come out best of a first look at all states, and the one that is best at its own
// block sizes, which `tune --predict` searches.
std::vector<std::size_t> worth_a_search(const States& states, const Form& form, const Device& device,
                                        const StopSign& stop) {
    constexpr int kLooked = 64;
    std::vector<std::size_t> fastest(states.run.snapshots.begin(), states.run.snapshots.end());
    const std::size_t most = fastest.size() + 2;
    const auto add = [&](std::size_t state) {
        if (std::find(fastest.begin(), fastest.end(), state) == fastest.end()) fastest.push_back(state);
    };
    for (const PredictedChoice& choice :
         search_predicted(states.all, device, kLooked, stop, {}, kQuickSearch).best)
        if (fastest.size() < most) add(choice.state);
    const Ranking ranking = rank(states.run, form, predicted_seconds(device, {}, stop));
    add(ranking.empty() ? 0 : static_cast<std::size_t>(ranking.best().step));
    return fastest;
}

// The fastest `top` of these states, with the index among all of them.
std::vector<PredictedChoice> searched(const States& states, const Form& form, const Device& device, int top,
                                      const StopSign& stop) {
    const std::vector<std::size_t> which = worth_a_search(states, form, device, stop);
    std::vector<ChosenState> chosen;
    for (const std::size_t state : which) chosen.push_back(states.all[state]);
    std::vector<PredictedChoice> best = search_each(chosen, device, top, stop).best;
    for (PredictedChoice& choice : best) choice.state = which[choice.state];
    return best;
}

}  // namespace

Result<double> engine_seconds(const State& state, int threads) {
    Result<CpuProgram> prepared = CpuProgram::prepare(state.loops(), {.threads = threads});
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
    return tilings::best_seconds([&] { run.run(); });
}

Result<OwnState> own_best(const ArrayProgram& program, const Device& device, bool unfused,
                          const OwnSearch& search, const StopSign& stop) {
    // The safe form: a tiling subtracts the largest number so far, too (core/tilings/blocked_run.h).
    const Form form = built_form(device);
    const int threads = device.kind == DeviceKind::Cpu ? search.threads : 0;
    const States states = states_to_try(program, form, unfused, stop);
    std::optional<OwnState> best;
    Problems problems;
    for (const PredictedChoice& choice : searched(states, form, device, std::max(1, search.measured), stop)) {
        stop.check();
        const ChosenState& from = states.all[choice.state];
        const State state(with_dims(from.state.source(), choice.plan.dims.value_or(choice.dims)), form);
        const auto predicted = [&](const char* model) {
            return predict_as_built(*find_time_model(model), state, device, {.processors = threads}, stop)
                .seconds;
        };
        OwnState own{.step = from.step,
                     .name = from.name,
                     .state = state,
                     .predicted = threads > 0 ? predicted(kUsualModel) : choice.prediction.seconds,
                     .by_mcfuser = predicted("mcfuser")};
        if (search.measured > 0) {
            const Result<double> seconds = engine_seconds(state, search.threads);
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
