// Layout inference: what kind of value every temporary is on the device, where buffers lie in its memory, and
// which tiles the bulk copy engine can bring.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/cost/terms.h"
#include "core/loops/loop_program.h"
#include "gpu/codegen/kernel_set.h"

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

class DeviceValues {
public:
    explicit DeviceValues(const LoopProgram& program);
    const Value& of(Temp temp) const { return values_.at(static_cast<std::size_t>(temp.id)); }

private:
    std::vector<Value> values_;  // by id
};

// Where buffers lie in the device's memory.

struct ArrayPlan {
    std::string parameter;  // of kernels: "b_Q"; made of letters, digits and _ whatever the file says
    std::string c_type;     // "float", "f16", "bf16", "e4m3", "e5m2"
    std::vector<std::int64_t> steps;  // elements from one value of an index to the next, per index
    std::int64_t row_step = 0;        // inside an item
    std::int64_t col_step = 0;
    int row_index = -1;  // which index splits the item's rows; -1 if none
    int col_index = -1;
};

struct Arrays {
    std::vector<DeviceArray> arrays;  // one per buffer of the loop program, then workspaces
    std::vector<ArrayPlan> plans;

    // One more, for a temporary that is used by several kernels: rows x cols float numbers.
    int add_workspace(int temp, std::int64_t rows, std::int64_t cols);
    // So many of them one behind the other, for parts of a reduction; `zeroed`: parts are added to them.
    int add_parts(int temp, std::int64_t parts, std::int64_t rows, std::int64_t cols, bool zeroed);
};

Arrays plan_arrays(const LoopProgram& program);

// The type that a buffer's list has as a whole.
Type buffer_type(const Buffer& buffer);

std::string c_type(ElemType elem);

// Which tiles the bulk copy engine (TMA) can bring, and how it reads their arrays.

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
struct TileSlot;  // gpu/codegen/tile_plan.h
std::variant<Box, std::string> box_of(const TileSlot& slot, const LoopProgram& program, const Arrays& arrays);

}  // namespace blockscope::gpu
