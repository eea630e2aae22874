#include "core/exec/evaluate.h"

#include "core/exec/scalar.h"

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

// Random inputs, reproducible by seed and array name, so that programs that name their inputs alike get
// the same ones.

namespace {

using Shapes = std::map<std::string, std::vector<std::int64_t>>;

Shapes input_shapes(const ArrayProgram& program) {
    Shapes shapes;
    for (const ArrayOp& op : program.ops) {
        if (op.kind != ArrayOpKind::Input || op.source != InputSource::Array) continue;
        std::vector<std::int64_t>& shape = shapes[op.name];
        shape.clear();
        for (const DimId dim : op.shape.batch) shape.push_back(program.dims[dim.value].size);
        for (const DimId dim : op.shape.axes) shape.push_back(program.dims[dim.value].size);
    }
    return shapes;
}

Shapes input_shapes(const BlockProgram& program) {
    Shapes shapes;
    for (const NodePtr& node : program.graph->inputs()) {
        const Input& input = *node->as<Input>();
        if (input.source != InputSource::Array) continue;
        shapes[input.name] = array_layout(node->outputs[0], input.transposed, program.dims).shape;
    }
    return shapes;
}

template <class S, class Draw>
Tensors<S> fill(const Shapes& shapes, std::uint64_t seed, const Draw& draw) {
    Tensors<S> tensors;
    for (const auto& [name, shape] : shapes) {
        const std::uint64_t stream = mix(seed, hash_of(name));
        Tensor<S> tensor{shape, std::vector<S>(static_cast<std::size_t>(element_count(shape)))};
        for (std::size_t i = 0; i < tensor.data.size(); ++i) tensor.data[i] = draw(mix(stream, i));
        tensors.emplace(name, std::move(tensor));
    }
    return tensors;
}

Tensors<double> doubles(const Shapes& shapes, std::uint64_t seed, double scale) {
    return fill<double>(shapes, seed, [scale](std::uint64_t hash) {
        return scale * static_cast<double>(static_cast<std::int64_t>(hash)) * 0x1p-63;
    });
}

}  // namespace

Tensors<double> random_doubles(const ArrayProgram& program, std::uint64_t seed, double scale) {
    return doubles(input_shapes(program), seed, scale);
}

Tensors<double> random_doubles(const BlockProgram& program, std::uint64_t seed, double scale) {
    return doubles(input_shapes(program), seed, scale);
}

Tensors<Exact> random_exact(const ArrayProgram& program, std::uint64_t seed) {
    return fill<Exact>(input_shapes(program), seed, exact_from_hash);
}

Tensors<Exact> random_exact(const BlockProgram& program, std::uint64_t seed) {
    return fill<Exact>(input_shapes(program), seed, exact_from_hash);
}

}  // namespace blockscope
