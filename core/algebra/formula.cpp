#include "core/algebra/formula.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "core/support/result.h"

namespace blockscope::algebra {

std::string number_text(double value) {
    char text[48];
    if (std::abs(value) < 1e15 && value == std::floor(value))
        std::snprintf(text, sizeof text, "%.0f", value);
    else
        std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

std::string fraction_text(double number) {
    constexpr int kMostBottom = 64;
    for (int bottom = 1; bottom <= kMostBottom; ++bottom) {
        const double top = std::round(number * bottom);
        if (std::abs(number * bottom - top) > 1e-9 * std::max(1.0, std::abs(top)) || std::abs(top) > 1e15)
            continue;
        return Rational(static_cast<std::int64_t>(top), bottom).text();
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.5g", number);
    return text;
}

std::string Rational::text() const {
    return bottom_ == 1 ? std::to_string(top_) : std::to_string(top_) + "/" + std::to_string(bottom_);
}

Powers product(const Powers& a, const Powers& b) {
    Powers result = a;
    for (const auto& [symbol, exponent] : b) result.multiply(symbol, exponent);
    return result;
}

Rational power_of(const Powers& powers, const Symbol& symbol) {
    const auto found = powers.find(symbol);
    return found == powers.end() ? Rational(0) : found->second;
}

double value(const Powers& powers, const Values& values) {
    double result = 1;
    for (const auto& [symbol, exponent] : powers) {
        const auto found = values.find(symbol);
        if (found == values.end()) throw InternalError("no value of " + symbol.name);
        result *= std::pow(found->second, exponent.value());
    }
    return result;
}

Formula Formula::number(double value) {
    Formula result;
    result.add({}, value);
    return result;
}

Formula Formula::symbol(const Symbol& symbol, Rational exponent) {
    Formula result;
    result.add(exponent.is_zero() ? Powers{} : Powers{{symbol, exponent}}, 1);
    return result;
}

Formula Formula::of(const Monomial& monomial) {
    Formula result;
    result.add(monomial.powers, monomial.coefficient);
    return result;
}

void Formula::add(const Powers& powers, double coefficient) {
    if (coefficient == 0) return;
    const auto place = terms_.try_emplace(powers, 0).first;
    place->second += coefficient;
    if (place->second == 0) terms_.erase(place);
}

std::vector<Monomial> Formula::monomials() const {
    std::vector<Monomial> result;
    for (const auto& [powers, coefficient] : terms_) result.push_back({coefficient, powers});
    return result;
}

std::vector<std::string> Formula::symbols() const {
    std::set<std::string> names;
    for (const auto& entry : terms_)
        for (const auto& power : entry.first) names.insert(power.first.name);
    return {names.begin(), names.end()};
}

double Formula::value(const Values& values) const {
    double sum = 0;
    for (const auto& [powers, coefficient] : terms_) {
        double product = coefficient;
        for (const auto& [symbol, exponent] : powers) {
            const auto found = values.find(symbol);
            if (found == values.end()) throw InternalError("no value of " + symbol.name + " in " + text());
            const double base = found->second;
            product *= exponent == Rational(1) ? base : std::pow(base, exponent.value());
        }
        sum += product;
    }
    return sum;
}

Formula& Formula::operator+=(const Formula& more) {
    const auto added = more.terms_;  // `more` may be this formula
    for (const auto& [powers, coefficient] : added) add(powers, coefficient);
    return *this;
}

Formula operator*(const Formula& a, const Formula& b) {
    Formula result;
    for (const auto& [first, x] : a.terms_)
        for (const auto& [second, y] : b.terms_) result.add(product(first, second), x * y);
    return result;
}

Formula Formula::to_the(const Rational& exponent) const {
    if (exponent.is_zero()) return number(1);
    if (terms_.size() != 1) throw InternalError("a power of the sum " + text());
    Powers powers = terms_.begin()->first;
    powers.raise(exponent);
    Formula result;
    result.add(powers, std::pow(terms_.begin()->second, exponent.value()));
    return result;
}

Formula Formula::with(const Symbol& symbol, const Formula& by) const {
    Formula result;
    for (const auto& [powers, coefficient] : terms_) {
        const auto found = powers.find(symbol);
        if (found == powers.end()) {
            result.add(powers, coefficient);
            continue;
        }
        const Rational exponent = found->second;
        Powers rest = powers;
        rest.erase(symbol);
        Formula product = of({coefficient, rest});
        if (by.terms_.size() == 1) {
            product = product * by.to_the(exponent);
        } else {
            if (exponent.bottom() != 1 || exponent.top() < 0)
                throw InternalError("a sum under the exponent " + exponent.text());
            for (std::int64_t i = 0; i < exponent.top(); ++i) product = product * by;
        }
        result += product;
    }
    return result;
}

bool Formula::same_as(const Formula& other) const {
    if (terms_.size() != other.terms_.size()) return false;
    auto theirs = other.terms_.begin();
    for (const auto& [powers, coefficient] : terms_) {
        if (powers != theirs->first) return false;
        if (std::abs(coefficient - theirs->second) > 1e-9 * std::abs(coefficient)) return false;
        ++theirs;
    }
    return true;
}

std::string power_text(const std::string& base, const Rational& exponent) {
    static const char* const digits[] = {"", "", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (exponent == Rational(1)) return base;
    if (exponent.bottom() == 1 && exponent.top() > 1 && exponent.top() < 10)
        return base + digits[exponent.top()];
    return base + "^" + exponent.text();
}

namespace {

// Positive powers first.
std::string monomial_text(double coefficient, const Powers& powers) {
    std::string text = number_text(coefficient);
    if (text == "1" && !powers.empty()) text.clear();
    for (const bool negative : {false, true}) {
        for (const auto& [symbol, exponent] : powers) {
            if ((exponent.top() < 0) != negative) continue;
            text += (text.empty() ? "" : "·") + power_text(symbol.name, exponent);
        }
    }
    return text;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : "·") + part;
    return text;
}

// "A·C", "N·D/m", "M·N/(m·n)", "2/m"
std::string quotient_of(double coefficient, const Powers& powers) {
    std::vector<std::string> above;
    std::vector<std::string> below;
    for (const auto& [symbol, exponent] : powers) {
        const bool negative = exponent < Rational(0);
        (negative ? below : above).push_back(power_text(symbol.name, negative ? -exponent : exponent));
    }
    const std::string number = fraction_text(coefficient);
    if (above.empty() || number != "1") above.insert(above.begin(), number);
    std::string result = joined(above);
    if (below.size() == 1) result += "/" + below[0];
    if (below.size() > 1) result += "/(" + joined(below) + ")";
    return result;
}

template <class TextOf>
std::string sum_text(const std::map<Powers, double>& terms, const TextOf& text_of) {
    std::string result;
    for (const auto& [powers, coefficient] : terms) {
        if (!result.empty())
            result += coefficient < 0 ? " - " : " + ";
        else if (coefficient < 0)
            result += "-";
        result += text_of(std::abs(coefficient), powers);
    }
    return result.empty() ? "0" : result;
}

}  // namespace

std::string Formula::text() const {
    return sum_text(terms_, monomial_text);
}

std::string Formula::quotient_text() const {
    return sum_text(terms_, quotient_of);
}

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
        for (const auto& [symbol, exponent] : monomial.powers) {
            const auto open = std::find(symbols.begin(), symbols.end(), symbol.name);
            if (open != symbols.end()) {
                term.exponents[static_cast<std::size_t>(open - symbols.begin())] = exponent.value();
                continue;
            }
            const auto found = at.find(symbol);
            if (found == at.end())
                throw InternalError("no value of " + symbol.name + " in " + formula.text());
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

}  // namespace blockscope::algebra
