// What the CPU engine does for a state, kernel by kernel, as its time model needs it: passes over blocks,
// copies, calls and parallel loops of its plan.
#pragma once

#include "core/cost/kernel_work.h"

namespace blockscope {

// state_work() with the passes of the engine's plan, for inputs in bfloat16 or (any other type) float32. A
// program that the engine refuses has none.
StateWork engine_work(const LoopProgram& program, const StoredTypes& types);
StateWork engine_work(const LoopProgram& program, const StoredTypes& types, const CostBasis& basis);

}  // namespace blockscope
