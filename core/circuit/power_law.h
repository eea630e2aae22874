// Optimal transfers H*(a, M) as a sum of powers (Equation 1), solved from Equation 4: the least total
// transfers for a given memory at the lower level.
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

struct PowerLaw {
    std::vector<PowerTerm> terms;
    Formula limit;  // what M bounds: the monomial y·Π g (Appendix A.2)

    Formula formula(const std::string& memory = "M") const;
    // α and β at these sizes: what core/napkin/power_law.h puts on levels.
    napkin::PowerLaw numbers(const Values& sizes) const;
    // H* for axis sizes and a memory of `memory` values.
    double value(const Values& sizes, double memory) const;
};

// `transfers` over group sizes `groups` (symbols), under the limit `memory` on the widest column. Of `memory`
// count the products that have all groups in them, as in the limit of large M; group sizes that save no
// transfers are 1. Empty if there is no closed form: the terms do not determine the groups' ratios, or the
// widest column is a sum.
std::optional<PowerLaw> power_law(const Formula& transfers, const Formula& memory,
                                  const std::vector<std::string>& groups);

}  // namespace blockscope::circuit
