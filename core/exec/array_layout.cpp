#include "core/exec/array_layout.h"

namespace blockscope {

namespace {

// Takes `axis` off the end of the first `left` list dimensions if it is there.
int take_axis(const Type& type, DimId axis, int& left) {
    if (left == 0 || type.dim(left - 1) != axis) return -1;
    return --left;
}

std::int64_t extent(DimId axis, int list, const DimTable& dims) {
    const Dim& dim = dims.at(axis.value);
    return list < 0 ? dim.block_size(0) : dim.size;
}

}  // namespace

ArrayLayout array_layout(const Type& type, bool transposed, const DimTable& dims) {
    ArrayLayout layout;
    layout.leading = type.rank();
    const Item& item = type.item();
    if (item.kind == ItemKind::Block) layout.col_list = take_axis(type, item.cols, layout.leading);
    if (item.kind != ItemKind::Scalar) layout.row_list = take_axis(type, item.rows, layout.leading);
    for (int i = 0; i < layout.leading; ++i) layout.shape.push_back(dims.at(type.dim(i).value).blocks());
    if (item.kind == ItemKind::Scalar) return layout;
    const std::int64_t rows = extent(item.rows, layout.row_list, dims);
    if (item.kind == ItemKind::Vector) {
        layout.shape.push_back(rows);
        layout.row_step = 1;
        layout.matrix = rows;
        return layout;
    }
    const std::int64_t cols = extent(item.cols, layout.col_list, dims);
    layout.shape.push_back(transposed ? cols : rows);
    layout.shape.push_back(transposed ? rows : cols);
    layout.row_step = transposed ? 1 : cols;
    layout.col_step = transposed ? rows : 1;
    layout.matrix = rows * cols;
    return layout;
}

}  // namespace blockscope
