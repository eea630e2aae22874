#include "app/cli/plan.h"

#include <unistd.h>

#include <cmath>
#include <iostream>
#include <sstream>
#include <vector>

#include "app/cli/best.h"
#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/cli/terminal.h"
#include "app/worker/program_benefit.h"
#include "core/plan/benefit.h"
#include "core/plan/legality.h"

namespace blockscope::cli {

namespace {

// A program in the text language, or one of Blockscope's JSON; else a graph or numbers of these questions.
bool is_program(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string::npos || text[first] != '{' ||
           text.find("\"blockscope\"") != std::string::npos;
}

template <class Read>
auto read_as(Read read, const std::string& text, const std::string& file) {
    auto result = read(text, display_name(file));
    if (!result) throw BadInput(result.problems());
    return std::move(result).value();
}

// A device that has so much local memory.
Device with_local_bytes(Device device, double bytes) {
    const MemoryLevel* local = local_level(device);
    for (MemoryLevel& level : device.memory)
        if (&level == local) level.capacity.value = level.block_capacity.value = bytes;
    return device;
}

// A program on a device, and the operators that are asked about.
struct Asked {
    worker::GroupCosts costs;
    plan::FusionGroup operators;
};

Asked asked_of(const PlanQuestionArguments& arguments, const std::string& text) {
    const Loaded loaded = program_in(text, display_name(arguments.file));
    if (!loaded.array)
        throw UsageError(loaded.name + " holds a block program; operators are those of array programs");
    Device device = stakes_of({}, arguments.device).device.value();
    if (arguments.local_bytes) device = with_local_bytes(std::move(device), *arguments.local_bytes);
    Asked asked{worker::GroupCosts(*loaded.array, std::move(device)), {}};
    const plan::OperatorGraph& graph = asked.costs.graph();
    if (arguments.operators.empty()) {
        for (int node = 0; node < graph.nodes(); ++node) asked.operators.push_back(node);
        return asked;
    }
    Result<plan::FusionGroup> read = plan::read_kernel(arguments.operators, graph.names);
    if (!read) throw UsageError("--operators: " + read.problems().front().message.str());
    asked.operators = std::move(read).value();
    return asked;
}

// ---- Which two may be one kernel.

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

std::vector<std::string> as_strings(const std::vector<Text>& texts) {
    std::vector<std::string> strings;
    for (const Text& text : texts) strings.push_back(text.str());
    return strings;
}

void print_verdicts(const char* what, const std::vector<plan::Verdict>& verdicts) {
    for (const plan::Verdict& verdict : verdicts)
        std::cout << "  " << what << ' ' << verdict.rule << ": " << harmless(verdict.why.str()) << '\n';
}

struct PairVerdicts {
    int a = 0, b = 0;
    std::string one, other;
    std::vector<plan::Verdict> violated, failed;
    std::vector<std::string> warned;
};

Json pair_json(const PairVerdicts& pair) {
    return json::Object{{"nodes", list_json(std::vector<int>{pair.a, pair.b})},
                        {"names", list_json(std::vector<std::string>{pair.one, pair.other})},
                        {"legal", pair.violated.empty()},
                        {"violated", list_json(numbers_of(pair.violated))},
                        {"reasons", list_json(reasons_of(pair.violated))},
                        {"checks_failed", list_json(numbers_of(pair.failed))},
                        {"check_reasons", list_json(reasons_of(pair.failed))},
                        {"warnings", list_json(pair.warned)}};
}

void print_pair(const PairVerdicts& pair, const Style& style) {
    const bool legal = pair.violated.empty();
    std::cout << style(Tone::Cyan, harmless_name(pair.one + " + " + pair.other)) << ": "
              << (legal ? style(Tone::Green, "legal") : style(Tone::Red, "not legal")) << '\n';
    print_verdicts("rule", pair.violated);
    print_verdicts("checklist", pair.failed);
    for (const std::string& warning : pair.warned) std::cout << "  warning: " << warning << '\n';
}

// Every two of these operators: the five rules in order, the checklist, warnings.
int legality_of(const plan::NamedGraph& graph, const plan::FusionGroup& operators,
                const plan::LegalityOptions& options, const PlanQuestionArguments& arguments) {
    const Style style = style_for(STDOUT_FILENO);
    Json json = envelope("plan");
    json["file"] = display_name(arguments.file);
    json["pairs"] = json::Array{};
    for (std::size_t i = 0; i < operators.size(); ++i)
        for (std::size_t j = i + 1; j < operators.size(); ++j) {
            const int a = operators[i], b = operators[j];
            const PairVerdicts pair{.a = a,
                                    .b = b,
                                    .one = graph.operators[static_cast<std::size_t>(a)].name,
                                    .other = graph.operators[static_cast<std::size_t>(b)].name,
                                    .violated = plan::violated_rules(graph, a, b, options),
                                    .failed = plan::failed_checks(graph, a, b, options),
                                    .warned = as_strings(plan::warnings(graph, a, b))};
            if (arguments.json)
                json["pairs"].push_back(pair_json(pair));
            else
                print_pair(pair, style);
        }
    if (arguments.json) std::cout << to_text(json) << '\n';
    return kFine;
}

// ---- What fusing brings.

Json benefit_json(const plan::Benefit& result, const std::string& file) {
    Json json = envelope("plan");
    json["file"] = display_name(file);
    add_members(json, json::Object{{"unfused", result.unfused},
                                   {"fused", result.fused},
                                   {"compute", result.compute},
                                   {"memory", result.memory},
                                   {"launch", result.launch},
                                   {"speedup", result.speedup()},
                                   {"worth_it", result.worth_it()}});
    return json;
}

std::string worth_text(const plan::Benefit& result) {
    std::ostringstream speedup;
    speedup.precision(3);
    speedup << result.speedup();
    return speedup.str() +
           " times as fast: " + (result.worth_it() ? "worth it" : "not worth it, which begins above 1.2");
}

int benefit_of_numbers(const PlanQuestionArguments& arguments, const std::string& text) {
    const plan::Benefit result = plan::benefit(read_as(plan::read_benefit, text, arguments.file));
    if (arguments.json) {
        std::cout << to_text(benefit_json(result, arguments.file)) << '\n';
        return kFine;
    }
    std::cout << "unfused " << number(result.unfused) << ", fused " << number(result.fused) << " (compute "
              << number(result.compute) << ", memory " << number(result.memory) << ", launch "
              << number(result.launch) << ")\n"
              << worth_text(result) << '\n';
    return kFine;
}

Json program_benefit_json(const worker::ProgramBenefit& found, const worker::GroupCosts& costs,
                          const std::string& file) {
    Json json = benefit_json(found.guide, file);
    json["device"] = costs.device().name;
    json["operators"] = json::Array{};
    for (const plan::OperatorTime& one : found.question.operators)
        json["operators"].push_back(json::Object{
            {"name", one.name}, {"compute", one.compute}, {"memory", one.memory}, {"launch", one.launch}});
    json["predicted"] =
        json::Object{{"separate", found.separate},
                     {"together", found.together == plan::kNever ? Json() : Json(found.together)}};
    if (found.together < plan::kNever) {
        json["predicted"]["state"] = found.state;
        json["predicted"]["launches"] = found.launches;
    }
    if (!found.why_not.empty()) json["why_not"] = found.why_not.str();
    json["edges"] = json::Array{};
    const auto& names = costs.graph().names;
    for (const worker::EdgeVerdicts& edge : found.edges)
        json["edges"].push_back(pair_json({.a = edge.from,
                                           .b = edge.to,
                                           .one = names[static_cast<std::size_t>(edge.from)],
                                           .other = names[static_cast<std::size_t>(edge.to)],
                                           .violated = edge.rules,
                                           .failed = edge.checks,
                                           .warned = as_strings(edge.warnings)}));
    return json;
}

void print_program_benefit(const worker::ProgramBenefit& found, const worker::GroupCosts& costs,
                           const Style& style) {
    std::vector<Row> rows{{"operator", "compute", "memory", "launch"}};
    for (const plan::OperatorTime& one : found.question.operators)
        rows.push_back({harmless(one.name), seconds_text(one.compute), seconds_text(one.memory),
                        seconds_text(one.launch)});
    rows.push_back({"as one", seconds_text(found.guide.compute), seconds_text(found.guide.memory),
                    seconds_text(found.guide.launch)});
    print_table(rows, Align::Left, style);
    std::cout << "\nBy the guide's estimate: " << seconds_text(found.guide.unfused) << " against "
              << seconds_text(found.guide.fused) << ", " << worth_text(found.guide) << '\n';
    std::cout << "Predicted on " << harmless(costs.device().title) << ": " << seconds_text(found.separate)
              << " as a kernel each, ";
    if (found.together < plan::kNever)
        std::cout << seconds_text(found.together) << " as one (" << found.state << ", " << found.launches
                  << (found.launches == 1 ? " launch), " : " launches), ")
                  << times_text(found.separate / found.together) << " times as fast\n";
    else
        std::cout << "and no kernel of all of them: " << harmless(found.why_not.str()) << '\n';
    const auto& names = costs.graph().names;
    for (const worker::EdgeVerdicts& edge : found.edges)
        print_pair({.a = edge.from,
                    .b = edge.to,
                    .one = names[static_cast<std::size_t>(edge.from)],
                    .other = names[static_cast<std::size_t>(edge.to)],
                    .violated = edge.rules,
                    .failed = edge.checks,
                    .warned = as_strings(edge.warnings)},
                   style);
}

void refuse_operators(const PlanQuestionArguments& arguments) {
    if (!arguments.operators.empty()) throw UsageError("--operators is of a program");
}

}  // namespace

std::string number(double value) {
    std::ostringstream text;
    text.precision(9);
    text << value;
    return text.str();
}

int legality_command(const PlanQuestionArguments& arguments) {
    const std::string text = read_file(arguments.file);
    plan::LegalityOptions options;
    options.training = arguments.training;
    if (is_program(text)) {
        Asked asked = asked_of(arguments, text);
        plan::LegalityOptions of_program = worker::legality_on(asked.costs);
        of_program.training = arguments.training;
        return legality_of(worker::named_graph(asked.costs), asked.operators, of_program, arguments);
    }
    refuse_operators(arguments);
    const plan::NamedGraph graph = read_as(plan::read_named_graph, text, arguments.file);
    plan::FusionGroup operators;
    for (std::size_t i = 0; i < graph.operators.size(); ++i) operators.push_back(static_cast<int>(i));
    if (arguments.local_bytes) options.local_bytes = std::llround(*arguments.local_bytes);
    return legality_of(graph, operators, options, arguments);
}

int benefit_command(const PlanQuestionArguments& arguments) {
    const std::string text = read_file(arguments.file);
    if (!is_program(text)) {
        refuse_operators(arguments);
        return benefit_of_numbers(arguments, text);
    }
    Asked asked = asked_of(arguments, text);
    const worker::ProgramBenefit found = worker::benefit_of(asked.costs, asked.operators);
    if (arguments.json)
        std::cout << to_text(program_benefit_json(found, asked.costs, arguments.file)) << '\n';
    else
        print_program_benefit(found, asked.costs, style_for(STDOUT_FILENO));
    return kFine;
}

}  // namespace blockscope::cli
