// blockscope-cli plan: which operators become one kernel, by every way of deciding, side by side, of a
// program on a device (program_plan.cpp) or of a plain graph; which two may be one, by the rules of the
// taxonomy of fusion; what that brings, by the PTO guide's estimate; and schedules of a contest.
#include "app/cli/plan.h"

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <sstream>

#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/cli/search_time.h"
#include "app/cli/terminal.h"
#include "app/worker/program_plan.h"
#include "core/plan/contest.h"
#include "core/plan/plain_graph.h"
#include "core/plan/ways.h"

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

Json contest_steps_json(const ContestSchedule& schedule, const plan::ContestCost& cost) {
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
        json["steps"] = contest_steps_json(schedule, cost);
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
    json["steps"] = contest_steps_json(made.schedule, cost);
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

namespace {

using plan::FusionGroup;
using plan::NamedPlan;
using plan::PlainGraph;
using plan::Plan;

struct PlanArguments {
    std::vector<std::string> words;  // FILE, or a kind of question and FILE; none with --graph
    std::string graph;
    PlanQuestionArguments question;
    std::string solution;          // contest FILE
    ProgramPlanArguments program;  // FILE
    bool json = false;
};

// "0-3, 7": kernels of large graphs have many nodes.
std::string nodes_text(const FusionGroup& kernel) {
    std::string text;
    for (std::size_t i = 0; i < kernel.size();) {
        std::size_t last = i;
        while (last + 1 < kernel.size() && kernel[last + 1] == kernel[last] + 1) ++last;
        text += (text.empty() ? "" : ", ") + std::to_string(kernel[i]);
        if (last > i) text += (last == i + 1 ? ", " : "-") + std::to_string(kernel[last]);
        i = last + 1;
    }
    return text;
}

std::string local_text(const PlainGraph& graph, const FusionGroup& kernel) {
    double local = 0;
    for (const int node : kernel) local += graph.local[static_cast<std::size_t>(node)];
    return nodes_text(kernel) + (kernel.size() == 1 ? " needs " : " need ") + number(local) +
           " of local memory, of which there is " + number(graph.cap);
}

// A node that does not fit alone, or all that are connected with each other.
std::string why_none(const PlainGraph& graph) {
    for (int node = 0; node < graph.nodes(); ++node)
        if (plan::cost_of(graph, {node}) == plan::kNever) return local_text(graph, {node});
    for (const FusionGroup& kernel : plan::connected_parts(graph))
        if (plan::cost_of(graph, kernel) == plan::kNever) return local_text(graph, kernel);
    return "what is decided needs more local memory than there is";
}

std::string proof_text(const PlainGraph& graph, const std::string& way, const Plan& made) {
    if (made.value == plan::kNever) return why_none(graph);
    if (made.optimal)
        return way == "decided" ? "no plan that is so decided costs less" : "no plan costs less";
    if (made.bounded.empty() || made.bound <= 0) return made.bounded;
    const double gap = (made.value / made.bound - 1) * 100;
    return made.bounded + "; at most " + number(std::ceil(gap * 10) / 10) + "% above the least";
}

Json plan_json(const Plan& made) {
    Json json = json::Object{};
    json["value"] = made.value == plan::kNever ? Json() : Json(made.value);
    json["kernels"] = json::Array{};
    for (const FusionGroup& kernel : made.kernels) json["kernels"].push_back(list_json(kernel));
    json["optimal"] = made.optimal;
    if (made.states > 0) json["states"] = made.states;
    if (made.bound > 0 && !made.optimal) json["bound"] = made.bound;
    if (!made.bounded.empty()) json["bounded"] = made.bounded;
    return json;
}

template <class Read>
auto read_as(Read read, const std::string& file) {
    auto result = read(read_file(file), display_name(file));
    if (!result) throw BadInput(result.problems());
    return std::move(result).value();
}

const NamedPlan& plan_named(const std::vector<NamedPlan>& plans, const std::string& name,
                            const std::string& otherwise) {
    std::string names;
    for (const NamedPlan& one : plans) {
        if (one.way == (name.empty() ? otherwise : name)) return one;
        names += (names.empty() ? "" : ", ") + one.way;
    }
    throw UsageError("there is no way " + name + "; there are " + names);
}

// Options that say something of a program alone.
void refuse_options_of_programs(const PlanArguments& arguments) {
    const ProgramPlanArguments& program = arguments.program;
    const std::pair<const char*, bool> all[] = {{"--device", !program.device.empty()},
                                                {"--output", !program.output.empty()},
                                                {"--run", program.run},
                                                {"--measure", program.measure},
                                                {"--rounds", program.rounds.has_value()}};
    for (const auto& [name, given] : all)
        if (given) throw UsageError(std::string(name) + " is of a program, and not of a graph");
}

int graph_command(const PlanArguments& arguments) {
    refuse_options_of_programs(arguments);
    const std::string name = display_name(arguments.graph);
    const PlainGraph graph = read_as(plan::read_plain_graph, arguments.graph);
    std::vector<std::string> names;
    for (int node = 0; node < graph.nodes(); ++node) names.push_back(std::to_string(node));
    const PlanDecisionArguments& decisions = arguments.program.decisions;
    const plan::Decisions made = decisions_of(decisions, graph, names);
    SearchTime time(arguments.program.seconds);
    plan::Problem problem(graph);
    problem.stop = &time.sign();
    std::vector<NamedPlan> plans = plan::plans_of_ways(problem);
    if (!made.none()) plans.push_back({"decided", plan::decided_plan(problem, made, plan::ways().front())});
    time.over();
    const bool stopped =
        std::any_of(plans.begin(), plans.end(), [](const NamedPlan& one) { return one.plan.stopped; });
    const int code = stopped ? time.code() : kFine;
    const NamedPlan& shown = plan_named(plans, arguments.program.way, made.none() ? "exact" : "decided");
    if (arguments.json) {
        Json json = envelope("plan");
        json["file"] = name;
        json["ways"] = json::Object{};
        for (const NamedPlan& one : plans) json["ways"][one.way] = plan_json(one.plan);
        if (!decisions.steps.empty()) json["decisions"] = steps_json(graph, names, decisions.steps);
        std::cout << to_text(json) << '\n';
        return code;
    }
    const Style style = style_for(STDOUT_FILENO);
    std::vector<Row> rows{{"way", "cost", "kernels", ""}};
    for (const auto& [way, made_plan] : plans)
        rows.push_back({plan::way_title(way).str(),
                        made_plan.value == plan::kNever ? "-" : number(made_plan.value),
                        made_plan.kernels.empty() ? "-" : std::to_string(made_plan.kernels.size()),
                        proof_text(graph, way, made_plan)});
    print_table(rows, Align::Left, style);
    std::cout << "\nKernels of the " << shown.way << " way, in an order in which they can run:\n";
    for (const FusionGroup& kernel : shown.plan.kernels)
        std::cout << "  " << nodes_text(kernel) << "  costs " << number(plan::cost_of(graph, kernel)) << '\n';
    if (shown.plan.kernels.empty()) std::cout << "  none: " << why_none(graph) << '\n';
    if (decisions.steps.empty()) return code;
    std::cout << "\nDecisions, " << decisions.steps << ":\n";
    print_steps(graph, names, decisions.steps, style);
    return code;
}

int plan_command(const PlanArguments& arguments) {
    const std::vector<std::string>& words = arguments.words;
    if (words.empty() == arguments.graph.empty())
        throw UsageError(
            "plan takes FILE, or --graph FILE, or legality FILE, or benefit FILE, or contest FILE");
    if (!arguments.solution.empty() && (words.empty() || words.front() != "contest"))
        throw UsageError("--solution is of plan contest FILE");
    if (words.empty()) return graph_command(arguments);
    const bool question =
        words.front() == "legality" || words.front() == "benefit" || words.front() == "contest";
    if (words.size() == 1 && !question) {
        ProgramPlanArguments program = arguments.program;
        program.file = words.front();
        program.json = arguments.json;
        return program_plan_command(program);
    }
    if (words.size() != 2) throw UsageError("plan " + words.front() + " takes one FILE");
    PlanQuestionArguments question_arguments = arguments.question;
    question_arguments.file = words.at(1);
    question_arguments.device = arguments.program.device;
    question_arguments.json = arguments.json;
    if (words.front() == "legality") return legality_command(question_arguments);
    if (words.front() == "benefit") return benefit_command(question_arguments);
    if (words.front() == "contest")
        return contest_command({.problem = words.at(1),
                                .solution = arguments.solution,
                                .output = arguments.program.output,
                                .json = arguments.json});
    throw UsageError("there is no plan " + words.front() + "; there are legality, benefit and contest");
}

}  // namespace

Command plan_row() {
    const auto arguments = std::make_shared<PlanArguments>();
    return {
        .name = "plan",
        .summary = "decide which kernels to build of a program or a graph, in every known way",
        .options = {{.names = "FILE",
                     .help = "FILE: a program, whose kernels are found; legality FILE: which two operators "
                             "may be one kernel, of a graph in JSON or a program; benefit FILE: what fusing "
                             "some operators brings, of typed numbers or a program; contest FILE: a schedule "
                             "for a problem of the MLSys 2026 contest",
                     .to = &arguments->words,
                     .offered =
                         [] {
                             return std::vector<std::string>{"legality", "benefit", "contest"};
                         },
                     .completion = Completion::Files},
                    device_option(arguments->program.device,
                                  "of a program: the device that it is planned for"),
                    {.names = "--way",
                     .argument = "WAY",
                     .help = "whose kernels are shown; exact unless given",
                     .to = &arguments->program.way,
                     .offered = worker::program_way_names},
                    {.names = "-o,--output",
                     .argument = "FOLDER",
                     .help = "of a program: write each kernel's program, listing and CUDA, and plan.json; of "
                             "a contest's problem: write the schedule, a file",
                     .to = &arguments->program.output,
                     .completion = Completion::Files},
                    {.names = "--run",
                     .help = "of a program: run every way's plan on this machine's processor, in turns, "
                             "predicted beside measured",
                     .to = &arguments->program.run},
                    {.names = "--measure",
                     .help = "of a program: measure the kernels of plans on this machine's processor, and "
                             "decide by that until no kernel of a plan is new",
                     .to = &arguments->program.measure},
                    {.names = "--rounds",
                     .argument = "N",
                     .help = "of --run and --measure: how often each runs; 9 unless given",
                     .to = &arguments->program.rounds,
                     .check = whole_between(1, 1000)},
                    {.names = "--seconds",
                     .argument = "S",
                     .help = "end the search after so long, with the plans so far; so does "
                             "Ctrl-C",
                     .to = &arguments->program.seconds,
                     .check = above_zero()},
                    {.names = "--graph",
                     .argument = "FILE",
                     .help = "a graph of operators as plain numbers, in JSON: its kernels",
                     .to = &arguments->graph,
                     .completion = Completion::Files},
                    {.names = "--pin",
                     .argument = "A,B,C",
                     .help = "these operators are one kernel, and the rest is decided as is best; of a graph "
                             "by numbers; may stand several times",
                     .to = &arguments->program.decisions.pin},
                    {.names = "--apart",
                     .argument = "A:B",
                     .help = "these two operators are not in one kernel",
                     .to = &arguments->program.decisions.apart},
                    {.names = "--steps",
                     .argument = "WAY",
                     .help = "print the decisions of a way of the taxonomy of fusion one by one",
                     .to = &arguments->program.decisions.steps,
                     .choices = stepped_way_names()},
                    {.names = "--solution",
                     .argument = "FILE",
                     .help = "of a contest's problem: what this schedule costs, and the rules that it breaks",
                     .to = &arguments->solution,
                     .completion = Completion::Files},
                    {.names = "--operators",
                     .argument = "A,B",
                     .help = "of legality and benefit of a program: these operators; all unless given",
                     .to = &arguments->question.operators},
                    {.names = "--local",
                     .argument = "BYTES",
                     .help = "of legality: local memory that a kernel may need; 48 KiB unless given, of a "
                             "program as much as the device has",
                     .to = &arguments->question.local_bytes,
                     .check = not_below_zero()},
                    {.names = "--training",
                     .help = "of legality: dropout draws random numbers, which is an effect",
                     .to = &arguments->question.training},
                    json_option(arguments->json)},
        .notes =
            "docs/plans.md has the files' formats.\n\nExamples:\n"
            "  blockscope-cli plan samples/decoder-block.bp --device h100-sxm5\n"
            "  blockscope-cli plan --graph samples/plans/chain.json\n"
            "  blockscope-cli plan legality samples/plans/feed-forward.json\n"
            "  blockscope-cli plan contest samples/plans/contest.json",
        .run = [arguments](const Invocation&) { return plan_command(*arguments); }};
}

}  // namespace blockscope::cli
