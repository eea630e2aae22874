
#include <algorithm>

#include "core/napkin/loop_writer.h"
#include "core/napkin/study.h"
#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

// "w_q^(128)" with the divisor of that symbol, if it has one.
std::string with_divisor(const std::string& symbol, const std::vector<Divisor>& divisors) {
    for (const Divisor& divisor : divisors)
        if (divisor.symbol == symbol) return symbol + "^(" + std::to_string(divisor.by) + ")";
    return symbol;
}

AxisVerdict verdict_on(const Flow& flow, AxisId axis) {
    for (AxisVerdict& verdict : axis_verdicts(flow))
        if (verdict.axis == axis) return std::move(verdict);
    return {};
}

// Threads and tensor cores have parts of their own of what a block has (Section 5.3).
void name_at_levels(Axis& axis, const std::string& rows, const Hierarchy& hierarchy,
                    const std::vector<Divisor>& divisors) {
    if (hierarchy.threads == hierarchy.matrix) return;
    axis.at_levels.resize(static_cast<std::size_t>(hierarchy.lowest()) + 1);
    axis.at_levels[static_cast<std::size_t>(hierarchy.threads)] = with_divisor("t_" + rows, divisors);
    axis.at_levels[static_cast<std::size_t>(hierarchy.matrix)] = with_divisor("w_" + rows, divisors);
}

}  // namespace

Result<Circuit> pseudocode(const Flow& flow, AxisId rows, AxisId stream, const PseudocodeOptions& options) {
    // It says what cannot be split, and why.
    const Result<Expansion> possible = expand(flow, rows, stream, {false, options.inner});
    if (!possible) return possible.problems();
    std::vector<AxisVerdict> streams = {verdict_on(flow, stream)};
    if (options.inner.value >= 0) streams.push_back(verdict_on(flow, options.inner));
    LoopWriter writer(flow, std::move(streams), options.hierarchy);
    const AxisId group = writer.split(rows, {.group = options.rows,
                                             .stream = options.stream,
                                             .sub = options.sub,
                                             .inner = options.inner_stream,
                                             .inner_sub = options.inner_sub});
    Circuit circuit = writer.run();
    for (Axis& axis : circuit.axes)
        for (const Divisor& divisor : options.divisors)
            if (divisor.symbol == (axis.symbol.empty() ? axis.name : axis.symbol)) axis.divisor = divisor.by;
    // What a thread block has of a batch or of columns is a group of that axis.
    for (Axis& axis : circuit.axes)
        if (axis.symbol == "g_" + axis.name) axis.name = axis.symbol;
    name_at_levels(circuit.axes.at(static_cast<std::size_t>(group.value)), axis_of(flow.axes, rows).name,
                   options.hierarchy, options.divisors);
    return circuit;
}

Result<Circuit> pseudocode(const Study& study, const Device& device) {
    if (!study.kernel) return Problem{{}, study.no_kernel};
    const WarpgroupKernel& kernel = *study.kernel;
    const auto size = [&](const std::string& symbol) {
        const auto found = kernel.configuration.sizes.find(symbol);
        return found == kernel.configuration.sizes.end() ? 1 : static_cast<std::int64_t>(found->second);
    };
    PseudocodeOptions options;
    options.hierarchy = hierarchy_of(device, false, kernel.execution.fragments);
    options.rows = size("g_" + kernel.rows);
    options.stream = size("s_" + kernel.stream);
    options.sub = size("u_" + kernel.stream);
    options.divisors = kernel.divisors;
    const Axes& axes = kernel.flow.axes;
    if (!kernel.inner.empty()) {
        options.inner = axis_named(axes, kernel.inner);
        options.inner_stream = size("s_" + kernel.inner);
        options.inner_sub = size("u_" + kernel.inner);
    }
    return pseudocode(kernel.flow, axis_named(axes, kernel.rows), axis_named(axes, kernel.stream), options);
}

LoopWriter::LoopWriter(const Flow& flow, std::vector<AxisVerdict> streams, const Hierarchy& hierarchy)
    : flow_(flow), hierarchy_(hierarchy), axes_(flow.axes), values_(flow.arrays) {
    for (AxisVerdict& verdict : streams) {
        Stream stream{.verdict = std::move(verdict)};
        if (!streams_.empty()) stream.head = kLoop, stream.loop = kInner, stream.sub = kInnerSub;
        streams_.push_back(std::move(stream));
    }
}

