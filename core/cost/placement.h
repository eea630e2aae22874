// Where a load stands if it is moved out of the loops that do not need it.
#pragma once

#include "core/cost/extents.h"

namespace blockscope {

// How many of the loops of `nest` (outermost first) stay around the load: it leaves serial loops that do not
// index it and do not store to its buffer, and loops of one block.
std::size_t hoisted_depth(const LoopProgram& program, const Nest& nest, const Load& load);

}  // namespace blockscope
