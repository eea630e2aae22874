#include "core/graph/node.h"

#include <algorithm>

#include "core/support/result.h"

namespace blockscope {

bool Map::serial() const {
    return std::any_of(outputs.begin(), outputs.end(),
                       [](const MapOutput& output) { return output.mode != PortOut::Collected; });
}

std::string to_string(FunctionalOp op) {
    switch (op) {
        case FunctionalOp::Add:
            return "add";
        case FunctionalOp::Mul:
            return "mul";
        case FunctionalOp::RowShift:
            return "row_shift";
        case FunctionalOp::RowScale:
            return "row_scale";
        case FunctionalOp::ColShift:
            return "col_shift";
        case FunctionalOp::ColScale:
            return "col_scale";
        case FunctionalOp::RowSum:
            return "row_sum";
        case FunctionalOp::RowMax:
            return "row_max";
        case FunctionalOp::BlockMax:
            return "block_max";
        case FunctionalOp::Dot:
            return "dot";
        case FunctionalOp::Outer:
            return "outer";
    }
    throw InternalError("unknown functional operator");
}

int arity(FunctionalOp op) {
    return op == FunctionalOp::RowSum || op == FunctionalOp::RowMax || op == FunctionalOp::BlockMax ? 1 : 2;
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
