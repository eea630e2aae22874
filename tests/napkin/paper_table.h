// The figures and numbers of the papers as one table: source, formula, inputs, value. paper_test.cpp checks
// every row; each paper_*.cpp has those of some sections.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "core/algebra/formula.h"
#include "tests/diagram/figures.h"

namespace blockscope::test {

// Half a unit of the last digit that the source gives, or 0: exactly.
struct Near {
    double value = 0, tolerance = 0;
};

struct PaperRow {
    std::string source;   // "Figure 18", "Table 2", "Section 4.3", "MCFuser, Section III-C"
    std::string formula;  // what is computed, as the source writes it
    std::string inputs;
    // Formulas as text, sums in any order; or a number.
    std::function<std::variant<std::string, double>()> found;
    std::variant<std::string, Near> expected;
};
inline const char* const kSoftmaxContraction =
    "dim q = 4096 / 128\ndim x = 8192 / 128\ndim d = 128 / 128\n"
    "input S[q, x], V[x, d] : f16\nP = softmax(S)\noutput O = P @ V\n";

using PaperRows = std::vector<PaperRow>;

inline PaperRow number(std::string source, std::string formula, std::string inputs, double expected,
                       double tolerance, std::function<double()> found) {
    return {std::move(source), std::move(formula), std::move(inputs), std::move(found),
            Near{expected, tolerance}};
}
inline PaperRow text(std::string source, std::string formula, std::string inputs, std::string expected,
                     std::function<std::string()> found) {
    return {std::move(source), std::move(formula), std::move(inputs), std::move(found), std::move(expected)};
}

PaperRows rows_of_diagrams();  // Sections 2 and 3: Figures 9 to 23
PaperRows rows_of_models();    // Section 4, Appendices A.2 and B.1
PaperRows rows_of_kernels();   // Sections 5 and 6: Figures 26 to 37, Tables 1 to 3, Appendix B.0.1
PaperRows rows_of_mcfuser();   // MCFuser: search space, intensity
PaperRows rows_of_fusion();    // the texts on operator fusion: what it saves

}  // namespace blockscope::test
