// blockscope-render, the program that makes pictures for blockscope-cli: render draws one state as blocks, as
// a circuit, or as an algorithm on a device; export writes a whole derivation.
#include <unistd.h>

#include <QFileInfo>
#include <QGuiApplication>
#include <QHashSeed>
#include <QTextDocument>
#include <algorithm>
#include <cstdio>
#include <filesystem>
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
#include "app/cli/pictures.h"
#include "app/cli/selection.h"
#include "app/cli/terminal.h"
#include "app/document/content.h"
#include "app/document/pictures.h"
#include "app/export/comparison.h"
#include "app/export/render.h"
#include "app/export/runs.h"
#include "app/files/file_formats.h"
#include "app/files/painting.h"
#include "core/diagram/document.h"
#include "core/json/json_io.h"
#include "core/json/reader.h"
#include "core/json/value.h"
#include "core/napkin/clocks.h"
#include "core/napkin/group_sizes.h"
#include "core/napkin/study.h"
#include "core/print/print.h"
#include "core/support/result.h"

namespace blockscope::cli {

int render_command(const RenderArguments& arguments);
int export_command(const ExportArguments& arguments);
std::string pdf_of_page(const std::string& html);

// The process's application, without a display; made when first asked for.
QGuiApplication& gui_application();

// What a file holds: a program with all steps of the algorithm, or a document or trace as it is.
// What a file holds, with the algorithm's run where it has no steps of its own.
struct Opened {
    blockscope::Content content;
    bool has_steps = false;  // a document or a trace, which shows one of its states
};
Opened opened(const std::string& text, const std::string& file);

// `format` if given, else what the name of `output` ends with if it is one of `known`, else `otherwise`.
std::string chosen_format(const std::string& format, const std::string& output,
                          const std::vector<std::string>& known, const std::string& otherwise);

// What a command made: bytes, and what its JSON envelope says besides.
struct Made {
    std::string command, file, format, bytes;
    bool binary = false;
    std::string state = {};  // "step 12": of what is made of one state
};
// Writes it to `output`, or to stdout; with `json` prints the envelope. Returns the exit code.
int deliver(const Made& made, const std::string& output, bool json);

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
    const std::string format =
        chosen_format(arguments.format, arguments.output, picture_formats({"tex", "json"}), "svg");
    const bool binary = is_binary(format);
    const std::string shown = display_name(arguments.file);
    if (format == "json")
        return deliver({.command = "render",
                        .file = shown,
                        .format = format,
                        .bytes = json::print(circuit::to_json(circuit))},
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
    options.stream = options.sub = static_cast<std::int64_t>(kernel.stream_size);
    options.inner = split.inner;
    options.inner_stream = options.inner_sub = options.stream;
    return value_or_usage(circuit::pseudocode(split.flow, split.rows, split.stream, options));
}

int render_clocks(const RenderArguments& arguments, const Subject& subject) {
    const Device device = device_of(arguments.kernel, subject.execution ? subject.execution->device : "");
    const circuit::Schedule schedule = study_of(subject, arguments.kernel, device).kernel->schedule;
    if (schedule.period <= 0) throw UsageError("this kernel has nothing that takes a clock");
    const std::string format =
        chosen_format(arguments.format, arguments.output, picture_formats({"tex", "json"}), "svg");
    const std::string shown = display_name(arguments.file);
    if (format == "json")
        return deliver(
            {.command = "render", .file = shown, .format = format, .bytes = json::print(to_json(schedule))},
            arguments.output, arguments.json);
    gui_application();
    circuit::ClockOptions options;
    options.width = arguments.width.value_or(kClockWidth);
    options.measure = circuit_measure();
    CircuitFile file = file_of(arguments);
    file.title = subject.name + ", clocks on " + device.title;
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
    const std::string format =
        chosen_format(arguments.format, arguments.output, picture_formats({"tex"}), "svg");
    if (format == "json") throw UsageError("levels are a picture; `analyze --json` has their numbers");
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
void say_drawn(const DrawnState& drawn) {
    std::cerr << "drawn: " << drawn.name << (drawn.chosen_by.empty() ? "" : ", ") << drawn.chosen_by << '\n';
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
    const DrawnState drawn = drawn_state(content, file.has_steps, arguments);
    const StateId state = drawn.id;
    if (!arguments.json && (arguments.view == "block" || arguments.circuit == "state")) say_drawn(drawn);
    if (arguments.view == "circuit") return render_circuit(content, state, arguments);
    refuse_options_of_circuits(arguments);
    if (arguments.format == "tex") throw UsageError("tex is a format of circuits and kernels; add --view");
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
                    .state = drawn.name},
                   arguments.output, arguments.json);
}

