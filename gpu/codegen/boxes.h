// Which tiles the bulk copy engine (TMA) can bring, and how it reads their arrays.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "gpu/codegen/arrays.h"
#include "gpu/codegen/tile_plan.h"

namespace blockscope::gpu {

// A tile as boxes of its array.
struct Box {
    // Where the first box begins along each axis of the array: the value of an index of the load times
    // `step`; 0 without an index (-1).
    struct Corner {
        int index = -1;
        std::int64_t step = 1;
    };

    TensorMap map;
    std::vector<Corner> corners;
    std::int64_t bytes = 0;  // of all boxes of a tile
};

// A load's tile, or why it cannot be: what follows "since ".
std::variant<Box, std::string> box_of(const TileSlot& slot, const LoopProgram& program, const Arrays& arrays);

}  // namespace blockscope::gpu
