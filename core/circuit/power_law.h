// Optimal transfers H*(a, M) as a sum of powers (Equation 1), solved from Equation 4: the least total
// transfers for a given memory at the lower level, and the group sizes that have it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/circuit/formula.h"
#include "core/napkin/power_law.h"

namespace blockscope::circuit {

// α(a) M^-β. The memory's symbol is "M" everywhere; an axis of that name has to be called otherwise.
struct PowerTerm {
    Formula alpha;
    Fraction beta;
};

// The size of a group where the transfers are least: "g_a = M^1/2", "g_q = M/(2·d)". Of several groups of
// which only the product counts: that of the product.
struct GroupChoice {
    Powers groups;
    Formula above, below = Formula::number(1);  // of sizes: above · M^memory / below
    Fraction memory = 0;

    std::string name() const;  // "g_a", "g_G·g_M"
    std::string text(const std::string& memory_symbol = "M") const;
    double value(const Values& sizes, double memory_values) const;
};

struct PowerLaw {
    std::vector<PowerTerm> terms;
    Formula limit;                     // what M bounds: y·Π g (Appendix A.2)
    std::vector<GroupChoice> choices;  // by group; those that no transfers fall with are 1

    Formula formula(const std::string& memory = "M") const;
    // α and β at these sizes: what core/napkin/power_law.h puts on levels.
    napkin::PowerLaw numbers(const Values& sizes) const;
    // H* for axis sizes and a memory of `memory` values.
    double value(const Values& sizes, double memory) const;
};

// Why there is none: a sentence's end, "the widest column has no term with all groups in it".
struct NoPowerLaw {
    std::string why;
};

// `transfers` over group sizes `groups` (symbols), under the limit `memory` on the widest column. Of `memory`
// count the products that have all groups in them, as in the limit of large M, and of these not those with a
// part of a stream (`streams`, symbols) beside others; group sizes that save no transfers are 1. Empty if
// there is no closed form, with the reason in `why`.
std::optional<PowerLaw> power_law(const Formula& transfers, const Formula& memory,
                                  const std::vector<std::string>& groups,
                                  const std::vector<std::string>& streams = {}, NoPowerLaw* why = nullptr);

}  // namespace blockscope::circuit
