// What a card runs: the target that suits it, and a state's kernels for that target.
#pragma once

#include <optional>
#include <string>

#include "gpu/codegen/kernel_set.h"

namespace blockscope::gpu {

// Compute capability: 8 and 6 of "sm_86", 9 and 0 of "sm_90a"; nothing of other texts.
struct Capability {
    int major = 0;
    int minor = 0;
    bool operator==(const Capability&) const = default;
};
std::optional<Capability> capability_of(const std::string& architecture);

// The one place that chooses: tensor cores for arrays of 16 bits wherever the card has those of sm_80, else
// float32 arithmetic. A card that is newer than all targets takes the one with the least shared memory.
Target target_for(Capability card, ElemType elem);

// The architecture that NVRTC compiles a target for without a card at hand: "sm_80"; "sm_75" for f32.
std::string architecture_of(Target target);

// Arrays, and what lies between kernels, in this type, whatever the program declares.
LoopProgram with_elements(LoopProgram program, ElemType elem);

struct CardKernels {
    KernelSet set;
    std::string instead_of;  // why it is not the target that suits the card best; empty: it is
};

// `wanted`, if it is given; else the card's own target, and float32 arithmetic where that one's tiles do not
// fit shared memory, or it lacks an operator.
Result<CardKernels> kernels_for(const LoopProgram& program, Capability card, ElemType elem,
                                std::optional<Target> wanted = std::nullopt);

}  // namespace blockscope::gpu
