// Fractions: exponents and weights of the napkin's formulas, exact.
#pragma once

#include <compare>
#include <cstdint>
#include <numeric>
#include <string>

namespace blockscope::napkin {

// In lowest terms, the denominator positive. Numerators and denominators stay small (exponents of formulas),
// far from overflow.
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
    std::string text() const {
        return bottom_ == 1 ? std::to_string(top_) : std::to_string(top_) + "/" + std::to_string(bottom_);
    }

private:
    std::int64_t top_ = 0;
    std::int64_t bottom_ = 1;
};

}  // namespace blockscope::napkin
