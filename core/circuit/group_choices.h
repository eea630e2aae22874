// The group sizes at which a power law has its least transfers. Internal to power_law.h.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/circuit/power_law.h"

namespace blockscope::circuit {

// A power of a sum where that is a sum again: of one product, or a small whole one.
std::optional<Formula> power(const Formula& sum, const Fraction& exponent);

// Equation 4 with its solution: minimise Σ c Π g^p under y Π g^b <= M.
struct SolvedGroups {
    std::vector<std::pair<Powers, Formula>> terms;  // p and c of what depends on the choice
    std::vector<Fraction> weights;                  // each term's share of the minimum; the last is λ
    Powers limit;                                   // b
    Formula y;
};

// From c Π g^p = δ H for every term and y Π g^b = M: linear in the logarithms of the groups. A group, or a
// product of groups where no more is settled; what has no such form is left out.
std::vector<GroupChoice> group_choices(const SolvedGroups& solved, const std::vector<std::string>& groups);

}  // namespace blockscope::circuit
