// Minimises a sum of products of powers under one such product: the napkin's choice of tile sizes, in closed
// form. By duality (Duffin, Peterson, Zener: Geometric Programming, 1967).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/algebra/formula.h"
#include "core/support/text.h"

namespace blockscope::algebra {

// A number times powers of symbols and of sums of symbols: "4·M·N·(D + L)²·Mem^-1".
class PowerProduct {
public:
    PowerProduct() = default;
    explicit PowerProduct(double coefficient) : coefficient_(coefficient) {}
    // Common factors stand outside of the sum. The sum is not 0, and its coefficients are whole numbers.
    explicit PowerProduct(const Formula& sum);
    explicit PowerProduct(const Powers& powers) : powers_(powers) {}

    PowerProduct times(const PowerProduct& other) const;
    PowerProduct to_the(const Rational& exponent) const;

    double coefficient() const { return coefficient_; }
    const Powers& powers() const { return powers_; }
    double value(const Values& values) const;
    // Equal but for the number.
    bool alike(const PowerProduct& other) const { return powers_ == other.powers_ && sums_ == other.sums_; }
    void add_coefficient(double more) { coefficient_ += more; }
    PowerProduct without(const Symbol& symbol) const;

    // "2·A·B·C·M^-1/2": as the paper writes laws, with the memory limit at the end.
    std::string law_text(const Symbol& memory) const;
    // "M/(2·D)": as it writes tile sizes.
    std::string quotient_text() const;

private:
    double coefficient_ = 1;
    Powers powers_;
    std::vector<std::pair<Formula, Rational>> sums_;  // without common factors, in a fixed order
};

// Minimise Σ_j c_j Π x^-a_j so that K Π x^b <= memory.
struct GeometricProgram {
    struct Term {
        PowerProduct coefficient;  // c, of sizes only
        Powers powers;             // of the variables: -a
    };
    std::vector<Symbol> variables;
    std::vector<Term> terms;
    PowerProduct limit;   // K, of sizes only
    Powers limit_powers;  // b, of the variables
    Symbol memory;
};

struct GeometricSolution {
    PowerProduct minimum;               // with its power of the memory
    std::vector<Rational> weights;      // each term's share of the minimum
    std::map<Symbol, PowerProduct> at;  // the variables there
    std::vector<Symbol> chosen;         // variables that the minimum leaves open: 1
};

// The minimum is Π (c_j/δ_j)^δ_j (K/memory)^μ where the weights δ, with Σ δ_j = 1 and Σ_j δ_j a_ji = μ b_i
// for each variable, are unique and positive. Two terms and two variables make the napkin's square tiles.
// Empty, with the reason, for other forms.
std::optional<GeometricSolution> minimise(const GeometricProgram& program, Text& reason);

// ---- The exponents of the solution, which do not depend on the coefficients.

// At the minimum, Π x^variables = Π (c_j/δ_j)^terms · K^limit · memory^memory. One variable has the exponent
// 1; the others in the product are those that the minimum leaves open.
struct SizeRelation {
    std::vector<Rational> variables;  // by variable
    std::vector<Rational> terms;      // by term
    Rational limit;
    Rational memory;
};

struct DualSolution {
    std::vector<Rational> weights;  // δ, by term
    Rational limit;                 // μ
    std::vector<SizeRelation> relations;
};

// `terms` has by term the powers of the variables, `limit` has b. Without terms nothing is minimised, and the
// limit is the only relation. Empty, with the reason, where minimise() is.
std::optional<DualSolution> solve_dual(const std::vector<std::vector<Rational>>& terms,
                                       const std::vector<Rational>& limit, Text& reason);

}  // namespace blockscope::algebra
