#include "core/safety/exponent.h"

#include <cmath>
#include <tuple>

namespace blockscope::safety {

Exponent operator+(const Exponent& a, const Exponent& b) {
    const auto key = [](const Term& term) { return std::tuple(term.symbol, term.dims); };
    Exponent sum;
    auto x = a.begin();
    auto y = b.begin();
    while (x != a.end() || y != b.end()) {
        if (y == b.end() || (x != a.end() && key(*x) < key(*y))) {
            sum.push_back(*x++);
        } else if (x == a.end() || key(*y) < key(*x)) {
            sum.push_back(*y++);
        } else {
            const double factor = x->factor + y->factor;
            if (factor != 0) sum.push_back({x->symbol, x->dims, factor});
            ++x;
            ++y;
        }
    }
    return sum;
}

Exponent operator*(const Exponent& a, double factor) {
    if (factor == 0) return {};
    Exponent product = a;
    for (Term& term : product) term.factor *= factor;
    return product;
}

ExprPtr linear(const Exponent& exponent, int first) {
    ExprPtr sum;
    for (std::size_t i = 0; i < exponent.size(); ++i) {
        const double size = std::abs(exponent[i].factor);
        ExprPtr term = arg(first + static_cast<int>(i));
        if (size != 1) term = call(Fn::Mul, term, number(size));
        const bool negative = exponent[i].factor < 0;
        if (sum)
            sum = call(negative ? Fn::Sub : Fn::Add, sum, term);
        else
            sum = negative ? call(Fn::Neg, term) : term;
    }
    return sum ? sum : number(0);
}

}  // namespace blockscope::safety
