#include "app/cli/contest_plan.h"

#include <unistd.h>

#include <iostream>
#include <sstream>

#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/cli/terminal.h"
#include "core/plan/contest_search.h"

namespace blockscope::cli {

namespace {

using plan::ContestPlan;
using plan::ContestProblem;
using plan::ContestSchedule;

std::string cost_text(double value) {
    if (value == plan::kNever) return "-";
    std::ostringstream text;
    text.precision(12);
    text << value;
    return text.str();
}

template <class Read>
auto read_contest(Read read, const std::string& file) {
    auto result = read(read_file(file), display_name(file));
    if (!result) throw BadInput(result.problems());
    return std::move(result).value();
}

Json steps_json(const ContestSchedule& schedule, const plan::ContestCost& cost) {
    Json steps = json::Array{};
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        const plan::Granularity& size = schedule[i].granularity;
        steps.push_back(json::Object{{"operators", list_json(schedule[i].operators)},
                                     {"granularity", json::Array{size.width, size.height, size.depth}},
                                     {"retained", list_json(schedule[i].retained)},
                                     {"order", schedule[i].order ? list_json(*schedule[i].order) : Json()},
                                     {"latency", cost.steps[i]}});
    }
    return steps;
}

std::string listed(const std::vector<int>& values) {
    std::string text;
    for (const int value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
    return text;
}

void print_steps(const ContestSchedule& schedule, const plan::ContestCost& cost) {
    std::vector<Row> rows{{"step", "latency", "tiles", "retains", "operators"}};
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        const plan::Granularity& size = schedule[i].granularity;
        rows.push_back({std::to_string(i + 1), cost_text(cost.steps[i]),
                        std::to_string(size.width) + " x " + std::to_string(size.height) + " x " +
                            std::to_string(size.depth) + (schedule[i].order ? ", in an order" : ""),
                        schedule[i].retained.empty() ? "-" : listed(schedule[i].retained),
                        listed(schedule[i].operators)});
    }
    print_table(rows, Align::Left, style_for(STDOUT_FILENO));
}

int evaluate(const ContestArguments& arguments, const ContestProblem& problem) {
    const ContestSchedule schedule = read_contest(plan::read_contest_schedule, arguments.solution);
    const plan::ContestCost cost = plan::contest_cost(problem, schedule);
    const bool kept = cost.violations.empty();
    if (arguments.json) {
        Json json = envelope("plan");
        json["file"] = display_name(arguments.problem);
        json["solution"] = display_name(arguments.solution);
        json["cost"] = kept ? Json(cost.total()) : Json();
        json["violations"] = json::Array{};
        for (const auto& one : cost.violations)
            json["violations"].push_back(json::Object{{"step", one.step}, {"why", one.why.str()}});
        json["steps"] = steps_json(schedule, cost);
        std::cout << to_text(json) << '\n';
        return kept ? kFine : kMismatch;
    }
    print_steps(schedule, cost);
    for (const auto& one : cost.violations) std::cout << harmless(to_string(one)) << '\n';
    if (kept) std::cout << "costs " << cost_text(cost.total()) << '\n';
    return kept ? kFine : kMismatch;
}

std::string proof_text(const ContestPlan& made) {
    return made.optimal ? "no other steps cost less, each in its best tiles" : made.bounded;
}

Json plan_json(const std::string& file, const ContestPlan& made, const plan::ContestCost& cost) {
    const auto amount = [](double value) { return value == plan::kNever ? Json() : Json(value); };
    Json json = envelope("plan");
    json["file"] = file;
    add_members(json, json::Object{{"unfused", amount(made.unfused_cost)},
                                   {"fused", amount(made.fused_cost)},
                                   {"cost", amount(made.cost)},
                                   {"optimal", made.optimal}});
    if (!made.bounded.empty()) json["bounded"] = made.bounded;
    json["steps"] = steps_json(made.schedule, cost);
    return json;
}

int find(const ContestArguments& arguments, const ContestProblem& problem) {
    const ContestPlan made = plan::contest_plan(problem);
    const plan::ContestCost cost = plan::contest_cost(problem, made.schedule);
    const bool fits = !made.schedule.empty();
    const Json json = plan_json(display_name(arguments.problem), made, cost);
    if (fits && !arguments.output.empty()) {
        hand_out(plan::contest_text(made.schedule), arguments.output,
                 arguments.json ? std::optional<Json>(json) : std::nullopt);
        if (arguments.json || arguments.output == "-") return kFine;
    } else if (arguments.json) {
        std::cout << to_text(json) << '\n';
        return fits ? kFine : kPartial;
    }
    if (!fits) {
        std::cout << "no schedule: an operator does not fit the fast memory, however it is cut\n";
        return kPartial;
    }
    const auto steps = [](const ContestSchedule& schedule) { return std::to_string(schedule.size()); };
    print_table({{"schedule", "cost", "steps", ""},
                 {"unfused", cost_text(made.unfused_cost), steps(made.unfused), ""},
                 {"every operator once", cost_text(made.fused_cost), steps(made.fused), proof_text(made)},
                 {"computing again, retaining", cost_text(made.cost), steps(made.schedule), ""}},
                Align::Left, style_for(STDOUT_FILENO));
    std::cout << '\n';
    print_steps(made.schedule, cost);
    return kFine;
}

}  // namespace

int contest_command(const ContestArguments& arguments) {
    const ContestProblem problem = read_contest(plan::read_contest_problem, arguments.problem);
    if (arguments.solution.empty()) return find(arguments, problem);
    if (!arguments.output.empty()) throw UsageError("--solution takes no --output: nothing is found");
    return evaluate(arguments, problem);
}

}  // namespace blockscope::cli
