// What a card runs: the target that suits it, and a state's kernels for that target.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/cost/models/model.h"
#include "core/graph/graph.h"
#include "core/state/state.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/codegen/splits.h"
#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::gpu {

// The one place that chooses: tensor cores for arrays of 16 and 8 bits wherever the card has those of sm_80
// (on 9.0 by wgmma and TMA), and for float32 where products are to be in tf32; else float32 arithmetic. A
// card that is newer than all targets takes the one with the least shared memory.
Target target_for(Capability card, ElemType elem, bool tf32 = false);

// What does the same as a target in another way, if there is one: for a card on which the target turns out to
// be wrong.
std::optional<Target> instead_of(Target target);

// The architecture that NVRTC compiles a target for without a card at hand: "sm_80"; "sm_75" for f32.
std::string architecture_of(Target target);

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
    StopSign stop{};                 // kernels_for() then ends with Stopped
};

// Kernels of the state with arrays, and what lies between kernels, in `elem`, whatever its form says. For
// `choice.target`, if it is given; else for the card's own target, then for what does the same in another
// way, and in float32 arithmetic where tiles do not fit shared memory, or the target lacks an operator.
Result<CardKernels> kernels_for(const State& state, Capability card, ElemType elem,
                                const KernelChoice& choice = {});

// A built-in description of a card of this generation, for forecasts where nothing better is known.
const Device& generation_of(Capability card);

// What a launch needs, as the compiler says; without its report (null) with the registers that are expected.
KernelNeeds needs_of(const Launch& launch, const Compiled* compiled);

// What the time models take from a set of kernels: thread blocks at once of each of its kernels, and
// reductions in parts.
ModelSetting setting_for(const KernelSet& set, const Compiled* compiled, Capability card);

// Smaller blocks for states whose operands do not fit a target's shared memory.

// The program's sizes with as few halvings of its blocks as `fits` wants, none under 16: all ways of one,
// then of two, up to six. Nothing if none of them fits. Does not ask for the blocks as they are.
std::optional<DimTable> fitting_blocks(const BlockProgram& program,
                                       const std::function<bool(const BlockProgram&)>& fits);

// All blocks halved as often as that leaves 16: what fitting_blocks asks first, as nothing fits where that
// does not.
BlockProgram with_smallest_blocks(BlockProgram program);

// What asks for those blocks: "--set K=4096/64 --set N=4096/64".
std::string set_words(const DimTable& from, const DimTable& to);

// A state's kernels for a target, with its own blocks or, where these do not fit, with the smaller ones
// above. Costs and generated code both ask here.
struct FittingKernels {
    KernelSet set;
    DimTable dims;
    std::string smaller;  // what asks for these blocks; empty: they are the state's own
    Problem why;          // then what does not fit with the state's own
};
// The problems are those of the state's own blocks.
Result<FittingKernels> fitting_kernels(const State& state, const CodegenOptions& options);

}  // namespace blockscope::gpu
