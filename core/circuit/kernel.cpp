#include "core/circuit/kernel.h"

#include <algorithm>

#include "core/circuit/lists.h"
#include "core/circuit/place.h"

namespace blockscope::circuit {

namespace {

// Iterations that a schedule is drawn and measured over.
constexpr int kIterations = 24;
constexpr double kMostOverhead = 4;
// Columns of a result that a thread block has, unless fewer fit: those of a matrix instruction at most, then
// halves down to its least.
constexpr std::int64_t kMostColumns = 128;
constexpr std::int64_t kLeastColumns = 8;

// Whether some product has the axis in this operand (0: left, 1: right) and not in the other.
bool side_of_product(const Flow& flow, AxisId axis, std::size_t operand) {
    return std::any_of(flow.ops.begin(), flow.ops.end(), [&](const FlowOp& op) {
        if (op.apply.op.kind != OperatorKind::Contraction || op.inputs.size() != 2) return false;
        const auto axes = [&](std::size_t i) -> const std::vector<AxisId>& {
            return flow.arrays.at(static_cast<std::size_t>(op.inputs[i])).type.axes;
        };
        return has(axes(operand), axis) && !has(axes(1 - operand), axis);
    });
}

std::string names_of(const Study& study) {
    std::string names;
    for (const AxisVerdict& verdict : study.verdicts)
        names += (names.empty() ? "" : ", ") + axis_of(study.flow.axes, verdict.axis).name;
    return names;
}

const AxisVerdict* asked_for(const Study& study, const std::string& name, bool group, std::string& why) {
    for (const AxisVerdict& verdict : study.verdicts) {
        if (axis_of(study.flow.axes, verdict.axis).name != name) continue;
        if (group ? verdict.group : verdict.stream) return &verdict;
        why = name + " cannot be " + (group ? "grouped: " : "streamed: ") +
              (group ? verdict.group_reasons : verdict.stream_reasons).front().sentence;
        return nullptr;
    }
    why = "there is no axis " + name + "; there are " + names_of(study);
    return nullptr;
}

bool in_plan(const Plan& plan, AxisId axis, PartitionKind kind) {
    return std::any_of(plan.begin(), plan.end(),
                       [&](const Part& part) { return part.axis == axis && part.kind == kind; });
}

// What one thread block has: of rows and the stream all, to be split; of other axes with groups one of a
// batch or of heads, and `columns` of what only right operands have. Their sizes are called g_x; those in
// `sizes` are as there.
Flow of_one_block(const Study& study, AxisId rows, AxisId stream, std::int64_t columns, const Values& sizes) {
    Flow flow = study.flow;
    for (const Part& part : study.plan) {
        if (part.kind != PartitionKind::Group || part.axis == rows || part.axis == stream) continue;
        Axis& axis = flow.axes.at(static_cast<std::size_t>(part.axis.value));
        axis.symbol = "g_" + axis.name;
        const bool column = side_of_product(study.flow, part.axis, 1);
        const auto asked = sizes.find(axis.symbol);
        const std::int64_t size = asked != sizes.end() ? static_cast<std::int64_t>(asked->second)
                                  : column             ? columns
                                                       : 1;
        axis.size = std::clamp<std::int64_t>(size, 1, axis.size);
    }
    return flow;
}

Configuration configured(const Kernel& kernel, const StudyOptions& options) {
    Configuration made = default_configuration(kernel.expansion, kernel.flow, options.stream_size);
    if (options.execution)
        for (const auto& [symbol, size] : options.execution->sizes) made.sizes[symbol] = size;
    for (const auto& [name, elem] : options.types)
        if (const auto known = made.elems.find(name); known != made.elems.end()) known->second = elem;
    return made;
}

// Expanded and configured with so many columns a thread block.
Result<Kernel> with_columns(const Study& study, const AxisVerdict& rows, const AxisVerdict& stream,
                            const Device& device, const StudyOptions& options, std::int64_t columns) {
    const Values sizes = options.execution ? options.execution->sizes : Values{};
    Kernel kernel;
    kernel.flow = of_one_block(study, rows.axis, stream.axis, columns, sizes);
    const bool fragments = options.execution && options.execution->fragments;
    Result<Expansion> expansion = expand(kernel.flow, rows.axis, stream.axis, {fragments});
    if (!expansion) return expansion.problems();
    kernel.expansion = *std::move(expansion);
    kernel.rows = kernel.expansion.rows;
    kernel.stream = kernel.expansion.stream;
    for (const Part& part : study.plan)
        if (part.kind == PartitionKind::Group && !(part.axis == rows.axis) && !(part.axis == stream.axis))
            kernel.others.push_back(axis_of(study.flow.axes, part.axis).name);
    kernel.configuration = configured(kernel, options);
    Result<std::vector<LevelUse>> uses = level_uses(kernel.expansion, kernel.configuration, device);
    if (!uses) return uses.problems();
    kernel.uses = *std::move(uses);
    kernel.fit = warpgroups(kernel.uses);
    return kernel;
}

// With as many columns as let a warpgroup fit.
Result<Kernel> with_room(const Study& study, const AxisVerdict& rows, const AxisVerdict& stream,
                         const Device& device, const StudyOptions& options) {
    Result<Kernel> made = with_columns(study, rows, stream, device, options, kMostColumns);
    for (std::int64_t columns = kMostColumns / 2; made && made->fit < 1 && columns >= kLeastColumns;
         columns /= 2)
        if (Result<Kernel> narrower = with_columns(study, rows, stream, device, options, columns);
            narrower && narrower->fit >= 1)
            made = std::move(narrower);
    return made;
}

void schedule_kernel(Kernel& kernel, const std::optional<Deployment>& asked) {
    Deployment& execution = kernel.execution;
    execution = asked.value_or(Deployment{});
    if (!asked || execution.warpgroups < 1) execution.warpgroups = std::max(1, kernel.fit);
    execution.sizes = kernel.configuration.sizes;
    const auto tasks = lane_tasks(kernel.clocks, execution.special_overhead, execution.vector_overhead);
    kernel.schedule = schedule(tasks, execution.warpgroups, execution.overlap, kIterations);
    if (kernel.schedule.period > 0)
        kernel.utilisation = execution.warpgroups * kernel.clocks.bound() / kernel.schedule.period;
    const auto without = lane_tasks(kernel.clocks, 0, 0);
    kernel.allowance =
        allowance(without, Unit::Special, execution.warpgroups, execution.overlap, kMostOverhead);
    kernel.special_idle =
        1 - schedule(without, execution.warpgroups, execution.overlap, kIterations).busy(Unit::Special);
}

}  // namespace

const AxisVerdict* rows_of(const Study& study, const std::string& asked, std::string& why) {
    if (!asked.empty()) return asked_for(study, asked, true, why);
    const AxisVerdict* first = nullptr;
    const AxisVerdict* longest = nullptr;
    const auto size = [&](const AxisVerdict& verdict) { return axis_of(study.flow.axes, verdict.axis).size; };
    for (const AxisVerdict& verdict : study.verdicts) {
        if (!verdict.group) continue;
        if (!first) first = &verdict;
        if (!in_plan(study.plan, verdict.axis, PartitionKind::Group) ||
            !side_of_product(study.flow, verdict.axis, 0))
            continue;
        if (!longest || size(verdict) > size(*longest)) longest = &verdict;
    }
    if (!first) why = "no axis can be grouped";
    return longest ? longest : first;
}

const AxisVerdict* stream_of(const Study& study, const std::string& asked, std::string& why) {
    if (!asked.empty()) return asked_for(study, asked, false, why);
    const AxisVerdict* best = nullptr;
    for (const AxisVerdict& verdict : study.verdicts)
        if (verdict.stream && (!best || verdict.auxiliary > best->auxiliary)) best = &verdict;
    if (!best) why = "no axis can be streamed";
    return best;
}

Result<LoopSplit> loop_split(const Flow& flow, const std::string& rows, const std::string& stream) {
    Study study;
    study.flow = flow;
    study.verdicts = axis_verdicts(flow);
    study.plan = natural_plan(flow, {}, 1);
    std::string why;
    const AxisVerdict* shared = rows_of(study, rows, why);
    const AxisVerdict* streamed = shared ? stream_of(study, stream, why) : nullptr;
    if (!streamed) return Problem{{}, why};
    return LoopSplit{of_one_block(study, shared->axis, streamed->axis, kMostColumns, {}), shared->axis,
                     streamed->axis};
}

AxisId axis_named(const Axes& axes, const std::string& name) {
    const auto found =
        std::find_if(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == name; });
    return {static_cast<int>(found - axes.begin())};
}

