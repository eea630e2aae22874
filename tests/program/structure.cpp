#include "tests/program/structure.h"

#include <cstdio>

#include "core/program/array_program.h"

namespace blockscope {
namespace {

std::string kind_name(const ArrayProgram& program, const ArrayOp& op) {
    switch (op.kind) {
        case ArrayOpKind::Input:
            return "causal mask";
        case ArrayOpKind::Elementwise: {
            std::vector<std::string> names;
            for (std::size_t i = 0; i < op.operands.size(); ++i) names.push_back("x" + std::to_string(i));
            return "elementwise " + to_string(*op.expr, names, program.dims);
        }
        case ArrayOpKind::Broadcast:
            return to_string(op.fn) + (op.vector_axis == VectorAxis::Rows ? " along rows" : " along columns");
        case ArrayOpKind::Matmul:
            return "matmul";
        case ArrayOpKind::Transpose:
            return "transpose";
        case ArrayOpKind::RmsNorm:
        case ArrayOpKind::LayerNorm: {
            char epsilon[32];
            std::snprintf(epsilon, sizeof epsilon, " eps %g", op.epsilon);
            return describe(op.kind) + (op.paper_form ? " paper" : epsilon);
        }
        case ArrayOpKind::SumOver:
            return "sum over " + program.dims[op.dim.value].name;
        case ArrayOpKind::Custom:
            return "custom " + op.custom_name;
        case ArrayOpKind::Softmax:
        case ArrayOpKind::RowSum:
        case ArrayOpKind::RowMean:
        case ArrayOpKind::RowMax:
        case ArrayOpKind::Rope:
        case ArrayOpKind::RopeInterleaved:
        case ArrayOpKind::Outer:
        case ArrayOpKind::Cast:
            return describe(op.kind);
    }
    return "?";
}

}  // namespace

std::string structure(const ArrayProgram& program) {
    std::string text;
    const auto name = [&](int i) {
        const std::string& given = program.ops[static_cast<std::size_t>(i)].name;
        return given.empty() ? "%" + std::to_string(i) : given;
    };
    for (int i = 0; i < static_cast<int>(program.ops.size()); ++i) {
        const ArrayOp& op = program.ops[static_cast<std::size_t>(i)];
        if (op.kind == ArrayOpKind::Input && op.source == InputSource::Array) continue;
        text += name(i) + " " + to_string(op.shape, program.dims) + " " + to_string(op.elem) + " = " +
                kind_name(program, op);
        for (std::size_t k = 0; k < op.operands.size(); ++k)
            text += (k == 0 ? " (" : ", ") + name(op.operands[k]);
        text += op.operands.empty() ? "\n" : ")\n";
    }
    for (const ArrayOutput& output : program.outputs)
        text += "output " + output.name + " = " + name(output.op) + "\n";
    return text;
}

}  // namespace blockscope
