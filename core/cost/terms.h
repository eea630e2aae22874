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
// A block of a causal mask that is all zeros is not added (core/loops/loop_program.h). A miscellaneous
// operator loads each input and stores each output once each time it runs and computes nothing that is
// counted.
std::vector<Term> cost_terms(const LoopProgram& program, LoadPlacement placement = LoadPlacement::AsListed);
// The same for those who have the shapes of its temporaries already; as listed.
std::vector<Term> cost_terms(const LoopProgram& program, const TempExtents& extents);

// The terms of one quantity (and buffer, if it is not negative) as a sum, like terms added up:
// "M·D·N/n + 2·M·N" (core/algebra/polynomial.h). "0" if there are none.
std::string formula(const std::vector<Term>& terms, Quantity quantity, int buffer, const DimTable& dims);

// Shapes of temporaries in terms of loop variables.

// The extent of one axis of an item: the size of the block that a loop variable names, or of block 0.
struct Extent {
    DimId dim;
    bool fixed = true;   // block 0 of `dim`
    LoopVar var;         // if not fixed
    bool later = false;  // the loop of `var` runs from block 1
    bool operator==(const Extent&) const = default;
};

// The axes of an item, none for a scalar.
struct ItemExtents {
    bool known = false;
    std::vector<Extent> axes;
    ElemType elem = ElemType::F32;
    bool operator==(const ItemExtents&) const = default;
};

// The dimensions that an item's elements run along: none for a scalar.
std::vector<DimId> item_axes(const Item& item);

// Which index of an input or output splits each axis of its items, -1 if none does: only the last list
// dimensions do (docs/json.md).
std::vector<int> axis_positions(const Buffer& buffer);

// The extent of an axis along `dim` that index `position` of `at` splits (none if negative).
Extent extent_at(DimId dim, const std::vector<Index>& at, int position);

// The extents of every temporary of a program.
class TempExtents {
public:
    explicit TempExtents(const LoopProgram& program);

    const ItemExtents& of(Temp temp) const { return temps_.at(static_cast<std::size_t>(temp.id)); }

private:
    std::vector<ItemExtents> temps_;  // by id
};

// The loops around a statement, outermost first.
using Nest = std::vector<const Loop*>;

// The product of the extents (1 if there are none), summed over all iterations of the nest. An extent along
// a variable of no loop of the nest is that of block 0 (of a loop of one block that a load was moved out of).
std::vector<Factor> sum_over(const Nest& nest, const std::vector<Extent>& extents);

// The same over the iterations in which the mask's block is not all zeros.
std::vector<Factor> sum_where_masked(const Nest& nest, const std::vector<Extent>& extents,
                                     const MaskBlock& mask);

// How often a loop runs each time that it is entered, on average over the rows of a causal mask.
double average_trips(const Loop& loop, const DimTable& dims);

// The most that the product of the extents is in any iteration: full blocks, but for loops that run
// over a last, shorter block only.
std::vector<Factor> largest_size(const std::vector<Extent>& extents, const DimTable& dims);

// The product of the extents for full blocks.
std::vector<Factor> full_size(const std::vector<Extent>& extents);
std::int64_t full_size(const std::vector<Extent>& extents, const DimTable& dims);

}  // namespace blockscope
