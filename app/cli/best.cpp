#include "app/cli/best.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "app/cli/cost.h"
#include "app/cli/envelope.h"
#include "app/cli/run.h"
#include "app/cli/terminal.h"
#include "app/worker/predict.h"
#include "core/cost/models/baseline.h"
#include "core/cost/models/model.h"
#include "core/json/device_files.h"
#include "core/measure/record.h"

namespace blockscope::cli {

namespace {

std::vector<std::string> objective_names() {
    std::vector<std::string> names;
    for (const ObjectiveRow& row : objectives()) names.push_back(row.name);
    return names;
}

ObjectiveKind objective_named(const std::string& name) {
    if (name.empty()) return ObjectiveKind::Time;
    for (const ObjectiveRow& row : objectives())
        if (row.name == name) return row.kind;
    throw UsageError("there is no objective '" + name + "'; there are " + joined_names(objective_names()));
}

bool same_sizes(const DimTable& a, const DimTable& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Dim& x, const Dim& y) {
        return x.name == y.name && x.size == y.size && x.block == y.block;
    });
}

std::string threads_text(int threads) {
    return threads == 0 ? "" : " on " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

// What one device took for states of one program: times of two devices, element types or numbers of threads
// do not say which state is better.
struct MeasuredTimes {
    measure::Subject newest;                // of what was measured last; the others ran in the same way
    std::map<std::string, double> seconds;  // by the state's structure_key; medians, the newest of each
    bool disturbed = false;                 // others kept the machine busy while one of them was measured

    bool alike(const measure::Subject& other) const {
        return other.device == newest.device && other.machine == newest.machine &&
               other.elem == newest.elem && other.threads == newest.threads;
    }
    // "cpu of host: AMD EPYC in f32 on 1 thread"
    std::string place() const {
        return newest.device + " of " + newest.machine + " in " + newest.elem + threads_text(newest.threads) +
               (disturbed ? ", while others used the machine: not to be trusted" : "");
    }
    // NaN of a state that did not run in its form.
    double of(const State& state) const {
        const auto found = seconds.find(measure::structure_key(*state.program()));
        return found == seconds.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
    }
};

// Of the program at these sizes, on the device of the newest record. Throws UsageError if none is kept.
MeasuredTimes measured_times(const BlockProgram& initial) {
    const Result<measure::Results> results = measure::read_results(measure::default_results_file());
    if (!results) throw BadInput(results.problems());
    const std::string program = measure::structure_key(initial);
    const auto ours = [&](const measure::Record& record) {
        return record.warm && record.subject.program_key == program &&
               same_sizes(record.subject.dims, initial.dims);
    };
    MeasuredTimes times;
    for (const measure::Record& record : results->records)
        if (ours(record)) times.newest = record.subject;
    std::map<std::string, bool> disturbed;  // of the newest record of each state, too
    for (const measure::Record& record : results->records) {
        if (!ours(record) || !times.alike(record.subject)) continue;
        times.seconds[record.subject.state_key] = record.warm->summary.median;
        disturbed[record.subject.state_key] = measure::disturbed(record.after);
    }
    times.disturbed =
        std::any_of(disturbed.begin(), disturbed.end(), [](const auto& one) { return one.second; });
    if (times.seconds.empty())
        throw UsageError(
            "no measurement of this program at these sizes is kept; 'blockscope-cli run --snapshot all' "
            "measures its states");
    return times;
}

// On as many processors as the run will use; where no run is meant, on those that are asked for.
ModelSetting setting_of(const Stakes& stakes) {
    return {.processors = stakes.run ? stakes.run->threads : stakes.processors};
}

Prediction predicted(const Stakes& stakes, const State& state) {
    return worker::predict_as_built(*find_time_model(kUsualModel), state, stakes.device.value(),
                                    setting_of(stakes));
}

StateChoice choice_of(const StateArguments& arguments) {
    if (arguments.step) return StateChoice::step(*arguments.step);
    if (!arguments.snapshot.empty()) return snapshot_choice(arguments.snapshot);
    if (arguments.state.empty()) return StateChoice::best();
    const Result<StateChoice> choice = parse_state_choice(arguments.state);
    if (!choice) throw UsageError(choice.problems().front().message.str());
    return *choice;
}

Json rated_json(const RatedState& rated) {
    return {
        {"state", rated.name}, {"step", rated.step}, {"form", form_name(rated.form)}, {"value", rated.value}};
}

}  // namespace

Option state_option(std::string& words, std::vector<std::string> excludes) {
    return {.names = "--state",
            .argument = "STATE",
            .help = "the state of this name: best, last, a step (12), or 'snapshot 2'",
            .to = &words,
            .excludes = std::move(excludes),
            .offered = [] {
                return std::vector<std::string>{"best", "last"};
            }};
}

