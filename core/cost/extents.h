// Shapes of temporaries in terms of loop variables.
#pragma once

#include <cstdint>
#include <vector>

#include "core/cost/terms.h"

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

// The product of the extents (1 if there are none), summed over all iterations of the nest.
std::vector<Factor> sum_over(const Nest& nest, const std::vector<Extent>& extents);

// The product of the extents for full blocks.
std::int64_t full_size(const std::vector<Extent>& extents, const DimTable& dims);

}  // namespace blockscope
