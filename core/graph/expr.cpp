#include "core/graph/expr.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "core/support/result.h"

namespace blockscope {

Expr::Expr(Value its_value) : value(std::move(its_value)) {
    if (const auto* a = std::get_if<Arg>(&value)) {
        argument_uses = 1;
        argument_count = a->index + 1;
    }
    const Call* call = std::get_if<Call>(&value);
    if (!call) return;
    for (const ExprPtr& part : call->args) {
        size = std::min(size + part->size, kMostNodes);
        argument_uses = std::min(argument_uses + part->argument_uses, kMostNodes);
        argument_count = std::max(argument_count, part->argument_count);
    }
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
    if (a.value.index() != b.value.index() || a.size != b.size) return false;
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

int tree_size(const Expr& expr, int limit, const std::vector<int>& arguments) {
    if (expr.size >= limit) return limit;  // an argument counts as one node or more
    if (arguments.empty() || expr.argument_uses == 0) return expr.size;
    if (expr.argument_count == 1) {
        const std::int64_t more = std::int64_t{expr.argument_uses} * (arguments.front() - 1);
        return static_cast<int>(std::min<std::int64_t>(expr.size + more, limit));
    }
    if (const auto* a = std::get_if<Arg>(&expr.value)) {
        const auto index = static_cast<std::size_t>(a->index);
        return std::min(index < arguments.size() ? arguments[index] : 1, limit);
    }
    int size = 1;
    for (const ExprPtr& a : std::get<Call>(expr.value).args) {
        if (size >= limit) return limit;
        size += tree_size(*a, limit - size, arguments);
    }
    return std::min(size, limit);
}

namespace {

// Each shared part once, however often the tree holds it.
class Substitution {
public:
    explicit Substitution(const std::vector<ExprPtr>& replacements) : replacements_(replacements) {}

    ExprPtr of(const ExprPtr& expr) {
        if (const auto* a = std::get_if<Arg>(&expr->value)) {
            const ExprPtr& replacement = replacements_.at(static_cast<std::size_t>(a->index));
            const Arg* same = std::get_if<Arg>(&replacement->value);
            return same && *same == *a ? expr : replacement;
        }
        const Call* call = std::get_if<Call>(&expr->value);
        if (!call) return expr;
        if (const auto known = known_.find(expr.get()); known != known_.end()) return known->second;
        Call copy{call->fn, {}};
        for (const ExprPtr& a : call->args) copy.args.push_back(of(a));
        ExprPtr result = copy.args == call->args ? expr : std::make_shared<const Expr>(Expr{std::move(copy)});
        known_.emplace(expr.get(), result);
        return result;
    }

private:
    const std::vector<ExprPtr>& replacements_;
    std::unordered_map<const Expr*, ExprPtr> known_;
};

}  // namespace

ExprPtr substitute(const ExprPtr& expr, const std::vector<ExprPtr>& replacements) {
    bool same = true;
    for (std::size_t i = 0; same && i < replacements.size(); ++i) {
        const Arg* a = std::get_if<Arg>(&replacements[i]->value);
        same = a && a->index == static_cast<int>(i);
    }
    if (same) return expr;
    return Substitution(replacements).of(expr);
}

// Expressions as the paper's listings write them. Parentheses: the least that Python's precedence
// needs, but around every negative power inside a larger expression, as in t3*(DD**-0.5).

namespace {

enum Level { kSum = 1, kProduct = 2, kUnary = 3, kPower = 4, kAtom = 5 };

struct Piece {
    std::string text;
    Level level;
    bool negative_power = false;
};

std::string number_text(double value) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return std::string(buffer, end);
}

std::string wrap(const Piece& piece, Level least) {
    return piece.level < least || piece.negative_power ? "(" + piece.text + ")" : piece.text;
}

class Printer {
public:
    Printer(const std::vector<std::string>& names, const DimTable& dims) : names_(names), dims_(dims) {}

    Piece print(const Expr& expr) const {
        if (const auto* a = std::get_if<Arg>(&expr.value))
            return {names_.at(static_cast<std::size_t>(a->index)), kAtom};
        if (const auto* n = std::get_if<Number>(&expr.value)) return number_piece(n->value);
        if (const auto* s = std::get_if<SizeOf>(&expr.value)) {
            const std::string& name = dims_.at(s->dim.value).name;
            return {name + name, kAtom};
        }
        return call_piece(std::get<Call>(expr.value));
    }

private:
    static Piece number_piece(double value) {
        if (std::isinf(value)) return {value < 0 ? "-inf" : "inf", value < 0 ? kUnary : kAtom};
        return {number_text(value), std::signbit(value) ? kUnary : kAtom};
    }

    Piece call_piece(const Call& call) const {
        const Piece a = print(*call.args[0]);
        const Primitive& function = primitive(call.fn);
        switch (function.form) {
            case FnForm::Negation:
                return {std::string(function.sign) + wrap(a, kPower), kUnary};
            case FnForm::Sum:
                return binary(a, function.sign, print(*call.args[1]), kSum, kProduct);
            case FnForm::Product:
                return binary(a, function.sign, print(*call.args[1]), kProduct, kPower);
            case FnForm::Power:
                return power(a, function.sign, *call.args[1]);
            case FnForm::Function:
                break;
        }
        const std::string second = function.arity == 2 ? "," + print(*call.args[1]).text : "";
        return {to_string(call.fn) + "(" + a.text + second + ")", kAtom};
    }

    static Piece binary(const Piece& a, std::string_view sign, const Piece& b, Level level, Level right) {
        const std::string second = b.text.front() == '-' ? "(" + b.text + ")" : wrap(b, right);
        return {wrap(a, level) + std::string(sign) + second, level};
    }

    Piece power(const Piece& base, std::string_view sign, const Expr& exponent) const {
        const Piece e = print(exponent);
        const bool negative = e.level == kUnary;
        const bool bare = base.level == kAtom;
        if (negative && bare) return {base.text + std::string(sign) + e.text, kPower, true};
        return {wrap(base, kAtom) + std::string(sign) + (e.level == kAtom ? e.text : "(" + e.text + ")"),
                kPower};
    }

    const std::vector<std::string>& names_;
    const DimTable& dims_;
};

}  // namespace

std::string to_string(const Expr& expr, const std::vector<std::string>& names, const DimTable& dims) {
    return Printer(names, dims).print(expr).text;
}

}  // namespace blockscope
