// What caches hold from one kernel to the next, and resources that overlap in part.
#pragma once

#include <vector>

#include "core/cost/kernel_work.h"
#include "core/cost/models/model.h"

namespace blockscope {

// Bytes of a kernel's loads and of its stores that pass a cache, counted over its buffers: misses (reuse.h)
// less the first touch of what an earlier kernel (of the run before, if warm) left in `keeps` bytes.
struct Passing {
    double loaded = 0;
    double stored = 0;
    double bytes() const { return loaded + stored; }
};
Passing passing(const StateWork& state, int kernel, const CacheView& cache, double keeps, bool warm);

// The longest, and of the others what does not hide behind it: max(R) + (1 - overlap) (sum(R) - max(R)).
double overlapped(const std::vector<double>& resources, double overlap);

}  // namespace blockscope
