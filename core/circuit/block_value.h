// Values of a block program as arrays of a diagram.
#pragma once

#include <string>
#include <vector>

#include "core/circuit/term.h"

namespace blockscope::circuit {

struct BlockValue {
    ArrayType type;
    std::vector<int> lists;   // places in type.axes of its list dimensions, outermost first
    std::vector<DimId> dims;  // of `lists`
    std::vector<int> item;    // places of the item's rows and columns
    bool mask = false;        // generated, never read
    int hidden = 0;           // list dimensions in one block that are left out
    std::string name;

    bool is_list() const { return !lists.empty(); }
    AxisId axis(std::size_t i) const { return type.axes.at(static_cast<std::size_t>(item.at(i))); }
};

// A value of this type at level 0. Each list dimension is merged with the item's axis along the same
// dimension, if there is one; otherwise it is the axis `count[dimension]` of block numbers.
BlockValue list_value(const Type& type, const std::vector<AxisId>& count);

// Without its list dimension number `list`, which has one block.
BlockValue without_list(BlockValue value, std::size_t list);

// What one iteration sees of a list: its first list dimension is cut.
BlockValue element(BlockValue list, AxisId part, Cut& cut);

// The list of what all iterations over `dim` give: along `whole` where the item has its part, else along the
// blocks' numbers.
BlockValue collected(BlockValue item, DimId dim, AxisId part, AxisId whole, AxisId count, Cut& cut);

// An item as an operator takes it: axes[i] is the index in its weave of the item's axis i, -1 its own axis.
Segment item_segment(const BlockValue& value, const std::vector<int>& axes);

// A functional operator on items, without its outputs.
Apply functional_apply(FunctionalOp op, const std::vector<BlockValue>& args);

}  // namespace blockscope::circuit
