// How a loop program is cut into kernels.
#pragma once

#include <string>
#include <vector>

#include "core/loops/loop_program.h"

namespace blockscope::gpu {

// One launch. Iterations of `grid` are thread blocks; each of them runs `before` and then `body`.
struct Kernel {
    std::vector<const Loop*> grid;         // outermost first
    std::vector<const Statement*> before;  // loads and cheap operators between the grid's loops
    std::vector<const Statement*> body;
    std::vector<const Statement*> loop_lines;  // the statements that hold the grid's loops
    NodeId node;
};

// Top-level parallel loops are kernels of their own, and so are miscellaneous operators; what stands between
// them is a kernel of one thread block.
std::vector<Kernel> cut_into_kernels(const LoopProgram& program);

}  // namespace blockscope::gpu
