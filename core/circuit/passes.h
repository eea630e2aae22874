// Algorithms that pass over an axis more than once: each loop along it reads the program's inputs anew, from
// a copy of its own (Figure 6), so that it has an axis of its own, which is grouped or streamed by itself. Or
// it reads what the one before it stored.
#pragma once

#include <vector>

#include "core/circuit/flow.h"

namespace blockscope::circuit {

// Operator `op` takes a flow's input as its input number `input`.
struct InputUse {
    int op = 0;
    std::size_t input = 0;
    auto operator<=>(const InputUse&) const = default;
};

// The uses of inputs that have the axis there.
std::vector<InputUse> input_uses(const Flow& flow, AxisId axis);

// Copies of inputs for uses, by number: uses with the same one share a copy; the first is the input itself.
// Copies have the name of what they are copies of. Not separated.
Flow with_copies(const Flow& flow, const std::vector<InputUse>& uses, const std::vector<int>& copies);

// Every rmsnorm and layernorm of an input along `axis` as two passes over it: sums that come to one number
// per row, or two, and the shift, scale, weight and bias of values that are read again. The fusion theorem is
// not needed then: the sums are streamable (Section 2.4), and the rest is weaved over the axis.
Flow in_two_passes(const Flow& flow, AxisId axis);

// Every softmax as two passes, between which its exponentials go through global memory (Flow::stored, named
// I1, I2, ...): exponentials and their sums, then the quotients. Not separated; the exponentials of the
// second pass are an input, so that each pass gets an axis of its own.
Flow with_stored_exponentials(const Flow& flow);

}  // namespace blockscope::circuit
