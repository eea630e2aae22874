// Elementwise expressions as straight-line code over tiles of numbers.
#pragma once

#include <string>
#include <vector>

#include "core/engine/simd.h"
#include "core/graph/expr.h"

namespace blockscope::engine {

// A value is an argument (0 .. args-1), a constant or a register.
struct CodeValue {
    enum class Kind : std::uint8_t { Argument, Constant, Register };
    Kind kind = Kind::Argument;
    int index = 0;
    bool operator==(const CodeValue&) const = default;
};

struct CodeLine {
    Op op;
    CodeValue a;
    CodeValue b;  // of binary functions
    int to;       // register; the last line writes the result instead
};

struct ExprCode {
    int args = 0;
    std::vector<float> constants;
    std::vector<CodeLine> lines;  // at least one
    int registers = 0;
    std::string text;  // as the plan shows it
};

// Parts without arguments are computed here, powers with a constant exponent become products and roots.
ExprCode compile_expr(const Expr& expr, int args, const DimTable& dims);

}  // namespace blockscope::engine
