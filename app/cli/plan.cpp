// blockscope-cli plan: which operators become one kernel, by every way of deciding, side by side.
#include <unistd.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <sstream>

#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/cli/terminal.h"
#include "core/plan/ways.h"

namespace blockscope::cli {

namespace {

using plan::Kernel;
using plan::PlainGraph;
using plan::Plan;

struct PlanArguments {
    std::string graph;
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
    if (made.bounded.empty()) return "";
    const double gap = made.bound > 0 ? (made.value / made.bound - 1) * 100 : 0;
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

int plan_command(const PlanArguments& arguments) {
    const std::string name = display_name(arguments.graph);
    const Result<PlainGraph> graph = plan::read_plain_graph(read_file(arguments.graph), name);
    if (!graph) throw BadInput(graph.problems());
    std::vector<Plan> plans;
    for (const plan::Way& way : plan::ways()) plans.push_back(way.decide(*graph));
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
        std::cout << "  " << nodes_text(kernel) << "  costs " << number(plan::cost_of(*graph, kernel))
                  << '\n';
    if (plans.front().kernels.empty()) std::cout << "  none: nothing fits the cap on local memory\n";
    return kFine;
}

}  // namespace

Command plan_row() {
    const auto arguments = std::make_shared<PlanArguments>();
    return {.name = "plan",
            .summary = "decide which operators of a graph become one kernel, in every known way",
            .options = {{.names = "--graph",
                         .argument = "FILE",
                         .help = "a graph of operators as plain numbers, in JSON",
                         .to = &arguments->graph,
                         .required = true,
                         .completion = Completion::Files},
                        json_option(arguments->json)},
            .notes =
                "Example:\n  blockscope-cli plan --graph layers.json\n\nPlans of programs are not made yet: "
                "of plain graphs alone.",
            .run = [arguments](const Invocation&) { return plan_command(*arguments); }};
}

}  // namespace blockscope::cli
