// blockscope-cli analyze: what the napkin says of a program on a device.
#include "app/cli/analyze.h"
#include "app/cli/best.h"

#include <unistd.h>
#include <algorithm>
#include <iostream>
#include <memory>
#include <unordered_map>

#include "app/cli/cost.h"
#include "app/cli/load.h"
#include "app/cli/run.h"
#include "app/cli/selection.h"
#include "app/cli/terminal.h"
#include "core/diagram/arrange.h"
#include "core/json/device_files.h"
#include "core/json/parts.h"
#include "core/napkin/correspond.h"
#include "core/napkin/study.h"

namespace blockscope::cli {

// ---- The options of a kernel, and what they say to the library.

namespace {

// "NAME=VALUE" in its parts.
std::pair<std::string, std::string> named(const std::string& text, const std::string& expected) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw UsageError("'" + text + "' is no setting; expected " + expected);
    return {text.substr(0, equals), text.substr(equals + 1)};
}

double positive(const std::string& text) {
    std::size_t used = 0;
    double value = 0;
    try {
        value = std::stod(text, &used);
    } catch (const std::exception&) {
        used = 0;
    }
    if (used != text.size() || !(value > 0) || value > 1e15)
        throw UsageError("'" + text + "' is no size; expected a number above 0");
    return value;
}

std::map<std::string, ElemType> types_of(const std::vector<std::string>& settings) {
    std::map<std::string, ElemType> types;
    for (const std::string& setting : settings) {
        const auto [name, type] = named(setting, "VARIABLE=TYPE, such as Q=e4m3");
        const std::vector<std::string>& names = json::elem_names();
        const auto found = std::find(names.begin(), names.end(), type);
        if (found == names.end())
            throw UsageError("there is no type '" + type + "'; expected " + json::alternatives(names).str());
        types[name] = static_cast<ElemType>(found - names.begin());
    }
    return types;
}

void check_symbol(const std::string& symbol, const circuit::WarpgroupKernel& kernel) {
    const std::vector<std::string> known = circuit::chosen_symbols(kernel);
    if (std::find(known.begin(), known.end(), symbol) == known.end())
        throw UsageError("there is no symbol '" + symbol + "' to choose; there are " + joined_names(known));
}

// Groups of other axes have from one to all of their indices.
void check_groups(const circuit::WarpgroupKernel& kernel) {
    for (const std::string& name : kernel.others) {
        const double size = kernel.configuration.sizes.at("g_" + name);
        const auto part =
            static_cast<double>(axis_of(kernel.flow.axes, circuit::axis_named(kernel.flow.axes, name)).size);
        if (size != part)
            throw UsageError("g_" + name + " = " + circuit::number_text(size) +
                             " is no size of a group; expected a whole number from 1 to the size of " + name);
    }
}

void check_stream(const circuit::WarpgroupKernel& kernel) {
    for (const std::string& stream : {kernel.stream, kernel.inner})
        for (const char* letter : {"s_", "u_"}) {
            if (stream.empty()) continue;
            const double part = kernel.configuration.sizes.at(letter + stream);
            const auto whole = static_cast<double>(
                axis_of(kernel.flow.axes, circuit::axis_named(kernel.flow.axes, stream)).size);
            if (part > whole)
                throw UsageError(letter + stream + " = " + circuit::number_text(part) + " is more than " +
                                 stream + " = " + circuit::number_text(whole));
        }
}

std::vector<Option> split_options(KernelArguments& kernel) {
    return {
        {.names = "--rows",
         .argument = "AXIS",
         .help = "the axis that threads share; by default the longest whose groups are rows of a product",
         .to = &kernel.rows},
        {.names = "--stream",
         .argument = "AXIS",
         .help = "the axis that is streamed; by default the one that carries most along (softmax, a norm)",
         .to = &kernel.stream},
        {.names = "--stream-size",
         .argument = "N",
         .help = "parts of the stream (default 64)",
         .to = &kernel.stream_size,
         .check = above_zero()},
        {.names = "--symbol",
         .argument = "SYMBOL=NUMBER",
         .help = "a size of the configuration, such as w_M=128, a warpgroup's rows; the output lists them",
         .to = &kernel.symbols},
        {.names = "--type",
         .argument = "VARIABLE=TYPE",
         .help = "the type of a variable of the configuration: Q=e4m3",
         .to = &kernel.types}};
}

std::vector<Option> execution_options(KernelArguments& kernel) {
    return {{.names = "--fragments",
             .help = "threads work on what tensor cores hold, as FlashAttention-3 does",
             .to = &kernel.fragments},
            {.names = "--warpgroups",
             .argument = "N",
             .help = "of one processor; by default as many as fit",
             .to = &kernel.warpgroups,
             .check = whole_between(1, 64)},
            {.names = "--overlap",
             .argument = "HOW",
             .help = "inter (default) or intra: between warpgroups, or in one",
             .to = &kernel.overlap,
             .choices = {"inter", "intra"}},
            {.names = "--special-overhead",
             .argument = "PERCENT",
             .help = "how much longer special functions take, in percent",
             .to = &kernel.special_overhead,
             .check = percent_up_to(1000)},
            {.names = "--vector-overhead",
             .argument = "PERCENT",
             .help = "how much longer other work of threads takes, in percent",
             .to = &kernel.vector_overhead,
             .check = percent_up_to(1000)}};
}

}  // namespace

