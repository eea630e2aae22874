#include "tests/program/same_program.h"

namespace blockscope {
namespace {

bool same_expr(const ExprPtr& a, const ExprPtr& b) {
    return !a || !b ? a == b : equal(*a, *b);
}

std::string difference(const ArrayOp& a, const ArrayOp& b) {
    if (a.kind != b.kind) return "kind";
    if (a.name != b.name) return "name (" + a.name + ", " + b.name + ")";
    if (a.operands != b.operands) return "operands";
    if (!same_expr(a.expr, b.expr)) return "expression";
    if (a.fn != b.fn || a.vector_axis != b.vector_axis) return "broadcast";
    if (a.source != b.source) return "source";
    if (a.paper_form != b.paper_form || a.epsilon != b.epsilon) return "form";
    if (a.dim != b.dim) return "dimension";
    if (a.custom_name != b.custom_name) return "custom name";
    if (!(a.shape == b.shape)) return "shape";
    return a.elem == b.elem ? "" : "element type";
}

}  // namespace

std::string difference(const ArrayProgram& a, const ArrayProgram& b) {
    if (a.dims != b.dims) return "dimensions";
    if (a.comment != b.comment) return "comment";
    if (a.ops.size() != b.ops.size()) return "number of operators";
    for (std::size_t i = 0; i < a.ops.size(); ++i) {
        const std::string found = difference(a.ops[i], b.ops[i]);
        if (!found.empty()) return "operator " + std::to_string(i) + ": " + found;
    }
    if (a.outputs.size() != b.outputs.size()) return "number of outputs";
    for (std::size_t i = 0; i < a.outputs.size(); ++i) {
        const bool same = a.outputs[i].name == b.outputs[i].name && a.outputs[i].op == b.outputs[i].op;
        if (!same) return "output " + std::to_string(i);
    }
    return "";
}

}  // namespace blockscope
