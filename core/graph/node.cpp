#include "core/graph/node.h"

#include <algorithm>

#include "core/support/result.h"

namespace blockscope {

constexpr std::array<FunctionalOperator, kFunctionalOpCount> kFunctionalOperators = {{
    {.op = FunctionalOp::Add, .name = "add", .form = FunctionalForm::ByElement, .fn = Fn::Add, .label = "+"},
    {.op = FunctionalOp::Mul, .name = "mul", .form = FunctionalForm::ByElement, .fn = Fn::Mul, .label = "×"},
    {.op = FunctionalOp::RowShift, .name = "row_shift", .form = FunctionalForm::WithRows, .fn = Fn::Add},
    {.op = FunctionalOp::RowScale, .name = "row_scale", .form = FunctionalForm::WithRows, .fn = Fn::Mul},
    {.op = FunctionalOp::ColShift,
     .name = "col_shift",
     .form = FunctionalForm::WithCols,
     .fn = Fn::Add,
     .as_sign = true},
    {.op = FunctionalOp::ColScale,
     .name = "col_scale",
     .form = FunctionalForm::WithCols,
     .fn = Fn::Mul,
     .as_sign = true},
    {.op = FunctionalOp::RowSum,
     .name = "row_sum",
     .form = FunctionalForm::FoldRows,
     .fn = Fn::Add,
     .label = "Σ"},
    {.op = FunctionalOp::RowMax,
     .name = "row_max",
     .form = FunctionalForm::FoldRows,
     .fn = Fn::Max,
     .label = "max"},
    {.op = FunctionalOp::BlockMax,
     .name = "block_max",
     .form = FunctionalForm::FoldAll,
     .fn = Fn::Max,
     .label = "max"},
    {.op = FunctionalOp::Dot, .name = "dot", .form = FunctionalForm::Contract, .fn = Fn::Mul, .label = "·"},
    {.op = FunctionalOp::Outer, .name = "outer", .form = FunctionalForm::Outer, .fn = Fn::Mul, .label = "×"},
    {.op = FunctionalOp::RotateHalf,
     .name = "rotate_half",
     .form = FunctionalForm::Rotate,
     .fn = Fn::Neg,
     .cols = BlockNeed::Whole},
    {.op = FunctionalOp::RotatePairs,
     .name = "rotate_pairs",
     .form = FunctionalForm::Rotate,
     .fn = Fn::Neg,
     .cols = BlockNeed::Even},
}};

namespace {

constexpr bool functional_rows_in_order() {
    for (int i = 0; i < kFunctionalOpCount; ++i)
        if (static_cast<int>(kFunctionalOperators[static_cast<std::size_t>(i)].op) != i) return false;
    return true;
}
static_assert(functional_rows_in_order(), "the rows stand in the order of FunctionalOp");

}  // namespace

bool Map::serial() const {
    return std::any_of(outputs.begin(), outputs.end(),
                       [](const MapOutput& output) { return output.mode != PortOut::Collected; });
}

std::string to_string(NodeId id) {
    return "n" + std::to_string(id.value);
}

namespace {

bool same(const Elementwise& a, const Elementwise& b) {
    return a.to == b.to && equal(*a.expr, *b.expr);
}
bool same(const Map& a, const Map& b) {
    return a.dim == b.dim && a.start == b.start && a.inputs == b.inputs && a.outputs == b.outputs;
}
template <class K>
bool same(const K& a, const K& b) {
    return a == b;
}

}  // namespace

bool same_kind(const Kind& a, const Kind& b) {
    if (a.index() != b.index()) return false;
    return std::visit([&](const auto& x) { return same(x, std::get<std::decay_t<decltype(x)>>(b)); }, a);
}

}  // namespace blockscope
