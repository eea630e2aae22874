#include "core/plan/legality.h"

namespace blockscope::plan {

namespace {

// An operator's form (core/program/array_program.h) says what it is to a plan.
OperatorKind kind_of(ArrayOpKind kind) {
    if (kind == ArrayOpKind::Input) return OperatorKind::Input;
    switch (form_of(kind)) {
        case ArrayForm::ByElement:
            return OperatorKind::Elementwise;
        case ArrayForm::Spread:
        case ArrayForm::Outer:
            return OperatorKind::Broadcast;
        case ArrayForm::Product:
            return OperatorKind::Matmul;
        case ArrayForm::Transpose:
            return OperatorKind::Transpose;
        case ArrayForm::Rotate:
        case ArrayForm::KeepRows:
        case ArrayForm::FoldRows:
        case ArrayForm::OverBatch:
            return OperatorKind::Reduction;
        case ArrayForm::Given:
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