Opened opened(const std::string& text, const std::string& file) {
    Result<blockscope::Content> content = read_any(text, display_name(file));
    if (!content) throw BadInput(content.problems(), text);
    const bool has_steps = content->history.states().size() > 1;
    if (has_steps) return {std::move(content).value(), true};
    blockscope::Content run = run_algorithm(std::move(content).value(), 0);
    run.current = run.history.branch(run.branch).tip;
    return {std::move(run), false};
}

// Endings that say what is in a file.
bool says_format(const std::string& end) {
    static const std::vector<std::string> others = {"htm",  "jpg", "jpeg", "gif",  "eps",       "ps",
                                                    "webp", "bmp", "tif",  "tiff", "blockscope"};
    return find_format(end) || std::find(others.begin(), others.end(), end) != others.end();
}

std::string chosen_format(const std::string& format, const std::string& output,
                          const std::vector<std::string>& known, const std::string& otherwise) {
    if (!format.empty()) return format;
    std::string end = std::filesystem::path(output).extension().string();
    if (!end.empty()) end.erase(0, 1);
    if (std::find(known.begin(), known.end(), end) != known.end()) return end;
    if (says_format(end))
        throw UsageError("'" + output + "' ends with ." + end + ", but this makes " +
                         json::alternatives(known).str() + " files");
    return otherwise;
}

int deliver(const Made& made, const std::string& output, bool json) {
    const bool to_stdout = output.empty() || output == "-";
    if (to_stdout && made.binary && (json || isatty(STDOUT_FILENO) != 0))
        throw UsageError("a " + made.format + " file is no text; name a file for it with -o");
    if (!to_stdout)
        write_file(output, made.bytes);
    else if (!json)
        std::cout << made.bytes;
    if (!json) return kFine;
    Json envelope_of = envelope(made.command);
    envelope_of["file"] = made.file;
    envelope_of["format"] = made.format;
    if (!made.state.empty()) envelope_of["state"] = made.state;
    if (to_stdout) envelope_of["content"] = made.bytes;
    if (!to_stdout) envelope_of["output"] = output;
    std::cout << to_text(envelope_of) << '\n';
    return kFine;
}

namespace {

std::string format_of(const ExportKind& kind, const ExportArguments& arguments) {
    const std::vector<std::string> formats = formats_of(kind);
    if (!arguments.format.empty() &&
        std::find(formats.begin(), formats.end(), arguments.format) == formats.end())
        throw UsageError("a " + std::string(kind.name) + " is written as " + joined_names(formats) +
                         ", not " + arguments.format);
    std::vector<std::string> endings = formats;
    if (formats.front() == "html") endings.emplace_back("htm");
    if (formats.front() == "json") endings.emplace_back("blockscope");
    const std::string format = chosen_format(arguments.format, arguments.output, endings, formats.front());
    return std::find(formats.begin(), formats.end(), format) == formats.end() ? formats.front() : format;
}

void refuse_options_of_others(const ExportKind& kind, const ExportArguments& arguments) {
    const std::string name = kind.name;
    if (!kind.stages && (arguments.snapshots || arguments.chapters))
        throw UsageError("--snapshots and --chapters choose steps of a run; a " + name + " shows no steps");
    if (!kind.notes && arguments.notes) throw UsageError("--notes is for --as slides");
    if (!kind.pair && !(arguments.before + arguments.after + arguments.device).empty())
        throw UsageError("--before, --after and --device are for --as comparison");
    if (!kind.themed && arguments.dark)
        throw UsageError("--theme is not for --as " + name + ": it looks as its reader's system does");
}

// Both states, and what is known of their times on the device.
ComparisonRequest comparison_of(const blockscope::Content& content, const ExportArguments& arguments) {
    const StateId tip = content.history.branch(content.branch).tip;
    const Trace trace = content.history.trace(tip);
    const std::vector<StateId> way = content.history.path(tip);
    StateArguments before, after;
    before.state = arguments.before.empty() ? "0" : arguments.before;
    after.state = arguments.after.empty() ? "best" : arguments.after;
    const Stakes stakes = stakes_of(after, arguments.device);
    const Ranking ranking = rank_states(trace, {}, stakes);
    ComparisonRequest request;
    const auto state_at = [&](int step) { return way.at(static_cast<std::size_t>(step)); };
    const auto chosen = [&](const StateArguments& words) {
        const int step = choose(trace, words, {}, stakes).state.step;
        if (const RatedState* rated = ranking.at(step))
            request.times[state_at(step)] = QString::fromStdString(worth_text(stakes, rated->value));
        return state_at(step);
    };
    request.before = chosen(before);
    request.after = chosen(after);
    if (!ranking.empty()) request.best = state_at(ranking.best().step);
    request.by = QString::fromStdString(stakes_text(stakes, ranking));
    return request;
}

std::string exported(blockscope::Content content, const ExportArguments& arguments,
                     const std::string& format) {
    gui_application();
    const auto shared = std::make_shared<const blockscope::Content>(std::move(content));
    Pictures pictures(qt_measure());
    const auto source = [&](StateId id, const PictureShape& shape, const std::optional<Folds>& folds) {
        return pictures.now(with_folds(shared, folds), id, shape);
    };
    RunLook look;
    look.theme = arguments.dark ? Theme::dark_theme() : Theme::light();
    look.notes = arguments.notes;
    if (arguments.file != "-") look.opened = QFileInfo(QString::fromStdString(arguments.file)).fileName();
    if (arguments.snapshots) look.stages = Stages::Snapshots;
    if (arguments.chapters) look.stages = Stages::Chapters;
    std::optional<QByteArray> bytes;
    if (arguments.as != "comparison") {
        bytes = write_run(arguments.as, format, *shared, look, source);
    } else {
        const auto pages = compare_on_paper(*shared, comparison_of(*shared, arguments), source);
        if (!pages.empty()) bytes = comparison_bytes(format, pages, look.theme);
    }
    if (!bytes) throw InternalError("a picture was not made");
    return bytes->toStdString();
}

}  // namespace

