// Where a number comes from: the formula, the values put in, and the lines of the listing that it sums.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cost/cost_part.h"
#include "core/cost/polynomial.h"
#include "core/cost/quantity.h"

namespace blockscope {

// A symbol of a formula and its value: M = 8192, m = 64, M/m = 128.
struct SymbolValue {
    std::string symbol;
    std::int64_t value = 0;
    bool operator==(const SymbolValue&) const = default;
};

// What one line of the listing contributes.
struct Summand {
    NodeId node;                    // that the line shows
    int line = -1;                  // of the listing, from 0; -1 for none
    int buffer = -1;                // that is loaded from or stored to
    std::optional<ValueRef> value;  // the edge: what is moved, as its level names it
    Temp temp;                      // that is alive, of local memory; 0 otherwise
    Polynomial polynomial;
    std::int64_t amount = 0;
};

// A sum: its formula is that of its summands added up, and its value theirs.
struct Sum {
    std::string title;  // "values loaded from Q"
    Polynomial polynomial;
    std::string formula;
    std::vector<SymbolValue> symbols;  // of the formula, in order of first appearance
    std::int64_t value = 0;
    std::vector<Summand> summands;  // in order of the listing
};

struct CostDerivation {
    CostQuantity quantity;
    std::string name;            // to_string(quantity)
    std::string unit;            // "items", "values", "bytes", "operations", "tasks", "launches", ""
    Sum sum;                     // the number, or what is divided
    std::optional<Sum> divisor;  // of a quotient: replication, intensity

    double result() const;
    std::string formula() const;  // "M·D·N/n", "(2·M·N·D) / (2·M·D)"
};

// Derives a quantity of `program`. Replication compares with `unfused`, the initial state lowered at the same
// sizes. Throws InternalError if that is needed and null.
CostDerivation derive(const LoopProgram& program, const CostQuantity& quantity,
                      const LoopProgram* unfused = nullptr);

// The same of a part of the state: its terms alone; of local memory the most that is alive while one of its
// lines runs; of launches and tasks those of the top-level operators that have one of its lines. Replication
// compares with `unfused_part`.
struct DerivedPart {
    CostPart part;
    CostPart unfused_part;
};
CostDerivation derive(const LoopProgram& program, const CostQuantity& quantity, const DerivedPart& of,
                      const LoopProgram* unfused = nullptr);

// "M·D·N/n = 16777216 values, with M = 4096, D = 128, N/n = 32", and a line for each summand with its part
// of the formula, its value, its node and its listing line.
std::vector<std::string> derivation_text(const CostDerivation& derivation, const LoopProgram& program,
                                         const LoopProgram& unfused);

}  // namespace blockscope
