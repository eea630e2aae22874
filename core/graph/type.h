// Dimensions: a size in elements, a block size in elements, and how the two give blocks.
#pragma once

#include <algorithm>
#include <array>
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

// What an operator that pairs the numbers of a row needs of the blocks of that dimension, whose size has to
// be even then; later ones imply earlier ones.
enum class BlockNeed : std::uint8_t {
    Any,    // nothing: blocks may be as long as they like
    Even,   // neighbours are pairs: no block boundary between them
    Whole,  // numbers of both halves are pairs: all of it in one block
};
bool meets(const Dim& dim, BlockNeed need);
// "one block of an even size", "blocks of an even size": what a dimension has to be in.
std::string described(BlockNeed need);

// By dimension; dimensions past the end need nothing.
using BlockNeeds = std::vector<BlockNeed>;
inline BlockNeed need_of(const BlockNeeds& needs, std::size_t dim) {
    return dim < needs.size() ? needs[dim] : BlockNeed::Any;
}
void add_need(BlockNeeds& needs, DimId dim, BlockNeed need);
// Makes blocks longer, as far as needed. Sizes stay as they are.
void meet_needs(DimTable& dims, const BlockNeeds& needs);

// Types of values: a list of dimensions (outermost first) around one item that fits local memory
// (Blockbuster section 2.1).

enum class ElemType : std::uint8_t { F32, F16, BF16, E4M3, E5M2 };

enum class ItemKind : std::uint8_t { Block, Vector, Scalar };

constexpr int kMaxRank = 8;  // list dimensions of one value

// What a list holds: a block of rows x columns, a vector along one axis, or a scalar. The axes
// name the dimensions that the item's elements run along; a block of Q(M,D) has rows M, cols D.
struct Item {
    ItemKind kind = ItemKind::Scalar;
    DimId rows;  // of blocks and vectors
    DimId cols;  // of blocks
    bool operator==(const Item&) const = default;

    static Item block(DimId rows, DimId cols) { return {ItemKind::Block, rows, cols}; }
    static Item vector(DimId axis) { return {ItemKind::Vector, axis, {}}; }
    static Item scalar() { return {}; }
};

// `Q: (M, D) block` is a list of M lists of D blocks.
class Type {
public:
    Type() = default;
    Type(Item item, ElemType elem) : item_(item), elem_(elem) {}

    int rank() const { return rank_; }
    DimId dim(int i) const { return dims_[static_cast<std::size_t>(i)]; }
    const Item& item() const { return item_; }
    ElemType elem() const { return elem_; }

    // A list value lives in global memory (its edges are buffered); an item in local memory.
    bool is_list() const { return rank_ > 0; }

    // The type of a list over `dim` of values of this type. Throws InternalError past kMaxRank.
    Type list_over(DimId dim) const;
    // The type of one element of this list. Throws InternalError if this is an item.
    Type element() const;
    // `count` times element().
    Type element(int count) const;
    Type with_item(Item item) const;
    Type with_elem(ElemType elem) const;

    bool operator==(const Type&) const = default;

private:
    std::array<DimId, kMaxRank> dims_{};  // unused places stay DimId{}
    std::uint8_t rank_ = 0;
    Item item_;
    ElemType elem_ = ElemType::F32;
};

int bytes_per_element(ElemType elem);
std::string to_string(ElemType elem);  // "f32", "f16", "bf16", "e4m3", "e5m2"
// "(M,D) block[M,D] bf16", "vector[M] f32"
std::string to_string(const Type& type, const DimTable& dims);

// Which blocks of columns rows see under a causal mask. Row i sees the columns up to i + ahead, `ahead` being
// the number of columns minus the number of rows; with a window the last so many of them:
//
//     4 rows, 6 columns, window 3:    0 . . . - -      0 hidden by the window, - by the diagonal
//                                     0 0 . . . -

struct BlockRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t count() const { return end - begin; }
    bool operator==(const BlockRange&) const = default;
};

// The blocks of `columns` of which some row of block `row` sees a column. Of 4 blocks of 2 rows and as many
// of columns block 1 of the rows sees blocks 0 and 1. All blocks if a row of the block sees no column at all:
// what softmax makes of that row depends on all of them.
inline BlockRange visible_blocks(const Dim& rows, const Dim& columns, std::int64_t window, std::int64_t row) {
    const std::int64_t ahead = columns.size - rows.size;
    const std::int64_t first_row = row * rows.block;
    const std::int64_t last_row = std::min(first_row + rows.block, rows.size) - 1;
    if (first_row + ahead < 0) return {0, columns.blocks()};
    const std::int64_t begin = window == 0 ? 0 : std::max<std::int64_t>(0, first_row + ahead - window + 1);
    return {begin / columns.block, (last_row + ahead) / columns.block + 1};
}

// Whether some block of rows does not see all blocks of columns.
inline bool hides_blocks(const Dim& rows, const Dim& columns, std::int64_t window) {
    for (std::int64_t row = 0; row < rows.blocks(); ++row)
        if (visible_blocks(rows, columns, window, row).count() < columns.blocks()) return true;
    return false;
}

// Those of which all rows of the block see all columns: zeros of the mask, which need not be added.
inline BlockRange clear_blocks(const Dim& rows, const Dim& columns, std::int64_t window, std::int64_t row) {
    const std::int64_t ahead = columns.size - rows.size;
    const std::int64_t first_row = row * rows.block;
    const std::int64_t last_row = std::min(first_row + rows.block, rows.size) - 1;
    const std::int64_t seen = std::max<std::int64_t>(0, first_row + ahead + 1);  // columns, by all rows
    const std::int64_t end = seen >= columns.size ? columns.blocks() : seen / columns.block;
    const std::int64_t hidden = window == 0 ? 0 : std::max<std::int64_t>(0, last_row + ahead - window + 1);
    const std::int64_t begin = (hidden + columns.block - 1) / columns.block;
    return {std::min(begin, end), end};
}

}  // namespace blockscope
