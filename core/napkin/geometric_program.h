// Minimises a sum of products of powers under one such product: the napkin's choice of tile sizes, in closed
// form.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/napkin/power_product.h"

namespace blockscope::napkin {

// Minimise Σ_j c_j Π x^-a_j so that K Π x^b <= Mem.
struct GeometricProgram {
    struct Term {
        PowerProduct coefficient;  // c, of sizes only
        Powers powers;             // of the variables: -a
    };
    std::vector<Symbol> variables;
    std::vector<Term> terms;
    PowerProduct memory;   // K, of sizes only
    Powers memory_powers;  // b, of the variables
};

struct GeometricSolution {
    PowerProduct minimum;               // with its power of Mem
    std::vector<Rational> weights;      // each term's share of the minimum
    std::map<Symbol, PowerProduct> at;  // the variables there
    std::vector<Symbol> chosen;         // variables that the minimum leaves open: 1
};

// By duality (Duffin, Peterson, Zener: Geometric Programming, 1967): if the weights δ, with Σ δ_j = 1 and
// Σ_j δ_j a_ji = μ b_i for each variable, are unique and positive, the minimum is Π (c_j/δ_j)^δ_j (K/Mem)^μ.
// Two terms and two variables make the napkin's square tiles. Empty, with the reason, for other forms.
// Those weights, then μ: `terms` has a_j of each term, `memory` b, by variable. All are positive.
std::optional<std::vector<Rational>> dual_weights(const std::vector<std::vector<Rational>>& terms,
                                                  const std::vector<Rational>& memory, std::string& reason);

std::optional<GeometricSolution> minimise(const GeometricProgram& program, std::string& reason);

}  // namespace blockscope::napkin
