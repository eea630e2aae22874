#include "core/program/convert_norms.h"

namespace blockscope {

namespace {

Shape row_vector_of(const BlockArray& matrix) {
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

BlockArray convert_softmax(BlockMaps& maps, const BlockArray& matrix) {
    const BlockArray exps = maps.elementwise(call(Fn::Exp, arg(0)), {matrix}, matrix.shape);
    const BlockArray sum = maps.row_sum(exps);
    const BlockArray inverse = maps.elementwise(reciprocal(arg(0)), {sum}, sum.shape);
    return maps.scale(exps, inverse, VectorAxis::Rows, exps.shape);
}

BlockArray convert_rmsnorm(BlockMaps& maps, const ArrayOp& op, const std::vector<BlockArray>& operands) {
    const BlockArray& x = operands.at(0);
    const DimId cols = x.shape.axes.at(1);
    const BlockArray squares = maps.elementwise(square(arg(0)), {x}, x.shape);
    const BlockArray sum = maps.row_sum(squares);
    const BlockArray inverse = maps.elementwise(inverse_rms(op, cols), {sum}, row_vector_of(x));
    BlockArray normed = maps.scale(x, inverse, VectorAxis::Rows, x.shape);
    if (operands.size() < 2) return normed;
    return maps.scale(normed, operands[1], VectorAxis::Cols, op.shape);
}

BlockArray convert_layernorm(BlockMaps& maps, const ArrayOp& op, const std::vector<BlockArray>& operands) {
    const BlockArray& x = operands.at(0);
    const DimId cols = x.shape.axes.at(1);
    const Shape vector = row_vector_of(x);
    const BlockArray sum = maps.row_sum(x);
    const ExprPtr negated_mean = call(Fn::Div, call(Fn::Neg, arg(0)), size_of(cols));
    const BlockArray mean = maps.elementwise(negated_mean, {sum}, vector);
    const BlockArray centred = maps.shift(x, mean, VectorAxis::Rows, x.shape);
    const BlockArray squares = maps.elementwise(square(arg(0)), {x}, x.shape);
    const BlockArray square_sum = maps.row_sum(squares);
    const BlockArray inverse = maps.elementwise(inverse_deviation(op, cols), {square_sum, mean}, vector);
    BlockArray normed = maps.scale(centred, inverse, VectorAxis::Rows, x.shape);
    if (operands.size() < 2) return normed;
    BlockArray weighted = maps.scale(normed, operands[1], VectorAxis::Cols, op.shape);
    if (operands.size() < 3) return weighted;
    return maps.shift(weighted, operands[2], VectorAxis::Cols, op.shape);
}

}  // namespace blockscope