AxisId LoopWriter::split(AxisId rows, const LoopSizes& sizes) {
    rows_ = rows;
    const auto part = [&](AxisId whole, PartitionKind kind, const std::string& name, std::int64_t size) {
        const Axis of = axis_of(axes_, whole);
        const std::int64_t fits = std::clamp<std::int64_t>(size, 1, of.size);
        axes_.push_back({.name = name,
                         .size = fits,
                         .sequence = of.sequence,
                         .whole = whole,
                         .partition = kind,
                         .open = true});
        return AxisId{static_cast<int>(axes_.size()) - 1};
    };
    group_ = part(rows, PartitionKind::Group, "g_" + axis_of(flow_.axes, rows).name, sizes.group);
    for (Stream& stream : streams_) {
        const bool outer = stream.loop == kLoop;
        const std::string& name = axis_of(flow_.axes, stream.axis()).name;
        stream.part =
            part(stream.axis(), PartitionKind::Stream, "s_" + name, outer ? sizes.stream : sizes.inner);
        stream.sub_part =
            part(stream.part, PartitionKind::Stream, "u_" + name, outer ? sizes.sub : sizes.inner_sub);
    }
    return group_;
}

int LoopWriter::value(std::string name, std::vector<AxisId> axes, ElemType elem) {
    values_.push_back({std::move(name), {std::move(axes), elem}});
    return static_cast<int>(values_.size()) - 1;
}

std::vector<AxisId> LoopWriter::axes_at(std::vector<AxisId> axes, Depth depth) const {
    for (AxisId& axis : axes) {
        if (axis == rows_) {
            axis = group_;
            continue;
        }
        for (const Stream& stream : streams_) {
            if (axis != stream.axis()) continue;
            if (depth == stream.sub)
                axis = stream.sub_part;
            else if (depth >= stream.loop)  // in it, or in the loop inside it
                axis = stream.part;
            break;
        }
    }
    return axes;
}

int LoopWriter::array(int value, int level, Depth depth) {
    const ArrayType& type = values_.at(static_cast<std::size_t>(value)).type;
    types_.push_back({axes_at(type.axes, depth), type.elem, level, level > 0 && level < hierarchy_.local});
    return static_cast<int>(types_.size()) - 1;
}

Circuit LoopWriter::run() {
    std::vector<int> inputs;
    for (const int input : flow_.inputs) {
        inputs.push_back(array(input, 0, kAround));
        scope(kAround).there[{input, 0}] = inputs.back();
        if (!streamed(input)) fetch(input, hierarchy_.local, kAround);
    }
    std::vector<int> first, rest, tail;
    if (streams_.size() > 1) first = before_inner();
    for (int i = 0; i < static_cast<int>(flow_.ops.size()); ++i)
        if (std::find(first.begin(), first.end(), i) == first.end()) rest.push_back(i);
    if (streams_.size() > 1) {
        now_ = 1;
        write(first, tail);
        close();
        now_ = 0;
    }
    write(rest, tail);
    close();
    for (const int i : tail) operate(i, kAround);
    std::vector<int> outputs;
    for (const int output : flow_.outputs) outputs.push_back(fetch(output, 0, kAround));

    const TermPtr body = arrange(types_, std::move(scope(kAround).steps), inputs, outputs);
    Partition groups{.kind = PartitionKind::Group,
                     .whole = rows_,
                     .part = group_,
                     .count = rows_,
                     .split = {},
                     .join = {},
                     .body = body,
                     .origin = {}};
    const auto cut = [&](const ArrayType& type) {
        const auto found = std::find(type.axes.begin(), type.axes.end(), group_);
        return Cut{found == type.axes.end() ? -1 : static_cast<int>(found - type.axes.begin()), false};
    };
    for (const ArrayType& type : body->domain) groups.split.push_back(cut(type));
    for (const ArrayType& type : body->codomain) groups.join.push_back(cut(type));
    Circuit circuit{.axes = axes_,
                    .root = partition(std::move(groups)),
                    .inputs = {},
                    .outputs = flow_.output_names,
                    .lowest_level = hierarchy_.lowest(),
                    .levels = hierarchy_.names};
    for (const int input : flow_.inputs)
        circuit.inputs.push_back(flow_.arrays[static_cast<std::size_t>(input)].name);
    return circuit;
}

// Loops being written: where values are, and how they get from level to level and into loops.

namespace {

int axis_place(const std::vector<AxisId>& axes, AxisId axis) {
    const auto found = std::find(axes.begin(), axes.end(), axis);
    return found == axes.end() ? -1 : static_cast<int>(found - axes.begin());
}

}  // namespace

bool LoopWriter::is_in(int value, Depth depth) const {
    const auto& there = scopes_[static_cast<std::size_t>(depth)].there;
    const auto first = there.lower_bound({value, 0});
    return first != there.end() && first->first.first == value;
}

// The level to move it from: that of loads if it is there, else the lowest.
int LoopWriter::level_in(int value, Depth depth) const {
    const auto& there = scopes_[static_cast<std::size_t>(depth)].there;
    if (there.count({value, hierarchy_.local}) > 0) return hierarchy_.local;
    int level = -1;
    for (const auto& [key, made] : there)
        if (key.first == value) level = key.second;
    if (level < 0) throw InternalError(values_.at(static_cast<std::size_t>(value)).name + " is not there");
    return level;
}

int LoopWriter::enter(int outside, int value, int level, Depth depth) {
    Scope& here = scope(depth);
    const int inside = array(value, level, depth);
    here.inputs.push_back(inside);
    here.outside.push_back(outside);
    here.there[{value, level}] = inside;
    return inside;
}

