// Formulas of the napkin's performance models: sums of products of powers. Exponents are fractions, so that
// 2·a·b·c·M^-1/2 is one of them (the power-law form, Equation 1).
//
// core/cost's Polynomial counts exactly, at the blocks of a dimension table; these are continuous in every
// symbol, group sizes and memory included.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/napkin/rational.h"

namespace blockscope::circuit {

using Fraction = napkin::Rational;

using Powers = std::map<std::string, Fraction>;  // symbol -> exponent, never 0
using Values = std::map<std::string, double>;    // symbol -> its value

struct Monomial {
    double coefficient = 1;
    Powers powers;
};

class Formula {
public:
    Formula() = default;  // 0
    static Formula number(double value);
    static Formula symbol(const std::string& name, Fraction exponent = 1);
    static Formula of(const Monomial& monomial);

    bool is_zero() const { return terms_.empty(); }
    // In order of their powers.
    std::vector<Monomial> monomials() const;
    // The symbols, each once, in order.
    std::vector<std::string> symbols() const;

    // Throws InternalError if a symbol has no value.
    double value(const Values& values) const;
    // Every occurrence of `name` replaced. Exponents other than positive whole numbers need a `by` of one
    // monomial; throws InternalError otherwise.
    Formula with(const std::string& name, const Formula& by) const;

    Formula& operator+=(const Formula& more);
    friend Formula operator+(Formula a, const Formula& b) { return a += b; }
    friend Formula operator*(const Formula& a, const Formula& b);
    // A power of a single monomial; throws InternalError otherwise.
    Formula to_the(const Fraction& exponent) const;

    // Equal symbol for symbol, coefficients up to rounding.
    bool same_as(const Formula& other) const;
    // "2·d·q + 4·d²·q·x·M^-1"; "0".
    std::string text() const;

private:
    struct ByPowers {
        bool operator()(const Powers& a, const Powers& b) const;
    };
    void add(const Powers& powers, double coefficient);

    std::map<Powers, double, ByPowers> terms_;
};

// "12", "0.5", "2.83": as many digits as say what it is, six at most.
std::string number_text(double value);

}  // namespace blockscope::circuit