std::vector<Option> kernel_options(KernelArguments& arguments) {
    const Option device = device_option(
        arguments.device,
        "a name that `devices` lists, or a description's file; by default this machine if it is calibrated, "
        "else h100-sxm5");
    return joined(joined({device}, split_options(arguments)), execution_options(arguments));
}

void check_names(const KernelArguments& arguments, const circuit::WarpgroupKernel& kernel) {
    for (const std::string& setting : arguments.symbols)
        check_symbol(setting.substr(0, setting.find('=')), kernel);
    for (const auto& [name, elem] : types_of(arguments.types)) {
        if (kernel.configuration.elems.count(name) > 0) continue;
        std::vector<std::string> known;
        for (const circuit::Variable& variable : kernel.expansion.variables) known.push_back(variable.name);
        throw UsageError("there is no variable '" + name + "'; there are " + joined_names(known));
    }
    check_groups(kernel);
    check_stream(kernel);
}

std::optional<circuit::Deployment> execution_of(const KernelArguments& arguments,
                                                std::optional<circuit::Deployment> of_document) {
    const bool asked = arguments.fragments || arguments.warpgroups > 0 || !arguments.overlap.empty() ||
                       arguments.special_overhead || arguments.vector_overhead || !arguments.symbols.empty();
    if (!asked) return of_document;
    circuit::Deployment made;
    made.warpgroups = 0;  // as many as fit
    if (of_document) made = *of_document;
    made.fragments = made.fragments || arguments.fragments;
    if (arguments.warpgroups > 0) made.warpgroups = arguments.warpgroups;
    if (!arguments.overlap.empty())
        made.overlap = arguments.overlap == "intra" ? circuit::Overlap::Intra : circuit::Overlap::Inter;
    if (arguments.special_overhead) made.special_overhead = *arguments.special_overhead / 100;
    if (arguments.vector_overhead) made.vector_overhead = *arguments.vector_overhead / 100;
    for (const std::string& setting : arguments.symbols) {
        const auto [symbol, size] = named(setting, "SYMBOL=NUMBER, such as s_N=128");
        made.sizes[symbol] = positive(size);
    }
    return made;
}

circuit::StudyOptions options_of(const KernelArguments& arguments) {
    circuit::StudyOptions options;
    options.rows = arguments.rows;
    options.stream = arguments.stream;
    if (arguments.stream_size) options.stream_size = *arguments.stream_size;
    options.types = types_of(arguments.types);
    return options;
}

Device device_of(const KernelArguments& arguments, const std::string& of_document) {
    const std::string name = !arguments.device.empty() ? arguments.device : of_document;
    return chosen_device(name.empty() ? usual_device() : name);
}

ArrayProgram resized_arrays(const Loaded& loaded, const std::vector<std::string>& sizes) {
    ArrayProgram program = *loaded.array;
    const ProgramPtr blocks = resized(loaded.blocks, sizes);
    std::unordered_map<std::string, const Dim*> by_name;
    for (const Dim& dim : blocks->dims) by_name.emplace(dim.name, &dim);
    for (Dim& dim : program.dims)
        if (const auto found = by_name.find(dim.name); found != by_name.end()) dim = *found->second;
    return program;
}

