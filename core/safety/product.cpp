#include "core/safety/product.h"

#include <cmath>
#include <optional>
#include <set>

namespace blockscope::safety {

namespace {

void collect_arguments(const Expr& expr, std::set<int>& found) {
    if (const auto* a = std::get_if<Arg>(&expr.value)) found.insert(a->index);
    if (const auto* c = std::get_if<Call>(&expr.value))
        for (const ExprPtr& part : c->args) collect_arguments(*part, found);
}

bool has_exponential(const Expr& expr) {
    const auto* c = std::get_if<Call>(&expr.value);
    if (!c) return false;
    if (c->fn == Fn::Exp && !arguments_of(expr).empty()) return true;
    for (const ExprPtr& part : c->args)
        if (has_exponential(*part)) return true;
    return false;
}

std::optional<double> constant(const Expr& expr) {
    if (const auto* n = std::get_if<Number>(&expr.value)) return n->value;
    const auto* c = std::get_if<Call>(&expr.value);
    if (!c || c->fn != Fn::Neg) return std::nullopt;
    const std::optional<double> inner = constant(*c->args[0]);
    return inner ? std::optional(-*inner) : std::nullopt;
}

// Multiples of one half, the powers that exact arithmetic knows to go through products.
std::optional<double> half_power(const Expr& expr) {
    const std::optional<double> power = constant(expr);
    const bool known = power && std::abs(*power) <= 64 && std::floor(2 * *power) == 2 * *power;
    return known ? power : std::nullopt;
}

class Factoring {
public:
    Factoring(int arguments, bool exponentials)
        : arguments_(static_cast<std::size_t>(arguments)), exponentials_(exponentials) {
        whole_.resize(arguments_, false);
    }

    Product run(const ExprPtr& expr) {
        Product product = factor(expr);
        product.whole = whole_;
        product.exponential_within = exponential_within_;
        return product;
    }

private:
    Product one() const { return {nullptr, nullptr, std::vector<double>(arguments_, 0), {}, false}; }

    Product factor(const ExprPtr& expr) {
        if (const auto* a = std::get_if<Arg>(&expr->value)) {
            Product product = one();
            product.significand = expr;
            product.powers.at(static_cast<std::size_t>(a->index)) = 1;
            return product;
        }
        const auto* c = std::get_if<Call>(&expr->value);
        if (!c) return opaque(expr);
        switch (c->fn) {
            case Fn::Neg:
                return negated(factor(c->args[0]));
            case Fn::Mul:
            case Fn::Div:
                return combined(c->fn, factor(c->args[0]), factor(c->args[1]));
            case Fn::Pow:
                if (const auto power = half_power(*c->args[1])) return raised(*c, *power);
                return opaque(expr);
            case Fn::Sqrt:
                return raised(*c, 0.5);
            case Fn::Exp:
                return exponentials_ && !arguments_of(*expr).empty() ? exponential(c->args[0]) : opaque(expr);
            case Fn::Log:
            case Fn::Tanh:
            case Fn::Erf:
            case Fn::Abs:
            case Fn::Sin:
            case Fn::Cos:
            case Fn::Floor:
            case Fn::Add:
            case Fn::Sub:
            case Fn::Max:
            case Fn::Min:
                return opaque(expr);
        }
        return opaque(expr);
    }

    Product opaque(const ExprPtr& expr) {
        for (const int index : arguments_of(*expr)) whole_.at(static_cast<std::size_t>(index)) = true;
        exponential_within_ = exponential_within_ || has_exponential(*expr);
        Product product = one();
        product.significand = expr;
        return product;
    }

    Product exponential(const ExprPtr& exponent) {
        for (const int index : arguments_of(*exponent)) whole_.at(static_cast<std::size_t>(index)) = true;
        Product product = one();
        product.exponent = exponent;
        return product;
    }

    static Product negated(Product product) {
        product.significand = product.significand ? call(Fn::Neg, product.significand) : number(-1);
        return product;
    }

    Product raised(const Call& power_call, double power) {
        Product product = factor(power_call.args[0]);
        for (double& p : product.powers) p *= power;
        if (product.exponent && power != 1) product.exponent = call(Fn::Mul, product.exponent, number(power));
        if (!product.significand) return product;
        product.significand = power_call.fn == Fn::Sqrt
                                  ? call(Fn::Sqrt, product.significand)
                                  : call(Fn::Pow, product.significand, power_call.args[1]);
        return product;
    }

    static Product combined(Fn fn, Product a, const Product& b) {
        const bool quotient = fn == Fn::Div;
        for (std::size_t i = 0; i < a.powers.size(); ++i)
            a.powers[i] += quotient ? -b.powers[i] : b.powers[i];
        if (b.exponent && a.exponent)
            a.exponent = call(quotient ? Fn::Sub : Fn::Add, a.exponent, b.exponent);
        else if (b.exponent)
            a.exponent = quotient ? call(Fn::Neg, b.exponent) : b.exponent;
        if (!b.significand) return a;
        if (a.significand)
            a.significand = call(fn, a.significand, b.significand);
        else
            a.significand = quotient ? call(Fn::Div, number(1), b.significand) : b.significand;
        return a;
    }

    std::size_t arguments_;
    bool exponentials_;
    std::vector<bool> whole_;
    bool exponential_within_ = false;
};

}  // namespace

std::vector<int> arguments_of(const Expr& expr) {
    std::set<int> found;
    collect_arguments(expr, found);
    return {found.begin(), found.end()};
}

Product as_product(const ExprPtr& expr, int arguments, bool exponentials) {
    return Factoring(arguments, exponentials).run(expr);
}

}  // namespace blockscope::safety
