#include "core/circuit/loop_writer.h"

#include <algorithm>

namespace blockscope::circuit {

LoopWriter::LoopWriter(const Flow& flow, AxisVerdict verdict, const Hierarchy& hierarchy)
    : flow_(flow),
      verdict_(std::move(verdict)),
      hierarchy_(hierarchy),
      axes_(flow.axes),
      values_(flow.arrays) {}

LoopAxes LoopWriter::split(AxisId rows, std::int64_t group, std::int64_t stream, std::int64_t sub) {
    rows_ = rows;
    const auto part = [&](AxisId whole, PartitionKind kind, const std::string& name, std::int64_t size) {
        const Axis of = axis_of(axes_, whole);
        const std::int64_t fits = std::clamp<std::int64_t>(size, 1, of.size);
        axes_.push_back({name, fits, of.sequence, whole, kind, 1, {}, true});
        return AxisId{static_cast<int>(axes_.size()) - 1};
    };
    const std::string& streamed = axis_of(flow_.axes, verdict_.axis).name;
    parts_.group = part(rows, PartitionKind::Group, "g_" + axis_of(flow_.axes, rows).name, group);
    parts_.stream = part(verdict_.axis, PartitionKind::Stream, "s_" + streamed, stream);
    parts_.sub = part(parts_.stream, PartitionKind::Stream, "u_" + streamed, sub);
    return parts_;
}

int LoopWriter::value(std::string name, std::vector<AxisId> axes, ElemType elem) {
    values_.push_back({std::move(name), {std::move(axes), elem}});
    return static_cast<int>(values_.size()) - 1;
}

std::vector<AxisId> LoopWriter::axes_at(std::vector<AxisId> axes, Depth depth) const {
    for (AxisId& axis : axes) {
        if (axis == rows_) axis = parts_.group;
        if (axis == verdict_.axis && depth != kAround) axis = depth == kLoop ? parts_.stream : parts_.sub;
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
        const std::vector<AxisId>& axes = values_[static_cast<std::size_t>(input)].type.axes;
        if (std::find(axes.begin(), axes.end(), verdict_.axis) == axes.end())
            fetch(input, hierarchy_.local, kAround);
    }
    std::vector<int> tail;
    for (int i = 0; i < static_cast<int>(flow_.ops.size()); ++i) {
        const FlowOp& op = flow_.ops[static_cast<std::size_t>(i)];
        if (!along_stream(op) && is_late(op)) {
            late_.insert(op.outputs.begin(), op.outputs.end());
            tail.push_back(i);
        } else {
            operate(i, depth_of(i));
        }
    }
    if (!scope(kSub).results.empty()) scope(kLoop).steps.push_back(closed(kSub, parts_.stream, parts_.sub));
    scope(kAround).steps.push_back(closed(kLoop, verdict_.axis, parts_.stream));
    finish();
    for (const int i : tail) operate(i, kAround);
    std::vector<int> outputs;
    for (const int output : flow_.outputs) outputs.push_back(fetch(output, 0, kAround));

    const TermPtr body = arrange(types_, std::move(scope(kAround).steps), inputs, outputs);
    Partition groups{PartitionKind::Group, rows_, parts_.group, rows_, {}, {}, body, {}};
    const auto cut = [&](const ArrayType& type) {
        const auto found = std::find(type.axes.begin(), type.axes.end(), parts_.group);
        return Cut{found == type.axes.end() ? -1 : static_cast<int>(found - type.axes.begin()), false};
    };
    for (const ArrayType& type : body->domain) groups.split.push_back(cut(type));
    for (const ArrayType& type : body->codomain) groups.join.push_back(cut(type));
    Circuit circuit{
        axes_, partition(std::move(groups)), {}, flow_.output_names, hierarchy_.lowest(), hierarchy_.names};
    for (const int input : flow_.inputs)
        circuit.inputs.push_back(flow_.arrays[static_cast<std::size_t>(input)].name);
    return circuit;
}

}  // namespace blockscope::circuit
