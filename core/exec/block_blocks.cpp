#include "core/exec/block_blocks.h"

#include "core/exec/scalar.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

// Walks all items of a value of type `type`, telling where each lies in the array.
class Blocks {
public:
    Blocks(const Type& type, bool transposed, const DimTable& dims)
        : type_(type), dims_(dims), layout(array_layout(type, transposed, dims)) {}

    struct Position {
        int level = 0;            // list dimensions entered
        std::int64_t offset = 0;  // of the item's first element in the array
        std::int64_t row = 0;     // block index along the item's rows
        std::int64_t col = 0;
    };

    bool at_item(const Position& at) const { return at.level == type_.rank(); }
    int count(const Position& at) const { return static_cast<int>(list_dim(at).blocks()); }

    Position enter(const Position& at, int index) const {
        Position inner = at;
        ++inner.level;
        if (at.level == layout.row_list) {
            inner.row = index;
            inner.offset += index * list_dim(at).block * layout.row_step;
        } else if (at.level == layout.col_list) {
            inner.col = index;
            inner.offset += index * list_dim(at).block * layout.col_step;
        } else {
            std::int64_t step = layout.matrix;
            for (int i = at.level + 1; i < layout.leading; ++i)
                step *= layout.shape[static_cast<std::size_t>(i)];
            inner.offset += index * step;
        }
        return inner;
    }

    int rows(const Position& at) const {
        return type_.item().kind == ItemKind::Scalar ? 1 : extent(type_.item().rows, at.row);
    }
    int cols(const Position& at) const {
        return type_.item().kind == ItemKind::Block ? extent(type_.item().cols, at.col) : 1;
    }
    std::size_t element(const Position& at, int row, int col) const {
        return static_cast<std::size_t>(at.offset + row * layout.row_step + col * layout.col_step);
    }

private:
    const Dim& list_dim(const Position& at) const { return dims_.at(type_.dim(at.level).value); }
    int extent(DimId dim, std::int64_t index) const {
        return static_cast<int>(dims_.at(dim.value).block_size(index));
    }

    const Type& type_;
    const DimTable& dims_;

public:
    const ArrayLayout layout;
};

template <class S>
Value<S> cut_at(const Blocks& blocks, const Blocks::Position& at, const Tensor<S>& array,
                BlockMemory<S>& memory) {
    if (!blocks.at_item(at)) {
        const int count = blocks.count(at);
        Value<S>* elements = memory.values.allocate(count);
        for (int i = 0; i < count; ++i) elements[i] = cut_at(blocks, blocks.enter(at, i), array, memory);
        return list_value(elements, count);
    }
    const int rows = blocks.rows(at);
    const int cols = blocks.cols(at);
    S* data = memory.scalars.allocate(rows * cols);
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col)
            data[row * cols + col] = array.data[blocks.element(at, row, col)];
    return item_value(rows, cols, data);
}

template <class S>
void assemble_at(const Blocks& blocks, const Blocks::Position& at, const Value<S>& value, Tensor<S>& array) {
    if (!blocks.at_item(at)) {
        const int count = blocks.count(at);
        if (!value.is_list() || value.count != count) throw InternalError("a list has the wrong length");
        for (int i = 0; i < count; ++i) assemble_at(blocks, blocks.enter(at, i), value.elements[i], array);
        return;
    }
    if (value.is_list() || value.rows != blocks.rows(at) || value.cols != blocks.cols(at))
        throw InternalError("an item does not have the extents of its place in the array");
    for (int row = 0; row < value.rows; ++row)
        for (int col = 0; col < value.cols; ++col)
            array.data[blocks.element(at, row, col)] = value.data[row * value.cols + col];
}

}  // namespace

template <class S>
Value<S> cut(const Tensor<S>& array, const Type& type, bool transposed, const DimTable& dims,
             BlockMemory<S>& memory) {
    const Blocks blocks(type, transposed, dims);
    if (array.shape != blocks.layout.shape || array.size() != element_count(array.shape))
        throw InternalError("an array has the wrong shape for " + to_string(type, dims));
    return cut_at(blocks, {}, array, memory);
}

template <class S>
Tensor<S> assemble(const Value<S>& value, const Type& type, const DimTable& dims) {
    const Blocks blocks(type, false, dims);
    Tensor<S> array{blocks.layout.shape, {}};
    array.data.resize(static_cast<std::size_t>(element_count(array.shape)));
    assemble_at(blocks, {}, value, array);
    return array;
}

template Value<double> cut(const Tensor<double>&, const Type&, bool, const DimTable&, BlockMemory<double>&);
template Value<Exact> cut(const Tensor<Exact>&, const Type&, bool, const DimTable&, BlockMemory<Exact>&);
template Tensor<double> assemble(const Value<double>&, const Type&, const DimTable&);
template Tensor<Exact> assemble(const Value<Exact>&, const Type&, const DimTable&);

}  // namespace blockscope
