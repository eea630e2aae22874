// Laws as sums of terms: added up, as text and as numbers.
#include <algorithm>

#include "core/napkin/optimum.h"

namespace blockscope::napkin {

void add_to(std::vector<LawFormula>& law, const PowerProduct& alpha, const Rational& beta) {
    for (LawFormula& term : law)
        if (term.beta == beta && term.alpha.alike(alpha)) {
            term.alpha.add_coefficient(alpha.coefficient());
            return;
        }
    law.push_back({alpha, beta});
}

void sort(std::vector<LawFormula>& law) {
    std::stable_sort(law.begin(), law.end(),
                     [](const LawFormula& a, const LawFormula& b) { return a.beta < b.beta; });
}

std::string law_text(const std::vector<LawFormula>& law, const DimTable& dims) {
    const Symbol memory = memory_symbol(dims);
    std::string text;
    for (const LawFormula& term : law) {
        const PowerProduct whole =
            term.beta.is_zero() ? term.alpha
                                : term.alpha.times(PowerProduct(algebra::Powers{{memory, -term.beta}}));
        const std::string part = whole.law_text(memory);
        const bool less = !text.empty() && part.starts_with('-');
        text += text.empty() ? part : (less ? " - " + part.substr(1) : " + " + part);
    }
    return text.empty() ? "0" : text;
}

NumericLaw power_law(const std::vector<LawFormula>& law, const DimTable& dims) {
    const Values sizes = sizes_and_memory(dims, 1);
    NumericLaw numbers;
    for (const LawFormula& term : law) numbers.push_back({term.alpha.value(sizes), term.beta.value()});
    return numbers;
}

Values sizes_and_memory(const DimTable& dims, double memory) {
    Values values = {{memory_symbol(dims), memory}};
    for (std::size_t i = 0; i < dims.size(); ++i)
        values.emplace(size_symbol({static_cast<std::uint16_t>(i)}, dims), static_cast<double>(dims[i].size));
    return values;
}

}  // namespace blockscope::napkin
