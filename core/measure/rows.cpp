// Which rows of a program can be computed without the others.
#include <algorithm>

#include "core/measure/reference.h"

namespace blockscope::measure {
namespace {

// Whether rows along one dimension stay apart in every operator.
class Independence {
public:
    Independence(const ArrayProgram& program, DimId dim) : program_(program), dim_(dim) {}

    bool holds() const {
        return std::all_of(program_.ops.begin(), program_.ops.end(),
                           [this](const ArrayOp& op) { return holds(op); });
    }

private:
    static bool among(const std::vector<DimId>& dims, DimId dim) {
        return std::find(dims.begin(), dims.end(), dim) != dims.end();
    }
    bool has(const Shape& shape) const { return among(shape.batch, dim_) || among(shape.axes, dim_); }
    bool has(const ArrayOp& op, std::size_t operand) const {
        return operand < op.operands.size() &&
               has(program_.ops[static_cast<std::size_t>(op.operands[operand])].shape);
    }
    bool any_operand(const ArrayOp& op) const {
        for (std::size_t i = 0; i < op.operands.size(); ++i)
            if (has(op, i)) return true;
        return false;
    }
    bool as_rows(const Shape& shape) const {
        if (among(shape.batch, dim_)) return false;
        return shape.axes.size() == 2 ? shape.axes[0] == dim_ && shape.axes[1] != dim_ : true;
    }
    std::size_t axes(const ArrayOp& op, std::size_t operand) const {
        return program_.ops[static_cast<std::size_t>(op.operands[operand])].shape.axes.size();
    }

    bool mentions_size(const ExprPtr& expr) const {
        if (!expr) return false;
        if (const auto* size = std::get_if<SizeOf>(&expr->value)) return size->dim == dim_;
        const auto* call = std::get_if<Call>(&expr->value);
        return call && std::any_of(call->args.begin(), call->args.end(),
                                   [this](const ExprPtr& arg) { return mentions_size(arg); });
    }

    bool holds(const ArrayOp& op) const {
        if (mentions_size(op.expr)) return false;
        if (!has(op.shape) && !any_operand(op)) return true;
        if (!as_rows(op.shape)) return false;
        switch (op.kind) {
            case ArrayOpKind::Input:
                return op.source == InputSource::Array;
            case ArrayOpKind::Elementwise:
            case ArrayOpKind::Cast:
            case ArrayOpKind::SumOver:
                return true;
            case ArrayOpKind::Broadcast:  // a vector along the rows, or one that has nothing to do with them
                return has(op.shape);
            case ArrayOpKind::Matmul:
            case ArrayOpKind::Outer:
                return !has(op, 1);
            case ArrayOpKind::Softmax:
            case ArrayOpKind::RmsNorm:
            case ArrayOpKind::LayerNorm:
            case ArrayOpKind::RowSum:
            case ArrayOpKind::RowMean:
            case ArrayOpKind::RowMax:
                return axes(op, 0) == 2 && !has(op, 1) && !has(op, 2);
            case ArrayOpKind::Transpose:
            case ArrayOpKind::Custom:
                return false;
        }
        throw InternalError("unknown array operator");
    }

    const ArrayProgram& program_;
    DimId dim_;
};

}  // namespace

int independent_rows(const ArrayProgram& program) {
    for (const ArrayOutput& output : program.outputs) {
        const Shape& shape = program.ops.at(static_cast<std::size_t>(output.op)).shape;
        if (shape.axes.size() != 2) continue;
        if (Independence(program, shape.axes[0]).holds()) return shape.axes[0].value;
    }
    return -1;
}

}  // namespace blockscope::measure
