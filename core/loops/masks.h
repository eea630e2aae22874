// Blocks of a causal mask that are all zeros: what adds them to scores need not. Of 32 × 32 blocks of
// attention's scores a causal mask leaves 528, and hides something in 32 of these.
#pragma once

#include <map>
#include <optional>

#include "core/loops/loop_program.h"

namespace blockscope {

// A block of a mask, at the index of the loop over `bounds.row` and at that of the loop over `column`;
// columns in one block have no loop.
struct MaskBlock {
    CausalBounds bounds;
    LoopVar column;
    bool one_column = false;
};

// What a line computes where its mask is all zeros.
struct Unmasked {
    MaskBlock mask;
    Temp temp;     // that holds the mask
    ExprPtr expr;  // over the line's operands; of add(t4,t5) the first or the second one
};

class MaskBlocks {
public:
    // Finds none in the paper's loops, which add them all (LoopProgram::zeros_left_out).
    explicit MaskBlocks(const LoopProgram& program);

    // Of Compute and Evaluate lines that add a block of a mask or subtract it; none of others.
    std::optional<Unmasked> unmasked(const Statement& line) const;
    bool holds(Temp temp) const { return blocks_.count(temp.id) > 0; }

private:
    std::map<int, MaskBlock> blocks_;  // by temporary
};

// Whether the mask is all zeros in this block.
bool is_clear(const MaskBlock& mask, const DimTable& dims, std::int64_t row, std::int64_t column);

}  // namespace blockscope
