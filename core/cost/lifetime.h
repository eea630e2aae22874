// Which temporaries are alive when: lifetime analysis of a loop program.
#pragma once

#include "core/cost/counts.h"
#include "core/cost/extents.h"

namespace blockscope {

// Lines of the listing that a statement takes, its body's included.
int lines_of(const Statement& statement);

// What is alive while one line of the listing runs: made by then and read by it or later, or made by it.
struct LiveSet {
    NodeId node;
    int line = 0;  // from 0
    std::vector<Temp> alive;
    std::vector<Temp> before;  // those of them that are alive when the line begins
};

// One per line. Values are followed through the loops: what an iteration needs of the one before is alive in
// between, and what a loop carries is not, from its last use to its next value. A sum is made on entry to the
// loop that zeroes it, a load that is moved out of loops (LoadPlacement) on entry to the outermost of them. A
// loop of no iteration (a peeled one of a dimension in one block) makes and reads nothing.
std::vector<LiveSet> live_sets(const LoopProgram& program, LoadPlacement placement);

// The same with how much it is at most (largest_size), by line; and the first of the largest.
std::vector<LocalMemory> local_memory(const LoopProgram& program, const TempExtents& extents);
LocalMemory largest_live_set(const LoopProgram& program, const TempExtents& extents);
LocalMemory largest_of(const std::vector<LocalMemory>& alive);

}  // namespace blockscope
