#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "core/algebra/search.h"
#include "core/diagram/place.h"
#include "core/diagram/term.h"
#include "core/napkin/study.h"

namespace blockscope::circuit {

namespace {

// Iterations that a schedule is drawn and measured over.
constexpr int kIterations = 24;
// Columns of a result that a thread block has, unless fewer fit: those of a matrix instruction at most, then
// halves down to its least.
constexpr std::int64_t kMostColumns = 128;
constexpr std::int64_t kLeastColumns = 8;
// Parts of a stream with another one inside it, and of that: whole matrix instructions of every device.
const std::vector<std::int64_t> kParts = {256, 128, 64, 32};
const std::vector<std::int64_t> kInnerParts = {64, 32, 16};

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

const AxisVerdict* asked_for(const Study& study, const std::string& name, bool group, Text& why) {
    for (const AxisVerdict& verdict : study.verdicts) {
        if (axis_of(study.flow.axes, verdict.axis).name != name) continue;
        if (group ? verdict.group : verdict.stream) return &verdict;
        why = group ? Text("%1 cannot be grouped: %2", name, verdict.group_reasons.front().sentence)
                    : Text("%1 cannot be streamed: %2", name, verdict.stream_reasons.front().sentence);
        return nullptr;
    }
    why = Text("there is no axis %1; there are %2", name, names_of(study));
    return nullptr;
}

bool in_plan(const Plan& plan, AxisId axis, PartitionKind kind) {
    return std::any_of(plan.begin(), plan.end(),
                       [&](const Part& part) { return part.axis == axis && part.kind == kind; });
}

// How a kernel is split: its rows, its stream, one that runs in every part of that, and the other axes with
// groups.
struct Split {
    const AxisVerdict* rows = nullptr;
    const AxisVerdict* stream = nullptr;
    const AxisVerdict* inner = nullptr;
    std::vector<AxisId> others;

