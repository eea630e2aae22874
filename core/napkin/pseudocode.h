// Pseudocode expansions as diagrams (Sections 5.1 to 5.4, Figures 27 to 32): the stream is a loop in
// parentheses after its head, its accumulators are arrays that go round, what takes them up is a loop of its
// own over parts of a part, and every multiply-add stands in the box that says it can be split. What expand.h
// has as a tree, as a circuit: laid out, painted and written like any other.
#pragma once

#include "core/diagram/place.h"
#include "core/napkin/expand.h"
#include "core/napkin/study.h"

namespace blockscope::circuit {

struct PseudocodeOptions {
    Hierarchy hierarchy;       // two levels (Figure 30), or those of a device (Figure 31)
    std::int64_t rows = 128;   // g of the grouped axis
    std::int64_t stream = 64;  // s of the stream
    std::int64_t sub = 64;     // u of its sub-loop
    AxisId inner = {};         // streamed in every part of the stream; none: -1
    std::int64_t inner_stream = 64, inner_sub = 64;
    std::vector<Divisor> divisors;  // Figure 32
};

// The expansion of `flow` (separated) grouped along `rows` and streamed along `stream`. A problem says why
// not.
Result<Circuit> pseudocode(const Flow& flow, AxisId rows, AxisId stream,
                           const PseudocodeOptions& options = {});

// That of a study's kernel on the levels of its device, with its sizes and divisors. A problem says why there
// is no kernel.
Result<Circuit> pseudocode(const Study& study, const Device& device);

}  // namespace blockscope::circuit
