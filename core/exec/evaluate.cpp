#include "core/exec/evaluate.h"

#include <cmath>

namespace blockscope {

namespace {

// Takes `axis` off the end of the first `left` list dimensions if it is there.
int take_axis(const Type& type, DimId axis, int& left) {
    if (left == 0 || type.dim(left - 1) != axis) return -1;
    return --left;
}

// `(N,M) block[M,N]`: the blocks of an array, columns of blocks outermost.
bool columns_first(const Type& type) {
    const Item& item = type.item();
    return item.kind == ItemKind::Block && item.rows != item.cols && type.rank() >= 2 &&
           type.dim(type.rank() - 1) == item.rows && type.dim(type.rank() - 2) == item.cols;
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
    if (columns_first(type)) {
        layout.row_list = take_axis(type, item.rows, layout.leading);
        layout.col_list = take_axis(type, item.cols, layout.leading);
    } else {
        if (item.kind == ItemKind::Block) layout.col_list = take_axis(type, item.cols, layout.leading);
        if (item.kind != ItemKind::Scalar) layout.row_list = take_axis(type, item.rows, layout.leading);
    }
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

namespace {

// A number in [-1, 1) from a hash.
double unit_from_hash(std::uint64_t hash) {
    return static_cast<double>(static_cast<std::int64_t>(hash)) * 0x1p-63;
}

std::uint64_t hash_of(const Tensor<Exact>& tensor) {
    std::uint64_t hash = tensor.shape.size();
    for (const std::int64_t extent : tensor.shape) hash = mix(hash, static_cast<std::uint64_t>(extent));
    for (const Exact& element : tensor.data) hash = mix(hash, element.p);
    return hash;
}

}  // namespace

std::uint64_t hash_of(const std::string& text) {
    std::uint64_t hash = text.size();
    for (const char c : text) hash = mix(hash, static_cast<unsigned char>(c));
    return hash;
}

std::int64_t element_count(const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    return count;
}

template <class S>
Tensor<S> causal_mask(std::int64_t rows, std::int64_t columns, std::int64_t window) {
    Tensor<S> mask{{rows, columns}, std::vector<S>(static_cast<std::size_t>(rows * columns))};
    const S masked = scalar_from<S>(kMasked);
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t last = row + columns - rows;
        for (std::int64_t column = 0; column < columns; ++column)
            if (column > last || (window > 0 && column <= last - window))
                mask.data[static_cast<std::size_t>(row * columns + column)] = masked;
    }
    return mask;
}

template Tensor<double> causal_mask(std::int64_t, std::int64_t, std::int64_t);
template Tensor<Exact> causal_mask(std::int64_t, std::int64_t, std::int64_t);

Tensor<Exact> custom_array(const std::string& name, const std::vector<const Tensor<Exact>*>& inputs, int port,
                           std::vector<std::int64_t> shape) {
    const std::uint64_t name_hash = mix(hash_of(name), static_cast<std::uint64_t>(port));
    std::uint64_t inputs_hash = 0;
    for (const Tensor<Exact>* input : inputs) inputs_hash = mix(inputs_hash, hash_of(*input));
    Tensor<Exact> result{std::move(shape), {}};
    result.data.resize(static_cast<std::size_t>(element_count(result.shape)));
    for (std::size_t i = 0; i < result.data.size(); ++i)
        result.data[i] = uninterpreted(name_hash, inputs_hash, i);
    return result;
}

Tensor<double> custom_array(const std::string& name, const std::vector<const Tensor<double>*>& inputs,
                            int port, std::vector<std::int64_t> shape) {
    const std::uint64_t name_hash = mix(hash_of(name), static_cast<std::uint64_t>(port));
    double summary = 0;  // a weighted sum of all inputs
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        const std::vector<double>& data = inputs[k]->data;
        const double scale = 1 / std::sqrt(static_cast<double>(data.size()));
        for (std::size_t i = 0; i < data.size(); ++i)
            summary += scale * unit_from_hash(mix(mix(name_hash, k), i)) * data[i];
    }
    Tensor<double> result{std::move(shape), {}};
    result.data.resize(static_cast<std::size_t>(element_count(result.shape)));
    for (std::size_t i = 0; i < result.data.size(); ++i) {
        const double phase = 4 * unit_from_hash(mix(mix(name_hash, ~std::uint64_t{0}), i));
        result.data[i] = std::sin(summary + phase);
    }
    return result;
}

}  // namespace blockscope
