// A formula with all but some symbols put in: quick to evaluate at many values of those, as a search for
// group sizes does.
#pragma once

#include <string>
#include <vector>

#include "core/circuit/formula.h"

namespace blockscope::circuit {

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

}  // namespace blockscope::circuit
