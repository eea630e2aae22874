#include "core/graph/expr.h"

#include <algorithm>

#include "core/support/result.h"

namespace blockscope {

int arity(Fn fn) {
    return fn < Fn::Add ? 1 : 2;
}

std::string to_string(Fn fn) {
    switch (fn) {
        case Fn::Neg:
            return "neg";
        case Fn::Exp:
            return "exp";
        case Fn::Log:
            return "log";
        case Fn::Sqrt:
            return "sqrt";
        case Fn::Tanh:
            return "tanh";
        case Fn::Erf:
            return "erf";
        case Fn::Abs:
            return "abs";
        case Fn::Sin:
            return "sin";
        case Fn::Cos:
            return "cos";
        case Fn::Floor:
            return "floor";
        case Fn::Add:
            return "add";
        case Fn::Sub:
            return "sub";
        case Fn::Mul:
            return "mul";
        case Fn::Div:
            return "div";
        case Fn::Pow:
            return "pow";
        case Fn::Max:
            return "max";
        case Fn::Min:
            return "min";
    }
    throw InternalError("unknown function");
}

ExprPtr arg(int index) {
    return std::make_shared<const Expr>(Expr{Arg{index}});
}

ExprPtr number(double value) {
    return std::make_shared<const Expr>(Expr{Number{value}});
}

ExprPtr size_of(DimId dim) {
    return std::make_shared<const Expr>(Expr{SizeOf{dim}});
}

ExprPtr call(Fn fn, ExprPtr a) {
    if (arity(fn) != 1) throw InternalError(to_string(fn) + " takes two arguments");
    return std::make_shared<const Expr>(Expr{Call{fn, {std::move(a)}}});
}

ExprPtr call(Fn fn, ExprPtr a, ExprPtr b) {
    if (arity(fn) != 2) throw InternalError(to_string(fn) + " takes one argument");
    return std::make_shared<const Expr>(Expr{Call{fn, {std::move(a), std::move(b)}}});
}

bool equal(const Expr& a, const Expr& b) {
    if (&a == &b) return true;
    if (a.value.index() != b.value.index()) return false;
    const Call* call_a = std::get_if<Call>(&a.value);
    if (!call_a) {
        if (const auto* arg_a = std::get_if<Arg>(&a.value)) return *arg_a == std::get<Arg>(b.value);
        if (const auto* size_a = std::get_if<SizeOf>(&a.value)) return *size_a == std::get<SizeOf>(b.value);
        return std::get<Number>(a.value) == std::get<Number>(b.value);
    }
    const Call& call_b = std::get<Call>(b.value);
    if (call_a->fn != call_b.fn) return false;
    return std::equal(call_a->args.begin(), call_a->args.end(), call_b.args.begin(), call_b.args.end(),
                      [](const ExprPtr& x, const ExprPtr& y) { return equal(*x, *y); });
}

int tree_size(const Expr& expr, int limit) {
    int size = 1;
    const Call* call = std::get_if<Call>(&expr.value);
    if (!call) return size;
    for (const ExprPtr& a : call->args) {
        if (size >= limit) return limit;
        size += tree_size(*a, limit - size);
    }
    return std::min(size, limit);
}

ExprPtr substitute(const ExprPtr& expr, const std::vector<ExprPtr>& replacements) {
    if (const auto* a = std::get_if<Arg>(&expr->value))
        return replacements.at(static_cast<std::size_t>(a->index));
    const Call* call = std::get_if<Call>(&expr->value);
    if (!call) return expr;
    Call copy{call->fn, {}};
    for (const ExprPtr& a : call->args) copy.args.push_back(substitute(a, replacements));
    return std::make_shared<const Expr>(Expr{std::move(copy)});
}

int argument_count(const Expr& expr) {
    if (const auto* a = std::get_if<Arg>(&expr.value)) return a->index + 1;
    const Call* call = std::get_if<Call>(&expr.value);
    if (!call) return 0;
    int count = 0;
    for (const ExprPtr& a : call->args) count = std::max(count, argument_count(*a));
    return count;
}

}  // namespace blockscope
