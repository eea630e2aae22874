// blockscope-cli analyze: what the napkin says of a program on a device.
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "app/cli/analyze_arguments.h"
#include "app/cli/analyze_report.h"
#include "app/cli/cost_times.h"
#include "app/cli/failures.h"
#include "app/cli/load.h"
#include "app/cli/quantity.h"
#include "app/cli/run.h"
#include "core/circuit/from_block.h"
#include "core/json/device_files.h"
#include "core/json/parts.h"

namespace blockscope::cli {
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
            throw UsageError("there is no type '" + type + "'; expected " + json::alternatives(names));
        types[name] = static_cast<ElemType>(found - names.begin());
    }
    return types;
}

// What the arguments say of the execution, on top of what a document says.
std::optional<circuit::Deployment> execution(const AnalyzeArguments& arguments,
                                             std::optional<circuit::Deployment> of_document) {
    const bool asked = arguments.fragments || arguments.warpgroups > 0 || !arguments.overlap.empty() ||
                       arguments.special_overhead || arguments.vector_overhead || !arguments.symbols.empty();
    if (!asked) return of_document;
    circuit::Deployment made = of_document.value_or(circuit::Deployment{});
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

circuit::StudyOptions options_of(const AnalyzeArguments& arguments) {
    circuit::StudyOptions options;
    options.rows = arguments.rows;
    options.stream = arguments.stream;
    options.stream_size = arguments.stream_size;
    options.types = types_of(arguments.types);
    if (arguments.memory > 0) options.memory = arguments.memory;
    options.link = arguments.link;
    options.execution = execution(arguments, std::nullopt);
    return options;
}

Device device_of(const AnalyzeArguments& arguments, const std::string& of_document) {
    const std::string name = !arguments.device.empty() ? arguments.device : of_document;
    if (!name.empty()) return chosen_device(name);
    if (std::filesystem::exists(local_cpu_file())) return chosen_device(kLocalCpu);
    throw UsageError(
        "there is no device to analyse for: name one with --device, or `calibrate` this machine");
}

ArrayProgram resized_arrays(const Loaded& loaded, const std::vector<std::string>& sizes) {
    ArrayProgram program = *loaded.array;
    const ProgramPtr blocks = resized(loaded.blocks, sizes);
    for (Dim& dim : program.dims)
        for (const Dim& other : blocks->dims)
            if (other.name == dim.name) dim = other;
    return program;
}

template <class T>
T value_or_usage(Result<T> result) {
    if (!result) throw UsageError(result.problems().front().message);
    return std::move(result).value();
}

int report(const AnalyzeArguments& arguments, const AnalyzedStudy& analyzed) {
    if (!arguments.circuit.empty()) {
        const circuit::CircuitDocument made =
            value_or_usage(document(analyzed.study, analyzed.device, analyzed.title));
        std::ofstream file(arguments.circuit, std::ios::binary);
        file << json::print(to_json(made));
        file.close();
        if (!file) throw UsageError("'" + arguments.circuit + "' cannot be written");
    }
    if (arguments.json)
        std::cout << study_json(analyzed) << '\n';
    else
        print_study(analyzed, style_for(STDOUT_FILENO));
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
    circuit::StudyOptions options = options_of(arguments);
    options.execution = execution(arguments, document.execution);
    const circuit::Flow flow = value_or_usage(circuit::flow_of(document.circuit));
    return report(arguments, {name, document.title, device, document.circuit,
                              value_or_usage(circuit::study(flow, device, options))});
}

int analyze_arrays(const AnalyzeArguments& arguments, const Loaded& loaded) {
    const Device device = device_of(arguments, "");
    const circuit::Flow flow = circuit::separated(circuit::flow_of(resized_arrays(loaded, arguments.sizes)));
    return report(arguments, {loaded.name, loaded.name, device, std::nullopt,
                              value_or_usage(circuit::study(flow, device, options_of(arguments)))});
}

int analyze_state(const AnalyzeArguments& arguments, const Loaded& loaded) {
    const Device device = device_of(arguments, "");
    if (!arguments.circuit.empty())
        throw UsageError("--circuit writes the whole program's algorithm, not that of a state");
    AnalyzedState analyzed{loaded.name, device, 0, {}, {}, {}, 1, std::nullopt};
    const Trace trace = fuse_watched(resized(loaded.blocks, arguments.sizes));
    analyzed.step = chosen_step(trace, arguments.step, arguments.snapshot);
    const BlockProgram& state = *trace.state(analyzed.step);
    analyzed.circuit = value_or_usage(circuit::circuit_of(state));
    analyzed.resources = circuit::resources(analyzed.circuit);
    const LoopProgram loops = lower(state);
    for (const Buffer& buffer : loops.buffers)
        analyzed.bytes = std::max<double>(analyzed.bytes, bytes_per_element(buffer.type.elem()));
    analyzed.dims = loops.dims;
    analyzed.optimum = napkin::find_optimum(loops);
    if (analyzed.optimum.has_law())
        analyzed.models = circuit::level_models(napkin::power_law(analyzed.optimum.law, loops.dims), device,
                                                analyzed.bytes, arguments.link);
    if (arguments.json)
        std::cout << state_json(analyzed) << '\n';
    else
        print_state(analyzed, style_for(STDOUT_FILENO));
    return kFine;
}

}  // namespace

int analyze_command(const AnalyzeArguments& arguments) {
    const std::string text = read_file(arguments.file);
    if (content_of(text) == Content::Circuit) return analyze_circuit(arguments, text);
    const Loaded loaded = program_in(text, display_name(arguments.file));
    if (arguments.step || arguments.snapshot || !loaded.array) return analyze_state(arguments, loaded);
    return analyze_arrays(arguments, loaded);
}

}  // namespace blockscope::cli
