// Optimal transfers as power laws, H*(a, M) = Σ α(a) M^-β (Equation 1): as numbers at given sizes, and as
// formulas of the sizes, solved from Equation 4: the least total transfers for a given memory at the lower
// level, and the group sizes that have it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/algebra/formula.h"
#include "core/support/text.h"

namespace blockscope::algebra {

// A power law at given sizes.
struct LawTerm {
    double alpha = 0;
    double beta = 0;  // not negative
    bool operator==(const LawTerm&) const = default;
};
using NumericLaw = std::vector<LawTerm>;

// Equation 1: values moved with `memory` values of local memory.
double transfers(const NumericLaw& law, double memory);

// α(a) M^-β. The memory's symbol is "M" everywhere; an axis of that name has to be called otherwise.
struct PowerTerm {
    Formula alpha;
    Rational beta;
};

// The size of a group where the transfers are least: "g_a = M^1/2", "g_q = M/(2·d)". Of several groups of
// which only the product counts: that of the product.
struct GroupChoice {
    Powers groups;
    Formula above, below = Formula::number(1);  // of sizes: above · M^memory / below
    Rational memory = 0;

    std::string name() const;  // "g_a", "g_G·g_M"
    std::string text(const std::string& memory_symbol = "M") const;
    double value(const Values& sizes, double memory_values) const;
};

struct PowerLaw {
    std::vector<PowerTerm> terms;
    Formula limit;                     // what M bounds: y·Π g (Appendix A.2)
    std::vector<GroupChoice> choices;  // by group; those that no transfers fall with are 1

    Formula formula(const std::string& memory = "M") const;
    // α and β at these sizes: what the performance models put on levels.
    NumericLaw numbers(const Values& sizes) const;
    // H* for axis sizes and a memory of `memory` values.
    double value(const Values& sizes, double memory) const;
};

// Why there is none: a sentence's end, "the widest column has no term with all groups in it".
struct NoPowerLaw {
    Text why;
};

// `transfers` over group sizes `groups` (symbols), under the limit `memory` on the widest column. Of `memory`
// count the products that have all groups in them, as in the limit of large M, and of these not those with a
// part of a stream (`streams`, symbols) beside others; group sizes that save no transfers are 1. Empty if
// there is no closed form, with the reason in `why`.
std::optional<PowerLaw> power_law(const Formula& transfers, const Formula& memory,
                                  const std::vector<std::string>& groups,
                                  const std::vector<std::string>& streams = {}, NoPowerLaw* why = nullptr);

}  // namespace blockscope::algebra
