#include "app/cli/optimum_arguments.h"

#include <CLI/CLI.hpp>

#include "app/cli/validators.h"

namespace blockscope::cli {

void add_optimum(CLI::App& app, OptimumArguments& optimum, std::function<int()>& chosen) {
    CLI::App& command =
        *app.add_subcommand("optimum", "derive the best tile sizes and the least traffic as formulas");
    command
        .add_option("FILE", optimum.file, "a program: text, or JSON of an array or block program; - is stdin")
        ->required();
    auto* step = command.add_option("--step", optimum.step, "of the state after step N; by default the last")
                     ->type_name("N");
    command.add_option("--snapshot", optimum.snapshot, "of snapshot K; 0 is the unfused program")
        ->type_name("K")
        ->excludes(step);
    command
        .add_option(
            "--set", optimum.sizes,
            "another size, with another block size if you like; a dimension in one block is not split")
        ->type_name("NAME=SIZE[/BLOCK]");
    command
        .add_option("--same", optimum.same, "write two dimensions of the same size as one: D=L for L as D")
        ->type_name("NAME=NAME");
    command
        .add_option("--memory", optimum.memory,
                    "the local memory of a processor in bytes: numbers too, and a search for block sizes")
        ->type_name("BYTES")
        ->check(above_zero());
    command
        .add_option("--device", optimum.device,
                    "a device that `devices` lists, or a description's file: its local memory is the limit "
                    "(unless --memory says another), and H* is given for each of its levels")
        ->type_name("D");
    command.add_option("--multiple", optimum.multiple, "search only block sizes that are multiples of this")
        ->type_name("N")
        ->check(above_zero());
    command.add_flag("--json", optimum.json, "print one JSON object (docs/cli.md) and nothing else");
    command.footer(
        "The memory limit is written M, or Mem if a dimension has that name.\n"
        "Examples:\n"
        "  blockscope-cli optimum samples/matmul.bp\n"
        "  blockscope-cli optimum samples/attention.bp --same D=L --memory 232448 --multiple 16");
    command.callback([&optimum, &chosen] { chosen = [&optimum] { return optimum_command(optimum); }; });
}

}  // namespace blockscope::cli