    bool is_split(AxisId axis) const {
        return axis == rows->axis || axis == stream->axis || (inner && axis == inner->axis);
    }
};

// The axes with groups in the plan; with `all` those that could have some, too, at the price of work that is
// done again.
std::vector<AxisId> other_groups(const Study& study, const Split& split, bool all) {
    std::vector<AxisId> axes;
    for (const Part& part : study.plan)
        if (part.kind == PartitionKind::Group && !split.is_split(part.axis)) axes.push_back(part.axis);
    if (!all) return axes;
    for (const AxisVerdict& verdict : study.verdicts)
        if (verdict.group && !split.is_split(verdict.axis) && !has(axes, verdict.axis))
            axes.push_back(verdict.axis);
    return axes;
}

// What one thread block has: of rows and streams all, to be split; of other axes with groups one of a batch
// or of heads, and `columns` of what only right operands have. Their sizes are called g_x; those in `sizes`
// are as there.
Flow of_one_block(const Study& study, const std::vector<AxisId>& others, std::int64_t columns,
                  const Values& sizes) {
    Flow flow = study.flow;
    for (const AxisId other : others) {
        Axis& axis = flow.axes.at(static_cast<std::size_t>(other.value));
        axis.symbol = "g_" + axis.name;
        const bool column = side_of_product(study.flow, other, 1);
        const auto asked = sizes.find(axis.symbol);
        const std::int64_t size = asked != sizes.end() ? static_cast<std::int64_t>(asked->second)
                                  : column             ? columns
                                                       : 1;
        axis.size = std::clamp<std::int64_t>(size, 1, axis.size);
    }
    return flow;
}

Configuration configured(const WarpgroupKernel& kernel, const StudyOptions& options, const Values& tried) {
    Configuration made = default_configuration(kernel.expansion, kernel.flow, options.stream_size);
    for (const auto& [symbol, size] : tried) made.sizes[symbol] = size;
    if (options.execution)
        for (const auto& [symbol, size] : options.execution->sizes) made.sizes[symbol] = size;
    for (const auto& [name, elem] : options.types)
        if (const auto known = made.elems.find(name); known != made.elems.end()) known->second = elem;
    return made;
}

// Expanded and configured with so many columns a thread block; `tried` are sizes besides those of the
// options.
Result<WarpgroupKernel> with_columns(const Study& study, const Split& split, const Device& device,
                                     const StudyOptions& options, std::int64_t columns,
                                     const Values& tried = {}) {
    const Values sizes = options.execution ? options.execution->sizes : Values{};
    WarpgroupKernel kernel;
    kernel.flow = of_one_block(study, split.others, columns, sizes);
    const bool fragments = options.execution && options.execution->fragments;
    const bool ahead = options.execution && options.execution->overlap == Overlap::Intra;
    Result<Expansion> expansion = expand(kernel.flow, split.rows->axis, split.stream->axis,
                                         {fragments, split.inner ? split.inner->axis : AxisId{}, ahead});
    if (!expansion) return expansion.problems();
    kernel.expansion = *std::move(expansion);
    kernel.rows = kernel.expansion.rows;
    kernel.stream = kernel.expansion.stream;
    kernel.inner = kernel.expansion.inner;
    for (const AxisId other : split.others) kernel.others.push_back(axis_of(study.flow.axes, other).name);
    kernel.configuration = configured(kernel, options, tried);
    Result<std::vector<LevelUse>> uses = level_uses(kernel.expansion, kernel.configuration, device);
    if (!uses) return uses.problems();
    kernel.uses = *std::move(uses);
    kernel.fit = warpgroups(kernel.uses);
    return kernel;
}

// With as many columns as let a warpgroup fit.
Result<WarpgroupKernel> with_room(const Study& study, const Split& split, const Device& device,
                                  const StudyOptions& options) {
    Result<WarpgroupKernel> made = with_columns(study, split, device, options, kMostColumns);
    for (std::int64_t columns = kMostColumns / 2; made && made->fit < 1 && columns >= kLeastColumns;
         columns /= 2)
        if (Result<WarpgroupKernel> narrower = with_columns(study, split, device, options, columns);
            narrower && narrower->fit >= 1)
            made = std::move(narrower);
    return made;
}

// A stream in every part of another one, in the sizes that take the least time of those that fit and break
// the fewest divisors.
std::optional<WarpgroupKernel> nested(const Study& study, Split split, const Device& device,
                                      const StudyOptions& options) {
    struct Nested {
        WarpgroupKernel kernel;
        std::size_t broken = 0;
        double clocks = 0;
    };
    const std::string stream = axis_of(study.flow.axes, split.stream->axis).name;
    const std::string inner = axis_of(study.flow.axes, split.inner->axis).name;
    bool possible = true;  // with whatever sizes
    const auto judge = [&](const std::vector<std::int64_t>& chosen) -> std::optional<Nested> {
        if (!possible) return std::nullopt;
        const auto part = static_cast<double>(chosen[1]), within = static_cast<double>(chosen[2]);
        const Values tried = {{"s_" + stream, part},
                              {"u_" + stream, std::min(part, options.stream_size)},
                              {"s_" + inner, within},
                              {"u_" + inner, within}};
        split.others = other_groups(study, split, chosen[0] == 1);
        Result<WarpgroupKernel> made = with_columns(study, split, device, options, chosen[3], tried);
        possible = static_cast<bool>(made);
        if (!made || made->fit < 1) return std::nullopt;
        Nested found{*std::move(made)};
        found.broken = broken_of(found.kernel, device);
        found.clocks = clocks_of(found.kernel, device, study.flow);
        return found;
    };
    const auto order = [](const Nested& found) { return std::pair(found.broken, found.clocks); };
    const ChoiceLists candidates = {{0, 1}, kParts, kInnerParts, {128, 64, 32, 16, 8}};
    auto found = search(candidates, judge, order).best;
    if (!possible || found.empty()) return std::nullopt;
    return std::move(found.front().kernel);
}

// Whether the options have a size of a part of the axis: "s_", "g_".
bool has_size(const Study& study, const StudyOptions& options, const char* letter, AxisId axis) {
    return options.execution &&
           options.execution->sizes.count(letter + axis_of(study.flow.axes, axis).name) > 0;
}

// Sizes that were chosen of two streams ask for one in the other, those of groups that the plan does not have
// for these: what was edited stays the kernel that it was.
bool asks_for_two(const Study& study, const StudyOptions& options) {
    return std::count_if(study.verdicts.begin(), study.verdicts.end(), [&](const AxisVerdict& verdict) {
               return verdict.stream && has_size(study, options, "s_", verdict.axis);
           }) > 1;
}
bool asks_for_groups(const Study& study, const StudyOptions& options, const Split& split) {
    const std::vector<AxisId> planned = other_groups(study, split, false);
    return std::any_of(study.verdicts.begin(), study.verdicts.end(), [&](const AxisVerdict& verdict) {
        return verdict.group && !split.is_split(verdict.axis) && !has(planned, verdict.axis) &&
               has_size(study, options, "g_", verdict.axis);
    });
}

// The first kernel that fits: as the plan has it, with another stream of the plan, with groups that do work
// again, with a stream in every part of another. `made` is left where none does.
void find_room(Result<WarpgroupKernel>& made, const Study& study, Split split, const Device& device,
               const StudyOptions& options) {
    const auto fits = [&] { return made && made->fit >= 1; };
    const auto take = [&](std::optional<WarpgroupKernel> found) {
        if (found && found->fit >= 1) made = *std::move(found);
    };
    const AxisVerdict* const first = split.stream;
    const bool two = asks_for_two(study, options);
    for (const bool all : {false, true})
        for (const AxisVerdict& other : study.verdicts) {
            if (two || fits() || !made) break;
            const bool of_plan = all || in_plan(study.plan, other.axis, PartitionKind::Stream);
            if (!other.stream || !of_plan || (!all && &other == first)) continue;
            if (!options.stream.empty() && &other != first) continue;
            split.stream = &other;
            split.others = other_groups(study, split, all);
            if (Result<WarpgroupKernel> found = with_room(study, split, device, options))
                take(*std::move(found));
        }
    for (const AxisVerdict& outer : study.verdicts)
        for (const AxisVerdict& inner : study.verdicts) {
            if ((fits() && !two) || !made || &outer == &inner || !outer.stream || !inner.stream) continue;
            if (!options.stream.empty() && &outer != first && &inner != first) continue;
            split.stream = &outer;
            split.inner = &inner;
            if (split.rows->axis == outer.axis || split.rows->axis == inner.axis) continue;
            if (two) {
                if (!has_size(study, options, "s_", outer.axis) ||
                    !has_size(study, options, "s_", inner.axis))
                    continue;
                split.others = other_groups(study, split, asks_for_groups(study, options, split));
                Result<WarpgroupKernel> asked = with_columns(study, split, device, options, kMostColumns);
                if (!asked) continue;
                made = std::move(asked);
                return;
            }
            take(nested(study, split, device, options));
            if (fits() && !made->inner.empty()) return;
        }
}

// A second stream for what one thread block cannot have whole, inside the first one or around it.
void stream_within(const Study& study, Split& split) {
    const AxisVerdict* const first = split.stream;
    const auto runs = [&](const AxisVerdict& outer, const AxisVerdict& inner) {
        return static_cast<bool>(expand(study.flow, split.rows->axis, outer.axis, {false, inner.axis}));
    };
    for (const AxisVerdict& other : study.verdicts) {
        if (!other.stream || &other == first || axis_of(study.flow.axes, other.axis).size <= kMostColumns)
            continue;
        const bool inside = runs(*first, other);
        if (!inside && !runs(other, *first)) continue;
        split.stream = inside ? first : &other;
        split.inner = inside ? &other : first;
        return;
    }
}

void schedule_kernel(WarpgroupKernel& kernel, const std::optional<Deployment>& asked) {
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
        allowance(without, Unit::Special, execution.warpgroups, execution.overlap, kMostAllowance);
    kernel.special_idle =
        1 - schedule(without, execution.warpgroups, execution.overlap, kIterations).busy(Unit::Special);
}

}  // namespace

const AxisVerdict* rows_of(const Study& study, const std::string& asked, Text& why) {
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
    if (!first) why = Text("no axis can be grouped");
    return longest ? longest : first;
}

const AxisVerdict* stream_of(const Study& study, const std::string& asked, Text& why) {
    if (!asked.empty()) return asked_for(study, asked, false, why);
    const AxisVerdict* best = nullptr;
    for (const AxisVerdict& verdict : study.verdicts)
        if (verdict.stream && (!best || verdict.auxiliary > best->auxiliary)) best = &verdict;
    if (!best) why = Text("no axis can be streamed");
    return best;
}

Result<LoopSplit> loop_split(const Flow& flow, const std::string& rows, const std::string& stream) {
    Study study;
    study.flow = flow;
    study.verdicts = axis_verdicts(flow);
    study.plan = natural_plan(flow, {}, 1);
    Text why;
    const AxisVerdict* shared = rows_of(study, rows, why);
    const AxisVerdict* streamed = shared ? stream_of(study, stream, why) : nullptr;
    if (!streamed) return Problem{{}, why};
    Split split{shared, streamed, nullptr, {}};
    if (stream.empty()) stream_within(study, split);
    return LoopSplit{.flow = of_one_block(study, other_groups(study, split, false), kMostColumns, {}),
                     .rows = shared->axis,
                     .stream = split.stream->axis,
                     .inner = split.inner ? split.inner->axis : AxisId{}};
}

AxisId axis_named(const Axes& axes, const std::string& name) {
    const auto found =
        std::find_if(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == name; });
    return {static_cast<int>(found - axes.begin())};
}

