// The arguments of render and export.
#include "app/cli/picture_arguments.h"

#include <CLI/CLI.hpp>

#include "app/cli/validators.h"

namespace blockscope::cli {
namespace {

CLI::App& add_picture_command(CLI::App& app, const char* name, const char* what, std::string& file) {
    CLI::App& command = *app.add_subcommand(name, what);
    command.add_option("FILE", file, "a program, a trace or a document; - is stdin")->required();
    return command;
}

void add_theme(CLI::App& command, bool& dark) {
    command
        .add_option_function<std::string>(
            "--theme", [&dark](const std::string& name) { dark = name == "dark"; }, "light (default) or dark")
        ->type_name("T")
        ->check(CLI::IsMember({"light", "dark"}));
}

void add_circuit(CLI::App& command, RenderArguments& render) {
    command
        .add_option(
            "--view", render.view,
            "block (default), circuit (the neural circuit diagram), pseudocode (the algorithm as a loop "
            "on the levels of a device), clocks (its warpgroups on the pipelines of a device) or levels "
            "(what "
            "it moves to each level of a device)")
        ->type_name("V")
        ->check(CLI::IsMember({"block", "circuit", "pseudocode", "clocks", "levels"}));
    command
        .add_option("--circuit", render.circuit,
                    "of which circuit: state (default), program (before there are blocks), model (inputs "
                    "called W... as "
                    "learned maps), algorithm (the whole program on two levels, grouped and streamed "
                    "wherever it can be), levels (the same on every level of --device, with groups of each "
                    "level's own)")
        ->type_name("C")
        ->check(CLI::IsMember({"state", "program", "model", "algorithm", "levels"}));
    command
        .add_option(
            "--numbers", render.numbers,
            "H and M under the columns of a circuit: formulas (default, where they fit), counts or none")
        ->type_name("N")
        ->check(CLI::IsMember({"formulas", "counts", "none"}));
    command
        .add_option("--width", render.width,
                    "wrap a circuit at this many pixels (default 1100); the width of clocks (default 900)")
        ->type_name("W")
        ->check(between(200, 20000));
    command.add_option("--repeat", render.repeat, "draw the program's circuit as repeated this often: 32, N")
        ->type_name("COUNT");
}

void add_output(CLI::App& command, std::string& output) {
    command.add_option("-o,--output", output, "write to this file instead of stdout")->type_name("OUT");
}

void add_json(CLI::App& command, bool& json) {
    command.add_flag("--json", json, "print one JSON object (docs/cli.md) and nothing else");
}

}  // namespace

CLI::App& add_render(CLI::App& app, RenderArguments& render) {
    CLI::App& command =
        add_picture_command(app, "render", "draw a state: SVG, PDF, PNG, TikZ, dot or JSON", render.file);
    auto* step = command.add_option("--step", render.step, "the state after step N; by default the last one");
    step->type_name("N")->check(not_below_zero());
    command.add_option("--snapshot", render.snapshot, "the state at snapshot K; 0 is the unfused program")
        ->type_name("K")
        ->excludes(step);
    command
        .add_option(
            "--format", render.format,
            "svg, pdf, png, json, dot (of blocks) or tex (TikZ, not of blocks); by default what the name "
            "of OUT ends with, else svg")
        ->type_name("F")
        ->check(CLI::IsMember({"svg", "pdf", "png", "dot", "tex", "json"}))
        ->transform(CLI::Transformer({{"tikz", "tex"}}));
    add_circuit(command, render);
    add_kernel(command, render.kernel);
    command.add_option("--scale", render.scale, "pixels of a PNG per pixel at 100% (default 2)")
        ->type_name("X")
        ->check(between(0.05, 16));
    add_theme(command, render.dark);
    command.add_flag("--transparent", render.transparent, "leave the background out");
    command.add_option("--fold", render.fold, "draw the maps inside DEPTH others as clouds (0: all maps)")
        ->type_name("DEPTH")
        ->check(not_below_zero());
    command.add_option("--fold-map", render.fold_maps, "draw these maps as clouds, too: n3,n5")
        ->type_name("NODES");
    command.add_option("--node", render.nodes, "only the part of the picture around these nodes: n3,n5")
        ->type_name("NODES");
    command.add_flag("--types", render.types, "write types on edges");
    command.add_flag("--legend", render.legend, "explain shapes and colours under the picture");
    command.add_option("--caption", render.caption, "a line of text under the picture")->type_name("TEXT");
    add_output(command, render.output);
    add_json(command, render.json);
    command.footer(
        "Examples:\n"
        "  blockscope-cli render samples/attention.bp -o attention.svg\n"
        "  blockscope-cli render samples/attention.bp --step 0 --format pdf --legend -o initial.pdf\n"
        "  blockscope-cli render samples/attention.bp --snapshot 1 --scale 3 --theme dark -o snapshot.png\n"
        "  blockscope-cli render samples/attention.bp --step 0 --fold 1 --node n17 -o part.svg\n"
        "  blockscope-cli render samples/attention.bp --view circuit -o circuit.pdf\n"
        "  blockscope-cli render samples/decoder-block.bp --view circuit --circuit program --repeat 32 -o "
        "d.tex\n"
        "  blockscope-cli render samples/attention.bp --view pseudocode --device h100-sxm5 -o loop.svg\n"
        "  blockscope-cli render samples/circuits/flash-attention-3-fp8-inter.json --view clocks -o "
        "clocks.pdf");
    return command;
}

CLI::App& add_export(CLI::App& app, ExportArguments& run) {
    CLI::App& command = add_picture_command(
        app, "export", "write the whole derivation: a strip of pictures, a page, a document", run.file);
    command
        .add_option("--as", run.as,
                    "strip (pictures with the rules' names, SVG or PDF), html (one page that steps with the "
                    "arrow keys) or document (JSON, what the window saves)")
        ->type_name("WHAT")
        ->required()
        ->check(CLI::IsMember({"strip", "html", "document"}));
    command
        .add_option("--format", run.format,
                    "of a strip: svg or pdf; by default what the name of OUT ends with, else pdf")
        ->type_name("F")
        ->check(CLI::IsMember({"svg", "pdf"}));
    command.add_flag("--snapshots", run.snapshots, "only the initial program and the snapshots");
    add_theme(command, run.dark);
    add_output(command, run.output);
    add_json(command, run.json);
    command.footer(
        "Examples:\n"
        "  blockscope-cli export samples/attention.bp --as html -o attention.html\n"
        "  blockscope-cli export samples/attention.bp --as strip --snapshots -o attention.pdf");
    return command;
}

}  // namespace blockscope::cli
