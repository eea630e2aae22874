// Normalisations along streamed axes, drawn with what their accumulators keep (Section 5.1, Appendix A.3.2).
#pragma once

#include <vector>

#include "core/circuit/flow.h"

namespace blockscope::circuit {

// `flow` with every softmax, rmsnorm and layernorm along one of the axes `streamed` in the form that its
// accumulator has (Figures 28 and 43): values and their sum along the axis, which is kept beside the results
// so far, and the division as the tail, after the contractions that the normalised values end in. Softmax is
// exp(x) with its sum, as in block programs, without the running maximum of Table 4 (which a safe form keeps
// as well). As in block programs, too, rmsnorm is x with its sum of squares; layernorm keeps the sum of x as
// well, and the sums of what it is multiplied by, which its shift needs.
//
// In the diagrams of Section 2.4 a stream shows its output y alone, so that M is at least what they say;
// drawn so, "all variables are explicitly shown" (Section 5.1), and M is exact.
//
// A normalisation whose values do not only reach contractions along the axis, through operators that are
// linear in them, stays as it is. Masks are made where they are used.
Flow with_accumulators(const Flow& flow, const std::vector<AxisId>& streamed);

}  // namespace blockscope::circuit
