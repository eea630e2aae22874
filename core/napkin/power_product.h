// One term of a power law as a formula: a number times powers of sizes and of sums of sizes,
// "4·M·N·(D + L)²·Mem^-1".
#pragma once

#include <string>
#include <vector>

#include "core/napkin/expression.h"

namespace blockscope::napkin {

class PowerProduct {
public:
    PowerProduct() = default;
    explicit PowerProduct(double coefficient) : coefficient_(coefficient) {}
    // Common factors stand outside of the sum. The expression is not 0.
    explicit PowerProduct(const Expression& sum);
    explicit PowerProduct(const Powers& powers) : powers_(powers) {}

    PowerProduct times(const PowerProduct& other) const;
    PowerProduct to_the(const Rational& exponent) const;

    double coefficient() const { return coefficient_; }
    const Powers& powers() const { return powers_; }
    double value(const Values& values) const;
    // Equal but for the number.
    bool alike(const PowerProduct& other) const { return powers_ == other.powers_ && sums_ == other.sums_; }
    void add_coefficient(double more) { coefficient_ += more; }
    // The exponent of the memory limit, and the product without it.
    Rational memory_exponent() const { return power_of(powers_, kMemory); }
    PowerProduct without_memory() const;
    PowerProduct with(const Symbol& symbol, const Powers& replacement) const;

    // "2·A·B·C·M^-1/2": as the paper writes laws, the memory limit last.
    std::string law_text(const DimTable& dims) const;
    // "M/(2·D)": as it writes tile sizes.
    std::string quotient_text(const DimTable& dims) const;

private:
    double coefficient_ = 1;
    Powers powers_;
    std::vector<std::pair<Expression, Rational>> sums_;  // without common factors, in a fixed order
};

// "2", "1/3", "1.5874": whole numbers and small fractions exactly.
std::string number_text(double number);

}  // namespace blockscope::napkin
