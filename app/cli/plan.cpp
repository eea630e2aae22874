// blockscope-cli plan: which operators become one kernel, by every way of deciding, side by side, of a
// program on a device (program_plan.h) or of a plain graph; which two may be one, by the rules of the
// taxonomy of fusion; what that brings, by the PTO guide's estimate; and schedules of a contest.
#include <unistd.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <sstream>

#include "app/cli/command.h"
#include "app/cli/contest_plan.h"
#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/cli/program_plan.h"
#include "app/cli/terminal.h"
#include "app/worker/program_plan.h"
#include "core/plan/benefit.h"
#include "core/plan/legality.h"
#include "core/plan/plain_graph.h"
#include "core/plan/ways.h"

namespace blockscope::cli {

namespace {

using plan::Kernel;
using plan::PlainGraph;
using plan::Plan;

struct PlanArguments {
    std::vector<std::string> words;  // FILE, or a kind of question and FILE; none with --graph
    std::string graph;
    std::int64_t local_bytes = plan::kUsableLocalBytes;
    bool training = false;
    std::string solution;          // contest FILE
    ProgramPlanArguments program;  // FILE
    bool json = false;
};

std::string number(double value) {
    std::ostringstream text;
    text.precision(9);
    text << value;
    return text.str();
}

// "0-3, 7": kernels of large graphs have many nodes.
std::string nodes_text(const Kernel& kernel) {
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

std::string proof_text(const Plan& made) {
    if (made.value == plan::kNever) return "a kernel needs more local memory than there is";
    if (made.optimal) return "no plan costs less";
    if (made.bounded.empty() || made.bound <= 0) return made.bounded;
    const double gap = (made.value / made.bound - 1) * 100;
    return made.bounded + "; at most " + number(std::ceil(gap * 10) / 10) + "% above the least";
}

Json plan_json(const Plan& made) {
    Json json = json::Object{};
    json["value"] = made.value == plan::kNever ? Json() : Json(made.value);
    json["kernels"] = json::Array{};
    for (const Kernel& kernel : made.kernels) json["kernels"].push_back(list_json(kernel));
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

std::vector<int> numbers_of(const std::vector<plan::Verdict>& verdicts) {
    std::vector<int> numbers;
    for (const plan::Verdict& verdict : verdicts) numbers.push_back(verdict.rule);
    return numbers;
}

std::vector<std::string> reasons_of(const std::vector<plan::Verdict>& verdicts) {
    std::vector<std::string> reasons;
    for (const plan::Verdict& verdict : verdicts) reasons.push_back(verdict.why.str());
    return reasons;
}

void print_verdicts(const char* what, const std::vector<plan::Verdict>& verdicts) {
    for (const plan::Verdict& verdict : verdicts)
        std::cout << "  " << what << ' ' << verdict.rule << ": " << harmless(verdict.why.str()) << '\n';
}

// Every two operators: the five rules in order, the checklist, warnings.
int legality_command(const PlanArguments& arguments) {
    const plan::NamedGraph graph = read_as(plan::read_named_graph, arguments.words.at(1));
    const plan::LegalityOptions options{.local_bytes = arguments.local_bytes, .training = arguments.training};
    const Style style = style_for(STDOUT_FILENO);
    Json json = envelope("plan");
    json["file"] = display_name(arguments.words.at(1));
    json["pairs"] = json::Array{};
    const int count = static_cast<int>(graph.operators.size());
    for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b) {
            const std::string& one = graph.operators[static_cast<std::size_t>(a)].name;
            const std::string& other = graph.operators[static_cast<std::size_t>(b)].name;
            const auto violated = plan::violated_rules(graph, a, b, options);
            const auto failed = plan::failed_checks(graph, a, b, options);
            std::vector<std::string> warned;
            for (const Text& warning : plan::warnings(graph, a, b)) warned.push_back(warning.str());
            if (arguments.json) {
                json["pairs"].push_back(
                    json::Object{{"nodes", list_json(std::vector<int>{a, b})},
                                 {"names", list_json(std::vector<std::string>{one, other})},
                                 {"legal", violated.empty()},
                                 {"violated", list_json(numbers_of(violated))},
                                 {"reasons", list_json(reasons_of(violated))},
                                 {"checks_failed", list_json(numbers_of(failed))},
                                 {"check_reasons", list_json(reasons_of(failed))},
                                 {"warnings", list_json(warned)}});
                continue;
            }
            std::cout << style(Tone::Cyan, harmless_name(one + " + " + other)) << ": "
                      << (violated.empty() ? style(Tone::Green, "legal") : style(Tone::Red, "not legal"))
                      << '\n';
            print_verdicts("rule", violated);
            print_verdicts("checklist", failed);
            for (const std::string& warning : warned) std::cout << "  warning: " << warning << '\n';
        }
    if (arguments.json) std::cout << to_text(json) << '\n';
    return kFine;
}

int benefit_command(const PlanArguments& arguments) {
    const plan::Benefit result = plan::benefit(read_as(plan::read_benefit, arguments.words.at(1)));
    if (arguments.json) {
        Json json = envelope("plan");
        json["file"] = display_name(arguments.words.at(1));
        add_members(json, json::Object{{"unfused", result.unfused},
                                       {"fused", result.fused},
                                       {"compute", result.compute},
                                       {"memory", result.memory},
                                       {"launch", result.launch},
                                       {"speedup", result.speedup()},
                                       {"worth_it", result.worth_it()}});
        std::cout << to_text(json) << '\n';
        return kFine;
    }
    std::ostringstream speedup;
    speedup.precision(3);
    speedup << result.speedup();
    std::cout << "unfused " << number(result.unfused) << ", fused " << number(result.fused) << " (compute "
              << number(result.compute) << ", memory " << number(result.memory) << ", launch "
              << number(result.launch) << ")\n"
              << speedup.str() << " times as fast: "
              << (result.worth_it() ? "worth it" : "not worth it, which begins above 1.2") << '\n';
    return kFine;
}

int graph_command(const PlanArguments& arguments) {
    const std::string name = display_name(arguments.graph);
    const PlainGraph graph = read_as(plan::read_plain_graph, arguments.graph);
    std::vector<Plan> plans;
    for (const plan::Way& way : plan::ways()) plans.push_back(way.decide(graph));
    if (arguments.json) {
        Json json = envelope("plan");
        json["file"] = name;
        json["ways"] = json::Object{};
        for (std::size_t i = 0; i < plans.size(); ++i)
            json["ways"][plan::ways()[i].name] = plan_json(plans[i]);
        std::cout << to_text(json) << '\n';
        return kFine;
    }
    const Style style = style_for(STDOUT_FILENO);
    std::vector<Row> rows{{"way", "cost", "kernels", ""}};
    for (std::size_t i = 0; i < plans.size(); ++i)
        rows.push_back({plan::ways()[i].title, plans[i].value == plan::kNever ? "-" : number(plans[i].value),
                        plans[i].kernels.empty() ? "-" : std::to_string(plans[i].kernels.size()),
                        proof_text(plans[i])});
    print_table(rows, Align::Left, style);
    std::cout << "\nKernels of the exact way, in an order in which they can run:\n";
    for (const Kernel& kernel : plans.front().kernels)
        std::cout << "  " << nodes_text(kernel) << "  costs " << number(plan::cost_of(graph, kernel)) << '\n';
    if (plans.front().kernels.empty()) std::cout << "  none: nothing fits the cap on local memory\n";
    return kFine;
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
    if (words.front() == "legality") return legality_command(arguments);
    if (words.front() == "benefit") return benefit_command(arguments);
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
                             "may be one kernel; benefit FILE: what fusing some operators brings; contest "
                             "FILE: a schedule for a problem of the MLSys 2026 contest",
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
                     .help = "of a program: whose kernels are shown; exact unless given",
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
                    {.names = "--rounds",
                     .argument = "N",
                     .help = "of --run: how often each runs; 9 unless given",
                     .to = &arguments->program.rounds,
                     .check = whole_between(1, 1000)},
                    {.names = "--graph",
                     .argument = "FILE",
                     .help = "a graph of operators as plain numbers, in JSON: its kernels",
                     .to = &arguments->graph,
                     .completion = Completion::Files},
                    {.names = "--solution",
                     .argument = "FILE",
                     .help = "of a contest's problem: what this schedule costs, and the rules that it breaks",
                     .to = &arguments->solution,
                     .completion = Completion::Files},
                    {.names = "--local",
                     .argument = "BYTES",
                     .help = "of legality: local memory that a kernel may need; 48 KiB unless given",
                     .to = &arguments->local_bytes,
                     .check = not_below_zero()},
                    {.names = "--training",
                     .help = "of legality: dropout draws random numbers, which is an effect",
                     .to = &arguments->training},
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
