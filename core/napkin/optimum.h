// The napkin's optimum of a block program: block sizes that move least under a memory limit, as formulas
// where there is a closed form, and searched among whole sizes with exact counts where there is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/algebra/geometric_program.h"
#include "core/algebra/power_law.h"
#include "core/cost/terms.h"
#include "core/loops/loop_program.h"

namespace blockscope::napkin {

struct BlockSearchOptions {
    std::int64_t memory_bytes = 0;  // the most that one processor may hold (lifetime analysis, full blocks)
    std::int64_t multiple = 1;      // block sizes are multiples of this, or the whole dimension
    LoadPlacement placement = LoadPlacement::Hoisted;
};

struct BestBlocks {
    DimTable dims;  // the program's, with the best block sizes
    std::int64_t moved_values = 0;
    std::int64_t moved_bytes = 0;
    std::int64_t local_values = 0;
    std::int64_t local_bytes = 0;
    bool exhaustive = false;  // all candidates were tried; otherwise a descent from several starts
    int tried = 0;
};

// Dimensions of `program` that are in one block, and batch dimensions, stay as they are. Of equal choices
// that with the least memory. Empty if nothing fits.
std::optional<BestBlocks> search_blocks(const LoopProgram& program, const BlockSearchOptions& options);
// The same counts at the block sizes that the program has.
BestBlocks counted_blocks(const LoopProgram& program, LoadPlacement placement = LoadPlacement::Hoisted);

// The napkin's optimum of a block program: which dimensions are group partitioned and which streamed, the
// best tile sizes under a memory limit, and the least traffic H*(a, M) = Σ_t α_t(a) M^(-β_t), as formulas
// derived from the program's own traffic and memory ("FlashAttention on a Napkin", sections 2 to 4;
// docs/costs.md).

using algebra::Formula;
using algebra::memory_symbol;
using algebra::NumericLaw;
using algebra::PowerProduct;
using algebra::Rational;
using algebra::Symbol;
using algebra::Values;

// Symbols of a program's formulas: "M", a size; "m", a block size (of a group or a stream). Sizes stand
// first, then block sizes, both in the order of the dimensions, and the memory limit (algebra::memory_symbol)
// last.
Symbol size_symbol(DimId dim, const DimTable& dims);
Symbol block_symbol(DimId dim, const DimTable& dims);

// What becomes of a dimension in one launch (sections 2.3 and 2.4).
enum class Role : std::uint8_t {
    Grouped,   // outer parallel loop in several blocks: tiles, one group of processors' work each
    Streamed,  // any other loop in several blocks: runs through local memory block by block
    Whole,     // one block: the axis is not partitioned
    Batch,     // a batch dimension: one group per index
};
std::string to_string(Role role);

struct Tile {
    enum class How : std::uint8_t {
        Solved,  // `size`, a formula with the memory limit
        One,     // 1: traffic does not fall with it
        Whole,   // the whole dimension: memory does not grow with it, or the limit has room for it
        Open,    // any: the minimum does not depend on it; 1 is taken
        Fixed,   // not partitioned (Role::Whole, Role::Batch)
        Unknown  // the form has no solution as a formula
    };
    DimId dim;
    Role role = Role::Whole;
    How how = How::Fixed;
    PowerProduct size;  // of Solved
    Text reason;        // as a sentence without a full stop
};

struct LawFormula {
    PowerProduct alpha;  // of sizes only
    Rational beta;
};

// One launch (top-level operator).
struct LaunchOptimum {
    NodeId node;
    int line = 0;         // of the listing, from 0
    Formula traffic;      // values moved, with loads outside the loops that do not index them
    Formula memory;       // the leading terms of the largest live set, with streamed blocks at their limit
    Formula dropped;      // that set's terms of lower degree, left out
    int memory_line = 0;  // where that set is alive
    std::vector<Tile> tiles;      // by dimension, in the order of the program's
    std::vector<LawFormula> law;  // β = 0 first; empty if there is none
    Text reason;                  // why there is no law
    // Where a causal mask hides blocks: the traffic as it is built, without those, and what that is at the
    // tiles. Empty where nothing is hidden, and where the built loops have no formula (add_built_traffic()).
    Formula built = {};
    std::vector<LawFormula> built_law = {};
};

struct Optimum {
    std::vector<LaunchOptimum> launches;
    std::vector<LawFormula> law;             // all launches', each with its own tiles; empty if one has none
    std::vector<LawFormula> built_law = {};  // the same as built; empty where LaunchOptimum::built is in all
    bool has_law() const;
};

struct OptimumOptions {
    // Dimensions written as one, second as first: L as D where queries and values have the same width.
    std::vector<std::pair<DimId, DimId>> same;
    // A memory limit in values. Tiles then end at the dimension's size: where the law of a large dimension
    // would have them larger, it is replaced by the law with that dimension whole.
    std::optional<double> memory;
    // The loops that are built, for LaunchOptimum::built; null: that is not asked for.
    const LoopProgram* built = nullptr;
};

// A dimension of `program` in one block is whole; the block sizes of the others are what is chosen.
Optimum find_optimum(const LoopProgram& program, const OptimumOptions& options = {});

// Adds what the launches move as they are built, in the tiles of the paper's formulas. Nothing is added where
// a launch has no law, or its built loops no formula: under a window, and with more rows than columns.
void add_built_traffic(Optimum& optimum, const LoopProgram& built, const OptimumOptions& options);

// Adds a term to a law, to a like one if there is one; and brings terms into their order.
void add_to(std::vector<LawFormula>& law, const PowerProduct& alpha, const Rational& beta);
void sort(std::vector<LawFormula>& law);

// "2·A·B·C·M^-1/2 + A·C" in the order of the terms.
std::string law_text(const std::vector<LawFormula>& law, const DimTable& dims);
// The law's numbers at the program's sizes.
NumericLaw power_law(const std::vector<LawFormula>& law, const DimTable& dims);
// H* of all launches at the program's sizes and at every memory, where no block is larger than its dimension;
// `options.memory` does not count. None if a launch has no law.
std::optional<algebra::ClippedLaw> clipped_law(const LoopProgram& program, const OptimumOptions& options);
// Sizes of `dims`, and the memory limit; block sizes are not defined.
Values sizes_and_memory(const DimTable& dims, double memory);

// ---- One launch as the napkin sees it: traffic and memory in sizes and block sizes. find_optimum() solves
// it.

// A column of the napkin's diagrams: what is in local memory between two functions. What a line makes is in
// the next column, so that an operator's result may take the place of its arguments.
struct MemoryForm {
    int line = 0;    // of the listing, from 0
    Formula values;  // alive before it
};

struct LaunchForm {
    NodeId node;
    int line = 0;
    std::vector<std::pair<DimId, Role>> roles;  // of the dimensions that the launch has loops or axes of
    Formula traffic;
    std::vector<MemoryForm> memory;  // by line
};

// Generated masks are not moved.
std::vector<LaunchForm> launch_forms(const LoopProgram& program,
                                     const std::vector<std::pair<DimId, DimId>>& same);
// The same of built loops, whose causal masks hide blocks. None of a launch for whose visible blocks there is
// no formula.
std::vector<std::optional<LaunchForm>> built_forms(const LoopProgram& built,
                                                   const std::vector<std::pair<DimId, DimId>>& same);

}  // namespace blockscope::napkin
