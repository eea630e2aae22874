// The fusion theorem shown in its steps (Section 2.4, Appendix A.1): from the operators that have an
// accumulator, by composition and weaving, to the whole that can be streamed.
#pragma once

#include <vector>

#include "core/circuit/stream.h"

namespace blockscope::circuit {

struct TheoremStep {
    Reason reason;
    std::vector<int> ops;  // what is streamable after this step: indices in Flow::ops, ascending
    Circuit diagram;       // of these alone; axes that are not weaved over yet are left out
};

// `verdict` is one of axis_verdicts(flow), and streams; none if it does not.
std::vector<TheoremStep> theorem_steps(const Flow& flow, const AxisVerdict& verdict);

// The operators `ops` of `flow` by themselves, without the axes `missing` wherever they are weaved over. What
// they take from elsewhere are inputs, what others take and what is an output are outputs.
Flow part_of(const Flow& flow, const std::vector<int>& ops, const std::vector<AxisId>& missing);

}  // namespace blockscope::circuit
