// A chain of matrix products as MCFuser sees it: loops over tiles, arrays that are loaded and stored tile by
// tile, and compute blocks, one per product. Read from an array program:
//
//     C = A @ B            loops m, n, k of product C
//     output E = C @ D     loops m, h, n of product E; m and n are shared
//
// What stands between the products (scales, activations, biases, masks, casts, softmax) costs no loop: it is
// computed on the tile where a product reads it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program/array_program.h"
#include "core/support/result.h"

namespace blockscope::tilings {

constexpr int kMostProducts = 4;  // five chained products have 8,088 expressions, four 1,002
constexpr int kTileUnit = 16;     // tiles are multiples of this: the least side of a matrix instruction

struct Loop {
    std::string name = {};  // "m": the dimension in lower case, with 2, 3, ... where two loops would share it
    std::int64_t size = 1;  // elements
    DimId dim = {};         // of the program; several loops may have one
};

// An input array as some product (or the output) reads it, or the result of a product.
struct TiledArray {
    std::string name = {};
    std::vector<int> loops = {};  // along its axes; none of a number
    int op = -1;                  // of the program
};

struct Product {
    std::string name = {};  // of its result: "C"
    int op = -1;            // of the program
    int row = -1;           // loops
    int col = -1;
    int depth = -1;
    std::vector<int> needs = {};  // products whose results its operands read
    std::vector<int> loads = {};  // Chain::inputs that its operands read
    bool softmax = false;         // its left operand is a softmax over `depth`

    bool has(int loop) const { return loop == row || loop == col || loop == depth; }
};

// What is stored: an elementwise function of the products' results.
struct StoredResult {
    std::string name = {};
    int op = -1;
    int row = -1;
    int col = -1;
    std::vector<int> needs = {};
    std::vector<int> loads = {};
};

struct Chain {
    ArrayProgram program = {};
    std::vector<Loop> loops = {};  // in the order in which the products name them: m, n, k, h
    std::vector<TiledArray> inputs = {};
    std::vector<Product> products = {};  // each after what it needs
    StoredResult output = {};
    std::int64_t batch = 1;  // independent chains
    ElemType elem = ElemType::F32;

    int loop_count() const { return static_cast<int>(loops.size()); }
    std::int64_t size(int loop) const { return loops[static_cast<std::size_t>(loop)].size; }
    bool spatial(int loop) const { return loop == output.row || loop == output.col; }  // of the output
};

// The chain of a program with one output; else a sentence that says what stands in the way.
Result<Chain> read_chain(const ArrayProgram& program);

}  // namespace blockscope::tilings