Option objective_option(std::string& name, std::string help) {
    return {.names = "--objective",
            .argument = "WHAT",
            .help = std::move(help),
            .to = &name,
            .choices = objective_names()};
}

std::vector<Option> best_options(StateArguments& arguments) {
    Option state = state_option(arguments.state);
    state.help = "best (default), last, a step (12), or 'snapshot 2'";
    return {state, objective_option(arguments.objective,
                                    "what the best state has least of (default time: as predicted for the "
                                    "device)")};
}

std::vector<Option> state_options(StateArguments& arguments) {
    return joined({step_option(arguments.step, "the state after step N; 0 is the initial block program"),
                   snapshot_option(arguments.snapshot,
                                   "the state at snapshot K, or the last; 0 is the initial block program")},
                  best_options(arguments));
}

Stakes stakes_on(const StateArguments& arguments, const Device& device) {
    return {.objective = objective_named(arguments.objective), .device = device};
}

Stakes stakes_of(const StateArguments& arguments, const std::string& device) {
    const ObjectiveKind objective = objective_named(arguments.objective);
    if (objective != ObjectiveKind::Time) return {.objective = objective};
    if (!device.empty()) return {.objective = objective, .device = chosen_device(device)};
    return {.objective = objective, .device = chosen_device(usual_device())};
}

Objective objective_of(const Stakes& stakes, const ProgramPtr& initial) {
    switch (stakes.objective) {
        case ObjectiveKind::Traffic:
            return least_bytes();
        case ObjectiveKind::Time:
            return worker::predicted_seconds(stakes.device.value(), setting_of(stakes));
        case ObjectiveKind::Measured:
            return [times = measured_times(*initial)](const State& state) { return times.of(state); };
    }
    throw InternalError("unknown objective");
}

// Bytes are those of the listing; times are of what can be computed.
Form compared_form(const Stakes& stakes, const Form& form) {
    if (stakes.objective == ObjectiveKind::Traffic) return form;
    return stakes.by_time_on_device() ? worker::built_form(*stakes.device, form, stakes.safe)
                                      : computable_form(form, stakes.safe);
}

namespace {

// " with 16 of its 132 processors", ", kernels for f32": how few of the device times are of, and the target
// that was asked for.
std::string restrictions_text(const Stakes& stakes) {
    const Device& device = *stakes.device;
    std::string text;
    if (stakes.processors > 0)
        text += " with " + std::to_string(stakes.processors) + " of its " +
                std::to_string(std::lround(device.processors.value)) +
                (device.kind == DeviceKind::Gpu ? " SMs" : " cores");
    if (!device.target.empty()) text += ", kernels for " + device.target;
    return text;
}

}  // namespace

std::string stakes_text(const Stakes& stakes, const Ranking& ranking) {
    std::string text = objective_row(stakes.objective).title.str();
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
    if (!ranking.measured_on.empty())
        text += " on " + ranking.measured_on;
    else if (stakes.by_time_on_device())
        text += " on " + stakes.device->title;
    if (stakes.by_time_on_device()) text += restrictions_text(stakes);
    if (stakes.run && stakes.by_time_on_device()) {
        const int threads = stakes.run->threads;
        text += " in " + stakes.run->type;
        text += stakes.run->all && threads > 1 ? " on " + std::to_string(threads) + " cores"
                                               : threads_text(stakes.run->all ? 0 : threads);
        if (stakes.run->type == "tf32") text += ", rated as f32";  // no description has rates of it
    }
    if (stakes.by_time_on_device() && !not_calibrated(*stakes.device).empty()) text += ", not calibrated";
    return ranking.empty() ? text : text + " (" + form_title(ranking.best().form) + ")";
}

std::string worth_text(const Stakes& stakes, double value) {
    return stakes.objective == ObjectiveKind::Traffic ? bytes_text_of(value) : seconds_text(value);
}

Ranking rank_states(const Trace& trace, const Form& form, const Stakes& stakes) {
    Ranking ranking =
        rank(states_of(trace), compared_form(stakes, form), objective_of(stakes, trace.initial));
    if (stakes.objective == ObjectiveKind::Measured)
        ranking.measured_on = measured_times(*trace.initial).place();
    return ranking;
}

Choice choose(const Trace& trace, const StateArguments& arguments, const Form& form, const Stakes& stakes) {
    const StateChoice choice = choice_of(arguments);
    if (choice.kind != StateChoice::Kind::Best) return {chosen_state(trace, choice, form), std::nullopt};
    std::optional<Choice> best = best_choice(trace, form, stakes);
    if (!best && stakes.by_time_on_device() && !stakes.device->target.empty()) {
        // The target builds none: the best one of all is what its refusal is about.
        Stakes any = stakes;
        any.device->target.clear();
        best = best_choice(trace, form, any);
    }
    if (!best) throw UsageError("no state of the run is the best: none has a number to compare");
    return *std::move(best);
}

