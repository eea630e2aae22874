// The rows of render and export, and the program that runs them.
#include "app/cli/pictures.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "app/cli/command.h"
#include "app/cli/failures.h"
#include "app/files/file_formats.h"

namespace blockscope::cli {

namespace {

// Runs blockscope-render in place of this process, with the same arguments: the one beside this program, or
// in
// ../libexec/blockscope.
[[noreturn]] void become_picture_program(char** arguments) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const fs::path& place : {here, here / "../libexec/blockscope"}) {
        const fs::path program = place / "blockscope-render";
        if (!fs::exists(program, error)) continue;
        execv(program.c_str(), arguments);
        throw UsageError(program.string() + " cannot be run: " + std::strerror(errno));
    }
    if (!BLOCKSCOPE_PICTURES)
        throw UsageError("this build has no pictures: it was built without Qt 6 and Graphviz");
    throw UsageError("blockscope-render, which makes pictures, is missing: it belongs into " + here.string() +
                     " or " + (here / "../libexec/blockscope").lexically_normal().string() +
                     "; build it, or install Blockscope again");
}

Option picture_file_option(std::string& file) {
    Option option = file_option(file);
    option.help = "a program, a trace or a document; - is stdin";
    return option;
}

Option theme_option(bool& dark) {
    return {.names = "--theme",
            .argument = "T",
            .help = "light (default) or dark",
            .to = [&dark](const std::string& name) { dark = name == "dark"; },
            .choices = {"light", "dark"}};
}

// Which state, in which format.
std::vector<Option> state_options(RenderArguments& render) {
    Option step = step_option(render.step, "the state after step N; by default the last one");
    step.check = not_below_zero();
    return {picture_file_option(render.file),
            step,
            snapshot_option(render.snapshot, "the state at snapshot K; 0 is the unfused program"),
            {.names = "--format",
             .argument = "F",
             .help = joined_names(picture_formats({"json"})) +
                     ", dot (of blocks) or tex (TikZ, not of blocks); by default what the name of OUT ends "
                     "with, else svg",
             .to = &render.format,
             .choices = picture_formats({"dot", "tex", "json"}),
             .synonyms = {{"tikz", "tex"}}}};
}

std::vector<Option> circuit_options(RenderArguments& render) {
    return {
        {.names = "--view",
         .argument = "V",
         .help =
             "block (default), circuit (the neural circuit diagram), pseudocode (the algorithm as a loop on "
             "the levels of a device), clocks (its warpgroups on the pipelines of a device) or levels (what "
             "it moves to each level of a device)",
         .to = &render.view,
         .choices = {"block", "circuit", "pseudocode", "clocks", "levels"}},
        {.names = "--circuit",
         .argument = "C",
         .help =
             "of which circuit: state (default), program (before there are blocks), model (inputs called "
             "W... as learned maps), algorithm (the whole program on two levels, grouped and streamed "
             "wherever it can be), levels (the same on every level of --device, with groups of each level's "
             "own)",
         .to = &render.circuit,
         .choices = {"state", "program", "model", "algorithm", "levels"}},
        {.names = "--numbers",
         .argument = "N",
         .help = "H and M under the columns of a circuit: formulas (default, where they fit), counts or none",
         .to = &render.numbers,
         .choices = {"formulas", "counts", "none"}},
        {.names = "--width",
         .argument = "W",
         .help = "wrap a circuit at this many pixels (default 1100); the width of clocks (default 900)",
         .to = &render.width,
         .check = between(200, 20000)},
        {.names = "--repeat",
         .argument = "COUNT",
         .help = "draw the program's circuit as repeated this often: 32, N",
         .to = &render.repeat}};
}

