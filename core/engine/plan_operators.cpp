// Block operators as kernel calls.
#include <algorithm>

#include "core/engine/planner.h"

namespace blockscope::engine {

namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

}  // namespace

void Planner::functional(int to, FunctionalOp op, const std::vector<Temp>& args, const Accumulation& add_to) {
    const bool fold =
        op == FunctionalOp::RowSum || op == FunctionalOp::RowMax || op == FunctionalOp::BlockMax;
    const bool shape_needed = fold || op == FunctionalOp::Dot || op == FunctionalOp::Outer;
    for (const Temp t : args)
        if (shape_needed && rank(t) < 0)
            return refuse(to_string(op), "it takes a constant whose extents nothing tells");
    if (op == FunctionalOp::Dot) return dot(to, args, add_to);
    if (!fold) return combine(to, op, args, add_to);
    const FoldOp::Kind kind = op == FunctionalOp::RowSum   ? FoldOp::Kind::RowSum
                              : op == FunctionalOp::RowMax ? FoldOp::Kind::RowMax
                                                           : FoldOp::Kind::BlockMax;
    if (op == FunctionalOp::BlockMax && add_to.active)
        return refuse(to_string(op), "a sum of maxima of blocks has no kernel");
    add(FoldOp{kind, to, args[0].id, add_to});
}

std::array<int, 2> Planner::sizes(const Extent& extent) const {
    const Dim& dim = program_.dims.at(extent.dim.value);
    const auto full = static_cast<int>(dim.block_size(0));
    return {full, extent.fixed ? full : static_cast<int>(dim.block_size(dim.blocks() - 1))};
}

void Planner::dot(int to, const std::vector<Temp>& args, const Accumulation& add_to) {
    const ItemExtents& a = extents_.of(args[0]);
    const ItemExtents& b = extents_.of(args[1]);
    const MatmulShape shape{sizes(a.axes.at(0)),
                            sizes(b.axes.at(0)),
                            sizes(a.axes.at(1)),
                            step_[at(args[0].id)][kPlain],
                            step_[at(args[1].id)][kTransposed],
                            step_[at(to)][kPlain]};
    plan_.matmuls.push_back(shape);
    add(DotOp{to, args[0].id, args[1].id, add_to, static_cast<int>(plan_.matmuls.size()) - 1});
}

// Element by element, a vector perhaps repeated along the rows or columns of a block.
void Planner::combine(int to, FunctionalOp op, const std::vector<Temp>& args, const Accumulation& add_to) {
    const bool sum = op == FunctionalOp::Add || op == FunctionalOp::RowShift || op == FunctionalOp::ColShift;
    const ExprPtr expr = call(sum ? Fn::Add : Fn::Mul, arg(0), arg(1));
    const auto mode = [&](Temp t, ArgMode wanted) { return rank(t) <= 0 ? ArgMode::Scalar : wanted; };
    EvalOp eval;
    eval.to = to;
    eval.args = {args.at(0).id, args.at(1).id};
    const int first = rank(args[0]) > 0 ? 0 : 1;
    switch (op) {
        case FunctionalOp::Add:
        case FunctionalOp::Mul:
            eval.modes = {mode(args[0], ArgMode::Full), mode(args[1], ArgMode::Full)};
            if (rank(args[at(first)]) > 0) eval.shape_rows = eval.shape_cols = first;
            return elementwise(std::move(eval), *expr, add_to);
        case FunctionalOp::Outer:
            eval.modes = {ArgMode::PerRow, ArgMode::PerCol};
            eval.shape_rows = 0;
            eval.shape_cols = 1;
            eval.rows_from_cols = true;
            return elementwise(std::move(eval), *expr, add_to);
        default:
            break;
    }
    if (rank(args[0]) < 0 && rank(args[1]) > 0)
        return refuse(to_string(op), "it takes a constant block whose extents nothing tells");
    const bool rows = op == FunctionalOp::RowShift || op == FunctionalOp::RowScale;
    eval.modes = {mode(args[0], ArgMode::Full), mode(args[1], rows ? ArgMode::PerRow : ArgMode::PerCol)};
    if (rank(args[0]) > 0) eval.shape_rows = eval.shape_cols = 0;
    elementwise(std::move(eval), *expr, add_to);
}

void Planner::elementwise(EvalOp op, const Expr& expr, const Accumulation& add_to) {
    const int args = static_cast<int>(op.args.size());
    op.add = add_to;
    if (!add_to.active) {
        op.code = code(expr, args);
        return add(std::move(op));
    }
    op.first_code = code(expr, args);
    const ExprPtr sum = call(Fn::Add, arg(args), std::make_shared<const Expr>(expr));
    op.code = code(*sum, args + 1);
    op.args.push_back(op.to);
    op.modes.push_back(rank({op.to}) <= 0 ? ArgMode::Scalar : ArgMode::Full);
    add(std::move(op));
}

int Planner::code(const Expr& expr, int args) {
    plan_.codes.push_back(compile_expr(expr, args, program_.dims));
    return static_cast<int>(plan_.codes.size()) - 1;
}

}  // namespace blockscope::engine
