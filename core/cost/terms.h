// What a state costs, as a list of terms: each says how often one line of the listing runs and on how many
// elements, as a product of sizes and numbers of blocks. Counts and formulas are sums of them, so that every
// number can be taken apart again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/algebra/polynomial.h"
#include "core/loops/loop_program.h"

namespace blockscope {

class TempExtents;

enum class Quantity : std::uint8_t {
    LoadItems,
    LoadValues,
    StoreItems,
    StoreValues,  // of one buffer
    Matrix,
    Vector,
    Special,  // operations, by unit
};

struct Term {
    Quantity quantity;
    int buffer = -1;  // of loads and stores: index in LoopProgram::buffers
    NodeId node;      // what the line shows
    std::int64_t coefficient = 1;
    std::vector<Factor> factors;    // sorted
    int line = -1;                  // of the listing, from 0
    std::optional<ValueRef> value;  // of loads and stores: what is moved, as its level names it
};

std::int64_t value(const Term& term, const DimTable& dims);
// What one term adds to a count of values, items or operations.
Polynomial polynomial(const Term& term, const DimTable& dims);

// Of a function's unit: the special function unit, or the vector unit.
bool is_special(const Call& call);

// Operations on one element; shared parts count each time they stand in the expression, as it is written.
struct ElementOperations {
    int vector = 0;
    int special = 0;
};
ElementOperations element_operations(const Expr& expr);

// Where loads stand. In a listing where an item is first used; in a diagram of the napkin paper (and in
// MCFuser's schedules) outside the serial loops that do not index them, a loop of one block being none.
enum class LoadPlacement : std::uint8_t { AsListed, Hoisted };

// All terms, in the order of the listing. Operations: 2 per multiply-add of dot (its accumulation included);
// one vector operation per element for other arithmetic; one special operation per element for exp, log,
// sqrt, tanh, erf, sin, cos and powers other than squares; parts of an expression without arguments are free.
// A miscellaneous operator loads each input and stores each output once each time it runs and computes
// nothing that is counted.
std::vector<Term> cost_terms(const LoopProgram& program, LoadPlacement placement = LoadPlacement::AsListed);
// The same for those who have the shapes of its temporaries already; as listed.
std::vector<Term> cost_terms(const LoopProgram& program, const TempExtents& extents);

// The terms of one quantity (and buffer, if it is not negative) as a sum, like terms added up:
// "M·D·N/n + 2·M·N" (core/algebra/polynomial.h). "0" if there are none.
std::string formula(const std::vector<Term>& terms, Quantity quantity, int buffer, const DimTable& dims);

}  // namespace blockscope
