// analyze for people: a section for each part of the napkin's analysis.
#include "app/cli/analyze.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>

#include "app/cli/terminal.h"
#include "core/cost/models/model.h"
#include "core/napkin/study.h"

namespace blockscope::cli {

namespace {

// "g_M=128, g_N=64"
std::string groups_text(const circuit::LevelPlan& plan) {
    if (!plan.fits) return "nothing fits";
    std::string text;
    for (const auto& [symbol, size] : plan.groups)
        text += (text.empty() ? "" : ", ") + symbol + "=" + std::to_string(size);
    return text.empty() ? "no groups" : text;
}

}  // namespace

namespace {

std::string joined_text(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

}  // namespace

std::string count_of(double number) {
    return count_text(static_cast<std::int64_t>(std::min(std::round(number), 9.2e18)));
}

std::string bytes_of(double number) {
    return bytes_text(static_cast<std::int64_t>(std::min(std::round(number), 9.2e18)));
}

std::string digits(double number, const char* format) {
    char text[48];
    std::snprintf(text, sizeof text, format, number);
    return text;
}

void print_heading(const std::string& title, const Style& style) {
    std::cout << '\n' << style(Tone::Bold, title) << '\n';
}

void print_resources(const circuit::Circuit& diagram, const circuit::Resources& resources) {
    const circuit::Values values = sizes(diagram.axes);
    std::cout << "  N_g = " << resources.groups.text() << "\n  H_g = " << resources.per_group.text()
              << "\n  H = " << resources.transferred.text() << " = "
              << count_of(resources.transferred.value(values)) << " values\n";
    for (const circuit::LevelMemory& level : resources.memory) {
        const auto index = static_cast<std::size_t>(level.level);
        const circuit::Formula widest = resources.widest(level.level);
        if (widest.is_zero()) continue;
        std::cout << "  " << algebra::memory_symbol(diagram.axes).name << " >= " << widest.text() << " = "
                  << count_of(widest.value(values)) << " values";
        if (index < diagram.levels.size()) std::cout << " of " << diagram.levels[index];
        std::cout << '\n';
    }
}

std::string choice_text(const circuit::GroupChoice& choice, const algebra::LawPiece& piece, double memory,
                        const std::string& memory_symbol) {
    const std::string formula = choice.text(memory_symbol);
    const algebra::GroupSize* size = piece.size_of(choice.symbols());
    if (!size) return choice.name() + (piece.whole.empty() ? " = " + formula : " is not known");
    const std::string number = digits(size->at(memory), "%.4g");
    if (piece.has_whole(size->groups)) return choice.name() + " = " + number + ", the whole axis";
    if (!piece.whole.empty()) return choice.name() + " = " + number + ", as others are whole";
    return choice.name() + " = " + formula + (formula == number ? "" : " = " + number);
}

void print_models(const circuit::LevelModels& models, double bytes, const Style& style) {
    print_heading("Levels (Equation 2), " + circuit::number_text(bytes) + " bytes per value", style);
    std::vector<Row> rows = {{"level", "instances", "memory", "whole axes", "H*", "bandwidth", "time"}};
    bool clipped = false;
    for (const circuit::LevelCost& level : models.levels) {
        rows.push_back({level.level.name, count_of(level.instances), bytes_of(level.level.memory * bytes),
                        joined_text(level.whole), count_of(level.transfers),
                        bytes_of(bytes / level.level.weight) + "/s", seconds_text(level.seconds)});
        clipped = clipped || !level.whole.empty();
    }
    print_table(rows, Align::Right, style);
    if (clipped)
        std::cout << "no group is larger than its axis: where groups are whole, H* is above the power law\n";
    std::cout << "Σ w_l H*(M_l) = " << seconds_text(models.seconds) << '\n';
    print_heading("Quantisation (Equation 3)", style);
    for (const auto& [q, seconds] : models.quantised)
        std::cout << "  " << q << (q == 1 ? " byte" : " bytes") << " per value: " << seconds_text(seconds)
                  << ", " << digits(models.quantised.front().second / seconds, "%.2f")
                  << " times as fast as 4\n";
    if (!models.caches.empty()) print_heading("Intermediate caches (Section 4.4)", style);
    for (const circuit::CacheCost& cache : models.caches)
        std::cout << "  " << cache.name << ": " << count_of(cache.children) << " children hold "
                  << count_of(cache.together) << " values together, it holds " << count_of(cache.own)
                  << "; as a cache of theirs H* = " << count_of(cache.transfers_cached) << " instead of "
                  << count_of(cache.transfers) << '\n';
    if (models.linked.empty()) return;
    print_heading("Linked instances of " + models.linked + " (Section 4.5), " +
                      (models.link > 0 ? bytes_of(models.link) + "/s between them" : "if links cost nothing"),
                  style);
    for (const circuit::CrossCost& cross : models.cross)
        std::cout << "  " << cross.children << " linked: " << seconds_text(cross.saved) << " less\n";
}

void print_level_plans(const circuit::LevelPlans& plans, double bytes, const Style& style) {
    if (plans.levels.empty()) return;
    print_heading("Levels with groups of their own (Equation 2), powers of two", style);
    std::vector<Row> rows = {{"level", "groups", "held", "of", "moved", "bandwidth", "time"}};
    for (const circuit::LevelPlan& plan : plans.levels)
        rows.push_back({plan.level.name, groups_text(plan), plan.fits ? count_of(plan.memory) : "",
                        count_of(plan.values), plan.fits ? count_of(plan.transferred) : "",
                        bytes_of(plan.level.bandwidth) + "/s", plan.fits ? seconds_text(plan.seconds) : ""});
    print_table(rows, Align::Right, style);
    if (plans.seconds)
        std::cout << "Σ w_l H_l = " << seconds_text(*plans.seconds) << ", " << bytes << " bytes per value\n";
}

namespace {

constexpr const char* kHiddenToo =
    "\nAll of this counts the blocks that the mask hides, too, as the paper does; `cost` and the searches of "
    "`optimum` leave them out.\n";
constexpr const char* kNeedsLaw = "Levels, quantisation, caches and linked instances (Equations 2 and 3)";
constexpr const char* kKernel = "Pseudocode, configuration, clocks and schedule (Section 5)";
constexpr const char* kIntensity = "Arithmetic intensity (Appendix B.1)";

void add_levels(std::vector<Omitted>& made, const circuit::LevelPlans& plans) {
    if (plans.levels.empty())
        made.push_back({"Levels with groups of their own",
                        "the device has no level whose memory and bandwidth are known"});
}

void add_models(std::vector<Omitted>& made, const std::optional<circuit::LevelModels>& models,
                const std::string& no_law) {
    if (!models)
        made.push_back({kNeedsLaw, "there is no H*: " + no_law});
    else if (models->levels.empty())
        made.push_back({kNeedsLaw, "the device has no level whose memory and bandwidth are known"});
    else if (models->caches.empty())
        made.push_back(
            {"Intermediate caches (Section 4.4)", "no level of the device feeds several instances"});
}

}  // namespace

std::vector<Omitted> omitted_sections(const circuit::Study& study, bool optimum_has_law) {
    std::vector<Omitted> made;
    add_levels(made, study.level_plans);
    add_models(made, study.models, study.no_law.str());
    if (!study.models && optimum_has_law)
        made.back().why += "; `optimum` has a formula of the fused block program";
    if (!study.intensity) made.push_back({kIntensity, study.no_intensity.str()});
    if (!study.kernel)
        made.push_back({kKernel, "there is no kernel of warpgroups: " + study.no_kernel.str()});
    return made;
}

std::vector<Omitted> omitted_sections(const circuit::DiagramStudy& study) {
    std::vector<Omitted> made;
    add_levels(made, study.level_plans);
    add_models(made, study.models, study.no_law.str());
    made.push_back({kIntensity, "a diagram that is analysed as it is drawn has no program to split"});
    made.push_back({kKernel, "a diagram that is analysed as it is drawn has no axes to split"});
    return made;
}

std::vector<Omitted> omitted_sections(const AnalyzedState& analyzed) {
    std::vector<Omitted> made;
    std::string why;
    for (const napkin::LaunchOptimum& launch : analyzed.optimum.launches)
        if (!launch.reason.empty() && why.empty())
            why = "launch " + to_string(launch.node) + ": " + launch.reason.str();
    add_models(made, analyzed.models, why);
    made.push_back({kIntensity + std::string(", ") + kKernel,
                    analyzed.of_arrays ? "they are of the whole program: --state program"
                                       : "they are of array programs, and the file holds a block program"});
    return made;
}

void print_omitted(const std::vector<Omitted>& sections, const Style& style) {
    if (sections.empty()) return;
    print_heading("Left out", style);
    for (const Omitted& one : sections) std::cout << "  " << one.section << ": " << one.why << '\n';
}

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
                        reasons.front().sentence.str() + " (" + reasons.front().theorem.str() + ")"});
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

