// Shapes of temporaries in terms of loop variables, and sums over loops.
#pragma once

#include <cstdint>
#include <vector>

#include "core/loops/loop_program.h"

namespace blockscope {

// The extent of one axis of an item: the size of the block that a loop variable names, or of block 0.
struct Extent {
    DimId dim;
    bool fixed = true;  // block 0 of `dim`
    LoopVar var;        // if not fixed
    bool operator==(const Extent&) const = default;
};

// The axes of an item, none for a scalar.
struct ItemExtents {
    bool known = false;
    std::vector<Extent> axes;
    ElemType elem = ElemType::F32;
    bool operator==(const ItemExtents&) const = default;
};

// The extents of every temporary of a program.
class TempExtents {
public:
    explicit TempExtents(const LoopProgram& program);

    const ItemExtents& of(Temp temp) const { return temps_.at(static_cast<std::size_t>(temp.id)); }

private:
    std::vector<ItemExtents> temps_;  // by id
};

// The loops around a statement, outermost first.
using Nest = std::vector<const Loop*>;

// The product of the extents, summed over all iterations of the nest; 1 per iteration if there are no
// extents. Saturates at kCountLimit.
std::int64_t sum_over(const Nest& nest, const std::vector<Extent>& extents, const DimTable& dims);

// The product of the extents for full blocks.
std::int64_t full_size(const std::vector<Extent>& extents, const DimTable& dims);

std::int64_t saturating_add(std::int64_t a, std::int64_t b);
std::int64_t saturating_multiply(std::int64_t a, std::int64_t b);

}  // namespace blockscope
