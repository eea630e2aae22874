// How the blocks of a value lie in a whole array in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/type.h"

namespace blockscope {

// For a value `(B,H,M,N) block[M,N]` the array is [B,H,MM,NN]: one extent per leading list dimension
// (its number of blocks, which is its size for batch dimensions), then the axes. With `transposed` the two
// axes of the array are those of the item in reverse. An axis that no list dimension splits has its
// first block only.
struct ArrayLayout {
    std::vector<std::int64_t> shape;  // of the array in memory
    int leading = 0;                  // list dimensions that are not axes of the item
    int row_list = -1;                // the list dimension that splits the item's rows; -1 if none
    int col_list = -1;                // the same for columns
    std::int64_t row_step = 0;        // array elements from one row of the item to the next
    std::int64_t col_step = 0;
    std::int64_t matrix = 1;  // array elements per tuple of leading indices
};

ArrayLayout array_layout(const Type& type, bool transposed, const DimTable& dims);

}  // namespace blockscope
