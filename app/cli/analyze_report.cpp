// analyze for people: a section for each part of the napkin's analysis.
#include "app/cli/analyze_report.h"

#include <unistd.h>

#include <cmath>
#include <iostream>

#include "app/cli/analyze_omitted.h"
#include "app/cli/analyze_parts.h"
#include "app/cli/table.h"
#include "core/circuit/kernel.h"

namespace blockscope::cli {
namespace {

using circuit::PartitionKind;
using circuit::Values;

std::string percent(double part) {
    return digits(100 * part, "%.1f") + "%";
}

void print_axes(const circuit::Study& study, const Style& style) {
    std::vector<Row> rows = {{"axis", "size", "groups", "streams", "why"}};
    for (const circuit::AxisVerdict& verdict : study.verdicts) {
        const circuit::Axis& axis = axis_of(study.flow.axes, verdict.axis);
        const auto& reasons = verdict.group ? verdict.group_reasons : verdict.stream_reasons;
        rows.push_back({axis.name, std::to_string(axis.size), verdict.group ? "yes" : "no",
                        verdict.stream ? "yes" : "no",
                        reasons.front().sentence + " (" + reasons.front().theorem + ")"});
    }
    print_heading("Axes", style);
    print_table(rows, Align::Left, style);
}

std::string plan_text(const circuit::Study& study, const circuit::Plan& plan, bool sizes) {
    std::string text;
    for (const circuit::Part& part : plan) {
        const std::string& name = axis_of(study.flow.axes, part.axis).name;
        text +=
            (text.empty() ? "" : ", ") + std::string(part.kind == PartitionKind::Group ? "g_" : "s_") + name;
        if (sizes) text += " = " + std::to_string(part.size);
    }
    return text.empty() ? "nothing is split" : text;
}

void print_algorithm(const circuit::Study& study, const Style& style) {
    print_heading("One fused algorithm: " + plan_text(study, study.plan, false), style);
    const circuit::Resources& resources = study.resources;
    std::cout << "  N_g = " << resources.groups.text() << "\n  H_g = " << resources.per_group.text()
              << "\n  H = " << resources.transferred.text() << "\n  " << study.memory_symbol
              << " >= " << resources.widest(1).text() << '\n';
    print_limit(study);
    if (study.law)
        std::cout << ": H* = " << count_of(study.law->value(sizes(study.circuit.axes), study.memory))
                  << " values";
    std::cout << '\n';
    if (study.law) print_choices(*study.law, sizes(study.circuit.axes), study.memory, study.memory_symbol);
    if (study.best)
        std::cout << "  best of powers of two: " << plan_text(study, study.best->plan, true) << " moves "
                  << count_of(study.best->transferred) << " values and holds " << count_of(study.best->memory)
                  << '\n';
    else
        std::cout << "  no group sizes fit\n";
}

void print_level_intensities(const std::vector<circuit::LevelIntensity>& levels, const Style& style) {
    const auto size = [](double number) {
        return number > 0 ? count_of(std::ceil(number)) : "none is enough";
    };
    std::vector<Row> rows = {
        {"into", "values/s", "memory", "least memory", "axis", "least of it", "at any memory"}};
    for (const circuit::LevelIntensity& level : levels)
        for (const circuit::LevelIntensity::Axis& axis : level.axes)
            rows.push_back({level.level, count_of(level.values_per_second),
                            count_of(level.memory) + (level.caches ? " (caches)" : ""),
                            size(level.least_memory), axis.axis, size(axis.at_memory),
                            size(axis.at_any_memory)});
    if (rows.size() > 1) print_table(rows, Align::Left, style);
}

void print_intensity(const circuit::Study& study, const Device& device, const Style& style) {
    const circuit::Intensity& found = *study.intensity;
    print_heading("Arithmetic intensity (Appendix B.1)", style);
    std::cout << "  transfers per operation: " << found.per_operation.text() << '\n'
              << "  the device: " << count_of(found.values_per_second) << " values and "
              << count_of(found.operations_per_second) << " operations per second\n"
              << "  least memory: "
              << (found.least_memory > 0 ? count_of(found.least_memory) + " values" : "none is enough")
              << '\n';
    for (const auto& [axis, size] : found.least_axes)
        std::cout << "  least " << axis
                  << " at the memory limit: " << (size > 0 ? count_of(std::ceil(size)) : "none is enough")
                  << '\n';
    print_level_intensities(intensities_of(study, device), style);
}

void print_code(const std::vector<circuit::CodeNode>& code, int depth) {
    using Kind = circuit::CodeNode::Kind;
    static constexpr const char* kPlaces[] = {"global", "shared", "threads", "tensor cores"};
    for (const circuit::CodeNode& node : code) {
        const std::string indent(2 * static_cast<std::size_t>(depth), ' ');
        if (node.kind == Kind::Column) {
            std::cout << indent << node.text << "  [" << kPlaces[static_cast<int>(node.place)] << "]\n";
        } else if (node.kind == Kind::Split) {
            std::cout << indent << "can be split along any axis:\n";
            print_code(node.body, depth + 1);
        } else {
            std::cout << indent << "for each " << node.part << " of " << node.whole << " (\n";
            print_code(node.body, depth + 1);
            std::cout << indent << ")\n";
        }
    }
}

// Bytes as the paper's Table 2 has them: its KB are of 1,024.
std::string in_kib(double bytes) {
    return circuit::number_text(std::round(bytes / 10.24) / 100) + " KiB";
}

void print_use(const circuit::LevelUse& use, const circuit::Kernel& kernel) {
    std::cout << use.level << ": " << in_kib(use.limit) << ", " << in_kib(use.per_block)
              << " per thread block and " << in_kib(use.per_warpgroup)
              << " per warpgroup: " << digits(std::max(0.0, use.warpgroups()), "%.2f") << " warpgroups";
    if (kernel.fit > 0)
        std::cout << "; with " << kernel.fit << " " << in_kib(use.excess(kernel.fit)) << " are left, "
                  << digits(use.excess_per_thread(kernel.fit, kernel.threads()), "%.0f") << " bytes a thread";
    std::cout << '\n';
}

void print_configuration(const circuit::Kernel& kernel, const Style& style) {
    static constexpr const char* kPlaces[] = {"global", "shared", "registers", "tensor cores"};
    print_heading("Configuration (Tables 1 and 2)", style);
    std::vector<Row> rows = {{"variable", "axes", "type", "level", "block", "warpgroup", "is"}};
    for (const circuit::Variable& variable : kernel.expansion.variables) {
        std::string axes;
        for (const std::string& symbol : variable.axes) axes += (axes.empty() ? "" : " ") + symbol;
        const std::string bytes = circuit::number_text(bytes_of(variable, kernel.configuration));
        rows.push_back({variable.name, axes, to_string(kernel.configuration.elem(variable)),
                        kPlaces[static_cast<int>(variable.place)], variable.per_warpgroup ? "0" : bytes,
                        variable.per_warpgroup ? bytes : "0", variable.role});
    }
    print_table(rows, Align::Left, style);
    std::cout << "sizes:";
    for (const std::string& symbol : chosen_symbols(kernel))
        std::cout << ' ' << symbol << '=' << circuit::number_text(kernel.configuration.sizes.at(symbol));
    std::cout << '\n';
    for (const circuit::LevelUse& use : kernel.uses) print_use(use, kernel);
    std::cout << (kernel.fit > 1 ? std::to_string(kernel.fit) + " warpgroups fit\n"
                  : kernel.fit == 1
                      ? "1 warpgroup fits\n"
                      : "not even one warpgroup fits: smaller sizes are needed; the clocks below "
                        "are of one that had the room\n");
    for (const circuit::Divisor& divisor : kernel.divisors)
        std::cout << divisor.symbol << " divides by " << divisor.by << ": " << divisor.because << '\n';
    for (const std::string& sentence : kernel.broken) std::cout << style(Tone::Yellow, sentence) << '\n';
}

void print_clocks(const circuit::Kernel& kernel, const Style& style) {
    static constexpr const char* kUnits[] = {"tensor cores", "vector", "special functions"};
    print_heading("Clocks per thread and part of the stream (Table 3)", style);
    std::vector<Row> rows = {{"operation", "unit", "operations", "value", "per clock", "clocks"}};
    for (const circuit::PipelineWork& work : kernel.clocks.pipelines)
        rows.push_back({work.operation, kUnits[static_cast<int>(work.unit)], work.ops.text(),
                        circuit::number_text(work.count), circuit::number_text(work.rate),
                        digits(work.clocks(), "%.2f")});
    print_table(rows, Align::Left, style);
    std::cout << "tensor cores bound it at " << digits(kernel.clocks.bound(), "%.2f") << " clocks";
    if (kernel.least_threads > 0)
        std::cout << "; transfers do not bind it from g_" << kernel.rows << " = "
                  << count_of(kernel.least_threads) << " on; ideally " << count_of(kernel.ideal_rate)
                  << " operations per second";
    else if (kernel.clocks.bound() > 0)
        std::cout << "; without caches transfers bind it at every g_" << kernel.rows
                  << ", as each row is streamed, too"
                  << (kernel.least_part > 0 ? ", unless s_" + kernel.stream + " is more than " +
                                                  count_of(std::floor(kernel.least_part))
                                            : "")
                  << "; ideally " << count_of(kernel.ideal_rate) << " operations per second";
    std::cout << '\n';
    const bool intra = kernel.execution.overlap == circuit::Overlap::Intra;
    std::cout << kernel.execution.warpgroups
              << (kernel.execution.warpgroups == 1 ? " warpgroup, " : " warpgroups, ")
              << (intra ? "overlapping within each" : "overlapping between them") << ", overheads of "
              << percent(kernel.execution.special_overhead) << " (special functions) and "
              << percent(kernel.execution.vector_overhead)
              << " (vector): " << digits(kernel.schedule.period, "%.2f")
              << " clocks an iteration of all, tensor cores at " << percent(kernel.utilisation) << '\n';
    if (kernel.clocks.of(Unit::Special) > 0)
        std::cout << "special functions may take "
                  << (kernel.allowance < circuit::kMostAllowance ? "" : "at least ")
                  << percent(kernel.allowance)
                  << " longer than they ideally do before the rest waits; ideally they idle "
                  << percent(kernel.special_idle) << " of the time\n";
}

}  // namespace

std::vector<circuit::LevelIntensity> intensities_of(const circuit::Study& study, const Device& device) {
    return circuit::level_intensities(study.intensity->per_operation, sizes(study.circuit.axes),
                                      circuit::byte_levels(device), study.bytes,
                                      study.intensity->operations_per_second, study.memory_symbol);
}

void print_study(const AnalyzedStudy& analyzed, const Style& style) {
    const circuit::Study& study = analyzed.study;
    std::cout << analyzed.title << (analyzed.title.empty() ? "" : " ") << "on " << analyzed.device.title
              << '\n';
    if (analyzed.drawn) {
        print_heading("As drawn", style);
        print_resources(*analyzed.drawn, circuit::resources(*analyzed.drawn));
    }
    print_axes(study, style);
    print_algorithm(study, style);
    print_level_plans(study.level_plans, study.bytes, style);
    if (study.models) print_models(*study.models, study.bytes, style);
    if (study.intensity) print_intensity(study, analyzed.device, style);
    print_omitted(omitted_sections(study, analyzed.optimum_has_law), style);
    if (!study.kernel) return;
    const circuit::Kernel& kernel = *study.kernel;
    const std::string inner = kernel.inner.empty() ? "" : ", and in every part of it all of " + kernel.inner;
    print_heading("Pseudocode: threads share " + kernel.rows + ", " + kernel.stream + " is streamed" + inner,
                  style);
    if (kernel.repeats > 1.0001)
        std::cout << "  products are computed " << digits(kernel.repeats, "%.3g")
                  << " times: groups and parts of the stream do again what does not have their axis\n";
    print_code(study.kernel->expansion.code, 1);
    print_configuration(*study.kernel, style);
    print_clocks(*study.kernel, style);
}

}  // namespace blockscope::cli
