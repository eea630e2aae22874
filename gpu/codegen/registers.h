// Registers of a thread: what a launch on sm_90a gives to whom, and what is expected before anything is
// compiled.
#pragma once

#include "gpu/codegen/kernel_writer.h"

namespace blockscope::gpu {

// What each of so many threads can have: 65536 a multiprocessor, in steps of eight, and 255 at most.
int most_registers(int threads);

// Of a kernel with the launch's threads, as it is planned: the numbers of blocks that products have made and
// that are alive at once, and 64 for addresses, operands on their way and all else. Of kernels whose warps
// exchange registers exactly what their launch takes. Compilers differ by some tens; what comes out of one
// (KernelReport) replaces this.
int expected_registers(const Kernel& kernel, const Generation& generation, const Launch& launch);

}  // namespace blockscope::gpu
