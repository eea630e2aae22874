// Layout inference: what kind of value every temporary is on the device.
#pragma once

#include <vector>

#include "core/cost/extents.h"
#include "core/loops/loop_program.h"

namespace blockscope::gpu {

// A block in registers, a vector along the rows or along the columns of blocks, or a scalar. A block that is
// only read as an operand of dot stays a view of global memory, and never is in registers.
struct Value {
    enum class Kind { Unknown, Block, Rows, Cols, Scalar };
    Kind kind = Kind::Unknown;
    bool in_registers = false;
    bool as_view = false;  // loaded once, and an operand of dot
    ItemExtents extents;
};

class Values {
public:
    explicit Values(const LoopProgram& program);
    const Value& of(Temp temp) const { return values_.at(static_cast<std::size_t>(temp.id)); }

private:
    std::vector<Value> values_;  // by id
};

// Every temporary that a statement itself (not those of a loop's body) reads and sets.
struct TempUse {
    Temp temp;
    bool set = false;
    bool operand = false;  // of dot
};
std::vector<TempUse> temps_of(const Statement& statement);

}  // namespace blockscope::gpu
