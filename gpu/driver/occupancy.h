// How many thread blocks of a kernel a multiprocessor holds at once, from what the compiler says of it.
#pragma once

#include "gpu/driver/for_card.h"

namespace blockscope::gpu {

// Limits of a multiprocessor (CUDA C++ programming guide, technical specifications per compute capability).
struct ProcessorLimits {
    int threads = 2048;
    int blocks = 32;
    int registers = 65536;
    int shared_bytes = 0;           // of all thread blocks together
    int reserved_shared_bytes = 0;  // that each thread block takes besides its own
};
ProcessorLimits limits_of(Capability card);

struct KernelNeeds {
    int threads = 0;    // of a thread block
    int registers = 0;  // of a thread
    int shared_bytes = 0;
};

// 0: not even one fits. Registers are given to warps in units of 256, shared memory in units of 128 bytes.
int blocks_per_processor(const ProcessorLimits& limits, const KernelNeeds& needs);

// The share of a multiprocessor's threads that are then there, 0 .. 1.
double occupancy(const ProcessorLimits& limits, const KernelNeeds& needs);

}  // namespace blockscope::gpu
