// analyze for people: one state of a block program, and diagrams that are no program on whole axes.
#include <iostream>
#include <map>

#include "app/cli/analyze_omitted.h"
#include "app/cli/analyze_parts.h"
#include "app/cli/analyze_report.h"
#include "app/cli/table.h"

namespace blockscope::cli {
namespace {

using circuit::PartitionKind;

// Inner groups come after what was done before them; inner streams run in every part of the one before.
std::string parts_text(const std::vector<circuit::StateAlgorithm::Part>& parts) {
    std::string text;
    for (const circuit::StateAlgorithm::Part& part : parts) {
        const bool group = part.kind == PartitionKind::Group;
        text += text.empty() ? "" : part.inner ? (group ? ", then " : ", in each part of it ") : ", ";
        text += (group ? "g_" : "s_") + part.axis + " = " + std::to_string(part.size);
    }
    return text.empty() ? "nothing is split" : text;
}

// Inputs that several loops read have a copy for each of them.
std::string copies_text(const std::vector<std::string>& inputs) {
    std::map<std::string, int> times;
    for (const std::string& input : inputs) ++times[input];
    std::string text;
    for (const auto& [input, count] : times)
        if (count > 1)
            text +=
                (text.empty() ? "" : ", ") + input + " by " + std::to_string(count) + " loops along one axis";
    return text;
}

void print_hm(const char* what, const circuit::Circuit& drawn, const circuit::Resources& resources) {
    const circuit::HM hm = circuit::hm_of(drawn, resources);
    std::cout << "  " << what << ": H = " << resources.transferred.text() << " = " << count_of(hm.transferred)
              << ", M = " << resources.widest(1).text() << " = " << count_of(hm.memory) << '\n';
}

// What of H is no input and no output.
void print_stored(const circuit::StateAlgorithm& state) {
    const circuit::Values at = circuit::sizes(state.circuit.axes);
    for (const circuit::StateAlgorithm::Stored& stored : state.stored)
        std::cout << "    of H, " << stored.name
                  << " saved to global memory and loaded again: " << stored.moved.text() << " = "
                  << count_of(stored.moved.value(at)) << '\n';
}

// The state and the program split alike, both with loads at the heads of loops and sums of accumulators
// drawn.
void print_algorithm(const OneAlgorithm& algorithm, const Style& style) {
    print_heading("As one grouped and streamed algorithm (Sections 2.3, 2.4 and 5.1)", style);
    if (algorithm.state) {
        const std::string parts = algorithm.planned ? parts_text(algorithm.state->parts) + "; " : "";
        std::cout << "  " << parts
                  << "what a loop does not index is loaded before it, a loop of one block is none\n";
        print_hm("this state", algorithm.state->circuit, algorithm.state->resources);
        print_stored(*algorithm.state);
    }
    if (algorithm.planned) {
        const std::string copies = copies_text(algorithm.planned->circuit.inputs);
        if (!copies.empty()) std::cout << "  read anew: " << copies << '\n';
        print_hm("the program split so, what its streams keep drawn", algorithm.planned->circuit,
                 algorithm.planned->resources);
        std::cout << (algorithm.same() ? "  the same H and M\n" : "  not the same: another algorithm\n");
    } else {
        std::cout << "  " << algorithm.why_not << '\n';
    }
}

void print_parts(const circuit::DrawnStudy& study, const Style& style) {
    print_heading("Partition", style);
    std::vector<Row> rows = {{"axis", "part", "kind", "size", "parts"}};
    for (const circuit::DrawnPart& part : study.parts)
        rows.push_back({part.axis, part.part, part.kind == PartitionKind::Group ? "groups" : "stream",
                        std::to_string(part.size), std::to_string(part.parts)});
    if (study.parts.empty())
        std::cout << "  nothing is split\n";
    else
        print_table(rows, Align::Left, style);
}

void print_best(const circuit::DrawnStudy& study, const Style& style) {
    print_heading("Group sizes that can be chosen", style);
    print_limit(study);
    std::cout << '\n';
    if (study.law) print_choices(*study.law, sizes(study.circuit.axes), study.memory, study.memory_symbol);
    if (!study.best) {
        std::cout << "  no group sizes fit\n";
        return;
    }
    std::cout << "  best of powers of two:";
    for (std::size_t i = 0; i < study.groups.size(); ++i)
        std::cout << (i == 0 ? " " : ", ") << study.groups[i].symbol << " = " << study.best->sizes[i];
    std::cout << " moves " << count_of(study.best->transferred) << " values and holds "
              << count_of(study.best->memory) << '\n';
}

}  // namespace

bool OneAlgorithm::same() const {
    return state && planned &&
           circuit::hm_of(state->circuit, state->resources) ==
               circuit::hm_of(planned->circuit, planned->resources);
}

void print_drawing(const AnalyzedDrawing& analyzed, const Style& style) {
    const circuit::DrawnStudy& study = analyzed.study;
    std::cout << analyzed.title << (analyzed.title.empty() ? "" : " ") << "on " << analyzed.device.title
              << '\n';
    print_heading("As drawn", style);
    print_resources(study.circuit, study.resources);
    std::cout << "  its axes are not split anew: " << analyzed.why << '\n';
    print_parts(study, style);
    print_best(study, style);
    print_level_plans(study.level_plans, study.bytes, style);
    if (study.models) print_models(*study.models, study.bytes, style);
    print_omitted(omitted_sections(study), style);
}

void print_state(const AnalyzedState& analyzed, const Style& style) {
    std::cout << "step " << analyzed.step << " of " << analyzed.file << " on " << analyzed.device.title
              << '\n';
    print_heading("The diagram of this state", style);
    const circuit::Values values = sizes(analyzed.circuit.axes);
    print_resources(analyzed.circuit, analyzed.resources);
    std::vector<Row> rows = {{"transfer", "size", "times", "values"}};
    for (const circuit::TransferCost& transfer : analyzed.resources.transfers)
        rows.push_back({(transfer.to > transfer.from ? "load " : "save ") +
                            (!transfer.name.empty()        ? transfer.name
                             : transfer.to > transfer.from ? "an intermediate result"
                                                           : "a result"),
                        transfer.size.text(), transfer.runs.text(), count_of(transfer.total.value(values))});
    print_table(rows, Align::Left, style);
    print_algorithm(analyzed.algorithm, style);
    print_heading("Group sizes that can be chosen", style);
    for (const napkin::LaunchOptimum& launch : analyzed.optimum.launches)
        std::cout << "  launch " << to_string(launch.node)
                  << (launch.reason.empty() ? ": H* = " + law_text(launch.law, analyzed.dims)
                                            : ": no formula, " + launch.reason)
                  << '\n';
    if (analyzed.models) print_models(*analyzed.models, analyzed.bytes, style);
    print_omitted(omitted_sections(analyzed), style);
}

}  // namespace blockscope::cli
