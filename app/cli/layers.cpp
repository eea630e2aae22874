// blockscope-cli layers: the parts of a program in the order in which they run, repeated ones once, and what
// each takes; a part as a program of its own.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "app/cli/analyze.h"
#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/cli/measuring.h"
#include "app/cli/run.h"
#include "app/cli/terminal.h"
#include "core/json/device_files.h"
#include "core/plan/layers.h"

namespace blockscope::cli {

namespace {

using plan::LayerRun;
using plan::ModelLayers;
using plan::PartCost;

struct LayersArguments {
    std::string file, device, open, output;
    std::vector<std::string> sizes;
    bool json = false;
};

std::string share_text(double part, double all) {
    if (!(all > 0)) return "-";
    const double percent = 100 * part / all;
    return percent > 0 && percent < 0.5 ? "<1%" : std::to_string(std::lround(percent)) + "%";
}

// "3", "3-4": parts are counted from 1.
std::string parts_text(int first, int last) {
    return std::to_string(first + 1) + (last > first ? "-" + std::to_string(last + 1) : "");
}

Row row_of(const ModelLayers& layers, const std::string& part, const std::string& title,
           std::size_t operators, int times, const PartCost& cost) {
    return {part,
            title,
            std::to_string(operators),
            times > 1 ? std::to_string(times) : "",
            bytes_text(static_cast<std::int64_t>(cost.bytes)),
            share_text(cost.bytes, layers.all.bytes),
            time_text(cost.seconds),
            share_text(cost.seconds, layers.all.seconds)};
}

// A repeated layer has a row for all of them, and one for each of its parts.
std::vector<Row> rows_of(const ModelLayers& layers) {
    std::vector<Row> rows{{"part", "what", "operators", "times", "traffic", "share", "time", "share"}};
    for (const LayerRun& run : layers.runs) {
        const int last = run.first + run.parts - 1;
        if (run.count > 1 && run.parts > 1)
            rows.push_back(row_of(layers, parts_text(run.first, last), run.title,
                                  layers.nodes(run.first, last).size(), run.count,
                                  layers.cost_in_all(run, run.first, run.first + run.parts - 1)));
        for (int part = run.first; part <= last; ++part) {
            const plan::ModelPart& one = layers.parts[plan::slot(part)];
            rows.push_back(row_of(layers, parts_text(part, part),
                                  (run.count > 1 && run.parts > 1 ? "  " : "") + one.title, one.nodes.size(),
                                  run.count, layers.cost_in_all(run, part, part)));
        }
    }
    for (Row& row : rows)
        for (std::string& cell : row) cell = harmless_name(cell);
    return rows;
}

void print_layers(const ModelLayers& layers, const Device& device) {
    const Style style = style_for(STDOUT_FILENO);
    print_table(rows_of(layers), Align::Left, style);
    const auto counted = [](std::size_t count, const char* noun) {
        return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
    };
    std::cout << "all: " << counted(layers.parts.size(), "part") << ", "
              << counted(plan::slot(layers.graph.nodes()), "operator") << ", "
              << bytes_text(static_cast<std::int64_t>(layers.all.bytes)) << ", "
              << time_text(layers.all.seconds) << " as "
              << counted(plan::slot(layers.all.kernels), "library kernel") << " on "
              << harmless_name(device.name) << "\n";
}

Json cost_json(const PartCost& cost) {
    return json::Object{{"bytes", cost.bytes}, {"seconds", cost.seconds}, {"kernels", cost.kernels}};
}

std::string layers_json(const std::string& name, const ModelLayers& layers, const Device& device) {
    Json json = envelope("layers");
    json["file"] = name;
    json["device"] = device.name;
    json["baseline"] = to_string(BaselineKind::Library);
    Json parts = json::Array{}, runs = json::Array{};
    for (const plan::ModelPart& part : layers.parts) {
        Json operators = json::Array{};
        for (const int node : part.nodes) operators.push_back(layers.graph.names[plan::slot(node)]);
        parts.push_back(json::Object{{"title", part.title},
                                     {"like", part.like + 1},
                                     {"operators", std::move(operators)},
                                     {"cost", cost_json(part.cost)}});
    }
    for (const LayerRun& run : layers.runs)
        runs.push_back(
            json::Object{{"title", run.title},
                         {"first", run.first + 1},
                         {"parts", run.parts},
                         {"count", run.count},
                         {"cost", cost_json(layers.cost_in_all(run, run.first, run.first + run.parts - 1))}});
    json["parts"] = std::move(parts);
    json["layers"] = std::move(runs);
    json["all"] = cost_json(layers.all);
    return to_text(json);
}

// "3" or "3-4".
std::pair<int, int> chosen_parts(const std::string& text, const ModelLayers& layers) {
    const std::size_t dash = text.find('-');
    const auto number = [&](const std::string& word) {
        const bool digits =
            !word.empty() && word.size() <= 6 &&
            std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
        return digits ? std::stoi(word) : 0;
    };
    const int first = number(text.substr(0, dash));
    const int last = dash == std::string::npos ? first : number(text.substr(dash + 1));
    if (layers.parts.empty()) throw UsageError("--open: the program computes nothing, and has no parts");
    if (first < 1 || last < first || last > static_cast<int>(layers.parts.size()))
        throw UsageError("--open: '" + text + "' is no part; expected a number from 1 to " +
                         std::to_string(layers.parts.size()) + ", or two of them, such as 2-3");
    return {first - 1, last - 1};
}

int layers_command(const LayersArguments& arguments) {
    if (arguments.open.empty() && !arguments.output.empty())
        throw UsageError("--output is of --open: it is where the part is written");
    const Loaded loaded = load_program(arguments.file);
    if (!loaded.array)
        throw UsageError(loaded.name + " holds a block program, whose operators are in blocks already");
    const Device device = chosen_device(arguments.device.empty() ? usual_device() : arguments.device);
    const ArrayProgram program = resized_arrays(loaded, arguments.sizes);
    const ModelLayers layers = plan::layers_of(program, device);
    if (arguments.open.empty()) {
        if (arguments.json)
            std::cout << layers_json(loaded.name, layers, device) << '\n';
        else
            print_layers(layers, device);
        return kFine;
    }
    const auto [first, last] = chosen_parts(arguments.open, layers);
    const Result<ArrayProgram> part = group_program(program, layers.graph, layers.nodes(first, last));
    if (!part) throw BadInput(part.problems());
    std::optional<Json> json;
    if (arguments.json) {
        json = envelope("layers");
        (*json)["file"] = loaded.name;
        (*json)["part"] = parts_text(first, last);
    }
    hand_out(print_program(*part), arguments.output, std::move(json));
    return kFine;
}

}  // namespace

Command layers_row() {
    const auto arguments = std::make_shared<LayersArguments>();
    Option output = output_option(arguments->output);
    return {.name = "layers",
            .summary = "the layers of a model, repeated ones once, and what each takes",
            .options = {file_option(arguments->file),
                        device_option(arguments->device,
                                      "times are predicted on it: a name that `devices` lists, or a "
                                      "description's file; by default this machine if it is calibrated, "
                                      "else h100-sxm5"),
                        set_option(arguments->sizes),
                        {.names = "--open",
                         .argument = "PART",
                         .help = "print this part, or these (2-3), as a program of its own",
                         .to = &arguments->open,
                         .check = not_empty()},
                        std::move(output),
                        json_option(arguments->json)},
            .notes =
                "A part ends where one array alone goes on to what comes behind. Traffic and time are those "
                "of library kernels.\nExamples:\n"
                "  blockscope-cli layers model.onnx --device h100-sxm5\n"
                "  blockscope-cli layers samples/decoder-block.bp --open 1 -o attention.bp",
            .run = [arguments](const Invocation&) { return layers_command(*arguments); }};
}

}  // namespace blockscope::cli
