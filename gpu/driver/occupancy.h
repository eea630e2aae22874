// How many thread blocks of a kernel a multiprocessor holds at once, from what the compiler says of it.
#pragma once

#include "core/cost/models/model.h"
#include "gpu/driver/for_card.h"
#include "gpu/nvrtc/nvrtc.h"

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

// What a launch needs, as the compiler says; without its report (null) with the registers that are expected.
KernelNeeds needs_of(const Launch& launch, const Compiled* compiled);

// What the time models take from a set of kernels: thread blocks at once of each of its kernels, and
// reductions in parts.
ModelSetting setting_for(const KernelSet& set, const Compiled* compiled, Capability card);

// 0: not even one fits. Registers are given to warps in units of 256, shared memory in units of 128 bytes.
int blocks_per_processor(const ProcessorLimits& limits, const KernelNeeds& needs);

// The share of a multiprocessor's threads that are then there, 0 .. 1.
double occupancy(const ProcessorLimits& limits, const KernelNeeds& needs);

}  // namespace blockscope::gpu