// What is streamed comes in from global memory, everything else where it is, or where it can be moved on
// from.
void LoopWriter::come_in(int value, int level, Depth depth) {
    const Depth outer = depth_around(depth);
    if (!is_in(value, outer)) {
        // Of what the inner stream has, a whole part of the outer one stays in global memory.
        if (depth == kInner && streamed_by(value, streams_[1]))
            come_in(value, 0, outer);
        else
            fetch(value, hierarchy_.local, outer);
    }
    Scope& around = scope(outer);
    int from = level;
    if (around.there.count({value, level}) == 0) {
        from = level_in(value, outer);
        const bool direct = from <= hierarchy_.local || level == hierarchy_.local || hierarchy_.fragments;
        if (!direct) {
            fetch(value, hierarchy_.local, outer);
            from = hierarchy_.local;
        }
    }
    enter(around.there.at({value, from}), value, from, depth);
}

int LoopWriter::fetch(int value, int level, Depth depth) {
    Scope& here = scope(depth);
    const auto found = here.there.find({value, level});
    if (found != here.there.end()) return found->second;
    if (!is_in(value, depth)) {
        come_in(value, level, depth);
        return fetch(value, level, depth);
    }
    int from = level_in(value, depth);
    for (; from < hierarchy_.local && from < level; ++from) move(value, from, from + 1, depth);
    if (from == level) return here.there.at({value, level});
    const bool direct = from == hierarchy_.local || level == hierarchy_.local || hierarchy_.fragments;
    if (from != hierarchy_.local && (!direct || level == 0)) {
        move(value, from, hierarchy_.local, depth);
        from = hierarchy_.local;
    }
    return from == level ? here.there.at({value, level}) : move(value, from, level, depth);
}

int LoopWriter::move(int value, int from, int to, Depth depth) {
    Scope& here = scope(depth);
    const int before = here.there.at({value, from});
    const int after = array(value, to, depth);
    Apply apply;
    apply.op = {OperatorKind::Transfer, to > from ? "load" : "save"};
    apply.weave = types_[static_cast<std::size_t>(before)].axes;
    const auto end = [&](int number) {
        const ArrayType& type = types_[static_cast<std::size_t>(number)];
        Segment segment{.slots = {},
                        .elem = type.elem,
                        .level = type.level,
                        .cached = type.cached,
                        .name = values_[static_cast<std::size_t>(value)].name};
        for (std::size_t i = 0; i < type.axes.size(); ++i)
            segment.slots.push_back({false, static_cast<int>(i)});
        return segment;
    };
    apply.inputs = {end(before)};
    apply.outputs = {end(after)};
    here.steps.push_back({circuit::apply(std::move(apply)), {before}, {after}});
    here.there[{value, to}] = after;
    return after;
}

// The head makes the first of what goes round (Figure 27: F of an axis of size 0).
LoopWriter::Carried LoopWriter::begin(int value, int level, const std::string& first) {
    const int start = array(value, level, now().head);
    Apply apply;
    apply.op = {OperatorKind::Custom, first};
    apply.weave = types_[static_cast<std::size_t>(start)].axes;
    Segment segment{.slots = {},
                    .elem = types_[static_cast<std::size_t>(start)].elem,
                    .level = level,
                    .cached = false,
                    .name = values_[static_cast<std::size_t>(value)].name};
    for (std::size_t i = 0; i < apply.weave.size(); ++i)
        segment.slots.push_back({false, static_cast<int>(i)});
    apply.outputs = {segment};
    scope(now().head).steps.push_back({circuit::apply(std::move(apply)), {}, {start}});
    return {value, level, enter(enter(start, value, level, now().loop), value, level, now().sub)};
}

void LoopWriter::end(const Carried& carried, int made) {
    for (const Depth depth : {now().sub, now().loop}) {
        Scope& here = scope(depth);
        const int came = here.there.at({carried.value, carried.level});
        const auto input = std::find(here.inputs.begin(), here.inputs.end(), came);
        here.outputs.push_back(made);
        here.carry.push_back(static_cast<int>(input - here.inputs.begin()));
        made = array(carried.value, carried.level, depth_around(depth));
        here.results.push_back(made);
    }
    scope(now().head).there[{carried.value, carried.level}] = made;
}

Step LoopWriter::closed(Depth depth, AxisId whole, AxisId part) {
    Scope& here = scope(depth);
    Partition what{.kind = PartitionKind::Stream,
                   .whole = whole,
                   .part = part,
                   .count = whole,
                   .split = {},
                   .join = {},
                   .body = nullptr,
                   .origin = {},
                   .carry = here.carry};
    what.body = arrange(types_, std::move(here.steps), here.inputs, here.outputs);
    for (const ArrayType& type : what.body->domain)
        what.split.push_back({axis_place(type.axes, part), false});
    what.join.resize(here.outputs.size());
    return {partition(std::move(what)), here.outside, here.results};
}

}  // namespace blockscope::circuit
