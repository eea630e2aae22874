// Formulas of the napkin's performance models: sums of products of powers, such as 2·d·q + 4·d²·q·x·M^-1.
// Exponents are fractions, so that 2·a·b·c·M^-1/2 is a formula, too (the power-law form, Equation 1).
//
// A Polynomial (core/algebra/polynomial.h) counts exactly, at the blocks of a dimension table. A Formula is
// continuous in every symbol, group sizes and memory included.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace blockscope::algebra {

// A fraction in lowest terms, the denominator positive. Numerators and denominators stay small (exponents of
// formulas), far from overflow.
class Rational {
public:
    Rational(std::int64_t number = 0) : top_(number) {}
    Rational(std::int64_t top, std::int64_t bottom) : top_(bottom < 0 ? -top : top), bottom_(bottom) {
        if (bottom_ < 0) bottom_ = -bottom_;
        const std::int64_t common = std::gcd(top_, bottom_);
        if (common == 0) return;
        top_ /= common;
        bottom_ /= common;
    }

    std::int64_t top() const { return top_; }
    std::int64_t bottom() const { return bottom_; }
    double value() const { return static_cast<double>(top_) / static_cast<double>(bottom_); }
    bool is_zero() const { return top_ == 0; }

    Rational operator-() const { return {-top_, bottom_}; }
    friend Rational operator+(const Rational& a, const Rational& b) {
        return {a.top_ * b.bottom_ + b.top_ * a.bottom_, a.bottom_ * b.bottom_};
    }
    friend Rational operator-(const Rational& a, const Rational& b) { return a + -b; }
    friend Rational operator*(const Rational& a, const Rational& b) {
        return {a.top_ * b.top_, a.bottom_ * b.bottom_};
    }
    // `b` is not 0.
    friend Rational operator/(const Rational& a, const Rational& b) {
        return {a.top_ * b.bottom_, a.bottom_ * b.top_};
    }
    Rational& operator+=(const Rational& b) { return *this = *this + b; }
    Rational& operator-=(const Rational& b) { return *this = *this - b; }

    bool operator==(const Rational&) const = default;
    std::strong_ordering operator<=>(const Rational& b) const {
        return top_ * b.bottom_ <=> b.top_ * bottom_;
    }

    // "2", "-1/2"
    std::string text() const;

private:
    std::int64_t top_ = 0;
    std::int64_t bottom_ = 1;
};

// A symbol is its name: "M", "g_q". Symbols stand in products by `place`, those of one place by name; what
// has no order of its own has place 0.
struct Symbol {
    Symbol() = default;
    Symbol(std::string text, std::uint32_t its_place = 0) : place(its_place), name(std::move(text)) {}
    Symbol(const char* text) : name(text) {}

    std::uint32_t place = 0;
    std::string name;
    auto operator<=>(const Symbol&) const = default;
};

// The memory's symbol beside these dimensions or axes: "M", or "Mem" if one of them has that name. It stands
// last in products.
template <class Named>
Symbol memory_symbol(const Named& axes) {
    for (const auto& axis : axes)
        if (axis.name == "M") return {"Mem", 2U << 16};
    return {"M", 2U << 16};
}

// Symbol -> exponent, never 0, in the order of the symbols. A product has few of them, and formulas are made
// of many products: one piece of memory for all takes half the time of a map.
class Powers {
public:
    using Power = std::pair<Symbol, Rational>;
    using Place = std::vector<Power>::const_iterator;

    Powers() = default;
    Powers(std::initializer_list<Power> powers) {
        for (const auto& [symbol, exponent] : powers) multiply(symbol, exponent);
    }

    bool empty() const { return all_.empty(); }
    std::size_t size() const { return all_.size(); }
    Place begin() const { return all_.begin(); }
    Place end() const { return all_.end(); }

    Place find(const Symbol& symbol) const {
        const Place place = std::lower_bound(all_.begin(), all_.end(), symbol, is_before);
        return place != all_.end() && place->first == symbol ? place : all_.end();
    }
    bool contains(const Symbol& symbol) const { return find(symbol) != end(); }

