#include "core/circuit/formula.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "core/support/result.h"

namespace blockscope::circuit {

std::string number_text(double value) {
    char text[48];
    if (std::abs(value) < 1e15 && value == std::floor(value))
        std::snprintf(text, sizeof text, "%.0f", value);
    else
        std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

bool Formula::ByPowers::operator()(const Powers& a, const Powers& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](const auto& x, const auto& y) {
                                            if (x.first != y.first) return x.first < y.first;
                                            return x.second < y.second;
                                        });
}

Formula Formula::number(double value) {
    Formula result;
    result.add({}, value);
    return result;
}

Formula Formula::symbol(const std::string& name, Fraction exponent) {
    Formula result;
    result.add(exponent.is_zero() ? Powers{} : Powers{{name, exponent}}, 1);
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
        for (const auto& power : entry.first) names.insert(power.first);
    return {names.begin(), names.end()};
}

double Formula::value(const Values& values) const {
    double sum = 0;
    for (const auto& [powers, coefficient] : terms_) {
        double product = coefficient;
        for (const auto& [name, exponent] : powers) {
            const auto found = values.find(name);
            if (found == values.end()) throw InternalError("no value of " + name + " in " + text());
            const double base = found->second;
            product *= exponent == Fraction(1) ? base : std::pow(base, exponent.value());
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
    for (const auto& [first, x] : a.terms_) {
        for (const auto& [second, y] : b.terms_) {
            Powers powers = first;
            for (const auto& [name, exponent] : second) {
                const Fraction sum = powers[name] + exponent;
                if (sum.is_zero())
                    powers.erase(name);
                else
                    powers[name] = sum;
            }
            result.add(powers, x * y);
        }
    }
    return result;
}

Formula Formula::to_the(const Fraction& exponent) const {
    if (exponent.is_zero()) return number(1);
    if (terms_.size() != 1) throw InternalError("a power of the sum " + text());
    Powers powers = terms_.begin()->first;
    for (auto& power : powers) power.second = power.second * exponent;
    Formula result;
    result.add(powers, std::pow(terms_.begin()->second, exponent.value()));
    return result;
}

Formula Formula::with(const std::string& name, const Formula& by) const {
    Formula result;
    for (const auto& [powers, coefficient] : terms_) {
        Powers rest = powers;
        const auto found = rest.find(name);
        if (found == rest.end()) {
            result.add(powers, coefficient);
            continue;
        }
        const Fraction exponent = found->second;
        rest.erase(found);
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

namespace {

std::string power_text(const std::string& name, const Fraction& exponent) {
    static const char* const digits[] = {"", "", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (exponent == Fraction(1)) return name;
    if (exponent.bottom() == 1 && exponent.top() > 1 && exponent.top() < 10)
        return name + digits[exponent.top()];
    return name + "^" + exponent.text();
}

// Positive powers first.
std::string monomial_text(double coefficient, const Powers& powers) {
    std::string text = number_text(coefficient);
    if (text == "1" && !powers.empty()) text.clear();
    for (const bool negative : {false, true}) {
        for (const auto& [name, exponent] : powers) {
            if ((exponent.top() < 0) != negative) continue;
            text += (text.empty() ? "" : "·") + power_text(name, exponent);
        }
    }
    return text;
}

}  // namespace

std::string Formula::text() const {
    std::string result;
    for (const auto& [powers, coefficient] : terms_) {
        if (!result.empty())
            result += coefficient < 0 ? " - " : " + ";
        else if (coefficient < 0)
            result += "-";
        result += monomial_text(std::abs(coefficient), powers);
    }
    return result.empty() ? "0" : result;
}

}  // namespace blockscope::circuit
