#include "tests/support/listing_arrays.h"

#include <algorithm>
#include <utility>

namespace blockscope::reader {

namespace {

struct Extent {
    std::int64_t first = 0;
    std::int64_t count = 1;
    std::int64_t whole = 1;  // of the array
};

Extent axis(int place, DimId dim, const DimTable& dims, const std::vector<std::int64_t>& index) {
    const Dim& d = dims.at(dim.value);
    if (place < 0) return {0, d.block_size(0), d.block_size(0)};
    const std::int64_t block = index.at(static_cast<std::size_t>(place));
    return {block * d.block, d.block_size(block), d.size};
}

// Calls f(element of the array, element of the item).
template <class F>
void walk(const ArrayDecl& decl, const DimTable& dims, const std::vector<std::int64_t>& index, F f) {
    const Axes axes(decl);
    std::int64_t base = 0;
    for (std::size_t i = 0; i < decl.dims.size(); ++i) {
        if (static_cast<int>(i) == axes.rows || static_cast<int>(i) == axes.cols) continue;
        base = base * dims.at(decl.dims[i].value).blocks() + index.at(i);
    }
    Extent rows;
    Extent cols;
    if (decl.item.kind != ItemKind::Scalar) rows = axis(axes.rows, decl.item.rows, dims, index);
    if (decl.item.kind == ItemKind::Block) cols = axis(axes.cols, decl.item.cols, dims, index);
    for (std::int64_t i = 0; i < rows.count; ++i)
        for (std::int64_t j = 0; j < cols.count; ++j) {
            const std::int64_t at = (base * rows.whole + rows.first + i) * cols.whole + cols.first + j;
            f(static_cast<std::size_t>(at), static_cast<std::size_t>(i * cols.count + j));
        }
}

Value item_shape(const ArrayDecl& decl, const DimTable& dims, const std::vector<std::int64_t>& index) {
    const Axes axes(decl);
    Value value;
    value.ndim = decl.item.kind == ItemKind::Scalar ? 0 : decl.item.kind == ItemKind::Vector ? 1 : 2;
    if (value.ndim > 0) value.rows = axis(axes.rows, decl.item.rows, dims, index).count;
    if (value.ndim > 1) value.cols = axis(axes.cols, decl.item.cols, dims, index).count;
    return value;
}

}  // namespace

Axes::Axes(const ArrayDecl& decl) {
    int left = static_cast<int>(decl.dims.size());
    const auto take = [&](DimId dim) {
        return left > 0 && decl.dims[static_cast<std::size_t>(left) - 1] == dim ? --left : -1;
    };
    if (decl.item.kind == ItemKind::Block) cols = take(decl.item.cols);
    if (decl.item.kind != ItemKind::Scalar) rows = take(decl.item.rows);
}

std::vector<std::int64_t> array_shape(const ArrayDecl& decl, const DimTable& dims) {
    const Axes axes(decl);
    const std::vector<std::int64_t> zero(decl.dims.size(), 0);
    std::vector<std::int64_t> shape;
    for (std::size_t i = 0; i < decl.dims.size(); ++i)
        if (static_cast<int>(i) != axes.rows && static_cast<int>(i) != axes.cols)
            shape.push_back(dims.at(decl.dims[i].value).blocks());
    if (decl.item.kind != ItemKind::Scalar)
        shape.push_back(axis(axes.rows, decl.item.rows, dims, zero).whole);
    if (decl.item.kind == ItemKind::Block) shape.push_back(axis(axes.cols, decl.item.cols, dims, zero).whole);
    return shape;
}

Value cut(const Tensor<double>& array, const ArrayDecl& decl, const DimTable& dims,
          const std::vector<std::int64_t>& index) {
    Value value = item_shape(decl, dims, index);
    value.data.resize(static_cast<std::size_t>(value.rows * value.cols));
    walk(decl, dims, index,
         [&](std::size_t whole, std::size_t part) { value.data[part] = array.data.at(whole); });
    return value;
}

void put(Tensor<double>& array, const ArrayDecl& decl, const DimTable& dims,
         const std::vector<std::int64_t>& index, const Value& value) {
    check_shape(decl, dims, index, value);
    walk(decl, dims, index, [&](std::size_t whole, std::size_t part) {
        array.data.at(whole) = value.data[value.loose ? 0 : part];
    });
}

void check_shape(const ArrayDecl& decl, const DimTable& dims, const std::vector<std::int64_t>& index,
                 const Value& value) {
    const Value place = item_shape(decl, dims, index);
    const bool fits = value.ndim == place.ndim && value.rows == place.rows && value.cols == place.cols;
    if (!value.loose && !fits)
        throw ListingError("found a " + value.shape() + " where a " + place.shape() + " belongs");
}

Value transposed(const Value& block) {
    Value result{2, block.cols, block.rows, false, {}};
    for (std::int64_t j = 0; j < block.cols; ++j)
        for (std::int64_t i = 0; i < block.rows; ++i)
            result.data.push_back(block.data[static_cast<std::size_t>(i * block.cols + j)]);
    return result;
}

ArrayDecl transposed(const ArrayDecl& decl) {
    ArrayDecl result = decl;
    const Axes axes(decl);
    if (axes.rows >= 0 && axes.cols >= 0)
        std::swap(result.dims[static_cast<std::size_t>(axes.rows)],
                  result.dims[static_cast<std::size_t>(axes.cols)]);
    std::swap(result.item.rows, result.item.cols);
    return result;
}

std::vector<std::vector<std::int64_t>> all_indices(const ArrayDecl& decl, const DimTable& dims) {
    std::vector<std::vector<std::int64_t>> tuples{{}};
    for (const DimId dim : decl.dims) {
        std::vector<std::vector<std::int64_t>> longer;
        for (const auto& tuple : tuples)
            for (std::int64_t i = 0; i < dims.at(dim.value).blocks(); ++i) {
                longer.push_back(tuple);
                longer.back().push_back(i);
            }
        tuples = std::move(longer);
    }
    return tuples;
}

}  // namespace blockscope::reader
