// blockscope-cli render --view pseudocode, clocks and levels: an algorithm on a device (Sections 4 and 5 of
// the napkin).
#include "app/circuit/clock_paint.h"
#include "app/circuit/level_paint.h"
#include "app/cli/analyze_study.h"
#include "app/cli/picture_commands.h"
#include "app/cli/picture_output.h"
#include "core/circuit/clock_json.h"
#include "core/circuit/kernel.h"
#include "core/circuit/level_circuit.h"
#include "core/circuit/pseudocode.h"
#include "core/json/value.h"

namespace blockscope::cli {
namespace {

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
    if (!made.kernel) throw UsageError("there is no kernel: " + made.no_kernel);
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
        chosen_format(arguments.format, arguments.output, {"svg", "pdf", "png", "tex", "json"}, "svg");
    const std::string shown = display_name(arguments.file);
    if (format == "json")
        return deliver({"render", shown, format, json::print(to_json(schedule)), false}, arguments.output,
                       arguments.json);
    gui_application();
    circuit::ClockOptions options;
    options.width = arguments.width.value_or(kClockWidth);
    options.measure = circuit_measure();
    CircuitFile file = file_of(arguments);
    file.title = subject.name + ", clocks on " + device.title;
    const QByteArray bytes = clock_bytes(format, circuit::draw_clocks(schedule, options), file);
    if (bytes.isEmpty())
        throw UsageError("the image would be too large; choose a smaller --scale, or svg or pdf");
    return deliver({"render", shown, format, bytes.toStdString(), format == "pdf" || format == "png"},
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
        chosen_format(arguments.format, arguments.output, {"svg", "pdf", "png", "tex"}, "svg");
    if (format == "json") throw UsageError("levels are a picture; `analyze --json` has their numbers");
    gui_application();
    CircuitFile file = file_of(arguments);
    file.title = subject.name + ", levels of " + device.title;
    const QByteArray bytes = level_bytes(
        format, circuit::draw_levels(*study.models, global_memory(device).name, circuit_measure()), file);
    if (bytes.isEmpty())
        throw UsageError("the image would be too large; choose a smaller --scale, or svg or pdf");
    return deliver({"render", display_name(arguments.file), format, bytes.toStdString(),
                    format == "pdf" || format == "png"},
                   arguments.output, arguments.json);
}

}  // namespace

int render_kernel(const RenderArguments& arguments) {
    refuse_options_of_blocks(arguments);
    if (arguments.step || arguments.snapshot || !arguments.repeat.empty())
        throw UsageError("a kernel is made of the whole program; leave out --step, --snapshot and --repeat");
    const Subject subject = subject_of(arguments);
    if (arguments.view == "circuit") return render_level_circuit(arguments, subject);
    if (arguments.view == "levels") return render_levels(arguments, subject);
    if (arguments.view == "clocks") return render_clocks(arguments, subject);
    return deliver_circuit(expansion_of(subject, arguments.kernel), subject.name + ", pseudocode", arguments);
}

}  // namespace blockscope::cli
