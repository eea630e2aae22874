#include "core/plan/named_program.h"

namespace blockscope::plan {

namespace {

OperatorKind kind_of(ArrayOpKind kind) {
    switch (kind) {
        case ArrayOpKind::Input:
            return OperatorKind::Input;
        case ArrayOpKind::Elementwise:
        case ArrayOpKind::Cast:
            return OperatorKind::Elementwise;
        case ArrayOpKind::Broadcast:
        case ArrayOpKind::Outer:
            return OperatorKind::Broadcast;
        case ArrayOpKind::Matmul:
            return OperatorKind::Matmul;
        case ArrayOpKind::Transpose:
            return OperatorKind::Transpose;
        case ArrayOpKind::Softmax:
        case ArrayOpKind::RmsNorm:
        case ArrayOpKind::LayerNorm:
        case ArrayOpKind::RowSum:
        case ArrayOpKind::RowMean:
        case ArrayOpKind::RowMax:
        case ArrayOpKind::SumOver:
            return OperatorKind::Reduction;
        case ArrayOpKind::Custom:
            return OperatorKind::Other;
    }
    return OperatorKind::Other;
}

std::vector<std::int64_t> sizes_of(const ArrayProgram& program, const Shape& shape) {
    std::vector<std::int64_t> sizes;
    for (const auto* dims : {&shape.batch, &shape.axes})
        for (const DimId dim : *dims) sizes.push_back(program.dims[dim.value].size);
    return sizes;
}

}  // namespace

NamedGraph named_graph(const ArrayProgram& program, const OperatorGraph& graph,
                       const std::vector<std::int64_t>& local_bytes) {
    NamedGraph named;
    named.before = graph.before;
    named.after = graph.after;
    for (std::size_t node = 0; node < graph.op.size(); ++node) {
        const ArrayOp& op = program.ops[static_cast<std::size_t>(graph.op[node])];
        NamedOperator made{.name = graph.names[node],
                           .kind = kind_of(op.kind),
                           .shape = sizes_of(program, op.shape),
                           .bytes = local_bytes[node],
                           .control_flow = op.kind == ArrayOpKind::Custom,
                           .type = to_string(op.elem)};
        for (const int operand : op.operands) {
            const ArrayOp& read = program.ops[static_cast<std::size_t>(operand)];
            std::vector<std::int64_t> sizes = sizes_of(program, read.shape);
            if (made.kind == OperatorKind::Reduction && sizes.size() > made.domain.size())
                made.domain = std::move(sizes);
        }
        named.operators.push_back(std::move(made));
    }
    return named;
}

}  // namespace blockscope::plan