namespace {

struct AnalyzeArguments : KernelArguments {
    std::string file;
    StateArguments state;            // kWholeProgram, or the state whose diagram it is
    std::vector<std::string> sizes;  // NAME=SIZE[/BLOCK]
    std::vector<std::string> same;   // KEPT=OTHER: written as one dimension
    double memory = 0;               // bytes; 0: the device's local memory
    double link = 0;                 // bytes per second between linked processors
    std::string circuit;             // file to write the circuit document to; empty: none
    bool json = false;
};

constexpr const char* kWholeProgram = "program";  // of --state: as one algorithm

// The first option that says how the whole program is split, or runs; empty if there is none.
std::string option_of_program(const AnalyzeArguments& arguments) {
    if (!arguments.circuit.empty()) return "--circuit";
    if (arguments.memory > 0) return "--memory";
    if (!arguments.rows.empty()) return "--rows";
    if (!arguments.stream.empty()) return "--stream";
    if (arguments.stream_size) return "--stream-size";
    if (!arguments.symbols.empty()) return "--symbol";
    if (!arguments.types.empty()) return "--type";
    if (arguments.fragments) return "--fragments";
    if (arguments.warpgroups > 0) return "--warpgroups";
    if (!arguments.overlap.empty()) return "--overlap";
    if (arguments.special_overhead) return "--special-overhead";
    return arguments.vector_overhead ? "--vector-overhead" : "";
}

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
    circuit::Circuit diagram = document.circuit;
    write_alike(diagram.axes, arguments.same);
    const AnalyzedDrawing analyzed{
        .file = display_name(arguments.file),
        .title = document.title,
        .device = device,
        .study = circuit::study_diagram(std::move(diagram), device, options_with_memory(arguments)),
        .why = why};
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
    if (!arguments.sizes.empty() || arguments.state.given())
        throw UsageError("a circuit has no steps or blocks: --set, --state and the like are for programs");
    const circuit::CircuitDocument& document = *read;
    const Device device = device_of(arguments, document.execution ? document.execution->device : "");
    circuit::StudyOptions options = options_with_memory(arguments);
    options.execution = execution_of(arguments, document.execution);
    const Result<circuit::Flow> flow = circuit::flow_of(document.circuit);
    if (!flow) return analyze_drawing(arguments, document, device, flow.problems().front().message.str());
    circuit::Flow alike = *flow;
    write_alike(alike.axes, arguments.same);
    return report(arguments, {.file = name,
                              .title = document.title,
                              .device = device,
                              .diagram = document.circuit,
                              .study = value_or_usage(circuit::study(alike, device, options))});
}

