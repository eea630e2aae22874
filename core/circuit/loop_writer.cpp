#include "core/circuit/loop_writer.h"

#include <algorithm>

namespace blockscope::circuit {

LoopWriter::LoopWriter(const Flow& flow, std::vector<AxisVerdict> streams, const Hierarchy& hierarchy)
    : flow_(flow), hierarchy_(hierarchy), axes_(flow.axes), values_(flow.arrays) {
    for (AxisVerdict& verdict : streams) {
        Stream stream{std::move(verdict)};
        if (!streams_.empty()) stream.head = kLoop, stream.loop = kInner, stream.sub = kInnerSub;
        streams_.push_back(std::move(stream));
    }
}

AxisId LoopWriter::split(AxisId rows, const LoopSizes& sizes) {
    rows_ = rows;
    const auto part = [&](AxisId whole, PartitionKind kind, const std::string& name, std::int64_t size) {
        const Axis of = axis_of(axes_, whole);
        const std::int64_t fits = std::clamp<std::int64_t>(size, 1, of.size);
        axes_.push_back({name, fits, of.sequence, whole, kind, 1, {}, true});
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
    Partition groups{PartitionKind::Group, rows_, group_, rows_, {}, {}, body, {}};
    const auto cut = [&](const ArrayType& type) {
        const auto found = std::find(type.axes.begin(), type.axes.end(), group_);
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
