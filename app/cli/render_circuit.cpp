// blockscope-cli render --view circuit: the neural circuit diagram of one state.
#include "app/circuit/circuit_choice.h"
#include "app/circuit/circuit_file.h"
#include "app/cli/failures.h"
#include "app/cli/load.h"
#include "app/cli/picture_commands.h"
#include "app/cli/picture_output.h"
#include "core/circuit/circuit_json.h"
#include "core/json/value.h"

namespace blockscope::cli {
namespace {

constexpr int kTries = 4;
constexpr double kNarrower = 0.85;

CircuitKind kind_of(const std::string& name) {
    if (name == "program") return CircuitKind::Program;
    if (name == "model") return CircuitKind::Model;
    return name == "algorithm" ? CircuitKind::Algorithm : CircuitKind::State;
}

circuit::NumberStyle style_of(const std::string& name) {
    if (name == "none") return circuit::NumberStyle::None;
    return name == "counts" ? circuit::NumberStyle::Counts : circuit::NumberStyle::Formulas;
}

circuit::Circuit chosen_circuit(const blockscope::Content& content, StateId state,
                                const RenderArguments& arguments) {
    Result<circuit::Circuit> circuit = circuit_for(content, state, kind_of(arguments.circuit));
    if (!circuit) throw UsageError("no diagram of this: " + circuit.problems().front().message);
    if (arguments.repeat.empty()) return *std::move(circuit);
    Result<circuit::Circuit> layers = repeated_circuit(*circuit, content.name, arguments.repeat);
    if (!layers) throw UsageError(layers.problems().front().message);
    return *std::move(layers);
}

// Lines may be a little longer than the page, unless its width was asked for: then earlier breaks are tried.
circuit::Drawing laid_out(const circuit::Circuit& circuit, circuit::LayoutOptions options,
                          const RenderArguments& arguments) {
    circuit::Drawing drawing = circuit::lay_out(circuit, options);
    if (!arguments.width) return drawing;
    for (int tries = 0; tries < kTries && drawing.bounds.width > *arguments.width; ++tries) {
        options.width *= kNarrower;
        circuit::Drawing narrower = circuit::lay_out(circuit, options);
        if (narrower.bounds.width < drawing.bounds.width) drawing = std::move(narrower);
    }
    return drawing;
}

}  // namespace

void refuse_options_of_blocks(const RenderArguments& arguments) {
    const bool block = arguments.fold || !arguments.fold_maps.empty() || !arguments.nodes.empty() ||
                       arguments.types || arguments.legend || arguments.format == "dot";
    if (block)
        throw UsageError(
            "--fold, --fold-map, --node, --types, --legend and dot belong to the picture of blocks; leave "
            "out --view, or them");
}

CircuitFile file_of(const RenderArguments& arguments) {
    CircuitFile file;
    file.theme = arguments.dark ? Theme::dark_theme() : Theme::light();
    file.background = !arguments.transparent;
    file.scale = arguments.scale;
    file.caption = arguments.caption;
    return file;
}

int deliver_circuit(const circuit::Circuit& circuit, const std::string& title,
                    const RenderArguments& arguments) {
    const std::string format =
        chosen_format(arguments.format, arguments.output, {"svg", "pdf", "png", "tex", "json"}, "svg");
    const bool binary = format == "pdf" || format == "png";
    const std::string shown = display_name(arguments.file);
    if (format == "json")
        return deliver({"render", shown, format, json::print(circuit::to_json(circuit)), false},
                       arguments.output, arguments.json);
    gui_application();
    circuit::LayoutOptions options;
    options.measure = circuit_measure();
    options.numbers = style_of(arguments.numbers);
    if (arguments.width) options.width = *arguments.width;
    CircuitFile file = file_of(arguments);
    file.title = title;
    const QByteArray bytes = circuit_bytes(format, laid_out(circuit, options, arguments), file);
    if (bytes.isEmpty())
        throw UsageError("the image would be too large; choose a smaller --scale, or svg or pdf");
    return deliver({"render", shown, format, bytes.toStdString(), binary}, arguments.output, arguments.json);
}

int render_document(const std::string& text, const RenderArguments& arguments) {
    refuse_options_of_blocks(arguments);
    if (arguments.step || arguments.snapshot || !arguments.repeat.empty())
        throw UsageError(
            "a circuit has no steps, and is not repeated: leave out --step, --snapshot, --repeat");
    const std::string name = display_name(arguments.file);
    const Result<circuit::CircuitDocument> read = circuit::read_circuit(text, name);
    if (!read) throw BadInput(read.problems(), text);
    return deliver_circuit(read->circuit, read->title.empty() ? name : read->title, arguments);
}

int render_circuit(const blockscope::Content& content, StateId state, const RenderArguments& arguments) {
    refuse_options_of_blocks(arguments);
    if (!arguments.repeat.empty() && arguments.circuit != "program" && arguments.circuit != "model")
        throw UsageError("--repeat draws the program as repeated; add --circuit program or model");
    const std::string what = arguments.circuit == "state"
                                 ? "step " + std::to_string(content.history.depth(state))
                                 : arguments.circuit;
    return deliver_circuit(chosen_circuit(content, state, arguments), content.name + ", " + what, arguments);
}

}  // namespace blockscope::cli