int export_command(const ExportArguments& arguments) {
    const ExportKind& kind = *find_export_kind(arguments.as);
    refuse_options_of_others(kind, arguments);
    const std::string format = format_of(kind, arguments);
    blockscope::Content content = opened(read_file(arguments.file), arguments.file).content;
    std::string bytes = arguments.as == "document" ? write_document(content)
                                                   : exported(std::move(content), arguments, format);
    return deliver({.command = "export",
                    .file = display_name(arguments.file),
                    .format = format,
                    .bytes = std::move(bytes),
                    .binary = is_binary(format)},
                   arguments.output, arguments.json);
}

// ---- Sheets of lessons.

std::string pdf_of_page(const std::string& html) {
    constexpr QSizeF kPage(794, 1123);  // A4 in pixels
    constexpr double kMargin = 64;
    gui_application();
    QTextDocument document;
    QFont font = document.defaultFont();
    font.setPixelSize(14);
    document.setDefaultFont(font);
    document.setDocumentMargin(kMargin);
    document.setPageSize(kPage);
    document.setHtml(QString::fromStdString(html));
    const QString title = document.metaInformation(QTextDocument::DocumentTitle);
    return write_pdf(title.toStdString(), kPage, document.pageCount(),
                     [&](QPainter& painter, int page) {
                         painter.translate(0, -page * kPage.height());
                         document.drawContents(&painter, {{0, page * kPage.height()}, kPage});
                     })
        .toStdString();
}

// ---- blockscope-render: blockscope-cli with the commands that make pictures. blockscope-cli runs it for
// them.

namespace {

// What Qt has to say about its surroundings is no business of those who read stderr.
void only_failures(QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type == QtCriticalMsg || type == QtFatalMsg) std::fprintf(stderr, "%s\n", qUtf8Printable(text));
}

}  // namespace

QGuiApplication& gui_application() {
    static int count = 1;
    static char name[] = "blockscope-render";
    static char* words[] = {name, nullptr};
    QHashSeed::setDeterministicGlobalSeed();  // the fonts of PDF files come in the order of a hash table
    qInstallMessageHandler(only_failures);
    qputenv("QT_QPA_PLATFORM", "offscreen");  // never a display, even if there is one
    static QGuiApplication application(count, words);
    return application;
}

}  // namespace blockscope::cli

int main(int argc, char** argv) {
    const blockscope::cli::PictureCommands pictures{
        blockscope::cli::render_command, blockscope::cli::export_command, blockscope::cli::pdf_of_page};
    return blockscope::cli::run(argc, argv, &pictures);
}
