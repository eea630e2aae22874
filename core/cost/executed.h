// The interpreter of loop programs: it does what the listing says, block by block in float64, and counts what
// it does as it does it. Static counts (count()) are what it counts: equal, not close.
#pragma once

#include <string>

#include "core/cost/counts.h"
#include "core/exec/evaluate.h"

namespace blockscope {

struct Executed {
    Tensors<double> outputs;  // by name
    // As those of count(), each counted while it happened. `local` has the values alone: the most that
    // temporaries held at once and that were read later on.
    Counts counts;
};

// Runs `program` on these inputs (by declared name; generated masks are not among them). Masks are not
// counted as inputs, a miscellaneous operator loads and stores the items that it is given. Parallel loops run
// one iteration after the other. Throws InternalError for missing inputs, and where something is read that
// nothing made.
Executed execute(const LoopProgram& program, const Tensors<double>& inputs);

}  // namespace blockscope
