#include "core/program/lower_norms.h"

namespace blockscope {

namespace {

Shape row_vector_of(const Array& matrix) {
    return {matrix.shape.batch, {matrix.shape.axes.at(0)}};
}

ExprPtr reciprocal(ExprPtr expr) {
    return call(Fn::Div, number(1), std::move(expr));
}

ExprPtr square(ExprPtr expr) {
    return call(Fn::Pow, std::move(expr), number(2));
}

// 1/sqrt(s) in the paper's form, else 1/sqrt(s/DD + epsilon), for the sum of squares s.
ExprPtr inverse_rms(const ArrayOp& op, DimId cols) {
    if (op.paper_form) return reciprocal(call(Fn::Sqrt, arg(0)));
    const ExprPtr mean = call(Fn::Div, arg(0), size_of(cols));
    return reciprocal(call(Fn::Sqrt, call(Fn::Add, mean, number(op.epsilon))));
}

// (s2/KK - mean**2)**(-0.5) in the paper's form, else (s2/KK - mean**2 + epsilon)**(-0.5), for the sum of
// squares s2 and the (negated) mean.
ExprPtr inverse_deviation(const ArrayOp& op, DimId cols) {
    ExprPtr variance = call(Fn::Sub, call(Fn::Div, arg(0), size_of(cols)), square(arg(1)));
    if (!op.paper_form) variance = call(Fn::Add, variance, number(op.epsilon));
    return call(Fn::Pow, variance, number(-0.5));
}

}  // namespace

Array lower_softmax(Lowering& lowering, const Array& matrix) {
    const Array exps = lowering.elementwise(call(Fn::Exp, arg(0)), {matrix}, matrix.shape);
    const Array sum = lowering.row_sum(exps);
    const Array inverse = lowering.elementwise(reciprocal(arg(0)), {sum}, sum.shape);
    return lowering.scale(exps, inverse, VectorAxis::Rows, exps.shape);
}

Array lower_rmsnorm(Lowering& lowering, const ArrayOp& op, const std::vector<Array>& operands) {
    const Array& x = operands.at(0);
    const DimId cols = x.shape.axes.at(1);
    const Array squares = lowering.elementwise(square(arg(0)), {x}, x.shape);
    const Array sum = lowering.row_sum(squares);
    const Array inverse = lowering.elementwise(inverse_rms(op, cols), {sum}, row_vector_of(x));
    const Array normed = lowering.scale(x, inverse, VectorAxis::Rows, x.shape);
    if (operands.size() < 2) return normed;
    return lowering.scale(normed, operands[1], VectorAxis::Cols, op.shape);
}

Array lower_layernorm(Lowering& lowering, const ArrayOp& op, const std::vector<Array>& operands) {
    const Array& x = operands.at(0);
    const DimId cols = x.shape.axes.at(1);
    const Shape vector = row_vector_of(x);
    const Array sum = lowering.row_sum(x);
    const ExprPtr negated_mean = call(Fn::Div, call(Fn::Neg, arg(0)), size_of(cols));
    const Array mean = lowering.elementwise(negated_mean, {sum}, vector);
    const Array centred = lowering.shift(x, mean, VectorAxis::Rows, x.shape);
    const Array squares = lowering.elementwise(square(arg(0)), {x}, x.shape);
    const Array square_sum = lowering.row_sum(squares);
    const Array inverse = lowering.elementwise(inverse_deviation(op, cols), {square_sum, mean}, vector);
    const Array normed = lowering.scale(centred, inverse, VectorAxis::Rows, x.shape);
    if (operands.size() < 2) return normed;
    const Array weighted = lowering.scale(normed, operands[1], VectorAxis::Cols, op.shape);
    if (operands.size() < 3) return weighted;
    return lowering.shift(weighted, operands[2], VectorAxis::Cols, op.shape);
}

}  // namespace blockscope