std::optional<Choice> best_choice(const Trace& trace, const Form& form, const Stakes& stakes) {
    Ranking ranking = rank_states(trace, form, stakes);
    if (ranking.empty()) return std::nullopt;
    ChosenState best = chosen_state(trace, StateChoice::step(ranking.best().step), form);
    best.name = ranking.best().name;  // "snapshot 2" where one was taken, not "step 17"
    return Choice{std::move(best), std::move(ranking)};
}

ChosenState state_named(const Trace& trace, const std::string& words, const std::string& objective,
                        const std::string& device, const Form& form, bool safe) {
    StateArguments arguments;
    arguments.state = words;
    arguments.objective = objective;
    Stakes stakes = stakes_of(arguments, device);
    stakes.safe = safe;
    return choose(trace, arguments, form, stakes).state;
}

std::string best_sentence(const Ranking& ranking, const Stakes& stakes) {
    const RatedState& best = ranking.best();
    std::string text = "best of " + std::to_string(ranking.states.size()) + " states by " +
                       stakes_text(stakes, ranking) + ": " + best.name + ", " +
                       worth_text(stakes, best.value);
    const std::string plain = ranking.plain ? worth_text(stakes, *ranking.plain) : "";
    if (!plain.empty() && plain != worth_text(stakes, best.value))
        text += " (" + plain + " plain, which can overflow)";
    if (ranking.states.size() > 1) {
        const RatedState& next = ranking.states[1];
        text += "; then " + next.name + ", " + worth_text(stakes, next.value);
        if (next.form != best.form) text += " (" + form_title(next.form) + ")";
    }
    if (!ranking.all_steps) text += " (of so long a run only the snapshots were looked at)";
    return text;
}

Json best_json(const Ranking& ranking, const Stakes& stakes, int last) {
    Json json = {{"objective", objective_row(stakes.objective).name},
                 {"unit", objective_row(stakes.objective).unit.str()},
                 {"all_steps", ranking.all_steps}};
    if (stakes.by_time_on_device()) {
        json["device"] = stakes.device->name;
        if (stakes.device->kind == DeviceKind::Cpu)
            json["calibrated"] = stakes.device->calibration.has_value();
        if (!stakes.device->target.empty()) json["target"] = stakes.device->target;
        if (stakes.processors > 0) json["processors"] = stakes.processors;
        if (stakes.run) json["type"] = stakes.run->type;
        if (stakes.run && stakes.run->threads > 0) json["threads"] = stakes.run->threads;
    }
    if (!ranking.measured_on.empty()) json["measured_on"] = ranking.measured_on;
    add_members(json, rated_json(ranking.best()));
    if (ranking.plain) json["plain_value"] = *ranking.plain;
    if (ranking.states.size() > 1) json["runner_up"] = rated_json(ranking.states[1]);
    if (const RatedState* end = ranking.at(last)) json["last"] = rated_json(*end);
    return json;
}

namespace {

// What the step repeats, and which parts of the predicted time have grown.
Text why_worse(const Trace& trace, int step, const StepEffect& effect, const Form& form,
               const Stakes& stakes) {
    const Step& taken = trace.steps.at(static_cast<std::size_t>(step) - 1);
    const Text counted = warning_of(effect, trace.initial->dims);
    if (stakes.objective != ObjectiveKind::Time)
        return counted.empty() ? Text("Its counts are no larger, so that they do not say why.") : counted;
    return sentences({counted, slower_by_terms(predicted(stakes, State(taken.before, form)),
                                               predicted(stakes, State(taken.after, form)))});
}

// With which blocks the step would pay by predicted time.
TimeCondition condition_of(const Trace& trace, int step, const Form& form, const Stakes& stakes) {
    const Step& taken = trace.steps.at(static_cast<std::size_t>(step) - 1);
    const SecondsOfStates seconds =
        worker::paying_seconds(*find_time_model(kUsualModel), *stakes.device, setting_of(stakes));
    return time_condition_of(taken, settled_after(trace, step - 1), form, seconds);
}

constexpr std::size_t kMostWorse = 4;  // steps that are told of, and that blocks are searched for

// The steps that make it worse most, in the order of the run.
std::vector<std::size_t> worst_of(const std::vector<WorseStep>& worse) {
    const auto raised = [&](std::size_t i) { return worse[i].after / worse[i].before; };
    std::vector<std::size_t> worst(worse.size());
    std::iota(worst.begin(), worst.end(), std::size_t{0});
    std::stable_sort(worst.begin(), worst.end(),
                     [&](std::size_t a, std::size_t b) { return raised(a) > raised(b); });
    if (worst.size() > kMostWorse) worst.resize(kMostWorse);
    std::sort(worst.begin(), worst.end());
    return worst;
}

}  // namespace