Result<WarpgroupKernel> kernel_of(const Study& study, const Device& device, const StudyOptions& options) {
    Text why;
    const AxisVerdict* rows = rows_of(study, options.rows, why);
    const AxisVerdict* stream = stream_of(study, options.stream, why);
    if (!rows || !stream) return Problem{{}, why};
    Split split{rows, stream, nullptr, {}};
    split.others = other_groups(study, split, asks_for_groups(study, options, split));
    Result<WarpgroupKernel> made = with_room(study, split, device, options);
    const bool chosen = has_size(study, options, "s_", split.stream->axis);
    if (made && (asks_for_two(study, options) || (made->fit < 1 && !chosen)))
        find_room(made, study, split, device, options);
    if (!made) return made.problems();
    WarpgroupKernel kernel = *std::move(made);
    kernel.repeats = repeats_of(kernel, study.flow);
    kernel.divisors = divisors(kernel.expansion, kernel.flow, kernel.configuration, device);
    kernel.broken = broken_divisors(kernel.divisors, kernel.configuration);
    Result<ClockAnalysis> clocks = clock_analysis(kernel.expansion, kernel.configuration, device);
    if (!clocks) return clocks.problems();
    kernel.clocks = *std::move(clocks);
    if (kernel.clocks.bound() > 0) {
        kernel.least_threads = least_threads(kernel.clocks, device);
        kernel.ideal_rate = ideal_rate(kernel.clocks, device);
        if (kernel.least_threads <= 0) kernel.least_part = least_part(kernel, device);
    }
    schedule_kernel(kernel, options.execution);
    return kernel;
}

