// blockscope-cli import: a model file as a program of the language, and a report on what was understood of
// it.
#include "core/import/import.h"

#include <unistd.h>

#include <charconv>
#include <climits>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/cli/terminal.h"
#include "core/import/model_file.h"

namespace blockscope::cli {
namespace {

using model::ExtentChoice;
using model::ImportedModel;

struct ImportArguments {
    std::string file;
    std::vector<std::string> sizes;
    bool report = false;
    bool json = false;
    std::string output;
};

std::int64_t extent(const std::string& digits, const std::string& word) {
    std::int64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, value);
    if (parsed.ec != std::errc{} || parsed.ptr != end || value < 1 || value > INT_MAX)
        throw UsageError("--set expects NAME=SIZE or NAME=SIZE/BLOCK with whole numbers from 1 on, not '" +
                         word + "'");
    return value;
}

std::map<std::string, ExtentChoice> choices(const std::vector<std::string>& words) {
    std::map<std::string, ExtentChoice> result;
    for (const std::string& word : words) {
        const std::size_t equals = word.rfind('=');
        const std::size_t slash = word.find('/', equals == std::string::npos ? 0 : equals);
        if (equals == std::string::npos || equals == 0) extent("", word);
        ExtentChoice choice;
        choice.size =
            extent(word.substr(equals + 1, slash == std::string::npos ? slash : slash - equals - 1), word);
        if (slash != std::string::npos) choice.block = extent(word.substr(slash + 1), word);
        if (choice.block && *choice.block > choice.size)
            throw UsageError("--set " + word + " has blocks that are longer than the dimension");
        if (!result.emplace(word.substr(0, equals), choice).second)
            throw UsageError("--set names " + word.substr(0, equals) + " twice");
    }
    return result;
}

std::string numbered(int count, const std::string& noun, const std::string& plural) {
    return std::to_string(count) + " " + (count == 1 ? noun : plural);
}

std::string counts_line(const model::ImportCounts& counts) {
    return numbered(counts.products, "matrix product", "matrix products") + ", " +
           std::to_string(counts.softmaxes) + " softmax, " + numbered(counts.norms, "norm", "norms") + ", " +
           numbered(counts.activations, "activation", "activations") + "; " + std::to_string(counts.customs) +
           " custom";
}

std::string called(const model::ImportedCustom& custom) {
    return custom.node.empty() ? custom.name : custom.node;
}

void print_report(const std::string& file, const ImportedModel& model) {
    const Style style = style_for(STDOUT_FILENO);
    std::cout << style(Tone::Bold, file) << (model.producer.empty() ? "" : ", made by " + model.producer)
              << ": " << numbered(model.counts.nodes, "node", "nodes") << '\n';
    for (const model::BoundSymbol& symbol : model.symbols)
        std::cout << "  " << symbol.name << " = " << symbol.size
                  << (symbol.chosen ? "" : "  (--set " + symbol.name + "=SIZE says otherwise)") << '\n';
    std::cout << counts_line(model.counts) << '\n';
    for (const model::ImportedCustom& custom : model.customs)
        std::cout << "  " << style(Tone::Yellow, called(custom)) << " (" << custom.op
                  << "): " << custom.reason.str() << '\n';
    for (const Text& remark : model.remarks) std::cout << "note: " << remark.str() << '\n';
}

Json input_json(const model::ImportedInput& input) {
    Json made = json::Object{
        {"name", input.name},     {"tensor", input.tensor},          {"stored", input.stored},
        {"offset", input.offset}, {"sizes", list_json(input.sizes)}, {"steps", list_json(input.steps)}};
    if (!input.table.empty()) made["table"] = input.table;
    if (!input.rows.empty()) made["rows"] = input.rows;
    return made;
}

Json report_json(const std::string& file, const ImportedModel& model) {
    Json json = envelope("import");
    json["file"] = file;
    json["producer"] = model.producer;
    json["nodes"] = model.counts.nodes;
    json["symbols"] = json::Array{};
    for (const model::BoundSymbol& symbol : model.symbols)
        json["symbols"].push_back(
            Json{{"name", symbol.name}, {"size", symbol.size}, {"chosen", symbol.chosen}});
    json["counts"] = Json{{"products", model.counts.products},
                          {"softmaxes", model.counts.softmaxes},
                          {"norms", model.counts.norms},
                          {"activations", model.counts.activations},
                          {"custom", model.counts.customs}};
    json["custom"] = json::Array{};
    for (const model::ImportedCustom& custom : model.customs)
        json["custom"].push_back(Json{{"name", custom.name},
                                      {"node", custom.node},
                                      {"operator", custom.op},
                                      {"reason", custom.reason.str()}});
    json["notes"] = json::Array{};
    for (const Text& remark : model.remarks) json["notes"].push_back(remark.str());
    json["inputs"] = json::Array{};
    for (const model::ImportedInput& input : model.inputs) json["inputs"].push_back(input_json(input));
    json["program"] = model.text;
    return json;
}

int import_command(const ImportArguments& arguments) {
    const std::map<std::string, ExtentChoice> sizes = choices(arguments.sizes);
    Result<model::TensorGraph> graph = model::read_model_file(arguments.file);
    if (!graph) throw BadInput(graph.problems());
    const Result<ImportedModel> model = model::import_model(std::move(graph).value(), sizes, arguments.file);
    if (!model) throw BadInput(model.problems());
    const bool to_file = !arguments.output.empty() && arguments.output != "-";
    if (to_file) write_file(arguments.output, model->text);
    if (arguments.json) {
        std::cout << to_text(report_json(arguments.file, *model)) << '\n';
    } else if (arguments.report) {
        print_report(arguments.file, *model);
    } else if (!to_file) {
        std::cout << model->text;
    }
    return kFine;
}

}  // namespace

Command import_row() {
    const auto arguments = std::make_shared<ImportArguments>();
    return {
        .name = "import",
        .summary = "make a program of an ONNX model or a .pt2 archive",
        .options = {{.names = "FILE",
                     .help = "a model, as torch.onnx.export or torch.export.save writes it",
                     .to = &arguments->file,
                     .required = true,
                     .completion = Completion::Files},
                    set_option(arguments->sizes),
                    {.names = "--report",
                     .help = "what was understood of the model, and what not and why, instead of the program",
                     .to = &arguments->report},
                    output_option(arguments->output),
                    json_option(arguments->json)},
        .notes =
            "Examples:\n  blockscope-cli import model.onnx --report\n"
            "  blockscope-cli import model.onnx --set seq=4096/128 -o model.bp\n"
            "  blockscope-cli import model.pt2 --set s0=4096/128 -o model.bp\n"
            "  blockscope-cli fuse model.bp",
        .run = [arguments](const Invocation&) { return import_command(*arguments); }};
}

}  // namespace blockscope::cli
