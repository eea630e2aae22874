// What the statements of a loop program do with temporaries: which forms of a block they read.
#pragma once

#include <array>
#include <vector>

#include "core/engine/plan.h"

namespace blockscope::engine {

// One load, and how often each item that it names is loaded.
struct LoadUse {
    const Load* load;
    double repeats = 1;  // iterations of the loops around it that are not among its indices
};

struct TempUses {
    explicit TempUses(const LoopProgram& program);

    std::vector<std::array<bool, 2>> needed;  // by temporary: forms that are read
    std::vector<bool> multiplied;             // by temporary: an operand of a matmul
    std::vector<std::vector<LoadUse>> loads;  // by buffer
    std::vector<bool> misc;                   // by buffer: read or written by a miscellaneous operator
};

}  // namespace blockscope::engine
