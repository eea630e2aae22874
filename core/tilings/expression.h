// Tiling expressions: rooted ordered forests over the loops of a chain. Every loop stands once; the loops of
// one product lie on one path from a root. `mhnk` nests all loops, `mn(k,h)` runs k and h one after the
// other.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/tilings/chain.h"

namespace blockscope::tilings {

struct LoopNode {
    int loop = 0;
    std::vector<LoopNode> inner = {};
    bool operator==(const LoopNode&) const = default;
};
using LoopForest = std::vector<LoopNode>;

struct Expression {
    LoopForest roots = {};
    bool flat = false;  // some loops are siblings; else it is deep: one nest of all loops
    bool operator==(const Expression&) const = default;
};

// All expressions of a chain, the deep ones first, each kind in the order of the chain's loops.
std::vector<Expression> expressions_of(const Chain& chain);

// "mhnk", "mn(k,h)". Loops whose names are longer than a letter are set apart by blanks.
std::string to_string(const LoopForest& forest, const Chain& chain);

inline bool contains(const std::vector<int>& loops, int loop) {
    return std::find(loops.begin(), loops.end(), loop) != loops.end();
}

// The loops from a root to `loop`, itself the last; empty if the forest lacks it.
std::vector<int> path_to(const LoopForest& forest, int loop);
// The forest without these loops: what was inside them takes their place.
LoopForest without(const LoopForest& forest, const std::vector<int>& loops);

// The loops of the output that are bound to the grid, outermost first: those that no other loop stands
// beside.
std::vector<int> grid_loops(const Expression& expression, const Chain& chain);

// ---- The statements of an expression, placed in its loops.

enum class StatementKind { Load, Compute, Store };

struct Statement {
    StatementKind kind = StatementKind::Load;
    std::string array = {};        // "A" of L_A
    std::vector<int> loops = {};   // that index its tile (of a compute block: all its three)
    std::vector<int> around = {};  // the loops that it stands in, outermost first
    int input = -1;                // Load: of Chain::inputs
    int product = -1;              // Compute
};
std::string to_string(const Statement& statement);  // "L_A"

enum class Stage {
    Default,  // loads just before and stores just after their compute block
    Hoisted,  // moved out to the innermost loop that indexes them
    Reduced,  // the same after the loops of extent one are gone
};

// A loop with what it holds, in order. The outermost one is no loop (-1).
struct PlacedLoop {
    struct Item {
        int statement = -1;  // of Placed::statements, or
        int loop = -1;       // of Placed::loops
    };
    int loop = -1;
    std::vector<Item> items = {};
};

struct Placed {
    std::vector<Statement> statements = {};
    std::vector<PlacedLoop> loops = {};  // the first is the outermost
};

// `ones`: loops of extent one, which the stage Reduced leaves out.
Placed place(const Chain& chain, const LoopForest& forest, Stage stage, const std::vector<int>& ones = {});

// "mh(n(k(L_A,L_B,C_C),L_D,C_E),S_E)".
std::string to_string(const Placed& placed, const Chain& chain);
// One line per loop and statement, indented.
std::string tree_text(const Placed& placed, const Chain& chain);

}  // namespace blockscope::tilings
