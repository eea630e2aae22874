// Shapes of temporaries in terms of loop variables.
#pragma once

#include <cstdint>
#include <vector>

#include "core/cost/terms.h"

namespace blockscope {

// The extent of one axis of an item: the size of the block that a loop variable names, or of block 0.
struct Extent {
    DimId dim;
    bool fixed = true;   // block 0 of `dim`
    LoopVar var;         // if not fixed
    bool later = false;  // the loop of `var` runs from block 1
    bool operator==(const Extent&) const = default;
};

// The axes of an item, none for a scalar.
struct ItemExtents {
    bool known = false;
    std::vector<Extent> axes;
    ElemType elem = ElemType::F32;
    bool operator==(const ItemExtents&) const = default;
};

// The dimensions that an item's elements run along: none for a scalar.
std::vector<DimId> item_axes(const Item& item);

// Which index of an input or output splits each axis of its items, -1 if none does: only the last list
// dimensions do (docs/json.md).
std::vector<int> axis_positions(const Buffer& buffer);

// The extent of an axis along `dim` that index `position` of `at` splits (none if negative).
Extent extent_at(DimId dim, const std::vector<Index>& at, int position);

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

// The product of the extents (1 if there are none), summed over all iterations of the nest. An extent along
// a variable of no loop of the nest is that of block 0 (of a loop of one block that a load was moved out of).
std::vector<Factor> sum_over(const Nest& nest, const std::vector<Extent>& extents);

// The most that the product of the extents is in any iteration: full blocks, but for loops that run
// over a last, shorter block only.
std::vector<Factor> largest_size(const std::vector<Extent>& extents, const DimTable& dims);

// The product of the extents for full blocks.
std::vector<Factor> full_size(const std::vector<Extent>& extents);
std::int64_t full_size(const std::vector<Extent>& extents, const DimTable& dims);

}  // namespace blockscope
