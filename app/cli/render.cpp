// blockscope-render's render: one state as blocks, as a circuit, or as an algorithm on a device.
#include <QGuiApplication>
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "app/circuit/circuit_file.h"
#include "app/circuit/clock_view.h"
#include "app/cli/analyze.h"
#include "app/cli/best.h"
#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/cli/picture_files.h"
#include "app/cli/selection.h"
#include "app/cli/terminal.h"
#include "app/document/content.h"
#include "app/document/pictures.h"
#include "app/export/render.h"
#include "app/export/runs.h"
#include "app/files/file_formats.h"
#include "app/files/painting.h"
#include "core/diagram/document.h"
#include "core/napkin/clocks.h"
#include "core/napkin/group_sizes.h"
#include "core/napkin/study.h"
#include "core/print/print.h"
#include "core/support/result.h"

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
    if (!circuit) throw UsageError("no diagram of this: " + circuit.problems().front().message.str());
    if (arguments.repeat.empty()) return *std::move(circuit);
    Result<circuit::Circuit> layers = repeated_circuit(*circuit, content.name, arguments.repeat);
    if (!layers) throw UsageError(layers.problems().front().message.str());
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

// The pictures of blocks have no such format: "tex", "perfetto".
void refuse_format_of_kernels(const std::string& format) {
    const FileFormat* row = find_format(format);
    if (!row || row->painted() || row->state) return;
    if (row->of_circuits()) throw UsageError(format + " is a format of circuits and kernels; add --view");
    if (row->of_clocks()) throw UsageError(format + " is a format of clocks; add --view clocks");
}

// "dot": no circuit or kernel is written so.
bool is_of_blocks(const std::string& format) {
    const std::vector<std::string> names = state_formats(true);
    return std::find(names.begin(), names.end(), format) != names.end();
}

