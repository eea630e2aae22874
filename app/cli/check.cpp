// blockscope-cli check and convert: what a file holds, with all its problems, and the same program in another
// form.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/cli/run.h"
#include "app/cli/terminal.h"
#include "core/json/json_io.h"

namespace blockscope::cli {

namespace {

struct CheckArguments {
    std::string file;
    bool json = false;
};

struct ProgramCounts {
    int inputs = 0, operators = 0, outputs = 0, dims = 0, nodes = 0, buffered = 0;
};

ProgramCounts count(const Loaded& loaded) {
    const BlockProgram& blocks = *loaded.blocks;
    ProgramCounts counts;
    counts.dims = static_cast<int>(blocks.dims.size());
    counts.inputs = static_cast<int>(blocks.graph->inputs().size());
    counts.outputs = static_cast<int>(blocks.graph->outputs().size());
    counts.operators = static_cast<int>(blocks.graph->nodes().size()) - counts.inputs - counts.outputs;
    counts.nodes = node_count(blocks);
    counts.buffered = buffered_edges(blocks);
    return counts;
}

std::string plural(int count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

void print_check(const Loaded& loaded, const ProgramCounts& counts) {
    const Style style = style_for(STDOUT_FILENO);
    print_heading(std::cout, loaded, style);
    std::cout << style(Tone::Green, "OK") << ": " << plural(counts.inputs, "input") << ", "
              << plural(counts.outputs, "output") << ", " << plural(counts.dims, "dimension")
              << "; the block program has " << plural(counts.operators, "top-level operator") << ", "
              << plural(counts.nodes, "node") << " and " << plural(counts.buffered, "buffered edge") << ".\n";
}

void print_check_json(const Loaded& loaded, const ProgramCounts& counts) {
    Json json = envelope("check");
    json["file"] = loaded.name;
    json["ok"] = true;
    json["holds"] = loaded.array ? "array-program" : "block-program";
    json["inputs"] = counts.inputs;
    json["outputs"] = counts.outputs;
    json["dims"] = counts.dims;
    json["operators"] = counts.operators;
    json["nodes"] = counts.nodes;
    json["buffered"] = counts.buffered;
    std::cout << to_text(json) << '\n';
}

int check_command(const CheckArguments& arguments) {
    const Loaded loaded = load_program(arguments.file);
    const ProgramCounts counts = count(loaded);
    if (arguments.json) {
        print_check_json(loaded, counts);
    } else {
        print_check(loaded, counts);
    }
    return kFine;
}

}  // namespace

Command check_row() {
    const auto arguments = std::make_shared<CheckArguments>();
    return {.name = "check",
            .summary = "read a file and report all its problems",
            .options = {file_option(arguments->file), json_option(arguments->json)},
            .notes = "Exits with 3 if there are problems.\nExample:\n  blockscope-cli check my-program.bp",
            .run = [arguments](const Invocation&) { return check_command(*arguments); }};
}

// ---- blockscope-cli convert: the same program in another form.

namespace {

struct ConvertArguments {
    std::string file;
    std::string to;      // text, json, block-json
    std::string output;  // empty or "-": stdout
    bool json = false;
};

std::string converted(const Loaded& loaded, const std::string& to) {
    if (to == "block-json") return write_json(*loaded.blocks);
    if (!loaded.array) {
        throw UsageError(
            loaded.name +
            " holds a block program, which has no array program; only --to block-json is possible");
    }
    return to == "text" ? print_program(*loaded.array) : write_json(*loaded.array);
}

int convert_command(const ConvertArguments& arguments) {
    const Loaded loaded = load_program(arguments.file);
    std::string text = converted(loaded, arguments.to);
    if (text.empty() || text.back() != '\n') text += '\n';
    std::optional<Json> json;
    if (arguments.json) {
        json = envelope("convert");
        (*json)["file"] = loaded.name;
        (*json)["to"] = arguments.to;
    }
    hand_out(text, arguments.output, std::move(json));
    return kFine;
}

}  // namespace

Command convert_row() {
    const auto arguments = std::make_shared<ConvertArguments>();
    return {.name = "convert",
            .summary = "write a program in another form",
            .options = {file_option(arguments->file),
                        {.names = "--to",
                         .argument = "FORM",
                         .help = "text, json (array program) or block-json (initial block program)",
                         .to = &arguments->to,
                         .required = true,
                         .choices = {"text", "json", "block-json"}},
                        output_option(arguments->output),
                        json_option(arguments->json)},
            .notes = "Example:\n  blockscope-cli convert samples/attention.bp --to json -o attention.json",
            .run = [arguments](const Invocation&) { return convert_command(*arguments); }};
}

}  // namespace blockscope::cli
