#include "app/cli/plan_decisions.h"

#include <iostream>
#include <set>

#include "app/cli/load.h"
#include "core/plan/steps.h"

namespace blockscope::cli {

namespace {

using plan::Kernel;

template <class T>
T read_or_refuse(Result<T> read, const char* option) {
    if (!read) throw UsageError(std::string(option) + ": " + read.problems().front().message.str());
    return std::move(read).value();
}

plan::Decided decided(const plan::Problem& problem, const std::vector<std::string>& names,
                      const std::string& way) {
    if (problem.nodes() > plan::kMostStepped)
        throw UsageError("--steps is of at most " + std::to_string(plan::kMostStepped) + " operators");
    return plan::find_stepped(way)->decide(problem, names);
}

// "{A, B} {B, C}": groups of more than one operator, those that are part of another left out.
std::string groups_text(const std::vector<Kernel>& groups, const std::vector<std::string>& names) {
    std::string text;
    for (const Kernel& group : std::set<Kernel>(groups.begin(), groups.end()))
        if (group.size() > 1) text += (text.empty() ? "{" : " {") + plan::names_of(group, names) + "}";
    return text;
}

double cost_of_all(const plan::Problem& problem, const std::vector<Kernel>& groups) {
    double cost = 0;
    for (const Kernel& group : groups) {
        if (!plan::is_candidate(problem, group)) return plan::kNever;
        cost += problem.cost(group);
    }
    return cost;
}

}  // namespace

plan::Decisions decisions_of(const PlanDecisionArguments& arguments, const plan::Dag& dag,
                             const std::vector<std::string>& names) {
    plan::Decisions made;
    for (const std::string& text : arguments.pin)
        made.kernels.push_back(read_or_refuse(plan::read_kernel(text, names), "--pin"));
    for (const std::string& text : arguments.apart)
        made.apart.push_back(read_or_refuse(plan::read_pair(text, names), "--apart"));
    if (const auto problem = plan::problem_with(dag, made, names)) throw UsageError(problem->str());
    return made;
}

std::vector<std::string> stepped_way_names() {
    std::vector<std::string> names;
    for (const plan::SteppedWay& way : plan::stepped_ways()) names.emplace_back(way.name);
    return names;
}

void print_steps(const plan::Problem& problem, const std::vector<std::string>& names, const std::string& way,
                 const Style& style) {
    const plan::Decided made = decided(problem, names, way);
    std::vector<Row> rows{{"step", "operators", "decision", "groups after it"}};
    for (std::size_t i = 0; i < made.steps.size(); ++i) {
        const plan::DecisionStep& step = made.steps[i];
        rows.push_back({std::to_string(i + 1), harmless(plan::names_of(step.nodes, names)),
                        (step.together ? "+ " : "  ") + harmless(step.why.str()),
                        harmless(groups_text(step.groups, names))});
    }
    print_table(rows, Align::Left, style);
    if (!made.note.empty()) std::cout << made.note.str() << '\n';
}

Json steps_json(const plan::Problem& problem, const std::vector<std::string>& names, const std::string& way) {
    const plan::Decided made = decided(problem, names, way);
    Json steps = json::Array{}, kernels = json::Array{};
    for (const plan::DecisionStep& step : made.steps) {
        Json groups = json::Array{};
        for (const Kernel& group : step.groups) groups.push_back(list_json(group));
        steps.push_back(json::Object{{"nodes", list_json(step.nodes)},
                                     {"together", step.together},
                                     {"why", step.why.str()},
                                     {"groups", std::move(groups)}});
    }
    for (const Kernel& kernel : made.groups) kernels.push_back(list_json(kernel));
    const double cost = cost_of_all(problem, made.groups);
    return json::Object{{"way", way},
                        {"steps", std::move(steps)},
                        {"kernels", std::move(kernels)},
                        {"value", cost == plan::kNever ? Json() : Json(cost)},
                        {"note", made.note.str()}};
}

}  // namespace blockscope::cli