void refuse_options_of_blocks(const RenderArguments& arguments) {
    const bool block = arguments.fold || !arguments.fold_maps.empty() || !arguments.nodes.empty() ||
                       arguments.types || arguments.legend || is_of_blocks(arguments.format);
    if (block)
        throw UsageError("--fold, --fold-map, --node, --types, --legend and " +
                         joined_names(state_formats(true)) +
                         " belong to the picture of blocks; leave out --view, or them");
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
    const std::string format = chosen_format(arguments.format, arguments.output, circuit_formats(), "svg");
    const bool binary = is_binary(format);
    const std::string shown = display_name(arguments.file);
    if (const FileFormat* row = find_format(format); row && row->circuit)
        return deliver({.command = "render", .file = shown, .format = format, .bytes = row->circuit(circuit)},
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
    return deliver({.command = "render",
                    .file = shown,
                    .format = format,
                    .bytes = bytes.toStdString(),
                    .binary = binary},
                   arguments.output, arguments.json);
}

int render_document(const std::string& text, const RenderArguments& arguments) {
    refuse_options_of_blocks(arguments);
    if (arguments.state.given() || !arguments.repeat.empty())
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

// ---- blockscope-cli render --view pseudocode, clocks and levels: an algorithm on a device (Sections 4 and 5
// of the napkin).

constexpr double kClockWidth = 900;

// What is to be a kernel: of a program, or of a circuit document, which may say how it runs.
struct Subject {
    std::string name;
    circuit::Flow flow;  // separated
    std::optional<circuit::Deployment> execution;
};

Subject subject_of(const RenderArguments& arguments) {
    const std::string text = read_file(arguments.file);
    const std::string name = display_name(arguments.file);
    if (content_of(text) == Content::Circuit) {
        Result<circuit::CircuitDocument> read = circuit::read_circuit(text, name);
        if (!read) throw BadInput(read.problems(), text);
        return {read->title.empty() ? name : read->title, value_or_usage(circuit::flow_of(read->circuit)),
                read->execution};
    }
    const Loaded loaded = program_in(text, name);
    if (!loaded.array)
        throw UsageError(
            "a kernel is made of an array program or a circuit, not of a program of blocks alone");
    return {loaded.name, circuit::separated(circuit::flow_of(*loaded.array)), std::nullopt};
}

circuit::Study study_of(const Subject& subject, const KernelArguments& kernel, const Device& device) {
    circuit::StudyOptions options = options_of(kernel);
    options.execution = execution_of(kernel, subject.execution);
    circuit::Study made = value_or_usage(circuit::study(subject.flow, device, options));
    if (!made.kernel) throw UsageError("there is no kernel: " + made.no_kernel.str());
    check_names(kernel, *made.kernel);
    return made;
}

// Without a device two levels (Figure 30), else its own, with its divisors (Figure 32).
circuit::Circuit expansion_of(const Subject& subject, const KernelArguments& kernel) {
    const std::string device = subject.execution ? subject.execution->device : "";
    if (!kernel.device.empty() || !device.empty()) {
        const Device on = device_of(kernel, device);
        return value_or_usage(circuit::pseudocode(study_of(subject, kernel, on), on));
    }
    const circuit::LoopSplit split =
        value_or_usage(circuit::loop_split(subject.flow, kernel.rows, kernel.stream));
    circuit::PseudocodeOptions options;
    options.stream = options.sub =
        static_cast<std::int64_t>(kernel.stream_size.value_or(circuit::StudyOptions{}.stream_size));
    options.inner = split.inner;
    options.inner_stream = options.inner_sub = options.stream;
    return value_or_usage(circuit::pseudocode(split.flow, split.rows, split.stream, options));
}

int render_clocks(const RenderArguments& arguments, const Subject& subject) {
    const Device device = device_of(arguments.kernel, subject.execution ? subject.execution->device : "");
    const circuit::Schedule schedule = study_of(subject, arguments.kernel, device).kernel->schedule;
    if (schedule.period <= 0) throw UsageError("this kernel has nothing that takes a clock");
    const std::string format = chosen_format(arguments.format, arguments.output, clock_formats(), "svg");
    const std::string shown = display_name(arguments.file);
    const std::string title = subject.name + ", clocks on " + device.title;
    if (const FileFormat* row = find_format(format); row && row->clocks)
        return deliver(
            {.command = "render", .file = shown, .format = format, .bytes = row->clocks(schedule, title)},
            arguments.output, arguments.json);
    gui_application();
    circuit::ClockOptions options;
    options.width = arguments.width.value_or(kClockWidth);
    options.measure = circuit_measure();
    CircuitFile file = file_of(arguments);
    file.title = title;
    const QByteArray bytes = clock_bytes(format, circuit::draw_clocks(schedule, options), file);
    if (bytes.isEmpty())
        throw UsageError("the image would be too large; choose a smaller --scale, or svg or pdf");
    return deliver({.command = "render",
                    .file = shown,
                    .format = format,
                    .bytes = bytes.toStdString(),
                    .binary = is_binary(format)},
                   arguments.output, arguments.json);
}

circuit::Study study_of_levels(const RenderArguments& arguments, const Subject& subject,
                               const Device& device) {
    circuit::StudyOptions options = options_of(arguments.kernel);
    options.execution = execution_of(arguments.kernel, subject.execution);
    return value_or_usage(circuit::study(subject.flow, device, options));
}

// The algorithm on every level, with groups of each level's own (Figures 20 and 24).
int render_level_circuit(const RenderArguments& arguments, const Subject& subject) {
    const Device device = device_of(arguments.kernel, subject.execution ? subject.execution->device : "");
    const circuit::Study study = study_of_levels(arguments, subject, device);
    return deliver_circuit(value_or_usage(circuit::level_circuit(study)),
                           subject.name + ", levels of " + device.title, arguments);
}

// H* on every level (Figures 7 and 25), linked children beside each other.
int render_levels(const RenderArguments& arguments, const Subject& subject) {
    const Device device = device_of(arguments.kernel, subject.execution ? subject.execution->device : "");
    const circuit::Study study = study_of_levels(arguments, subject, device);
    if (!study.models) throw UsageError("this algorithm has no transfers that a formula gives: no levels");
    const std::string format = chosen_format(arguments.format, arguments.output, level_formats(), "svg");
    if (const FileFormat* row = find_format(format); row && row->circuit)
        throw UsageError("levels are a picture; `analyze --json` has their numbers");
    gui_application();
    CircuitFile file = file_of(arguments);
    file.title = subject.name + ", levels of " + device.title;
    const QByteArray bytes = level_bytes(
        format, circuit::draw_levels(*study.models, global_memory(device).name, circuit_measure()), file);
    if (bytes.isEmpty())
        throw UsageError("the image would be too large; choose a smaller --scale, or svg or pdf");
    return deliver({.command = "render",
                    .file = display_name(arguments.file),
                    .format = format,
                    .bytes = bytes.toStdString(),
                    .binary = is_binary(format)},
                   arguments.output, arguments.json);
}

int render_kernel(const RenderArguments& arguments) {
    refuse_options_of_blocks(arguments);
    if (arguments.state.given() || !arguments.repeat.empty())
        throw UsageError("a kernel is made of the whole program; leave out --step, --snapshot and --repeat");
    const Subject subject = subject_of(arguments);
    if (arguments.view == "circuit") return render_level_circuit(arguments, subject);
    if (arguments.view == "levels") return render_levels(arguments, subject);
    if (arguments.view == "clocks") return render_clocks(arguments, subject);
    return deliver_circuit(expansion_of(subject, arguments.kernel), subject.name + ", pseudocode", arguments);
}

constexpr double kAround = 24;  // pixels of the picture around chosen nodes

struct DrawnState {
    StateId id = 0;
    std::string name;       // "step 12", "snapshot 2"
    std::string chosen_by;  // of the best state: among which, by what
};

// The state that is asked for, on the way that the content's branch leads. Of a program by default the best
// one; a document or a trace has one that it shows.
DrawnState drawn_state(const blockscope::Content& content, bool has_steps, const RenderArguments& arguments) {
    if (!arguments.state.given() && has_steps)
        return {content.current, "step " + std::to_string(content.history.depth(content.current)),
                "the one that the file shows"};
    const StateId tip = content.history.branch(content.branch).tip;
    const Trace trace = content.history.trace(tip);
    const Stakes stakes = stakes_of(arguments.state, arguments.kernel.device);
    const Choice choice = choose(trace, arguments.state, {}, stakes);
    return {content.history.path(tip).at(static_cast<std::size_t>(choice.state.step)), choice.state.name,
            choice.ranking ? best_sentence(*choice.ranking, stakes) : std::string()};
}

// On stderr, beside a picture that does not say it of itself.
void say_drawn(const DrawnState& chosen) {
    std::cerr << "drawn: " << chosen.name << (chosen.chosen_by.empty() ? "" : ", ") << chosen.chosen_by
              << '\n';
}

Folds chosen_folds(const blockscope::Content& content, StateId state, const RenderArguments& arguments) {
    const BlockProgram& program = *content.history.state(state).program;
    Folds folds = arguments.fold ? folds_at_depth(program, *arguments.fold) : content.folds;
    if (arguments.fold_maps.empty()) return folds;
    const Selection maps = find_selection(program, arguments.fold_maps);
    const GraphPtr level = graph_at(program, maps.path);
    for (const NodeId map : maps.nodes) {
        if (!level->find(map)->is<Map>())
            throw UsageError(describe(*level->find(map), program.dims).str() +
                             " is not a map; only maps fold");
        folds.insert(map);
    }
    return folds;
}

// What is around these nodes, with a margin. Of a node in a folded map that is the cloud.
std::optional<Rect> chosen_part(const Picture& picture, const BlockProgram& program,
                                const std::string& nodes) {
    if (nodes.empty()) return std::nullopt;
    const auto& boxes = picture.geometry.boxes;
    double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
    for (const NodeId node : find_selection(program, nodes).nodes) {
        const Rect& rect = boxes.at(static_cast<std::size_t>(picture.figure.find(node)));
        left = std::min(left, rect.left());
        top = std::min(top, rect.top());
        right = std::max(right, rect.right());
        bottom = std::max(bottom, rect.bottom());
    }
    return Rect{left, top, right - left, bottom - top}.grown(kAround);
}

std::string rendered(blockscope::Content content, StateId state, const RenderArguments& arguments,
                     const std::string& format) {
    gui_application();
    content.folds = chosen_folds(content, state, arguments);
    const auto shared = std::make_shared<const blockscope::Content>(std::move(content));
    Pictures pictures(qt_measure());
    const PicturePtr picture = pictures.now(shared, state);
    RenderOptions options;
    options.theme = arguments.dark ? Theme::dark_theme() : Theme::light();
    options.background = !arguments.transparent;
    options.legend = arguments.legend;
    options.caption = arguments.caption;
    options.types = arguments.types;
    options.part = chosen_part(*picture, *shared->history.state(state).program, arguments.nodes);
    options.title = shared->name + ", step " + std::to_string(shared->history.depth(state));
    options.scale = arguments.scale;
    const QByteArray bytes = render_bytes(format, *picture, options);
    if (bytes.isEmpty())
        throw UsageError("the image would be too large; choose a smaller --scale, or svg or pdf");
    return bytes.toStdString();
}

void refuse_options_of_circuits(const RenderArguments& arguments) {
    const bool circuit = arguments.circuit != RenderArguments{}.circuit || !arguments.repeat.empty() ||
                         !arguments.numbers.empty() || arguments.width;
    if (circuit)
        throw UsageError("--circuit, --numbers, --width and --repeat belong to circuits; add --view circuit");
}

// The graph and the program are always whole, and have no looks.
void refuse_options_of_pictures(const RenderArguments& arguments, const std::string& format) {
    const RenderArguments none;
    const bool picture = arguments.fold || !arguments.fold_maps.empty() || !arguments.nodes.empty() ||
                         arguments.types || arguments.legend || !arguments.caption.empty() ||
                         arguments.dark || arguments.transparent || arguments.scale != none.scale;
    if (picture)
        throw UsageError(
            format +
            " holds the whole state without looks: --fold, --fold-map, --node, --types, --legend, "
            "--caption, --dark, --transparent and --scale belong to svg, pdf and png");
}

}  // namespace

int render_command(const RenderArguments& arguments) {
    const bool levels = arguments.view == "circuit" && arguments.circuit == "levels";
    if (levels || (arguments.view != "block" && arguments.view != "circuit")) return render_kernel(arguments);
    if (arguments.kernel != KernelArguments{})
        throw UsageError(
            "--device and the options of kernels go with --view pseudocode, clocks or levels, or with "
            "--circuit levels");
    const std::string text = read_file(arguments.file);
    if (content_of(text) == Content::Circuit) return render_document(text, arguments);
    Opened file = opened(text, arguments.file);
    blockscope::Content& content = file.content;
    const DrawnState chosen = drawn_state(content, file.has_steps, arguments);
    const StateId state = chosen.id;
    if (!arguments.json && (arguments.view == "block" || arguments.circuit == "state")) say_drawn(chosen);
    if (arguments.view == "circuit") return render_circuit(content, state, arguments);
    refuse_options_of_circuits(arguments);
    refuse_format_of_kernels(arguments.format);
    const std::string format =
        chosen_format(arguments.format, arguments.output, picture_formats(state_formats()), "svg");
    const FileFormat* row = find_format(format);
    const bool of_state = row && row->state;  // a text of the state, not a picture
    if (of_state) refuse_options_of_pictures(arguments, format);
    const ProgramPtr program = content.history.state(state).program;
    std::string bytes =
        of_state ? row->state(*program) : rendered(std::move(content), state, arguments, format);
    const bool binary = is_binary(format);
    return deliver({.command = "render",
                    .file = display_name(arguments.file),
                    .format = format,
                    .bytes = std::move(bytes),
                    .binary = binary,
                    .state = chosen.name},
                   arguments.output, arguments.json);
}

}  // namespace blockscope::cli
