// Which axes of an algorithm can be split among processors and which can be streamed, and why, by the rules
// of the napkin: Section 2.3 (groups), Section 2.4 and the fusion theorem of Appendix A.1 (streams).
#pragma once

#include <string>
#include <vector>

#include "core/diagram/flow.h"
#include "core/support/text.h"

namespace blockscope::circuit {

// One step of the argument.
struct Reason {
    Text theorem;  // "Section 2.3", "Appendix A.3.1", "Theorem 1, composition", ...
    Text sentence;
    int op = -1;  // that it speaks of: index in Flow::ops
};

struct AxisVerdict {
    AxisId axis;
    bool group = false;
    bool stream = false;
    std::vector<Reason> group_reasons;   // why, or why not
    std::vector<Reason> stream_reasons;  // the steps of the theorem, or the one that fails
    std::vector<int> accumulators;       // if it streams: the operators whose results are carried along
    // Numbers per row that the accumulators keep besides their result: 3 for softmax (Table 4: maximum, its
    // correction, sum), 1 for rmsnorm (sum of squares), 2 for layernorm (sum, sum of squares); 0 for
    // contractions.
    int auxiliary = 0;
};

// One verdict per axis that any array has. `flow` is separated.
std::vector<AxisVerdict> axis_verdicts(const Flow& flow);

}  // namespace blockscope::circuit
