#include "app/cli/analyze_arguments.h"

#include <CLI/CLI.hpp>

#include "app/cli/validators.h"

namespace blockscope::cli {

namespace {

void add_split(CLI::App& command, KernelArguments& analyze) {
    command
        .add_option("--rows", analyze.rows,
                    "the axis that threads share; by default the longest whose groups are rows of a product")
        ->type_name("AXIS");
    command
        .add_option("--stream", analyze.stream,
                    "the axis that is streamed; by default the one that carries most along (softmax, a norm)")
        ->type_name("AXIS");
    command.add_option("--stream-size", analyze.stream_size, "parts of the stream (default 64)")
        ->type_name("N")
        ->check(above_zero());
    command
        .add_option("--symbol", analyze.symbols,
                    "a size of the configuration, such as w_M=128, a warpgroup's rows; the output lists them")
        ->type_name("SYMBOL=NUMBER");
    command.add_option("--type", analyze.types, "the type of a variable of the configuration: Q=e4m3")
        ->type_name("VARIABLE=TYPE");
}

void add_execution(CLI::App& command, KernelArguments& analyze) {
    command.add_flag("--fragments", analyze.fragments,
                     "threads work on what tensor cores hold, as FlashAttention-3 does");
    command.add_option("--warpgroups", analyze.warpgroups, "of one processor; by default as many as fit")
        ->type_name("N")
        ->check(CLI::Range(1, 64));
    command
        .add_option("--overlap", analyze.overlap, "inter (default) or intra: between warpgroups, or in one")
        ->type_name("HOW")
        ->check(CLI::IsMember({"inter", "intra"}));
    command
        .add_option("--special-overhead", analyze.special_overhead,
                    "how much longer special functions take, in percent")
        ->type_name("PERCENT")
        ->check(percent_up_to(1000));
    command
        .add_option("--vector-overhead", analyze.vector_overhead,
                    "how much longer other work of threads takes, in percent")
        ->type_name("PERCENT")
        ->check(percent_up_to(1000));
}

}  // namespace

void add_kernel(CLI::App& command, KernelArguments& analyze) {
    command
        .add_option("--device", analyze.device,
                    "a name that `devices` lists, or a description's file; by default this machine, if it is "
                    "calibrated")
        ->type_name("D");
    add_split(command, analyze);
    add_execution(command, analyze);
}

void add_analyze(CLI::App& app, AnalyzeArguments& analyze, std::function<int()>& chosen) {
    CLI::App& command = *app.add_subcommand(
        "analyze", "analyse a program on a device by its circuit diagram: levels, configuration, clocks");
    command
        .add_option("FILE", analyze.file,
                    "a program: text, or JSON of an array program, block program or circuit; - is stdin")
        ->required();
    auto* step = command.add_option("--step", analyze.step, "the diagram of the state after step N");
    step->type_name("N")->check(not_below_zero());
    command.add_option("--snapshot", analyze.snapshot, "the diagram of snapshot K; 0 is the unfused program")
        ->type_name("K")
        ->excludes(step);
    command
        .add_option("--set", analyze.sizes, "another size, with another block size if you like: M=8192/64")
        ->type_name("NAME=SIZE[/BLOCK]");
    command
        .add_option("--same", analyze.same, "write two dimensions of the same size as one: D=L for L as D")
        ->type_name("NAME=NAME");
    command
        .add_option("--memory", analyze.memory, "the limit of group sizes in bytes; by default local memory")
        ->type_name("BYTES")
        ->check(above_zero());
    command
        .add_option("--link", analyze.link,
                    "bytes per second between linked processors, all together; by default links cost nothing")
        ->type_name("BYTES/S")
        ->check(above_zero());
    add_kernel(command, analyze);
    command
        .add_option("--circuit", analyze.circuit,
                    "write the algorithm on the device's levels to this file, a circuit document")
        ->type_name("OUT");
    command.add_flag("--json", analyze.json, "print one JSON object (docs/cli.md) and nothing else");
    command.footer(
        "Without --step and --snapshot the whole program is one algorithm, grouped and streamed as it can "
        "be.\n"
        "Examples:\n"
        "  blockscope-cli analyze samples/attention.bp --device h100-sxm5\n"
        "  blockscope-cli analyze samples/attention.bp --device h100-sxm5 --snapshot 2\n"
        "  blockscope-cli analyze samples/circuits/flash-attention-3-fp16-intra.json");
    command.callback([&analyze, &chosen] { chosen = [&analyze] { return analyze_command(analyze); }; });
}

}  // namespace blockscope::cli
