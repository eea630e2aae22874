#include "core/napkin/power_product.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace blockscope::napkin {

namespace {

// What divides every coefficient: 2 of 2·D + 4·L.
Rational content(const Expression& sum) {
    std::int64_t top = 0;
    std::int64_t bottom = 1;
    for (const auto& [powers, coefficient] : sum.terms()) {
        top = std::gcd(top, coefficient.top());
        bottom = std::lcm(bottom, coefficient.bottom());
    }
    return {top, bottom};
}

// The lowest power of every symbol.
Powers common_powers(const Expression& sum) {
    Powers common = sum.terms().begin()->first;
    for (const auto& [powers, coefficient] : sum.terms()) {
        Powers lowest;
        for (const auto& [symbol, exponent] : common)
            if (powers.count(symbol) > 0) lowest[symbol] = std::min(exponent, powers.at(symbol));
        for (const auto& [symbol, exponent] : powers)
            if (exponent < Rational(0) && common.count(symbol) == 0) lowest[symbol] = exponent;
        common = lowest;
    }
    return common;
}

Powers negated(Powers powers) {
    for (auto& entry : powers) entry.second = -entry.second;
    return powers;
}

bool by_terms(const std::pair<Expression, Rational>& a, const std::pair<Expression, Rational>& b) {
    return a.first.terms() < b.first.terms();
}

void append(std::string& product, const std::string& part) {
    product += (product.empty() ? "" : "·") + part;
}

}  // namespace

std::string number_text(double number) {
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

PowerProduct::PowerProduct(const Expression& sum) {
    const Rational number = content(sum);
    const Powers common = common_powers(sum);
    coefficient_ = number.value();
    powers_ = common;
    Expression rest;
    for (const auto& [powers, coefficient] : sum.terms())
        rest.add(coefficient / number, product(powers, negated(common)));
    // A single term is its own common factor; what is left of it is its sign.
    if (rest.terms().size() == 1)
        coefficient_ *= rest.terms().begin()->second.value();
    else
        sums_.emplace_back(std::move(rest), 1);
}

PowerProduct PowerProduct::times(const PowerProduct& other) const {
    PowerProduct result = *this;
    result.coefficient_ *= other.coefficient_;
    result.powers_ = product(powers_, other.powers_);
    for (const auto& factor : other.sums_) {
        const auto found = std::find_if(result.sums_.begin(), result.sums_.end(),
                                        [&](const auto& entry) { return entry.first == factor.first; });
        if (found == result.sums_.end())
            result.sums_.push_back(factor);
        else if ((found->second += factor.second).is_zero())
            result.sums_.erase(found);
    }
    std::sort(result.sums_.begin(), result.sums_.end(), by_terms);
    return result;
}

PowerProduct PowerProduct::to_the(const Rational& exponent) const {
    if (exponent.is_zero()) return PowerProduct(1.0);
    PowerProduct result = *this;
    result.coefficient_ = std::pow(coefficient_, exponent.value());
    for (auto& entry : result.powers_) entry.second = entry.second * exponent;
    for (auto& entry : result.sums_) entry.second = entry.second * exponent;
    return result;
}

double PowerProduct::value(const Values& values) const {
    double result = coefficient_ * napkin::value(powers_, values);
    for (const auto& [sum, exponent] : sums_) result *= std::pow(sum.value(values), exponent.value());
    return result;
}

PowerProduct PowerProduct::without_memory() const {
    PowerProduct result = *this;
    result.powers_.erase(kMemory);
    return result;
}

PowerProduct PowerProduct::with(const Symbol& symbol, const Powers& replacement) const {
    PowerProduct result(coefficient_);
    for (const auto& [old, exponent] : powers_) {
        const bool replaced = old == symbol;
        Powers part = replaced ? replacement : Powers{{old, 1}};
        result = result.times(PowerProduct(part).to_the(exponent));
    }
    for (const auto& [sum, exponent] : sums_)
        result = result.times(PowerProduct(sum.with(symbol, replacement)).to_the(exponent));
    return result;
}

std::string PowerProduct::law_text(const DimTable& dims) const {
    std::string product;
    for (const auto& [symbol, exponent] : powers_)
        if (symbol != kMemory) append(product, power_text(name(symbol, dims), exponent));
    for (const auto& [sum, exponent] : sums_)
        append(product, power_text("(" + sum.text(dims) + ")", exponent));
    if (!memory_exponent().is_zero()) append(product, power_text(name(kMemory, dims), memory_exponent()));
    std::string number = number_text(coefficient_);
    if (product.empty()) return number;
    return number == "1" ? product : number + "·" + product;
}

std::string PowerProduct::quotient_text(const DimTable& dims) const {
    std::string above;
    std::string below;
    int divisors = 0;
    const auto put = [&](const std::string& base, const Rational& exponent) {
        const bool negative = exponent < Rational(0);
        append(negative ? below : above, power_text(base, negative ? -exponent : exponent));
        divisors += negative;
    };
    const std::string number = number_text(coefficient_);
    const std::size_t slash = number.find('/');
    if (slash != std::string::npos) {
        append(below, number.substr(slash + 1));
        ++divisors;
    }
    if (number.substr(0, slash) != "1") append(above, number.substr(0, slash));
    for (const auto& [symbol, exponent] : powers_) put(name(symbol, dims), exponent);
    for (const auto& [sum, exponent] : sums_) put("(" + sum.text(dims) + ")", exponent);
    if (above.empty()) above = "1";
    if (divisors == 0) return above;
    return above + "/" + (divisors == 1 ? below : "(" + below + ")");
}

}  // namespace blockscope::napkin
