// Sizes that symbols decide, as torch.export writes them: "2*s0 + 1", or in the notation of sympy's
// representations, "Add(Mul(Integer(2), Symbol('s0', integer=True)), Integer(1))".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace blockscope::model {

enum class FormulaOp : std::uint8_t {
    Number,
    Symbol,
    Add,
    Sub,
    Mul,
    Div,       // exact
    FloorDiv,  // rounded down; floor(x) is x // 1
    CeilDiv,
    Mod,
    Pow,
    Max,
    Min,
};

class SizeFormula {
public:
    // None of what is no formula, or has functions that sizes do not have.
    static std::optional<SizeFormula> parse(const std::string& text);

    std::vector<std::string> symbols() const;  // each once
    bool is_symbol() const { return parts_.back().op == FormulaOp::Symbol; }
    // None where a symbol has no size, or the result is no whole number of 0 or more that fits.
    std::optional<std::int64_t> value(const std::map<std::string, std::int64_t>& sizes) const;

private:
    friend class FormulaReader;

    // Refers to parts before it; the last one is the whole.
    struct Part {
        FormulaOp op = FormulaOp::Number;
        std::int64_t number = 0;
        std::string symbol;
        std::vector<std::size_t> operands;
    };
    std::vector<Part> parts_;
};

}  // namespace blockscope::model
