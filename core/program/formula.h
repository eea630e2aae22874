// Operators and scalar expressions in the syntax of the text language, as parts of larger texts.
#pragma once

#include <string>
#include <vector>

#include "core/program/array_program.h"

namespace blockscope {

// How tightly a piece of text binds, loosest first.
enum class Binding : std::uint8_t { Sum, Product, Negation, Power, Primary };

struct Formula {
    std::string text;
    Binding binding = Binding::Primary;
    int depth = 1;  // levels of the syntax tree
};

Formula name_formula(std::string name);

// A scalar expression over `names`.
Formula expr_formula(const Expr& expr, const std::vector<std::string>& names, const DimTable& dims);

// `op` applied to its operands' formulas.
Formula op_formula(const ArrayProgram& program, const ArrayOp& op, const std::vector<Formula>& operands);

}  // namespace blockscope