namespace {

std::string percent(double part) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f%%", 100 * part);
    return text;
}

}  // namespace

Text put_in(const WarpgroupKernel& kernel) {
    const double special = kernel.execution.special_overhead, vector = kernel.execution.vector_overhead;
    if (special != 0 && vector != 0)
        return Text(
            "Special functions are taken to last %1 and vector operations %2 longer than their operations "
            "alone; this is put in, not derived.",
            percent(special), percent(vector));
    if (special != 0)
        return Text(
            "Special functions are taken to last %1 longer than their operations alone; this is put in, not "
            "derived.",
            percent(special));
    if (vector != 0)
        return Text(
            "Vector operations are taken to last %1 longer than their operations alone; this is put in, not "
            "derived.",
            percent(vector));
    return {};
}

double scheduled_rate(const WarpgroupKernel& kernel) {
    return kernel.utilisation * kernel.ideal_rate;
}

double WarpgroupKernel::threads() const {
    return configuration.sizes.at("w_" + rows) / configuration.sizes.at("t_" + rows);
}

std::vector<std::string> configured_symbols(const WarpgroupKernel& kernel) {
    std::vector<std::string> symbols;
    for (const std::string& axis : kernel.others) symbols.push_back("g_" + axis);
    for (const char* letter : {"g_", "t_", "w_"}) symbols.push_back(letter + kernel.rows);
    for (const char* letter : {"s_", "u_"}) symbols.push_back(letter + kernel.stream);
    if (!kernel.inner.empty())
        for (const char* letter : {"s_", "u_"}) symbols.push_back(letter + kernel.inner);
    return symbols;
}

