// Block sizes that move least under a memory limit, found by trying: for programs whose optimum is no
// formula, and to see how far whole block sizes are from the formula. Numerical, with exact counts.
#pragma once

#include <cstdint>
#include <optional>

#include "core/cost/terms.h"

namespace blockscope::napkin {

struct BlockSearchOptions {
    std::int64_t memory_bytes = 0;  // the most that one processor may hold (lifetime analysis, full blocks)
    std::int64_t multiple = 1;      // block sizes are multiples of this, or the whole dimension
    LoadPlacement placement = LoadPlacement::Hoisted;
};

struct BlockChoice {
    DimTable dims;  // the program's, with the best block sizes
    std::int64_t moved_values = 0;
    std::int64_t moved_bytes = 0;
    std::int64_t local_values = 0;
    std::int64_t local_bytes = 0;
    bool exhaustive = false;  // all candidates were tried; otherwise a descent from several starts
    int tried = 0;
};

// Dimensions of `program` that are in one block, and batch dimensions, stay as they are. Of equal choices
// that with the least memory. Empty if nothing fits.
std::optional<BlockChoice> search_blocks(const LoopProgram& program, const BlockSearchOptions& options);

}  // namespace blockscope::napkin
