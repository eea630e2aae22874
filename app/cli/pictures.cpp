// The rows of render and export, and the program that runs them.
#include "app/cli/pictures.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "app/cli/command.h"
#include "app/cli/terminal.h"
#include "app/files/file_formats.h"

namespace blockscope::cli {

void become_picture_program(char** arguments) {
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

namespace {

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

// The formats of any --view.
std::vector<std::string> all_formats() {
    return formats_that([](const FileFormat& format) {
        return format.state || format.of_circuits() || format.of_clocks() || format.of_levels();
    });
}

// "tex (TikZ, not of blocks) or perfetto (of clocks, for ui.perfetto.dev)"
std::string formats_with_help() {
    std::vector<std::string> formats;
    for (const FileFormat& format : file_formats())
        if (format.help) formats.push_back(std::string(format.name) + " (" + format.help + ")");
    return either_of(formats);
}

// Which state, in which format.
std::vector<Option> picture_state_options(RenderArguments& render) {
    const std::vector<Option> format = {{.names = "--format",
                                         .argument = "F",
                                         .help = joined_names(picture_formats({"json"})) + ", " +
                                                 joined_names(state_formats(true)) + " (of blocks), " +
                                                 formats_with_help() +
                                                 "; by default what the name of OUT ends with, else svg",
                                         .to = &render.format,
                                         .choices = all_formats(),
                                         .synonyms = {{"tikz", "tex"}}}};
    return joined(joined({picture_file_option(render.file)}, state_options(render.state)), format);
}

std::vector<Option> circuit_options(RenderArguments& render) {
    return {
        {.names = "--view",
         .argument = "V",
         .help = "block (default), circuit (the neural circuit diagram), pseudocode (a loop on a device's "
                 "levels), clocks (warpgroups on its pipelines) or levels (what is moved to each)",
         .to = &render.view,
         .choices = {"block", "circuit", "pseudocode", "clocks", "levels"}},
        {.names = "--circuit",
         .argument = "C",
         .help = "state (default), program (before there are blocks), model (inputs called W... as learned "
                 "maps), algorithm (of the whole program, split wherever it can be) or levels (the same on "
                 "every level of --device)",
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

// "strip (the steps' pictures: pdf, svg); ...".
std::string export_kinds_text() {
    std::string text;
    for (const ExportKind& kind : kExportKinds)
        text += (text.empty() ? "" : "; ") + std::string(kind.name) + " (" + kind.help + ": " +
                joined_names(formats_of(kind)) + ")";
    return text;
}

// Of all kinds, each once.
std::vector<std::string> export_formats() {
    std::vector<std::string> names;
    for (const ExportKind& kind : kExportKinds)
        for (const std::string& name : formats_of(kind))
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return names;
}

std::vector<std::string> export_kind_names() {
    std::vector<std::string> names;
    for (const ExportKind& kind : kExportKinds) names.emplace_back(kind.name);
    return names;
}

std::vector<Option> export_options(ExportArguments& arguments) {
    return {
        picture_file_option(arguments.file),
        {.names = "--as",
         .argument = "WHAT",
         .help = export_kinds_text(),
         .to = &arguments.as,
         .required = true,
         .choices = export_kind_names()},
        {.names = "--format",
         .argument = "F",
         .help = "where there are several; by default what the name of OUT ends with, else the first",
         .to = &arguments.format,
         .choices = export_formats()},
        {.names = "--snapshots",
         .help = "only the initial block program and the snapshots",
         .to = &arguments.snapshots},
        {.names = "--chapters",
         .help = "only the initial block program and the end of each chapter",
         .to = &arguments.chapters,
         .excludes = {"--snapshots"}},
        {.names = "--notes",
         .help = "slides on A4, with the speaker's notes below each",
         .to = &arguments.notes},
        {.names = "--before",
         .argument = "STATE",
         .help = "the first state of a comparison: a step's number, 'snapshot 2', last or best; by default 0",
         .to = &arguments.before},
        {.names = "--after",
         .argument = "STATE",
         .help = "the second one; by default best",
         .to = &arguments.after},
        {.names = "--device",
         .argument = "NAME",
         .help = "a device or its description's file: times of a comparison are predicted on it",
         .to = &arguments.device},
        theme_option(arguments.dark),
        output_option(arguments.output),
        json_option(arguments.json)};
}

}  // namespace

Command render_row() {
    const auto arguments = std::make_shared<RenderArguments>();
    const std::vector<Option> circuit_and_kernel =
        joined(circuit_options(*arguments), kernel_options(arguments->kernel));
    return {
        .name = "render",
        .summary = "draw a state: SVG, PDF, PNG, TikZ, dot or JSON",
        .options =
            joined(joined(picture_state_options(*arguments), circuit_and_kernel), look_options(*arguments)),
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
            .summary = "write the whole run: a strip, a page, slides, a comparison, a document",
            .options = export_options(*arguments),
            .notes =
                "Examples:\n"
                "  blockscope-cli export samples/attention.bp --as html -o attention.html\n"
                "  blockscope-cli export samples/attention.bp --as strip --snapshots -o attention.pdf\n"
                "  blockscope-cli export samples/attention.bp --as slides --chapters -o slides.pdf\n"
                "  blockscope-cli export samples/attention.bp --as deck -o deck.html\n"
                "  blockscope-cli export samples/decoder-block.bp --as comparison --after last -o two.pdf",
            .run = [arguments](const Invocation& invocation) -> int {
                if (invocation.pictures) return invocation.pictures->export_run(*arguments);
                become_picture_program(invocation.words);
            }};
}

}  // namespace blockscope::cli
