// Dimensions: a size in elements, a block size in elements, and how the two give blocks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace blockscope {

// Index of a dimension in its program's DimTable.
struct DimId {
    std::uint16_t value = 0;
    auto operator<=>(const DimId&) const = default;
};

enum class DimKind : std::uint8_t {
    Blocked,  // an axis of vectors and matrices, split into blocks
    Batch,    // a leading axis: one iteration per index (block size 1)
    Group,    // a batch axis that an operand may lack; it is then shared (grouped-query attention)
};

struct Dim {
    std::string name;        // "M"; listings call its loop variable "m" and its size "MM"
    std::int64_t size = 1;   // elements, 1 .. 2^31-1
    std::int64_t block = 1;  // elements per block, 1 .. size; need not divide size
    DimKind kind = DimKind::Blocked;

    // Number of blocks; the last one may be ragged (shorter).
    std::int64_t blocks() const { return (size + block - 1) / block; }
    // Elements in block `index`, 0 <= index < blocks().
    std::int64_t block_size(std::int64_t index) const {
        const std::int64_t left = size - index * block;
        return left < block ? left : block;
    }
    bool operator==(const Dim&) const = default;
};

using DimTable = std::vector<Dim>;

}  // namespace blockscope
