// One launch as the napkin sees it: traffic and memory in sizes and block sizes.
#pragma once

#include <vector>

#include "core/napkin/optimum.h"

namespace blockscope::napkin {

// A column of the napkin's diagrams: what is in local memory between two functions. What a line makes is in
// the next column, so that an operator's result may take the place of its arguments.
struct MemoryForm {
    int line = 0;       // of the listing, from 0
    Expression values;  // alive before it
};

struct LaunchForm {
    NodeId node;
    int line = 0;
    std::vector<std::pair<DimId, Role>> roles;  // of the dimensions that the launch has loops or axes of
    Expression traffic;
    std::vector<MemoryForm> memory;  // by line
};

// Generated masks are not moved.
std::vector<LaunchForm> launch_forms(const LoopProgram& program,
                                     const std::vector<std::pair<DimId, DimId>>& same);

}  // namespace blockscope::napkin
