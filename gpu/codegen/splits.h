// Reductions that leave too few thread blocks, in parts that are computed side by side (FlashDecoding,
// split-K): which ones, into how many parts, and the two launches that come of each. How many thread blocks a
// multiprocessor holds at once decides that.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/cost/device.h"
#include "core/cost/models/model.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/codegen/kernels.h"

namespace blockscope::gpu {

// How many thread blocks of a kernel a multiprocessor holds at once.

// Compute capability: 8 and 6 of "sm_86", 9 and 0 of "sm_90a"; nothing of other texts.
struct Capability {
    int major = 0;
    int minor = 0;
    bool operator==(const Capability&) const = default;
};
std::optional<Capability> capability_of(const std::string& architecture);

// Of a description, by the shared memory of its processors and what their tensor cores take.
Capability capability_of(const Device& device);

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

// The reduction of a kernel that can be in parts: of the loops of its body the one that loads most. Each part
// does what stands in front of it and is needed, and what follows it is done once, when the parts are put
// together. Or why there is none: what follows "since ".
struct Splittable {
    const Loop* loop = nullptr;
    std::vector<Carried> carried;
    std::string why_not;
    const Statement* line = nullptr;  // that holds the loop
    double rest = 0;                  // share of the other loops in what is loaded, 0 .. 1
};
Splittable splittable(const Kernel& kernel, const LoopProgram& program);

// Whether parts of it can be added up by atomics: nothing but sums is handed on.
bool are_sums(const Splittable& what);

// Thread blocks of a kernel whose reductions are whole.
std::int64_t thread_blocks(const Kernel& kernel, const DimTable& dims);

// Into `wanted` parts, or the next smaller number into which the iterations go; nothing for one part.
std::optional<Split> split_into(const Splittable& what, int wanted, const DimTable& dims);

// As many parts as the model predicts to be fastest on the device: one unless it is at least 5% faster with
// more; by atomics if that is at least 5% faster than all else. `shared_bytes` and `threads` are those of a
// thread block, `part_bytes` what a thread block of a part leaves.
struct SplitQuestion {
    const Kernel& kernel;
    const LoopProgram& program;
    const StateWork& work;
    const Device& device;
    std::int64_t shared_bytes = 0;
    int threads = 0;
    int registers = 0;   // of each of them, as expected
    bool wgmma = false;  // instructions of warpgroups compute its products
    double part_bytes = 0;
    Combine combine = Combine::ByModel;
};
struct SplitAnswer {
    std::optional<Split> split;
    double whole_seconds = 0;  // as predicted
    double split_seconds = 0;
};
SplitAnswer best_split(const SplitQuestion& question, const Splittable& what);

// What the user hears of it, a full sentence: how many parts and why, or why a kernel with few thread blocks
// stays whole. Empty where there is nothing to say. `device` is null where the number of parts was asked for.
std::string note_on_parts(const std::string& kernel, const Splittable& what, const SplitAnswer& answer,
                          std::int64_t blocks, const Device* device, const Listing& listing);

// The launch of the parts, and the one that puts them together. Each has the lines that it needs.
Kernel parts_of(const Kernel& kernel, Split split);
Kernel combination_of(const Kernel& kernel, Split split);

// How the time models know of a set's splits (ModelSetting::parts).
std::map<NodeId, PartsOfKernel> parts_for_model(const KernelSet& set);

}  // namespace blockscope::gpu
