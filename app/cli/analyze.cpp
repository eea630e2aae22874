// blockscope-cli analyze: what the napkin says of a program on a device.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/analyze.h"
#include "app/cli/analyze_report.h"
#include "app/cli/cost.h"
#include "app/cli/failures.h"
#include "app/cli/load.h"
#include "app/cli/quantity.h"
#include "app/cli/run.h"
#include "app/cli/selection.h"
#include "core/diagram/arrange.h"
#include "core/json/device_files.h"
#include "core/json/parts.h"
#include "core/napkin/correspond.h"

namespace blockscope::cli {
namespace {

struct AnalyzeArguments : KernelArguments {
    std::string file;
    std::optional<int> step;  // of the algorithm: that state's diagram
    std::optional<int> snapshot;
    std::vector<std::string> sizes;  // NAME=SIZE[/BLOCK]
    std::vector<std::string> same;   // KEPT=OTHER: written as one dimension
    double memory = 0;               // bytes; 0: the device's local memory
    double link = 0;                 // bytes per second between linked processors
    std::string circuit;             // file to write the circuit document to; empty: none
    bool json = false;
};

circuit::StudyOptions options_with_memory(const AnalyzeArguments& arguments) {
    circuit::StudyOptions options = options_of(arguments);
    if (arguments.memory > 0) options.memory = arguments.memory;
    options.link = arguments.link;
    options.execution = execution_of(arguments, std::nullopt);
    return options;
}

int report(const AnalyzeArguments& arguments, const AnalyzedStudy& analyzed) {
    if (analyzed.study.kernel) check_names(arguments, *analyzed.study.kernel);
    if (!arguments.circuit.empty()) {
        const circuit::CircuitDocument made =
            value_or_usage(document(analyzed.study, analyzed.device, harmless_name(analyzed.title)));
        write_file(arguments.circuit, json::print(to_json(made)));
    }
    if (arguments.json)
        std::cout << study_json(analyzed) << '\n';
    else
        print_study(analyzed, style_for(STDOUT_FILENO));
    return kFine;
}

// What has no axes to be split anew is analysed as it is drawn.
int analyze_drawing(const AnalyzeArguments& arguments, const circuit::CircuitDocument& document,
                    const Device& device, const std::string& why) {
    if (!arguments.circuit.empty() || !arguments.rows.empty() || !arguments.stream.empty())
        throw UsageError("this diagram is analysed as it is drawn, without --circuit, --rows and --stream: " +
                         why);
    circuit::Circuit drawn = document.circuit;
    write_alike(drawn.axes, arguments.same);
    const AnalyzedDrawing analyzed{
        display_name(arguments.file), document.title, device,
        circuit::study_diagram(std::move(drawn), device, options_with_memory(arguments)), why};
    if (arguments.json)
        std::cout << drawing_json(analyzed) << '\n';
    else
        print_drawing(analyzed, style_for(STDOUT_FILENO));
    return kFine;
}

int analyze_circuit(const AnalyzeArguments& arguments, const std::string& text) {
    const std::string name = display_name(arguments.file);
    Result<circuit::CircuitDocument> read = circuit::read_circuit(text, name);
    if (!read) throw BadInput(read.problems(), text);
    if (!arguments.sizes.empty() || arguments.step || arguments.snapshot)
        throw UsageError("a circuit has no steps or blocks: --set, --step and --snapshot are for programs");
    const circuit::CircuitDocument& document = *read;
    const Device device = device_of(arguments, document.execution ? document.execution->device : "");
    circuit::StudyOptions options = options_with_memory(arguments);
    options.execution = execution_of(arguments, document.execution);
    const Result<circuit::Flow> flow = circuit::flow_of(document.circuit);
    if (!flow) return analyze_drawing(arguments, document, device, flow.problems().front().message.str());
    circuit::Flow alike = *flow;
    write_alike(alike.axes, arguments.same);
    return report(arguments, {name, document.title, device, document.circuit,
                              value_or_usage(circuit::study(alike, device, options)), false});
}

int analyze_arrays(const AnalyzeArguments& arguments, const Loaded& loaded) {
    const Device device = device_of(arguments, "");
    circuit::Flow flow = circuit::separated(circuit::flow_of(resized_arrays(loaded, arguments.sizes)));
    write_alike(flow.axes, arguments.same);
    AnalyzedStudy analyzed{loaded.name,
                           loaded.name,
                           device,
                           std::nullopt,
                           value_or_usage(circuit::study(flow, device, options_with_memory(arguments))),
                           false};
    if (!analyzed.study.law || analyzed.study.law_of_numbers) {
        const State fused(fuse_watched(resized(loaded.blocks, arguments.sizes)).last());
        analyzed.optimum_has_law = napkin::find_optimum(fused.loops()).has_law();
    }
    return report(arguments, analyzed);
}

// The state as one grouped and streamed algorithm, and the program split alike.
OneAlgorithm one_algorithm(const BlockProgram& state, const Loaded& loaded,
                           const std::vector<std::string>& sizes) {
    OneAlgorithm made;
    Result<circuit::StateAlgorithm> of_state = circuit::algorithm_of(state);
    if (!of_state) {
        made.why_not = of_state.problems().front().message.str();
        return made;
    }
    made.state = std::move(of_state).value();
    if (!loaded.array) {
        made.why_not = "the file has no array program to be split alike";
        return made;
    }
    const circuit::Flow flow = circuit::separated(circuit::flow_of(resized_arrays(loaded, sizes)));
    Result<circuit::SplitAlike> split = circuit::split_alike(flow, *made.state);
    Result<circuit::PlannedAlgorithm> planned = split ? circuit::algorithm_of(split->flow, split->plan)
                                                      : Result<circuit::PlannedAlgorithm>(split.problems());
    if (planned)
        made.planned = std::move(planned).value();
    else
        made.why_not = planned.problems().front().message.str();
    return made;
}

int analyze_state(const AnalyzeArguments& arguments, const Loaded& loaded) {
    const Device device = device_of(arguments, "");
    if (!arguments.circuit.empty())
        throw UsageError("--circuit writes the whole program's algorithm, not that of a state");
    AnalyzedState analyzed{loaded.name, device, 0, {}, {}, {}, {}, 1, std::nullopt};
    const ProgramPtr initial = resized(loaded.blocks, arguments.sizes);
    const Trace trace = fuse_watched(initial);
    const ChosenState chosen = chosen_state(trace, state_choice(arguments.step, arguments.snapshot));
    const ProgramPtr state = chosen.state.program();
    analyzed.step = chosen.step;
    analyzed.circuit = value_or_usage(circuit::circuit_of(*state));
    write_alike(analyzed.circuit.axes, arguments.same);
    analyzed.resources = circuit::resources(analyzed.circuit);
    analyzed.algorithm = one_algorithm(*state, loaded, arguments.sizes);
    const LoopProgram& loops = chosen.state.loops();
    for (const Buffer& buffer : loops.buffers)
        analyzed.bytes = std::max<double>(analyzed.bytes, bytes_per_element(buffer.type.elem()));
    analyzed.dims = loops.dims;
    napkin::OptimumOptions alike;
    for (const std::string& pair : arguments.same) alike.same.push_back(same_dims(*initial, pair));
    analyzed.optimum = napkin::find_optimum(loops, alike);
    if (analyzed.optimum.has_law())
        analyzed.models = circuit::level_models(napkin::power_law(analyzed.optimum.law, loops.dims), device,
                                                analyzed.bytes, arguments.link);
    if (arguments.json)
        std::cout << state_json(analyzed) << '\n';
    else
        print_state(analyzed, style_for(STDOUT_FILENO));
    return kFine;
}

int analyze_command(const AnalyzeArguments& arguments) {
    const std::string text = read_file(arguments.file);
    if (content_of(text) == Content::Circuit) return analyze_circuit(arguments, text);
    const Loaded loaded = program_in(text, display_name(arguments.file));
    if (arguments.step || arguments.snapshot || !loaded.array) return analyze_state(arguments, loaded);
    return analyze_arrays(arguments, loaded);
}

std::vector<Option> analyze_options(AnalyzeArguments& arguments) {
    Option step = step_option(arguments.step, "the diagram of the state after step N");
    step.check = not_below_zero();
    return {
        {.names = "FILE",
         .help = "a program: text, or JSON of an array program, block program or circuit; - is stdin",
         .to = &arguments.file,
         .required = true,
         .completion = Completion::Files},
        step,
        snapshot_option(arguments.snapshot, "the diagram of snapshot K; 0 is the unfused program"),
        set_option(arguments.sizes),
        same_option(arguments.same),
        {.names = "--memory",
         .argument = "BYTES",
         .help = "the limit of group sizes in bytes; by default local memory",
         .to = &arguments.memory,
         .check = above_zero()},
        {.names = "--link",
         .argument = "BYTES/S",
         .help = "bytes per second between linked processors, all together; by default links cost nothing",
         .to = &arguments.link,
         .check = above_zero()}};
}

}  // namespace

Command analyze_row() {
    const auto arguments = std::make_shared<AnalyzeArguments>();
    const std::vector<Option> output = {
        {.names = "--circuit",
         .argument = "OUT",
         .help = "write the algorithm on the device's levels to this file, a circuit document",
         .to = &arguments->circuit,
         .completion = Completion::Files},
        json_option(arguments->json)};
    return {.name = "analyze",
            .summary = "analyse a program on a device by its circuit diagram: levels, configuration, clocks",
            .options = joined(joined(analyze_options(*arguments), kernel_options(*arguments)), output),
            .notes =
                "Without --step and --snapshot the whole program is one algorithm, grouped and streamed as "
                "it can be.\n"
                "Examples:\n"
                "  blockscope-cli analyze samples/attention.bp --device h100-sxm5\n"
                "  blockscope-cli analyze samples/attention.bp --device h100-sxm5 --snapshot 2\n"
                "  blockscope-cli analyze samples/circuits/flash-attention-3-fp16-intra.json",
            .run = [arguments](const Invocation&) { return analyze_command(*arguments); }};
}

}  // namespace blockscope::cli
