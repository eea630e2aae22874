// blockscope-cli check: reads a file and reports all its problems, or says what it holds.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/load.h"
#include "app/cli/report.h"
#include "app/cli/terminal.h"

namespace blockscope::cli {
namespace {

struct Counts {
    int inputs = 0, operators = 0, outputs = 0, dims = 0, nodes = 0, buffered = 0;
};

Counts count(const Loaded& loaded) {
    const BlockProgram& blocks = *loaded.blocks;
    Counts counts;
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

void print_text(const Loaded& loaded, const Counts& counts) {
    const Style style = style_for(STDOUT_FILENO);
    print_heading(std::cout, loaded, style);
    std::cout << style(Tone::Green, "OK") << ": " << plural(counts.inputs, "input") << ", "
              << plural(counts.outputs, "output") << ", " << plural(counts.dims, "dimension")
              << "; the block program has " << plural(counts.operators, "top-level operator") << ", "
              << plural(counts.nodes, "node") << " and " << plural(counts.buffered, "buffered edge") << ".\n";
}

void print_json(const Loaded& loaded, const Counts& counts) {
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

}  // namespace

int check_command(const CheckArguments& arguments) {
    const Loaded loaded = load_program(arguments.file);
    const Counts counts = count(loaded);
    if (arguments.json) {
        print_json(loaded, counts);
    } else {
        print_text(loaded, counts);
    }
    return kFine;
}

}  // namespace blockscope::cli
