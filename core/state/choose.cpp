#include "core/state/choose.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <memory>
#include <unordered_set>

namespace blockscope {

namespace {

std::string trimmed(const std::string& text) {
    const std::size_t from = text.find_first_not_of(' ');
    if (from == std::string::npos) return {};
    return text.substr(from, text.find_last_not_of(' ') - from + 1);
}

std::optional<int> integer_in(const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<StateChoice> choice_in(const std::string& words) {
    if (words == "last" || words == "last step") return StateChoice{};
    if (words == "last snapshot" || words == "snapshot last") return StateChoice::last_snapshot();
    if (words == "best") return StateChoice::best();
    const std::size_t space = words.find(' ');
    const std::string kind = space == std::string::npos ? "step" : words.substr(0, space);
    const std::optional<int> number =
        integer_in(trimmed(words.substr(space == std::string::npos ? 0 : space)));
    if (!number) return std::nullopt;
    if (kind == "step") return StateChoice::step(*number);
    if (kind == "snapshot") return StateChoice::snapshot(*number);
    return std::nullopt;
}

Problem no_step(int number, const RunStates& run) {
    const std::size_t steps = run.programs.size() - 1;
    return {{},
            steps == 1
                ? Text("there is no step %1; the run takes 1 step, and step 0 is the initial block program",
                       number)
                : Text("there is no step %1; the run takes %2 steps, and step 0 is the initial block program",
                       number, steps)};
}

Problem no_snapshot(int number, const RunStates& run) {
    return {{},
            Text("there is no snapshot %1; the run has %2, counted from 1, and 0 is the unfused program",
                 number, run.snapshots.size())};
}

ChosenState after(const RunStates& run, int step, const Form& form) {
    return {State(run.programs.at(static_cast<std::size_t>(step)), form), step,
            "step " + std::to_string(step)};
}

// Snapshot `number`, from 1; 0 is the unfused program.
ChosenState at_snapshot(const RunStates& run, int number, const Form& form) {
    if (number == 0) return after(run, 0, form);
    ChosenState chosen = after(run, run.snapshots.at(static_cast<std::size_t>(number) - 1), form);
    chosen.name = "snapshot " + std::to_string(number);
    return chosen;
}

// Nodes at all levels, where a level that states share counts each time.
std::int64_t nodes_in(const Graph& graph) {
    std::int64_t nodes = 0;
    for (const NodePtr& node : graph.nodes()) {
        ++nodes;
        if (const Map* map = node->as<Map>()) nodes += nodes_in(*map->body);
    }
    return nodes;
}

// States of a run by what they are worth, in one form. Where the objective can be told of parts, a state's
// parts are looked at, most of which the state before has, too; else each state for itself.
class Rating {
public:
    Rating(const RunStates& run, const Form& form, const Objective& objective)
        : form_(form), objective_(objective), safe_([form](const IndependentPart& part) {
              return State(part.program, form).exponentials() > 0;
          }) {
        // If neither the first nor the last state comes apart, others hardly do.
        if (!taker_.of(run.programs.back()).empty() && !taker_.of(run.programs.front()).empty())
            of_parts_ = objective.by_parts(form);
    }

    bool by_parts() const { return of_parts_ != nullptr; }
    // Nodes that were counted so far: parts that are alike once. To add parts up is little work beside that.
    std::int64_t counted() const {
        constexpr std::int64_t kAddedForCounted = 200;
        return counted_ + added_ / kAddedForCounted;
    }

    struct Rated {
        double value = 0;
        Form form;  // actual_form()
    };
    Rated rate(const ProgramPtr& program) {
        if (of_parts_) {
            const IndependentParts& parts = taker_.of(program);
            count(parts);
            const std::optional<double> value = parts.empty() ? std::nullopt : of_parts_(parts);
            if (value) return {*value, form_of(parts)};
        }
        counted_ += nodes_in(*program->graph);
        const State state(program, form_);
        return {objective_(state), actual_form(state)};
    }

private:
    void count(const IndependentParts& parts) {
        added_ += std::ssize(parts);
        std::uint64_t last = 0;
        for (const IndependentPart& part : parts) {
            if (part.number != last && seen_.insert(part.number).second)
                counted_ += nodes_in(*part.program->graph);
            last = part.number;
        }
    }

    Form form_of(const IndependentParts& parts) {
        const bool safe = form_.safe && std::any_of(parts.begin(), parts.end(),
                                                    [this](const auto& part) { return safe_(part); });
        return computable_form(form_, safe);
    }

    Form form_;
    const Objective& objective_;
    PartsOfStates taker_;
    Objective::OfParts of_parts_;
    ValueOfParts<bool> safe_;  // whether it has exponentials to make safe
    std::unordered_set<std::uint64_t> seen_;
    std::int64_t counted_ = 0;
    std::int64_t added_ = 0;
};

constexpr std::int64_t kMostNodes = 400'000;  // of all states together, a few seconds of counting

// The steps that rank() looks at where it is too much work to look at all of them: the initial program, the
// last state and snapshots, if need be some of them at equal distances. `nodes`: to count for a state.
std::vector<int> milestones(const RunStates& run, std::int64_t nodes) {
    constexpr std::int64_t kLeastStates = 4;
    const std::int64_t room = kMostNodes / std::max<std::int64_t>(1, nodes);
    const std::size_t most = static_cast<std::size_t>(std::max(kLeastStates, room) - 2);
    const std::size_t each = (run.snapshots.size() + most - 1) / most;
    std::vector<int> steps = {0, static_cast<int>(run.programs.size()) - 1};
    for (std::size_t i = 0; i < run.snapshots.size(); i += each) steps.push_back(run.snapshots[i]);
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    return steps;
}

// As the command line calls it: "snapshot 2" where one was taken.
std::string name_of(const RunStates& run, int step) {
    const auto snapshot = std::lower_bound(run.snapshots.begin(), run.snapshots.end(), step);
    if (step == 0 || snapshot == run.snapshots.end() || *snapshot != step)
        return "step " + std::to_string(step);
    return "snapshot " + std::to_string(snapshot - run.snapshots.begin() + 1);
}

Result<ChosenState> best_of(const RunStates& run, const Form& form, const Objective& objective) {
    const Ranking ranking = rank(run, form, objective);
    if (ranking.empty())
        return Problem{{}, Text("no state of the run is the best: none has a number to compare")};
    ChosenState best = after(run, ranking.best().step, form);
    best.name = ranking.best().name;
    return best;
}

}  // namespace

Result<StateChoice> parse_state_choice(const std::string& words) {
    const std::size_t colon = words.rfind(':');
    const bool has_branch = colon != std::string::npos;
    const std::string rest = trimmed(has_branch ? words.substr(colon + 1) : words);
    const std::string branch = has_branch ? trimmed(words.substr(0, colon)) : std::string();
    std::optional<StateChoice> choice = has_branch && rest.empty() ? StateChoice{} : choice_in(rest);
    if (!choice || (has_branch && branch.empty()))
        return Problem{{},
                       Text("'%1' names no state: write a step (12 or step 12), snapshot 2, last, last "
                            "snapshot or best, and a branch in front of it with a colon (Branch 2: last)",
                            words)};
    choice->branch = branch;
    return *choice;
}

std::string to_string(const StateChoice& choice) {
    const std::string branch = choice.branch.empty() ? std::string() : choice.branch + ": ";
    const std::string number = choice.number ? std::to_string(*choice.number) : std::string();
    switch (choice.kind) {
        case StateChoice::Kind::Step:
            return branch + (choice.number ? "step " + number : "last");
        case StateChoice::Kind::Snapshot:
            return branch + (choice.number ? "snapshot " + number : "last snapshot");
        case StateChoice::Kind::Best:
            return branch + "best";
    }
    throw InternalError("unknown kind of choice");
}

RunStates states_of(const Trace& trace) {
    RunStates run;
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step)
        run.programs.push_back(trace.state(step));
    run.snapshots = trace.snapshots;
    return run;
}

const std::vector<ObjectiveRow>& objectives() {
    static const std::vector<ObjectiveRow> rows = {
        {ObjectiveKind::Time, "time", Text("Predicted time"), Text("seconds")},
        {ObjectiveKind::Traffic, "traffic", Text("Traffic"), Text("bytes")},
        {ObjectiveKind::Measured, "measured", Text("Measured time"), Text("seconds")},
    };
    return rows;
}

const ObjectiveRow& objective_row(ObjectiveKind kind) {
    return objectives().at(static_cast<std::size_t>(kind));
}

const RatedState* Ranking::at(int step) const {
    const auto found = std::find_if(states.begin(), states.end(),
                                    [&](const RatedState& rated) { return rated.step == step; });
    return found == states.end() ? nullptr : &*found;
}

namespace {

void rate(const RunStates& run, int step, Rating& rating, Ranking& ranking) {
    const Rating::Rated rated = rating.rate(run.programs.at(static_cast<std::size_t>(step)));
    if (!std::isnan(rated.value))
        ranking.states.push_back({step, name_of(run, step), rated.value, rated.form});
}

// All states, unless that would be the work of minutes; by parts that is known only on the way.
void rate_states(const RunStates& run, const Form& form, const Objective& objective, Ranking& ranking) {
    Rating rating(run, form, objective);
    const auto states = static_cast<std::int64_t>(run.programs.size());
    std::int64_t nodes = nodes_in(*run.programs.front()->graph);
    bool all = rating.by_parts() || states <= kMostNodes / std::max<std::int64_t>(1, nodes);
    for (int step = 0; all && step < states; ++step) {
        rate(run, step, rating, ranking);
        if (!rating.by_parts() || rating.counted() <= kMostNodes) continue;
        all = false;
        nodes = rating.counted() / (step + 1);
    }
    if (all) return;
    const std::vector<int> steps = milestones(run, nodes);
    ranking.all_steps = std::ssize(steps) == states;
    ranking.states.clear();
    for (const int step : steps) rate(run, step, rating, ranking);
}

}  // namespace

Ranking rank(const RunStates& run, const Form& form, const Objective& objective) {
    Ranking ranking;
    ranking.form = form;
    rate_states(run, form, objective, ranking);
    std::stable_sort(ranking.states.begin(), ranking.states.end(),
                     [](const RatedState& a, const RatedState& b) { return a.value < b.value; });
    if (ranking.empty() || !ranking.best().form.safe) return ranking;
    const double plain = objective(after(run, ranking.best().step, computable_form(form, false)).state);
    if (!std::isnan(plain)) ranking.plain = plain;
    return ranking;
}

double moved_bytes(const State& state) {
    return static_cast<double>(state.counts().bytes());
}

Objective least_bytes() {
    return {moved_bytes, [](const Form& form) -> Objective::OfParts {
                const auto bytes = std::make_shared<BytesOfStates>(form);
                return [bytes](const IndependentParts& parts) -> std::optional<double> {
                    return static_cast<double>(bytes->of(parts));
                };
            }};
}

Result<ChosenState> choose_state(const RunStates& run, const StateChoice& choice, const Form& form,
                                 const Objective& objective) {
    if (!choice.branch.empty())
        return Problem{{}, Text("there is no branch '%1'; the run has one way only", choice.branch)};
    if (choice.kind == StateChoice::Kind::Best) return best_of(run, form, objective);
    const bool snapshot = choice.kind == StateChoice::Kind::Snapshot;
    const int last = static_cast<int>(snapshot ? run.snapshots.size() : run.programs.size() - 1);
    const int number = choice.number.value_or(last);
    if (number < 0 || number > last) return snapshot ? no_snapshot(number, run) : no_step(number, run);
    return snapshot ? at_snapshot(run, number, form) : after(run, number, form);
}

std::vector<ChosenState> unfused_and_snapshots(const RunStates& run, const Form& form) {
    std::vector<ChosenState> states;
    for (int number = 0; number <= static_cast<int>(run.snapshots.size()); ++number)
        states.push_back(at_snapshot(run, number, form));
    return states;
}

}  // namespace blockscope
