// A derivation as lines of text.
#include <cstdio>

#include "core/cost/derivation.h"
#include "core/print/print.h"

namespace blockscope {

namespace {

std::string number(const CostDerivation& derivation) {
    if (!derivation.divisor) return std::to_string(derivation.sum.value);
    char text[48];
    std::snprintf(text, sizeof text, "%.6g", derivation.result());
    return text;
}

std::string symbols(const Sum& sum) {
    std::string text;
    for (const SymbolValue& symbol : sum.symbols)
        text += (text.empty() ? "with " : ", ") + symbol.symbol + " = " + std::to_string(symbol.value);
    return text;
}

std::string listed(const std::vector<ListingLine>& lines, int line) {
    const std::string& text = lines.at(static_cast<std::size_t>(line)).text;
    return text.substr(text.find_first_not_of(' '));
}

void add_sum(const Sum& sum, const LoopProgram& program, std::vector<std::string>& text) {
    const std::vector<ListingLine> lines = listing_lines(program);
    text.push_back(sum.title + ": " + sum.formula + " = " + std::to_string(sum.value));
    if (!sum.symbols.empty()) text.push_back("  " + symbols(sum));
    for (const Summand& summand : sum.summands) {
        std::string line =
            "  + " + summand.polynomial.text(program.dims) + " = " + std::to_string(summand.amount);
        if (summand.temp.id > 0) line += "  t" + std::to_string(summand.temp.id);
        line += "  " + to_string(summand.node);
        if (summand.line >= 0)
            line += ", line " + std::to_string(summand.line + 1) + ": " + listed(lines, summand.line);
        text.push_back(std::move(line));
    }
}

}  // namespace

std::vector<std::string> derivation_text(const CostDerivation& derivation, const LoopProgram& program,
                                         const LoopProgram& unfused) {
    std::vector<std::string> text = {derivation.name + " = " + derivation.formula() + " = " +
                                     number(derivation) +
                                     (derivation.unit.empty() ? "" : " " + derivation.unit)};
    add_sum(derivation.sum, program, text);
    const bool replication = derivation.quantity.kind == CostQuantity::Kind::Replication;
    if (derivation.divisor) add_sum(*derivation.divisor, replication ? unfused : program, text);
    return text;
}

}  // namespace blockscope
