#include "app/cli/codegen_arguments.h"

#include <CLI/CLI.hpp>

#include "app/cli/validators.h"

#include "gpu/codegen/kernel_set.h"

namespace blockscope::cli {

namespace {

std::vector<std::string> target_names() {
    std::vector<std::string> names;
    for (const gpu::Target target : gpu::all_targets()) names.push_back(to_string(target));
    return names;
}

}  // namespace

void add_codegen(CLI::App& app, CodegenArguments& codegen, std::function<int()>& chosen) {
    CLI::App& command = *app.add_subcommand("codegen", "write a state as CUDA");
    command
        .add_option("FILE", codegen.file, "a program: text, or JSON of an array or block program; - is stdin")
        ->required();
    auto* step =
        command.add_option("--step", codegen.step, "the state after step N; by default the last one");
    step->type_name("N")->check(not_below_zero());
    command.add_option("--snapshot", codegen.snapshot, "the state at snapshot K; 0 is the unfused program")
        ->type_name("K")
        ->excludes(step);
    command
        .add_option(
            "--target", codegen.target,
            "f32 (default; float32 arithmetic, any card from sm_75 on), or for tensor cores the card: "
            "sm_80, sm_86, sm_89, sm_90, sm_90a (with TMA and wgmma), sm_100, sm_120")
        ->type_name("T")
        ->check(CLI::IsMember(target_names()));
    command.add_flag("--tf32", codegen.tf32,
                     "products of float32 by tensor cores, too, with operands rounded to 11 bits");
    command
        .add_option("--type", codegen.type,
                    "all arrays in this type instead of what the program declares: f32, tf32 (f32, products "
                    "by tensor "
                    "cores), f16, bf16, e4m3, e5m2")
        ->type_name("E")
        ->check(CLI::IsMember({"f32", "tf32", "f16", "bf16", "e4m3", "e5m2"}));
    command
        .add_option("--parts", codegen.parts,
                    "reductions into so many parts side by side, 1: never; by default as the model says for "
                    "a card of "
                    "the target's generation")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    command
        .add_option("--combine", codegen.combine,
                    "how parts come together: workspace (the same results from run to run) or atomics (where "
                    "they are sums); by default as the model says, with --parts a workspace")
        ->type_name("HOW")
        ->check(CLI::IsMember({"workspace", "atomics"}));
    command.add_option("--block-threads", codegen.block_threads, "threads of a thread block")
        ->type_name("N")
        ->check(CLI::IsMember({64, 128, 256, 384, 512}));
    command.add_option("--stages", codegen.stages, "stages of tiles that are copied ahead, at most")
        ->type_name("N")
        ->check(CLI::Range(1, 8));
    command.add_flag("--unsafe", codegen.unsafe, "the state itself, not its numerically safe form");
    command
        .add_option("--set", codegen.sizes, "another size, with another block size if you like: M=8192/64")
        ->type_name("NAME=SIZE[/BLOCK]");
    command.add_option("-o,--output", codegen.output, "write to this file instead of stdout")
        ->type_name("OUT");
    command.add_flag("--json", codegen.json, "print one JSON object (docs/cli.md) and nothing else");
    command.footer(
        "The file has a main() that fills the inputs with random numbers, checks the kernels against the "
        "host\n"
        "in double precision, and times them.\n"
        "Example:\n"
        "  blockscope-cli codegen samples/attention.bp --target sm_80 -o attention.cu &&\n"
        "  nvcc -std=c++17 -O3 -arch=native attention.cu");
    command.callback([&codegen, &chosen] { chosen = [&codegen] { return codegen_command(codegen); }; });
}

}  // namespace blockscope::cli
