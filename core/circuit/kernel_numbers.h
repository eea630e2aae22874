// What kernels are compared by, and numbers of one. Internal to kernel.h.
#pragma once

#include "core/circuit/study.h"

namespace blockscope::circuit {

// Clocks of all blocks on one processor by the bound of Section 5.7 and the transfers without caches (B.0.1),
// up to what is the same for all sizes: of kernels of one program, of which a warpgroup fits. `flow` is the
// program's.
double clocks_of(const Kernel& kernel, const Device& device, const Flow& flow);

// How many divisors its sizes break.
std::size_t broken_of(const Kernel& kernel, const Device& device);

// From which part of the stream on its rows, all of them read again in every part, do not bind it; 0 where
// longer parts read more of them. Its clocks are known.
double least_part(const Kernel& kernel, const Device& device);

// Operations of matrices that are done, over those of the program, which `flow` is.
double repeats_of(const Kernel& kernel, const Flow& flow);

}  // namespace blockscope::circuit
