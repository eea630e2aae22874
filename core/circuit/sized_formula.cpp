#include "core/circuit/sized_formula.h"

#include <algorithm>
#include <cmath>

#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

double power(double base, double exponent) {
    if (exponent == 0) return 1;
    if (exponent == 1) return base;
    if (exponent == -1) return 1 / base;
    return std::pow(base, exponent);
}

}  // namespace

SizedFormula::SizedFormula(const Formula& formula, const std::vector<std::string>& symbols,
                           const Values& at) {
    for (const Monomial& monomial : formula.monomials()) {
        Term term{std::vector<double>(symbols.size(), 0), monomial.coefficient};
        for (const auto& [name, exponent] : monomial.powers) {
            const auto symbol = std::find(symbols.begin(), symbols.end(), name);
            if (symbol != symbols.end()) {
                term.exponents[static_cast<std::size_t>(symbol - symbols.begin())] = exponent.value();
                continue;
            }
            const auto found = at.find(name);
            if (found == at.end()) throw InternalError("no value of " + name + " in " + formula.text());
            term.coefficient *= power(found->second, exponent.value());
        }
        const auto same = std::find_if(terms_.begin(), terms_.end(),
                                       [&](const Term& other) { return other.exponents == term.exponents; });
        if (same == terms_.end())
            terms_.push_back(std::move(term));
        else
            same->coefficient += term.coefficient;
    }
    std::sort(terms_.begin(), terms_.end());
}

double SizedFormula::value(const std::vector<double>& sizes) const {
    double sum = 0;
    for (const Term& term : terms_) {
        double product = term.coefficient;
        for (std::size_t i = 0; i < sizes.size(); ++i) product *= power(sizes[i], term.exponents[i]);
        sum += product;
    }
    return sum;
}

}  // namespace blockscope::circuit