int analyze_arrays(const AnalyzeArguments& arguments, const Loaded& loaded) {
    const Device device = device_of(arguments, "");
    circuit::Flow flow = circuit::separated(circuit::flow_of(resized_arrays(loaded, arguments.sizes)));
    write_alike(flow.axes, arguments.same);
    AnalyzedStudy analyzed{
        .file = loaded.name,
        .title = loaded.name,
        .device = device,
        .diagram = std::nullopt,
        .study = value_or_usage(circuit::study(flow, device, options_with_memory(arguments))),
        .optimum_has_law = false};
    for (const ArrayOp& op : loaded.array->ops)
        analyzed.masked = analyzed.masked || op.source == InputSource::CausalMask;
    if (!analyzed.study.law || analyzed.study.law_of_numbers) {
        const State fused(fuse_watched(resized(loaded.blocks, arguments.sizes)).last(), Form{}.as_in_paper());
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
    AnalyzedState analyzed{.file = loaded.name,
                           .device = device,
                           .step = 0,
                           .name = {},
                           .of_arrays = loaded.array.has_value(),
                           .circuit = {},
                           .resources = {},
                           .algorithm = {},
                           .optimum = {},
                           .bytes = 1,
                           .models = std::nullopt};
    const ProgramPtr initial = resized(loaded.blocks, arguments.sizes);
    const Trace trace = fuse_watched(initial);
    const Choice choice = choose(trace, arguments.state, {}, stakes_on(arguments.state, device));
    const ChosenState& chosen = choice.state;
    const ProgramPtr state = chosen.state.program();
    analyzed.step = chosen.step;
    analyzed.name = chosen.name;
    if (choice.ranking) {
        const Stakes stakes = stakes_on(arguments.state, device);
        analyzed.chosen_by = best_sentence(*choice.ranking, stakes);
        analyzed.best = best_json(*choice.ranking, stakes, static_cast<int>(trace.steps.size()));
    }
    analyzed.circuit = value_or_usage(circuit::circuit_of(*state));
    write_alike(analyzed.circuit.axes, arguments.same);
    analyzed.resources = circuit::resources(analyzed.circuit);
    analyzed.algorithm = one_algorithm(*state, loaded, arguments.sizes);
    const Counts& counts = chosen.state.counts();
    for (const Transfers* moved : {&counts.inputs, &counts.outputs, &counts.intermediates})
        analyzed.counted += static_cast<double>(moved->values);
    const bool processor = device.kind == DeviceKind::Cpu;  // computes in float32, whatever is declared
    const State in_paper = chosen.state.in_form(
        Form{}.as_in_paper().kept_in(processor ? std::optional(ElemType::F32) : std::nullopt));
    const LoopProgram& loops = in_paper.loops();
    for (const Buffer& buffer : loops.buffers) {
        analyzed.masked = analyzed.masked || buffer.source == InputSource::CausalMask;
        analyzed.bytes = std::max<double>(analyzed.bytes, bytes_per_element(buffer.type.elem()));
    }
    analyzed.dims = loops.dims;
    napkin::OptimumOptions alike;
    for (const std::string& pair : arguments.same) alike.same.push_back(same_dims(*initial, pair));
    analyzed.optimum = napkin::find_optimum(loops, alike);
    if (const auto law = napkin::clipped_law(loops, alike))
        analyzed.models = circuit::level_models(*law, device, analyzed.bytes, arguments.link);
    if (arguments.json)
        std::cout << state_json(analyzed) << '\n';
    else
        print_state(analyzed, style_for(STDOUT_FILENO));
    return kFine;
}

// Whether it is the whole program that is analysed: if that is asked for, or an option that only it has.
bool of_program(const AnalyzeArguments& arguments, const Loaded& loaded) {
    const bool named = arguments.state.state == kWholeProgram;
    const std::string option = option_of_program(arguments);
    if (named && !arguments.state.objective.empty())
        throw UsageError("--objective chooses a state, and --state program is the whole program");
    if (arguments.state.given() && !named && !option.empty())
        throw UsageError(option + " is of the whole program (--state program), not of a state");
    if ((named || !option.empty()) && !loaded.array)
        throw UsageError((named ? "--state program" : option) + " needs an array program; " + loaded.name +
                         " holds a block program, which has states alone");
    return named || !option.empty();
}

int analyze_command(const AnalyzeArguments& arguments) {
    const std::string text = read_file(arguments.file);
    if (content_of(text) == Content::Circuit) return analyze_circuit(arguments, text);
    const Loaded loaded = program_in(text, display_name(arguments.file));
    return of_program(arguments, loaded) ? analyze_arrays(arguments, loaded)
                                         : analyze_state(arguments, loaded);
}

std::vector<Option> analyze_options(AnalyzeArguments& arguments) {
    const std::vector<Option> file = {
        {.names = "FILE",
         .help = "a program: text, or JSON of an array program, block program or circuit; - is stdin",
         .to = &arguments.file,
         .required = true,
         .completion = Completion::Files}};
    const std::vector<Option> more = {
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
    std::vector<Option> states = state_options(arguments.state);
    for (Option& option : states) {
        if (option.names != "--state") continue;
        option.offered = [] { return std::vector<std::string>{"best", "last", kWholeProgram}; };
        option.help =
            "best (default), last, a step (12), 'snapshot 2', or program: the whole program as one "
            "algorithm, with axes, kernel and clocks; --circuit, --memory and options of kernels mean that "
            "one";
    }
    return joined(joined(file, states), more);
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
                "With --state program the whole program is one algorithm, grouped and streamed as it can "
                "be.\n"
                "Examples:\n"
                "  blockscope-cli analyze samples/attention.bp --device h100-sxm5 --state program\n"
                "  blockscope-cli analyze samples/attention.bp --device h100-sxm5 --snapshot 2\n"
                "  blockscope-cli analyze samples/circuits/flash-attention-3-fp16-intra.json",
            .run = [arguments](const Invocation&) { return analyze_command(*arguments); }};
}

}  // namespace blockscope::cli
