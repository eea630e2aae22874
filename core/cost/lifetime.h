// Which temporaries are alive when: lifetime analysis of a loop program.
#pragma once

#include "core/cost/counts.h"
#include "core/cost/extents.h"

namespace blockscope {

// What is alive while one line of the listing runs.
struct LiveSet {
    NodeId node;
    int line = 0;  // from 0
    std::vector<Temp> alive;
    std::vector<Temp> before;  // those of them that the line does not make itself
};

// A temporary lives from the statement that makes it (an accumulator from the loop that zeroes it)
// to its last use; one that is made before a loop of several iterations and used inside lives until the loop
// ends. A load that is moved out of loops (LoadPlacement) is made before them.
std::vector<LiveSet> live_sets(const LoopProgram& program, LoadPlacement placement);

// The same with how much it is, for full blocks, by line; and the first of the largest.
std::vector<LocalMemory> local_memory(const LoopProgram& program, const TempExtents& extents);
LocalMemory largest_live_set(const LoopProgram& program, const TempExtents& extents);

}  // namespace blockscope
