// What a program would gain if values were rounded elsewhere, predicted.
#include <algorithm>

#include "app/worker/predict.h"
#include "core/fusion/trace.h"
#include "core/state/choose.h"

namespace blockscope::worker {

namespace {

constexpr double kWorthSaying = 0.95;  // of the seconds without those rules, at most

Trace run_of(const ProgramPtr& initial, RuleSet rules, const StopSign& stop) {
    const auto go_on = [&stop](const Step&) {
        stop.check();
        return true;
    };
    return fuse(initial, go_on, rules);
}

std::optional<double> fastest_of(const Trace& trace, const RoundingQuestion& question, const StopSign& stop) {
    const Ranking ranking = rank(states_of(trace), question.form, [&](const State& state) {
        stop.check();
        return predict_as_built(*question.model, state, question.device, question.setting, stop).seconds;
    });
    return ranking.empty() ? std::nullopt : std::optional(ranking.best().value);
}

}  // namespace

std::optional<double> best_with_rounding(const RoundingQuestion& question, const StopSign& stop) {
    const Trace plain = run_of(question.initial, {}, stop);
    const Trace rounded = run_of(question.initial, {.rounding = true}, stop);
    if (rounded.steps.size() == plain.steps.size()) return std::nullopt;
    const std::optional<double> seconds = fastest_of(rounded, question, stop);
    if (!seconds || *seconds > kWorthSaying * question.without) return std::nullopt;
    const double whole_run = fastest_of(plain, question, stop).value_or(question.without);
    return *seconds <= kWorthSaying * whole_run ? seconds : std::nullopt;
}

}  // namespace blockscope::worker