std::vector<std::string> chosen_symbols(const WarpgroupKernel& kernel) {
    std::vector<std::string> symbols = configured_symbols(kernel);
    for (const Variable& variable : kernel.expansion.variables)
        for (const std::string& symbol : variable.values.symbols()) {
            const bool tile = symbol.ends_with("′") || symbol.ends_with("″");
            if (tile && std::find(symbols.begin(), symbols.end(), symbol) == symbols.end())
                symbols.push_back(symbol);
        }
    return symbols;
}

namespace {

// Clocks in which a processor's share of the memory's bandwidth brings a byte.
double clocks_of_a_byte(const Device& device) {
    const double clock = (device.matrix_clock.known() ? device.matrix_clock : device.clock).value;
    return clock * device.processors.value / global_memory(device).bandwidth.value;
}

}  // namespace

double clocks_of(const WarpgroupKernel& kernel, const Device& device, const Flow& flow) {
    const Result<ClockAnalysis> clocks = clock_analysis(kernel.expansion, kernel.configuration, device);
    if (!clocks || clocks->bound() <= 0) return HUGE_VAL;
    const Values& sizes = kernel.configuration.sizes;
    const double rows = kernel.fit * kernel.threads();
    const double moved = (clocks->bytes + clocks->thread_bytes * rows) * clocks_of_a_byte(device);
    double parts = 1 / (rows * sizes.at("s_" + kernel.stream));
    for (const std::string& other : kernel.others)
        parts *= static_cast<double>(axis_of(flow.axes, axis_named(flow.axes, other)).size) /
                 sizes.at("g_" + other);
    return parts * std::max(clocks->bound() * rows, moved);
}

std::size_t broken_of(const WarpgroupKernel& kernel, const Device& device) {
    return broken_divisors(divisors(kernel.expansion, kernel.flow, kernel.configuration, device),
                           kernel.configuration)
        .size();
}

double least_part(const WarpgroupKernel& kernel, const Device& device) {
    for (const Variable& variable : kernel.expansion.variables)
        if (variable.doubled && variable.per_warpgroup && !variable.inner) return 0;
    return kernel.configuration.sizes.at("s_" + kernel.stream) * kernel.clocks.thread_bytes *
           clocks_of_a_byte(device) / kernel.clocks.bound();
}

double repeats_of(const WarpgroupKernel& kernel, const Flow& flow) {
    double done = 0, needed = 0;
    const auto whole = [&](AxisId axis) { return static_cast<double>(axis_of(flow.axes, axis).size); };
    const auto along = [&](const FlowOp& op, AxisId axis) {
        return has(op.apply.own, axis) || has(op.apply.weave, axis);
    };
    for (const FlowOp& op : flow.ops) {
        if (op.apply.op.kind != OperatorKind::Contraction) continue;
        double work = 1;
        for (const AxisId axis : op.apply.own) work *= whole(axis);
        for (const AxisId axis : op.apply.weave) work *= whole(axis);
        needed += work;
        for (const std::string& other : kernel.others) {
            const AxisId axis = axis_named(flow.axes, other);
            if (!along(op, axis)) work *= whole(axis) / kernel.configuration.sizes.at("g_" + other);
        }
        const AxisId stream = axis_named(flow.axes, kernel.stream);
        if (!kernel.inner.empty() && along(op, axis_named(flow.axes, kernel.inner)) && !along(op, stream))
            work *= whole(stream) / kernel.configuration.sizes.at("s_" + kernel.stream);
        done += work;
    }
    return needed > 0 ? done / needed : 1;
}

}  // namespace blockscope::circuit