Result<Kernel> kernel_of(const Study& study, const Device& device, const StudyOptions& options) {
    std::string why;
    const AxisVerdict* rows = rows_of(study, options.rows, why);
    const AxisVerdict* stream = stream_of(study, options.stream, why);
    if (!rows || !stream) return Problem{{}, why};
    Result<Kernel> made = with_room(study, *rows, *stream, device, options);
    // What the plan streams may leave room where the stream that carries most does not.
    for (const AxisVerdict& other : study.verdicts) {
        if (!options.stream.empty() || !made || made->fit >= 1) break;
        if (&other == stream || !in_plan(study.plan, other.axis, PartitionKind::Stream)) continue;
        if (Result<Kernel> fitting = with_room(study, *rows, other, device, options);
            fitting && fitting->fit >= 1)
            made = std::move(fitting);
    }
    if (!made) return made.problems();
    Kernel kernel = *std::move(made);
    kernel.divisors = divisors(kernel.expansion, kernel.flow, kernel.configuration, device);
    kernel.broken = broken_divisors(kernel.divisors, kernel.configuration);
    Result<ClockAnalysis> clocks = clock_analysis(kernel.expansion, kernel.configuration, device);
    if (!clocks) return clocks.problems();
    kernel.clocks = *std::move(clocks);
    if (kernel.clocks.bound() > 0) {
        kernel.least_threads = least_threads(kernel.clocks, device);
        kernel.ideal_rate = ideal_rate(kernel.clocks, device);
    }
    schedule_kernel(kernel, options.execution);
    return kernel;
}

double Kernel::threads() const {
    return configuration.sizes.at("w_" + rows) / configuration.sizes.at("t_" + rows);
}

std::vector<std::string> configured_symbols(const Kernel& kernel) {
    std::vector<std::string> symbols;
    for (const std::string& axis : kernel.others) symbols.push_back("g_" + axis);
    for (const char* letter : {"g_", "t_", "w_"}) symbols.push_back(letter + kernel.rows);
    for (const char* letter : {"s_", "u_"}) symbols.push_back(letter + kernel.stream);
    return symbols;
}

std::vector<std::string> chosen_symbols(const Kernel& kernel) {
    std::vector<std::string> symbols = configured_symbols(kernel);
    for (const Variable& variable : kernel.expansion.variables)
        for (const std::string& symbol : variable.values.symbols()) {
            const bool tile = symbol.ends_with("′") || symbol.ends_with("″");
            if (tile && std::find(symbols.begin(), symbols.end(), symbol) == symbols.end())
                symbols.push_back(symbol);
        }
    return symbols;
}

}  // namespace blockscope::circuit
