// How much of a kernel's transfers a cache of a given size does not hold: reuse distances of its loop nest.
#pragma once

#include <vector>

#include "core/cost/kernel_work.h"

namespace blockscope {

// A cache as one kernel sees it.
struct CacheView {
    double bytes = 0;  // that hold what is loaded and stored; 0: no cache
    double wave = 1;   // tasks that run at once and share it
};

// Bytes of each buffer (in the order of kernel.buffers) that have to come from, or go to, what lies behind
// the cache. Tasks run in order, `wave` of them in step. Where all that one iteration of a loop touches fits,
// what the loop does not index is moved once for all its iterations; what a loop touches in all its
// iterations is moved once if that fits. A cache without bytes misses every load and store; so large a one
// that all fits, each byte that the kernel touches once.
std::vector<double> misses(const StateWork& state, const KernelWork& kernel, const CacheView& cache);

}  // namespace blockscope