// How it looks, and where it goes.
std::vector<Option> look_options(RenderArguments& render) {
    return {
        {.names = "--scale",
         .argument = "X",
         .help = "pixels of a PNG per pixel at 100% (default 2)",
         .to = &render.scale,
         .check = between(0.05, 16)},
        theme_option(render.dark),
        {.names = "--transparent", .help = "leave the background out", .to = &render.transparent},
        {.names = "--fold",
         .argument = "DEPTH",
         .help = "draw the maps inside DEPTH others as clouds (0: all maps)",
         .to = &render.fold,
         .check = not_below_zero()},
        {.names = "--fold-map",
         .argument = "NODES",
         .help = "draw these maps as clouds, too: n3,n5",
         .to = &render.fold_maps},
        {.names = "--node",
         .argument = "NODES",
         .help = "only the part of the picture around these nodes: n3,n5",
         .to = &render.nodes},
        {.names = "--types", .help = "write types on edges", .to = &render.types},
        {.names = "--legend", .help = "explain shapes and colours under the picture", .to = &render.legend},
        {.names = "--caption",
         .argument = "TEXT",
         .help = "a line of text under the picture",
         .to = &render.caption},
        output_option(render.output),
        json_option(render.json)};
}

std::vector<Option> export_options(ExportArguments& arguments) {
    return {picture_file_option(arguments.file),
            {.names = "--as",
             .argument = "WHAT",
             .help = "strip (pictures with the rules' names, SVG or PDF), html (one page that steps with the "
                     "arrow keys) or document (JSON, what the window saves)",
             .to = &arguments.as,
             .required = true,
             .choices = {"strip", "html", "document"}},
            {.names = "--format",
             .argument = "F",
             .help = "of a strip: svg or pdf; by default what the name of OUT ends with, else pdf",
             .to = &arguments.format,
             .choices = {"svg", "pdf"}},
            {.names = "--snapshots",
             .help = "only the initial program and the snapshots",
             .to = &arguments.snapshots},
            theme_option(arguments.dark),
            output_option(arguments.output),
            json_option(arguments.json)};
}

}  // namespace

Command render_row() {
    const auto arguments = std::make_shared<RenderArguments>();
    const std::vector<Option> drawn = joined(circuit_options(*arguments), kernel_options(arguments->kernel));
    return {
        .name = "render",
        .summary = "draw a state: SVG, PDF, PNG, TikZ, dot or JSON",
        .options = joined(joined(state_options(*arguments), drawn), look_options(*arguments)),
        .notes =
            "Examples:\n"
            "  blockscope-cli render samples/attention.bp -o attention.svg\n"
            "  blockscope-cli render samples/attention.bp --step 0 --format pdf --legend -o initial.pdf\n"
            "  blockscope-cli render samples/attention.bp --snapshot 1 --scale 3 --theme dark -o "
            "snapshot.png\n"
            "  blockscope-cli render samples/attention.bp --step 0 --fold 1 --node n17 -o part.svg\n"
            "  blockscope-cli render samples/attention.bp --view circuit -o circuit.pdf\n"
            "  blockscope-cli render samples/decoder-block.bp --view circuit --circuit program --repeat 32 "
            "-o d.tex\n"
            "  blockscope-cli render samples/attention.bp --view pseudocode --device h100-sxm5 -o loop.svg\n"
            "  blockscope-cli render samples/circuits/flash-attention-3-fp8-inter.json --view clocks -o "
            "clocks.pdf",
        .run = [arguments](const Invocation& invocation) -> int {
            if (invocation.pictures) return invocation.pictures->render(*arguments);
            become_picture_program(invocation.words);
        }};
}

Command export_row() {
    const auto arguments = std::make_shared<ExportArguments>();
    return {.name = "export",
            .summary = "write the whole derivation: a strip of pictures, a page, a document",
            .options = export_options(*arguments),
            .notes =
                "Examples:\n"
                "  blockscope-cli export samples/attention.bp --as html -o attention.html\n"
                "  blockscope-cli export samples/attention.bp --as strip --snapshots -o attention.pdf",
            .run = [arguments](const Invocation& invocation) -> int {
                if (invocation.pictures) return invocation.pictures->export_run(*arguments);
                become_picture_program(invocation.words);
            }};
}

}  // namespace blockscope::cli
