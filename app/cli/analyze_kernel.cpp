#include "app/cli/analyze.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "app/cli/cost.h"
#include "app/cli/failures.h"
#include "app/cli/load.h"
#include "app/cli/quantity.h"
#include "app/cli/run.h"
#include "core/json/device_files.h"
#include "core/json/parts.h"
#include "core/napkin/study.h"

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
            throw UsageError("there is no type '" + type + "'; expected " + json::alternatives(names).str());
        types[name] = static_cast<ElemType>(found - names.begin());
    }
    return types;
}

void check_symbol(const std::string& symbol, const circuit::Kernel& kernel) {
    const std::vector<std::string> known = circuit::chosen_symbols(kernel);
    if (std::find(known.begin(), known.end(), symbol) == known.end())
        throw UsageError("there is no symbol '" + symbol + "' to choose; there are " + joined_names(known));
}

// Groups of other axes have from one to all of their indices.
void check_groups(const circuit::Kernel& kernel) {
    for (const std::string& name : kernel.others) {
        const double size = kernel.configuration.sizes.at("g_" + name);
        const auto part =
            static_cast<double>(axis_of(kernel.flow.axes, circuit::axis_named(kernel.flow.axes, name)).size);
        if (size != part)
            throw UsageError("g_" + name + " = " + circuit::number_text(size) +
                             " is no size of a group; expected a whole number from 1 to the size of " + name);
    }
}

void check_stream(const circuit::Kernel& kernel) {
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
        "a name that `devices` lists, or a description's file; by default this machine, if it is calibrated");
    return joined(joined({device}, split_options(arguments)), execution_options(arguments));
}

void check_names(const KernelArguments& arguments, const circuit::Kernel& kernel) {
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
    options.stream_size = arguments.stream_size;
    options.types = types_of(arguments.types);
    return options;
}

Device device_of(const KernelArguments& arguments, const std::string& of_document) {
    const std::string name = !arguments.device.empty() ? arguments.device : of_document;
    if (!name.empty()) return chosen_device(name);
    if (std::filesystem::exists(local_cpu_file())) return chosen_device(kLocalCpu);
    throw UsageError(
        "there is no device to analyse for: name one with --device, or `calibrate` this machine");
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

}  // namespace blockscope::cli
