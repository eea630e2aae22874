// Which temporaries are alive when: lifetime analysis of a loop program.
#pragma once

#include "core/cost/counts.h"
#include "core/cost/extents.h"

namespace blockscope {

// A temporary lives from the statement that makes it (an accumulator from the loop that zeroes it)
// to its last use; one that is made before a loop and used inside lives until the loop ends.
LocalMemory largest_live_set(const LoopProgram& program, const TempExtents& extents);

}  // namespace blockscope