std::optional<Worth> worth_of(const Trace& trace, const Stakes& stakes) {
    constexpr double kWorse = 1.02;
    Worth worth{.stakes = stakes,
                .ranking = rank_states(trace, {}, stakes),
                .worse = {},
                .steps = static_cast<int>(trace.steps.size()),
                .dims = trace.initial->dims};
    if (worth.ranking.empty()) return std::nullopt;
    std::vector<const RatedState*> rated(static_cast<std::size_t>(worth.steps) + 1);
    for (const RatedState& one : worth.ranking.states) rated.at(static_cast<std::size_t>(one.step)) = &one;
    for (int step = 1; step <= worth.steps; ++step) {
        const RatedState* before = rated[static_cast<std::size_t>(step) - 1];
        const RatedState* after = rated[static_cast<std::size_t>(step)];
        if (!before || !after || after->value <= kWorse * before->value) continue;
        const Form& form = worth.ranking.form;
        StepEffect effect = effect_of(trace.steps.at(static_cast<std::size_t>(step) - 1), form,
                                      settled_after(trace, step - 1));
        Text why = why_worse(trace, step, effect, form, stakes);
        worth.worse.push_back({.step = step,
                               .before = before->value,
                               .after = after->value,
                               .why = std::move(why),
                               .effect = std::move(effect)});
    }
    if (stakes.objective == ObjectiveKind::Time)
        for (const std::size_t i : worst_of(worth.worse)) {
            WorseStep& each = worth.worse[i];
            each.condition = condition_of(trace, each.step, worth.ranking.form, stakes);
            each.why = sentences({each.why, condition_text(*each.condition, worth.dims)});
        }
    return worth;
}

std::vector<std::string> worth_lines(const Worth& worth) {
    std::string first = best_sentence(worth.ranking, worth.stakes);
    const RatedState* last = worth.ranking.at(worth.steps);
    if (last && last->step != worth.ranking.best().step)
        first += "; the last state, " + worth_text(worth.stakes, last->value) + ", is " +
                 times_text(last->value / worth.ranking.best().value) + " times that";
    std::vector<std::string> lines{std::move(first)};
    const std::vector<std::size_t> shown = worst_of(worth.worse);
    for (const std::size_t i : shown) {
        const WorseStep& worse = worth.worse[i];
        lines.push_back("step " + std::to_string(worse.step) + " makes it worse, " +
                        worth_text(worth.stakes, worse.before) + " to " +
                        worth_text(worth.stakes, worse.after) + ": " + worse.why.str());
    }
    if (worth.stakes.by_time_on_device() && !not_calibrated(*worth.stakes.device).empty())
        lines.push_back(not_calibrated(*worth.stakes.device).str());
    if (const std::size_t more = worth.worse.size() - shown.size(); more > 0)
        lines.push_back(
            (more == 1 ? std::string("another step makes") : std::to_string(more) + " more steps make") +
            " it worse by less (--json has all of them)");
    return lines;
}

namespace {

// What the sentence says, in members.
Json worse_json(const WorseStep& worse, const DimTable& dims) {
    Json json = {
        {"step", worse.step}, {"before", worse.before}, {"after", worse.after}, {"why", worse.why.str()}};
    const auto pays = [&](const char* how, const PaysWhile& blocks) -> Json {
        return {
            {"dim", dims.at(blocks.dim.value).name}, {how, blocks.blocks}, {"blocks_now", blocks.blocks_now}};
    };
    if (worse.effect.costs_more()) {
        json["repeats"] = json::Array{};
        for (const RepeatedWork& one : worse.effect.repeated)
            json["repeats"].push_back(
                {{"node", node_json(one.node)}, {"operator", one.what.str()}, {"times", one.times}});
    }
    if (worse.effect.pays) json["pays_in_bytes"] = pays("at_most", *worse.effect.pays);
    if (!worse.condition) return json;
    json["tried"] = json::Array{};
    for (const DimId dim : worse.condition->tried) json["tried"].push_back(dims.at(dim.value).name);
    if (worse.condition->with) json["pays_in_time"] = pays("blocks", *worse.condition->with);
    if (worse.condition->settled) json["made_up_for"] = true;
    return json;
}

}  // namespace

Json worth_json(const Worth& worth) {
    Json json = best_json(worth.ranking, worth.stakes, worth.steps);
    json["worse_steps"] = json::Array{};
    for (const WorseStep& worse : worth.worse) json["worse_steps"].push_back(worse_json(worse, worth.dims));
    return json;
}

}  // namespace blockscope::cli
