#include "core/safety/operators.h"

namespace blockscope::safety {

namespace {

const Call* as_call(const Expr& expr, Fn fn) {
    const Call* found = std::get_if<Call>(&expr.value);
    return found && found->fn == fn ? found : nullptr;
}

const Node* producer(const GraphIndex& old, ValueRef value) {
    return value.first == 0 ? old.find(value.node) : nullptr;
}

bool dominates(const GraphIndex& old, ValueRef maximum, ValueRef value);

// Whether one argument of a tree of max() is at least `value`.
bool branch_dominates(const GraphIndex& old, const Node& node, const Expr& expr, ValueRef value) {
    if (const auto* a = std::get_if<Arg>(&expr.value))
        return dominates(old, node.inputs.at(static_cast<std::size_t>(a->index)), value);
    const Call* max = as_call(expr, Fn::Max);
    return max && (branch_dominates(old, node, *max->args[0], value) ||
                   branch_dominates(old, node, *max->args[1], value));
}

bool dominates(const GraphIndex& old, ValueRef maximum, ValueRef value) {
    if (maximum == value) return true;
    const Node* node = producer(old, maximum);
    if (!node) return false;
    if (const auto* functional = node->as<Functional>())
        return (functional->op == FunctionalOp::RowMax || functional->op == FunctionalOp::BlockMax) &&
               node->inputs[0] == value;
    const auto* elementwise = node->as<Elementwise>();
    return elementwise && as_call(*elementwise->expr, Fn::Max) &&
           branch_dominates(old, *node, *elementwise->expr, value);
}

// row_shift(x, -z) with z at least row_max(x).
bool is_shifted_below_zero(const GraphIndex& old, ValueRef value) {
    const Node* shift = producer(old, value);
    const auto* functional = shift ? shift->as<Functional>() : nullptr;
    if (!functional || functional->op != FunctionalOp::RowShift) return false;
    const Node* negative = producer(old, shift->inputs[1]);
    const auto* elementwise = negative ? negative->as<Elementwise>() : nullptr;
    const Call* neg = elementwise ? as_call(*elementwise->expr, Fn::Neg) : nullptr;
    const auto* negated = neg ? std::get_if<Arg>(&neg->args[0]->value) : nullptr;
    return negated &&
           dominates(old, negative->inputs.at(static_cast<std::size_t>(negated->index)), shift->inputs[0]);
}

}  // namespace

bool never_positive(const GraphIndex& old, const Node& node, const Expr& expr) {
    const auto input = [&](const Arg& a) { return node.inputs.at(static_cast<std::size_t>(a.index)); };
    if (const auto* a = std::get_if<Arg>(&expr.value)) return is_shifted_below_zero(old, input(*a));
    const Call* difference = as_call(expr, Fn::Sub);
    if (!difference) return false;
    const auto* a = std::get_if<Arg>(&difference->args[0]->value);
    const auto* b = std::get_if<Arg>(&difference->args[1]->value);
    return a && b && dominates(old, input(*b), input(*a));
}

}  // namespace blockscope::safety
