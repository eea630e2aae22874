// Softmax and the norms as top-level maps (Blockbuster, Table 2 and Examples 1 to 3).
#pragma once

#include <vector>

#include "core/program/block_maps.h"

namespace blockscope {

// Four maps: exp, row sum, reciprocal, row_scale.
BlockArray convert_softmax(BlockMaps& maps, const BlockArray& matrix);
// Four maps: square, row sum, 1/sqrt, row_scale; then col_scale by the learned weight, if there is one.
BlockArray convert_rmsnorm(BlockMaps& maps, const ArrayOp& op, const std::vector<BlockArray>& operands);
// Seven maps: row sum, -s/KK, row_shift, square, row sum of the squares, 1/sigma, row_scale; then
// col_scale by the weight and col_shift by the bias, if there are any.
BlockArray convert_layernorm(BlockMaps& maps, const ArrayOp& op, const std::vector<BlockArray>& operands);

}  // namespace blockscope
