// What the counts of a state and the work of its kernels (kernel_work.h) are both made of, so that whoever
// wants both works it out once.
#pragma once

#include <vector>

#include "core/cost/counts.h"
#include "core/cost/extents.h"
#include "core/cost/terms.h"

namespace blockscope {

struct CostBasis {
    explicit CostBasis(const LoopProgram& program);

    TempExtents extents;
    std::vector<Term> terms;         // as listed
    std::vector<LocalMemory> alive;  // by line of the listing
};

}  // namespace blockscope