    // Times symbol^exponent.
    void multiply(const Symbol& symbol, const Rational& exponent) {
        const auto place = std::lower_bound(all_.begin(), all_.end(), symbol, is_before);
        const bool known = place != all_.end() && place->first == symbol;
        if (known) place->second += exponent;
        if (known && place->second.is_zero()) all_.erase(place);
        if (!known && !exponent.is_zero()) all_.insert(place, {symbol, exponent});
    }
    void erase(const Symbol& symbol) {
        if (const Place place = find(symbol); place != all_.end()) all_.erase(place);
    }
    // To the power of `exponent`, which is not 0.
    void raise(const Rational& exponent) {
        for (Power& power : all_) power.second = power.second * exponent;
    }

    auto operator<=>(const Powers&) const = default;

private:
    static bool is_before(const Power& power, const Symbol& symbol) { return power.first < symbol; }

    std::vector<Power> all_;
};

using Values = std::map<Symbol, double>;  // symbol -> its value

Powers product(const Powers& a, const Powers& b);
// The exponent of `symbol`, 0 if it is not there.
Rational power_of(const Powers& powers, const Symbol& symbol);
// Throws InternalError if a symbol has no value.
double value(const Powers& powers, const Values& values);

struct Monomial {
    double coefficient = 1;
    Powers powers;
};

class Formula {
public:
    Formula() = default;  // 0
    static Formula number(double value);
    static Formula symbol(const Symbol& symbol, Rational exponent = 1);
    static Formula of(const Monomial& monomial);

    bool is_zero() const { return terms_.empty(); }
    // In order of their powers; no coefficient is 0.
    const std::map<Powers, double>& terms() const { return terms_; }
    std::vector<Monomial> monomials() const;
    // The names of its symbols, each once, in order.
    std::vector<std::string> symbols() const;

    // Throws InternalError if a symbol has no value.
    double value(const Values& values) const;
    // Every occurrence of `symbol` replaced. Exponents other than positive whole numbers need a `by` of one
    // monomial; throws InternalError otherwise.
    Formula with(const Symbol& symbol, const Formula& by) const;

    void add(const Powers& powers, double coefficient);
    Formula& operator+=(const Formula& more);
    friend Formula operator+(Formula a, const Formula& b) { return a += b; }
    friend Formula operator*(const Formula& a, const Formula& b);
    // A power of a single monomial; throws InternalError otherwise.
    Formula to_the(const Rational& exponent) const;

    bool operator==(const Formula&) const = default;
    // Equal symbol for symbol, coefficients up to rounding.
    bool same_as(const Formula& other) const;
    // "2·d·q + 4·d²·q·x·M^-1"; "0".
    std::string text() const;
    // "2·d·q + 4·d²·q·x/M", as block programs' formulas are written: negative powers below the line.
    std::string quotient_text() const;

private:
    std::map<Powers, double> terms_;
};

// A formula with all but some symbols put in: quick to evaluate at many values of those, as a search for
// group sizes does.
class SizedFormula {
public:
    // Of `symbols`; `at` has the values of the formula's others. Throws InternalError if one is missing.
    SizedFormula(const Formula& formula, const std::vector<std::string>& symbols, const Values& at);

    // One value per symbol, in their order.
    double value(const std::vector<double>& sizes) const;

    auto operator<=>(const SizedFormula&) const = default;

private:
    struct Term {
        std::vector<double> exponents;  // per symbol
        double coefficient = 0;
        auto operator<=>(const Term&) const = default;
    };
    std::vector<Term> terms_;  // by exponents, each once
};

// "12", "0.5", "2.83": as many digits as say what it is, six at most.
std::string number_text(double value);
// "2", "1/3", "1.5874": whole numbers and small fractions exactly, others with five digits.
std::string fraction_text(double value);
// "M", "M²", "M^-1/2"
std::string power_text(const std::string& base, const Rational& exponent);

}  // namespace blockscope::algebra
