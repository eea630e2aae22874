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

// The one place that chooses: tensor cores for arrays of 16 and 8 bits wherever the card has those of sm_80
// (on 9.0 by wgmma and TMA), and for float32 where products are to be in tf32; else float32 arithmetic. A
// card that is newer than all targets takes the one with the least shared memory.
Target target_for(Capability card, ElemType elem, bool tf32 = false);

// What does the same as a target in another way, if there is one: for a card on which the target turns out to
// be wrong.
std::optional<Target> instead_of(Target target);

// The architecture that NVRTC compiles a target for without a card at hand: "sm_80"; "sm_75" for f32.
std::string architecture_of(Target target);

// Arrays, and what lies between kernels, in this type, whatever the program declares.
LoopProgram with_elements(LoopProgram program, ElemType elem);

struct CardKernels {
    KernelSet set;
    std::string instead_of;  // why it is not the target that suits the card best; empty: it is
};

struct KernelChoice {
    std::optional<Target> target;    // empty: what suits the card
    int threads = 0;                 // of a thread block; 0: what suits the program
    int stages = 0;                  // of tiles that are copied ahead, at most; 0: what suits the kernel
    int parts = 0;                   // of reductions (CodegenOptions); 0: as the model says for
    const Device* device = nullptr;  // this device; null: one of the card's generation
    bool tf32 = false;               // products of float32 by tensor cores
};

// `choice.target`, if it is given; else the card's own target, then what does the same in another way, and
// float32 arithmetic where tiles do not fit shared memory, or the target lacks an operator.
Result<CardKernels> kernels_for(const LoopProgram& program, Capability card, ElemType elem,
                                const KernelChoice& choice = {});

// A built-in description of a card of this generation, for forecasts where nothing better is known.
const Device& generation_of(Capability card);

}  // namespace blockscope::gpu
