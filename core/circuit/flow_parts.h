// Parts of operators between the arrays of a flow.
#pragma once

#include <string>
#include <vector>

#include "core/circuit/flow.h"

namespace blockscope::circuit {

// A further array; its number.
int add_array(Flow& flow, const std::string& name, std::vector<AxisId> axes, ElemType elem);

// The array weaved over all of its axes, in their order.
Segment whole_segment(const Flow& flow, int array);

// The array weaved over its axes, which are some of `axes`.
Segment segment_within(const Flow& flow, int array, const std::vector<AxisId>& axes);

// An operand of a normalisation with the normalised axis weaved over, as the last one.
Segment weaved_segment(Segment segment, const Apply& normalisation);

}  // namespace blockscope::circuit
