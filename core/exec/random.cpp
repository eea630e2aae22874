// Random inputs, reproducible by seed and array name, so that programs that name their inputs alike get
// the same ones.
#include "core/exec/array_layout.h"
#include "core/exec/evaluate.h"
#include "core/exec/scalar.h"

namespace blockscope {

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
