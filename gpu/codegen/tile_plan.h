// Where a kernel's tiles lie in shared memory, and when they are copied there.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "gpu/codegen/kernels.h"
#include "gpu/codegen/products.h"

namespace blockscope::gpu {

// A tile of a load, or of a computed right operand of a product.
struct TileSlot {
    const Statement* at = nullptr;
    ElemType elem = ElemType::F16;
    std::int64_t rows = 0;  // of whole blocks
    std::int64_t cols = 0;
    bool transposed = false;  // its lines are the block's columns
    // Loads: the loop whose iterations have a tile each, copied ahead of them; null if the kernel has one,
    // copied at its start.
    const Loop* loop = nullptr;
    // Loads: loops between `loop` and the load. They have one iteration, or do not matter for what is loaded.
    std::vector<const Loop*> crossed;
    bool in_place = false;    // filled where it stands: computed operands, and what the kernel itself stores
    std::int64_t offset = 0;  // in shared memory, of the first stage
    std::int64_t bytes = 0;   // of one stage, a multiple of 1024
    int depth = 0;            // loops around it in the kernel
    int stages = 1;           // tiles that are in memory at once: one in use, the others on their way
};

// Lines of a tile whose lines are rows are a multiple of this: what reads left operands at once.
constexpr int row_lines(bool warpgroups) {
    return warpgroups ? 64 : 16;
}

struct TileRoom {
    std::int64_t reserved = 0;  // tiles lie behind so many bytes
    std::int64_t limit = 0;     // bytes that a thread block may have
    bool warpgroups = false;    // lines for wgmma
    // Whether a thread of its own brings tiles, as far ahead as there is room. Then no tile that the others
    // write themselves shares memory with one that is brought.
    bool rings = false;
    int stages = 0;  // at most; 0: as many as suit
};

// What tiles need to know of all loads of a kernel.
struct TileSources {
    const LoopProgram& program;
    const DeviceValues& values;
    const Products& products;
    // Whether a block's columns are neighbours in memory.
    std::function<bool(int buffer)> along_rows;
};

class TilePlan {
public:
    TilePlan() = default;
    // As many stages as fit well: three where tiles are copied by all threads, four where by one of their
    // own.
    TilePlan(const TileSources& sources, const Kernel& kernel, const TileRoom& room);

    // The tile of a load or of a product's right operand; null if there is none.
    const TileSlot* slot(const Statement& at) const;
    // Loads that are copied ahead of a loop's iterations (null: at the start of the kernel).
    std::vector<const TileSlot*> copied_ahead(const Loop* loop) const;

    const std::vector<TileSlot>& slots() const { return slots_; }
    // Of each load of a loop, unless rings have their own.
    int stages() const { return stages_; }
    std::int64_t shared_bytes() const { return bytes_; }
    const TileSlot* largest() const;  // null if there is none

private:
    enum class Part { All, InPlace, Ahead };
    std::int64_t allocate(const std::vector<const Statement*>& body, const Loop* owner, std::int64_t from,
                          Part part);
    std::int64_t place(std::int64_t reserved, int stages);
    std::int64_t place_rings(std::int64_t reserved);
    void grow_rings(const TileRoom& room);
    std::vector<const Statement*> all_statements() const;

    const Kernel* kernel_ = nullptr;
    std::vector<TileSlot> slots_;
    std::map<const Statement*, std::size_t> by_statement_;
    std::map<const Statement*, const Loop*> body_of_;  // in-place slots: the loop whose body holds them
    int stages_ = 1;
    std::int64_t bytes_ = 0;
};

// Iterations of a loop.
std::int64_t iterations(const Loop& loop, const DimTable& dims);

}  // namespace blockscope::gpu
