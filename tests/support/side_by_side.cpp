#include "tests/support/side_by_side.h"

#include <stdexcept>
#include <string>

#include "core/graph/expr.h"

namespace blockscope::test {

namespace {

DimId moved(DimId dim, std::size_t by) {
    return {static_cast<std::uint16_t>(dim.value + by)};
}

ExprPtr moved(const ExprPtr& expr, std::size_t by) {
    if (!expr) return expr;
    if (const auto* size = std::get_if<SizeOf>(&expr->value))
        return std::make_shared<const Expr>(Expr{SizeOf{moved(size->dim, by)}});
    const auto* inner = std::get_if<Call>(&expr->value);
    if (!inner) return expr;
    Call made = *inner;
    for (ExprPtr& part : made.args) part = moved(part, by);
    return std::make_shared<const Expr>(Expr{std::move(made)});
}

void add(ArrayProgram& all, const ArrayProgram& program, const std::string& suffix) {
    const std::size_t dims = all.dims.size();
    const int ops = static_cast<int>(all.ops.size());
    for (Dim dim : program.dims) {
        dim.name += suffix;
        all.dims.push_back(std::move(dim));
    }
    for (ArrayOp op : program.ops) {
        if (!op.name.empty()) op.name += suffix;
        for (int& operand : op.operands) operand += ops;
        op.expr = moved(op.expr, dims);
        op.dim = moved(op.dim, dims);
        for (DimId& dim : op.shape.batch) dim = moved(dim, dims);
        for (DimId& dim : op.shape.axes) dim = moved(dim, dims);
        all.ops.push_back(std::move(op));
    }
    for (ArrayOutput output : program.outputs) {
        output.name += suffix;
        output.op += ops;
        all.outputs.push_back(std::move(output));
    }
}

}  // namespace

ArrayProgram side_by_side(const std::vector<ArrayProgram>& programs) {
    ArrayProgram all;
    for (std::size_t i = 0; i < programs.size(); ++i)
        add(all, programs[i], i == 0 ? "" : "_" + std::to_string(i + 1));
    if (const Problems problems = check_program(all); !problems.empty())
        throw std::runtime_error(to_string(problems.front()));
    return all;
}

}  // namespace blockscope::test
