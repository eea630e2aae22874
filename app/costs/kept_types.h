// A state's loops with its arrays in the types that they are kept in, as counts, charts and panels show them.
#pragma once

#include <optional>

#include "core/loops/loop_program.h"

namespace blockscope {

// `type` instead of the types that the program declares, if it is given. `on_processor`: as its engine keeps
// arrays, inputs in cpu_type() and all else in float32.
LoopProgram lower_as_kept(const BlockProgram& program, std::optional<ElemType> type, bool on_processor);

}  // namespace blockscope
