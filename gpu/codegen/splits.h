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

// Whether a card takes what is compiled for it from source that is for a target: one for older cards, or its
// own. Instructions of sm_90a are those of 9.0 alone.
bool runs_on(Target target, Capability card);

// Bytes of shared memory that a thread block of the target may have on the device, if it runs there; on all
// cards that the target is for, without a device.
int shared_limit(Target target, const Device* device);

// Limits of a multiprocessor (CUDA C++ programming guide, technical specifications per compute capability).
struct ProcessorLimits {
    int threads = 2048;
    int blocks = 32;
    int registers = 65536;
    int shared_bytes = 0;           // of all thread blocks together
    int reserved_shared_bytes = 0;  // that the system takes for each thread block, besides the block's own
};
ProcessorLimits limits_of(Capability card);

// What one thread block of a kernel takes of a multiprocessor.
struct KernelNeeds {
    int threads = 0;
    int registers = 0;  // of each thread
    int shared_bytes = 0;
};

// How many thread blocks fit on a multiprocessor at the same time; 0 if not even one fits. The hardware
// allocates registers to warps in units of 256, and shared memory in units of 128 bytes.
int blocks_per_processor(const ProcessorLimits& limits, const KernelNeeds& needs);

// The share of a multiprocessor's threads that those thread blocks occupy, 0 .. 1.
double occupancy(const ProcessorLimits& limits, const KernelNeeds& needs);

// The loop of a kernel's body whose iterations can be split over several thread blocks (split-K): the
// reduction that loads most. Each part repeats the statements in front of the loop that it needs. The
// statements after the loop run once, when the parts are combined.
struct Splittable {
    const Loop* loop = nullptr;  // null: the body has no reduction
    std::vector<Carried> carried;
    std::string why_not;  // why the loop cannot be split, as it follows the word "since"; empty: it can be
    const Statement* line = nullptr;  // the statement that holds the loop
    double rest = 0;                  // the other loops' share of the bytes that are loaded, 0 .. 1
};
Splittable splittable(const Kernel& kernel, const LoopProgram& program);

// Whether atomic additions can combine the parts: the loop carries nothing but sums.
bool are_sums(const Splittable& what);

// The number of thread blocks of a kernel whose reductions are not split.
std::int64_t thread_blocks(const Kernel& kernel, const DimTable& dims);

// The split into `wanted` parts, or into the next smaller number that divides the iterations. None where that
// leaves one part.
std::optional<Split> split_into(const Splittable& what, int wanted, const DimTable& dims);

// Asks into how many parts to split a kernel on a device. The answer is the number that the model predicts to
// be fastest: one part unless more are at least 5% faster, combined by atomics if that is at least 5% faster
// than every other way.
struct SplitQuestion {
    const Kernel& kernel;
    const LoopProgram& program;
    const StateWork& work;
    const Device& device;
    std::int64_t shared_bytes = 0;                // of a thread block
    int threads = 0;                              // of a thread block
    int registers = 0;                            // of each thread, as estimated
    bool wgmma = false;                           // warpgroup instructions (wgmma) compute its products
    std::map<NodeId, ElemType> computed_in = {};  // as KernelSet has it
    double part_bytes = 0;  // that a thread block of one part writes for the combination
    Combine combine = Combine::ByModel;
};
struct SplitAnswer {
    std::optional<Split> split;
    double whole_seconds = 0;  // predicted for the kernel in one part
    double split_seconds = 0;  // predicted for the split
};
SplitAnswer best_split(const SplitQuestion& question, const Splittable& what);

// A sentence for the user: into how many parts the kernel is split and why, or why a kernel with few thread
// blocks is not split. Empty where there is nothing to say. `device` is null where the user gave the number
// of parts.
std::string note_on_parts(const std::string& kernel, const Splittable& what, const SplitAnswer& answer,
                          std::int64_t blocks, const Device* device, const Listing& listing);

// The kernel that computes the parts, and the one that combines them. Each has only the lines that it needs.
Kernel parts_of(const Kernel& kernel, Split split);
Kernel combination_of(const Kernel& kernel, Split split);

// The splits of a kernel set in the form that the time models take (ModelSetting::parts).
std::map<NodeId, PartsOfKernel> parts_for_model(const KernelSet& set);

}  // namespace blockscope::gpu
