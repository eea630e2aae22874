// The algorithm of a study as a kernel of warpgroups (Section 5): which axis threads share, what of the
// others a thread block has, and what fits.
#pragma once

#include "core/circuit/study.h"

namespace blockscope::circuit {

// The largest Kernel::allowance that is looked for: at that, special functions may take at least so much
// longer.
constexpr double kMostAllowance = 4;

// The verdict on the axis that is asked for, or on the one that is taken by itself; null with a reason in
// `why`. Rows, by themselves: the longest axis with groups in `plan` that only the left operand of a product
// has (no batch or head, which both have); without products the first that can be grouped. Streams: the one
// that carries most numbers along (softmax, a norm).
const AxisVerdict* rows_of(const Study& study, const std::string& asked, std::string& why);
const AxisVerdict* stream_of(const Study& study, const std::string& asked, std::string& why);

// The axis of this name, which there is.
AxisId axis_named(const Axes& axes, const std::string& name);

// What a loop is drawn of where no device says more: one thread block's flow (one part of batches and heads)
// and the axes, those asked for or taken by themselves. Where no stream is asked for and another axis that
// streams is longer than what a thread block has of columns, one of the two runs in every part of the other
// (`inner`; none: -1). A problem says which axis there is not.
struct LoopSplit {
    Flow flow;
    AxisId rows, stream, inner = {};
};
Result<LoopSplit> loop_split(const Flow& flow, const std::string& rows = {}, const std::string& stream = {});

// A problem says why the algorithm is no such kernel on this device.
Result<Kernel> kernel_of(const Study& study, const Device& device, const StudyOptions& options);

}  // namespace blockscope::circuit