void print_fused_algorithm(const circuit::Study& study, const Style& style) {
    print_heading("One fused algorithm: " + plan_text(study, study.plan, false), style);
    const circuit::Resources& resources = study.resources;
    std::cout << "  N_g = " << resources.groups.text() << "\n  H_g = " << resources.per_group.text()
              << "\n  H = " << resources.transferred.text() << "\n  " << study.memory_symbol
              << " >= " << resources.widest(1).text() << '\n';
    print_limit(study);
    if (study.clipped)
        std::cout << ": H* = " << count_of(transfers(*study.clipped, study.memory)) << " values";
    std::cout << '\n';
    print_choices(study);
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
            std::cout << indent << node.text.str() << "  [" << kPlaces[static_cast<int>(node.place)] << "]\n";
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

void print_use(const circuit::LevelUse& use, const circuit::WarpgroupKernel& kernel) {
    std::cout << use.level << ": " << in_kib(use.limit) << ", " << in_kib(use.per_block)
              << " per thread block and " << in_kib(use.per_warpgroup)
              << " per warpgroup: " << digits(std::max(0.0, use.warpgroups()), "%.2f") << " warpgroups";
    if (kernel.fit > 0)
        std::cout << "; with " << kernel.fit << " " << in_kib(use.excess(kernel.fit)) << " are left, "
                  << in_kib(use.excess_per_warpgroup(kernel.fit)) << " a warpgroup, "
                  << digits(use.excess_per_thread(kernel.fit, kernel.threads()), "%.0f") << " bytes a thread";
    std::cout << '\n';
}

void print_configuration(const circuit::WarpgroupKernel& kernel, const Style& style) {
    static constexpr const char* kPlaces[] = {"global", "shared", "registers", "tensor cores"};
    print_heading("Configuration (Tables 1 and 2)", style);
    std::vector<Row> rows = {{"variable", "axes", "type", "level", "block", "warpgroup", "is"}};
    for (const circuit::Variable& variable : kernel.expansion.variables) {
        std::string axes;
        for (const std::string& symbol : variable.axes) axes += (axes.empty() ? "" : " ") + symbol;
        const std::string bytes = circuit::number_text(bytes_of(variable, kernel.configuration));
        rows.push_back({variable.name, axes, to_string(kernel.configuration.elem(variable)),
                        kPlaces[static_cast<int>(variable.place)], variable.per_warpgroup ? "0" : bytes,
                        variable.per_warpgroup ? bytes : "0", variable.role.str()});
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
        std::cout << divisor.symbol << " divides by " << divisor.by << ": " << divisor.because.str() << '\n';
    for (const Text& sentence : kernel.broken) std::cout << style(Tone::Yellow, sentence.str()) << '\n';
}

void print_clocks(const circuit::WarpgroupKernel& kernel, const Style& style) {
    static constexpr const char* kUnits[] = {"tensor cores", "vector", "special functions"};
    print_heading("Clocks per thread and part of the stream (Table 3)", style);
    std::vector<Row> rows = {{"operation", "unit", "operations", "value", "per clock", "clocks"}};
    for (const circuit::PipelineWork& work : kernel.clocks.pipelines)
        rows.push_back({work.operation.str(), kUnits[static_cast<int>(work.unit)], work.ops.text(),
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
              << (kernel.execution.warpgroups > std::max(1, kernel.fit)
                      ? "of which " + std::to_string(kernel.fit) + " would fit, "
                      : "")
              << (intra ? "overlapping within each" : "overlapping between them") << ", overheads of "
              << percent(kernel.execution.special_overhead) << " (special functions) and "
              << percent(kernel.execution.vector_overhead)
              << " (vector): " << digits(kernel.schedule.period, "%.2f")
              << " clocks an iteration of all, tensor cores at " << percent(kernel.utilisation);
    if (kernel.ideal_rate > 0)
        std::cout << ", " << count_of(scheduled_rate(kernel)) << " of " << count_of(kernel.ideal_rate)
                  << " operations per second";
    std::cout << '\n';
    if (const Text assumed = put_in(kernel); !assumed.empty()) std::cout << assumed.str() << '\n';
    std::cout
        << "this is the schedule alone; `cost --device` predicts what is built, with a sustained clock, "
           "what does not overlap, launches, transfers and idle processors\n";
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
    std::cout << harmless_name(analyzed.title) << (analyzed.title.empty() ? "" : " ") << "on "
              << analyzed.device.title << '\n';
    if (analyzed.diagram) {
        print_heading("As drawn", style);
        print_resources(*analyzed.diagram, circuit::resources(*analyzed.diagram));
    }
    print_axes(study, style);
    print_fused_algorithm(study, style);
    print_level_plans(study.level_plans, study.bytes, style);
    if (study.models) print_models(*study.models, study.bytes, style);
    if (study.intensity) print_intensity(study, analyzed.device, style);
    if (analyzed.masked) std::cout << kHiddenToo;
    print_omitted(omitted_sections(study, analyzed.optimum_has_law), style);
    if (!study.kernel) return;
    const circuit::WarpgroupKernel& kernel = *study.kernel;
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

// ---- analyze for people: one state of a block program, and diagrams that are no program on whole axes.

namespace {

using circuit::PartitionKind;

// Inner groups come after what was done before them; inner streams run in every part of the one before.
std::string parts_text(const std::vector<circuit::StateAlgorithm::Part>& parts) {
    std::string text;
    for (const circuit::StateAlgorithm::Part& part : parts) {
        const bool group = part.kind == PartitionKind::Group;
        text += text.empty() ? "" : part.inner ? (group ? ", then " : ", in each part of it ") : ", ";
        text += (group ? "g_" : "s_") + part.axis + " = " + std::to_string(part.size);
    }
    return text.empty() ? "nothing is split" : text;
}

// Inputs that several loops read have a copy for each of them.
std::string copies_text(const std::vector<std::string>& inputs) {
    std::map<std::string, int> times;
    for (const std::string& input : inputs) ++times[input];
    std::string text;
    for (const auto& [input, count] : times)
        if (count > 1)
            text +=
                (text.empty() ? "" : ", ") + input + " by " + std::to_string(count) + " loops along one axis";
    return text;
}

void print_hm(const char* what, const circuit::Circuit& diagram, const circuit::Resources& resources) {
    const circuit::HM hm = circuit::hm_of(diagram, resources);
    std::cout << "  " << what << ": H = " << resources.transferred.text() << " = " << count_of(hm.transferred)
              << ", M = " << resources.widest(1).text() << " = " << count_of(hm.memory) << '\n';
}

// What of H is no input and no output.
void print_stored(const circuit::StateAlgorithm& state) {
    const circuit::Values at = circuit::sizes(state.circuit.axes);
    for (const circuit::StateAlgorithm::Stored& stored : state.stored)
        std::cout << "    of H, " << stored.name
                  << " saved to global memory and loaded again: " << stored.moved.text() << " = "
                  << count_of(stored.moved.value(at)) << '\n';
}

// The state and the program split alike, both with loads at the heads of loops and sums of accumulators
// drawn.
void print_state_algorithm(const OneAlgorithm& algorithm, const Style& style) {
    print_heading("As one grouped and streamed algorithm (Sections 2.3, 2.4 and 5.1)", style);
    if (algorithm.state) {
        const std::string parts = algorithm.planned ? parts_text(algorithm.state->parts) + "; " : "";
        std::cout << "  " << parts
                  << "what a loop does not index is loaded before it, a loop of one block is none\n";
        print_hm("this state", algorithm.state->circuit, algorithm.state->resources);
        print_stored(*algorithm.state);
    }
    if (algorithm.planned) {
        const std::string copies = copies_text(algorithm.planned->circuit.inputs);
        if (!copies.empty()) std::cout << "  read anew: " << copies << '\n';
        print_hm("the program split so, what its streams keep drawn", algorithm.planned->circuit,
                 algorithm.planned->resources);
        std::cout << (algorithm.same() ? "  the same H and M\n" : "  not the same: another algorithm\n");
    } else {
        std::cout << "  " << algorithm.why_not << '\n';
    }
}

void print_parts(const circuit::DiagramStudy& study, const Style& style) {
    print_heading("Partition", style);
    std::vector<Row> rows = {{"axis", "part", "kind", "size", "parts"}};
    for (const circuit::DiagramPart& part : study.parts)
        rows.push_back({part.axis, part.part, part.kind == PartitionKind::Group ? "groups" : "stream",
                        std::to_string(part.size), std::to_string(part.parts)});
    if (study.parts.empty())
        std::cout << "  nothing is split\n";
    else
        print_table(rows, Align::Left, style);
}

void print_best(const circuit::DiagramStudy& study, const Style& style) {
    print_heading("Group sizes that can be chosen", style);
    print_limit(study);
    std::cout << '\n';
    print_choices(study);
    if (!study.best) {
        std::cout << "  no group sizes fit\n";
        return;
    }
    std::cout << "  best of powers of two:";
    for (std::size_t i = 0; i < study.groups.size(); ++i)
        std::cout << (i == 0 ? " " : ", ") << study.groups[i].symbol << " = " << study.best->sizes[i];
    std::cout << " moves " << count_of(study.best->transferred) << " values and holds "
              << count_of(study.best->memory) << '\n';
}

}  // namespace

bool OneAlgorithm::same() const {
    return state && planned &&
           circuit::hm_of(state->circuit, state->resources) ==
               circuit::hm_of(planned->circuit, planned->resources);
}

void print_drawing(const AnalyzedDrawing& analyzed, const Style& style) {
    const circuit::DiagramStudy& study = analyzed.study;
    std::cout << harmless_name(analyzed.title) << (analyzed.title.empty() ? "" : " ") << "on "
              << analyzed.device.title << '\n';
    print_heading("As drawn", style);
    print_resources(study.circuit, study.resources);
    std::cout << "  its axes are not split anew: " << analyzed.why << '\n';
    print_parts(study, style);
    print_best(study, style);
    print_level_plans(study.level_plans, study.bytes, style);
    if (study.models) print_models(*study.models, study.bytes, style);
    print_omitted(omitted_sections(study), style);
}

namespace {

// Why H of a state's diagram is more than `cost` counts: 50.9 M and 34.6 M for attention.
std::string drawn_note(const AnalyzedState& analyzed) {
    const circuit::Values values = sizes(analyzed.circuit.axes);
    const auto& algorithm = analyzed.algorithm.state;
    if (!algorithm) return {};
    const double in_diagram = analyzed.resources.transferred.value(values);
    const double kept = algorithm->resources.transferred.value(sizes(algorithm->circuit.axes));
    if (count_of(in_diagram) == count_of(kept)) return {};
    return "H = " + count_of(in_diagram) +
           " has each load once per iteration of the loop that it is drawn in; " + count_of(kept) +
           (count_of(kept) == count_of(analyzed.counted)
                ? ", as `cost` counts, has it before the loops that do not index it"
                : " has it before the loops that do not index it; `cost` counts " +
                      count_of(analyzed.counted) + ", of the loops as they are built");
}

// Why H* of a level is not that of `optimum`: 50.3 M and 51.9 M for a product of 4096.
std::string levels_note(const Device& device) {
    const MemoryLevel* local = local_level(device);
    if (!local || device.kind != DeviceKind::Gpu) return {};
    return "each level is taken whole and alone here; `optimum` fills " + bytes_of(local_capacity(*local)) +
           " of " + local->name +
           ", which one thread block may have, and caches with what all of those hold together";
}

// "snapshot 2 (step 17)", "step 5".
std::string name_and_step(const AnalyzedState& analyzed) {
    const std::string step = "step " + std::to_string(analyzed.step);
    return analyzed.name == step ? step : analyzed.name + " (" + step + ")";
}

}  // namespace

void print_state(const AnalyzedState& analyzed, const Style& style) {
    std::cout << name_and_step(analyzed) << " of " << harmless_name(analyzed.file) << " on "
              << analyzed.device.title << '\n';
    if (!analyzed.chosen_by.empty()) std::cout << analyzed.chosen_by << '\n';
    print_heading("The diagram of this state", style);
    const circuit::Values values = sizes(analyzed.circuit.axes);
    print_resources(analyzed.circuit, analyzed.resources);
    std::vector<Row> rows = {{"transfer", "size", "times", "values"}};
    for (const circuit::TransferCost& transfer : analyzed.resources.transfers)
        rows.push_back({(transfer.to > transfer.from ? "load " : "save ") +
                            (!transfer.name.empty()        ? transfer.name
                             : transfer.to > transfer.from ? "an intermediate result"
                                                           : "a result"),
                        transfer.size.text(), transfer.runs.text(), count_of(transfer.total.value(values))});
    print_table(rows, Align::Left, style);
    if (const std::string note = drawn_note(analyzed); !note.empty()) std::cout << "  " << note << '\n';
    print_state_algorithm(analyzed.algorithm, style);
    print_heading("Group sizes that can be chosen", style);
    for (const napkin::LaunchOptimum& launch : analyzed.optimum.launches)
        std::cout << "  launch " << to_string(launch.node)
                  << (launch.reason.empty() ? ": H* = " + law_text(launch.law, analyzed.dims)
                                            : ": no formula, " + launch.reason.str())
                  << '\n';
    if (analyzed.models) {
        print_models(*analyzed.models, analyzed.bytes, style);
        if (const std::string note = levels_note(analyzed.device); !note.empty()) std::cout << note << '\n';
    }
    if (analyzed.masked) std::cout << kHiddenToo;
    print_omitted(omitted_sections(analyzed), style);
}

}  // namespace blockscope::cli
