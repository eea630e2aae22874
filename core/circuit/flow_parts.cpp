#include "core/circuit/flow_parts.h"

#include <algorithm>

namespace blockscope::circuit {

namespace {

const FlowArray& array_at(const Flow& flow, int array) {
    return flow.arrays.at(static_cast<std::size_t>(array));
}

}  // namespace

int add_array(Flow& flow, const std::string& name, std::vector<AxisId> axes, ElemType elem) {
    flow.arrays.push_back({name, {std::move(axes), elem, 0, false}});
    return static_cast<int>(flow.arrays.size()) - 1;
}

Segment whole_segment(const Flow& flow, int array) {
    const FlowArray& whole = array_at(flow, array);
    Segment segment{{}, whole.type.elem, 0, false, whole.name};
    for (std::size_t i = 0; i < whole.type.axes.size(); ++i)
        segment.slots.push_back({false, static_cast<int>(i)});
    return segment;
}

Segment segment_within(const Flow& flow, int array, const std::vector<AxisId>& axes) {
    const FlowArray& part = array_at(flow, array);
    Segment segment{{}, part.type.elem, 0, false, part.name};
    for (const AxisId axis : part.type.axes)
        segment.slots.push_back(
            {false, static_cast<int>(std::find(axes.begin(), axes.end(), axis) - axes.begin())});
    return segment;
}

Segment weaved_segment(Segment segment, const Apply& normalisation) {
    for (Slot& slot : segment.slots)
        if (slot.own) slot = {false, static_cast<int>(normalisation.weave.size())};
    return segment;
}

}  // namespace blockscope::circuit
