// blockscope-cli codegen: a state as CUDA.
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/load.h"
#include "app/cli/quantity.h"
#include "app/cli/run.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/driver/fitting.h"
#include "gpu/driver/for_card.h"

namespace blockscope::cli {
namespace {

std::optional<ElemType> elem_named(const std::string& name) {
    if (name == "tf32") return ElemType::F32;
    for (const ElemType elem : {ElemType::F32, ElemType::F16, ElemType::BF16, ElemType::E4M3, ElemType::E5M2})
        if (to_string(elem) == name) return elem;
    return std::nullopt;
}

gpu::KernelSet generated(const CodegenArguments& arguments, const Trace& trace) {
    View view;
    view.step = arguments.step;
    view.snapshot = arguments.snapshot;
    view.safe = !arguments.unsafe;
    const Run run{"codegen", {}, trace};
    const Shown shown = select(run, view);
    gpu::CodegenOptions options;
    options.target = *gpu::target_named(arguments.target);  // one of those that the parser lets through
    options.tf32 = arguments.tf32 || arguments.type == "tf32";
    options.threads = arguments.block_threads;
    options.stages = arguments.stages;
    options.parts = arguments.parts;
    options.combine = arguments.combine == "atomics"     ? gpu::Combine::Atomics
                      : arguments.combine == "workspace" ? gpu::Combine::Workspace
                                                         : gpu::Combine::ByModel;
    options.device = &gpu::generation_of(
        gpu::capability_of(gpu::architecture_of(options.target)).value_or(gpu::Capability{8, 0}));
    const BlockProgram state = shown.state(trace, shown.last);
    const auto generate = [&](const BlockProgram& program) {
        LoopProgram loops = lower(program);
        if (const auto elem = elem_named(arguments.type)) loops = gpu::with_elements(std::move(loops), *elem);
        return gpu::generate(loops, options);
    };
    Result<gpu::KernelSet> set = generate(state);
    if (set) return std::move(set).value();
    const auto dims = gpu::fitting_blocks(
        state, [&](const BlockProgram& smaller) { return static_cast<bool>(generate(smaller)); });
    if (!dims) throw BadInput(set.problems());
    const std::string words = gpu::set_words(state.dims, *dims);
    Problems problems = set.problems();
    if (!arguments.sizes.empty()) {
        problems.front().message += ". These fit: " + words;
        throw BadInput(problems);
    }
    // Nobody has asked for the blocks of the file.
    BlockProgram smaller = state;
    smaller.dims = *dims;
    gpu::KernelSet fitting = generate(smaller).value();
    fitting.notes.insert(fitting.notes.begin(), "With smaller blocks than the file's (" + words +
                                                    "): " + problems.front().message + ".");
    return fitting;
}

Json lines_json(const gpu::KernelSet& set) {
    const int first = gpu::first_line(set) + 1;  // the stand-alone file says first how to build it
    Json lines = Json::array();
    for (std::size_t i = 0; i < set.lines.size(); ++i)
        if (set.lines[i].node)
            lines.push_back({{"line", first + static_cast<int>(i)}, {"node", node_json(set.lines[i].node)}});
    return lines;
}

Json set_json(const gpu::KernelSet& set) {
    Json arrays = Json::array();
    for (const gpu::DeviceArray& array : set.arrays)
        arrays.push_back({{"name", array.name}, {"type", to_string(array.elem)}, {"shape", array.shape}});
    Json launches = Json::array();
    for (const gpu::Launch& launch : set.launches)
        launches.push_back({{"kernel", launch.kernel},
                            {"node", node_json(launch.node)},
                            {"tiles", launch.tiles},
                            {"threads", launch.threads},
                            {"shared_bytes", launch.shared_bytes},
                            {"stages", launch.stages},
                            {"parts", launch.parts},
                            {"adds", launch.adds},
                            {"combines", launch.combines},
                            {"arrays", launch.arrays}});
    return {{"target", to_string(set.target)},
            {"arrays", arrays},
            {"launches", launches},
            {"notes", set.notes},
            {"lines", lines_json(set)}};
}

}  // namespace

int codegen_command(const CodegenArguments& arguments) {
    const Loaded loaded = load_program(arguments.file);
    const gpu::KernelSet set = generated(arguments, fuse_watched(resized(loaded.blocks, arguments.sizes)));
    const std::string text = gpu::standalone_source(set);
    for (const std::string& note : set.notes) std::cerr << note << '\n';
    const bool to_stdout = arguments.output.empty() || arguments.output == "-";
    if (!to_stdout) write_file(arguments.output, text);
    if (arguments.json) {
        Json json = envelope("codegen");
        json["file"] = loaded.name;
        json.update(set_json(set));
        if (to_stdout) json["content"] = text;
        if (!to_stdout) json["output"] = arguments.output;
        std::cout << to_text(json) << '\n';
    } else if (to_stdout) {
        std::cout << text;
    }
    return kFine;
}

}  // namespace blockscope::cli
