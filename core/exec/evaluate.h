// Whole arrays in row-major order, for the reference evaluators.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/type.h"
#include "core/program/array_program.h"
#include "core/scalar/exact.h"
#include "core/support/stop_sign.h"

namespace blockscope {

template <class S>
struct Tensor {
    std::vector<std::int64_t> shape;  // batch sizes, then the axes' sizes
    std::vector<S> data;              // row-major

    std::int64_t size() const { return static_cast<std::int64_t>(data.size()); }
};

// By array name as the program declares it (V, never VT).
template <class S>
using Tensors = std::map<std::string, Tensor<S>>;

// How the blocks of a value lie in a whole array in memory.

// For a value `(B,H,M,N) block[M,N]` the array is [B,H,MM,NN]: one extent per leading list dimension
// (its number of blocks, which is its size for batch dimensions), then the axes. With `transposed` the two
// axes of the array are those of the item in reverse. An axis that no list dimension splits has its
// first block only.
struct ArrayLayout {
    std::vector<std::int64_t> shape;  // of the array in memory
    int leading = 0;                  // list dimensions that are not axes of the item
    int row_list = -1;                // the list dimension that splits the item's rows; -1 if none
    int col_list = -1;                // the same for columns
    std::int64_t row_step = 0;        // array elements from one row of the item to the next
    std::int64_t col_step = 0;
    std::int64_t matrix = 1;  // array elements per tuple of leading indices
};

ArrayLayout array_layout(const Type& type, bool transposed, const DimTable& dims);

// Two independent meanings of a program, over doubles or exact numbers: the array program on whole
// arrays, and the block program block by block. They share no code but scalar arithmetic.

// Inputs for every input of the program, of the shapes that its dimensions give, reproducible
// from `seed`. Doubles are uniform in [-scale, scale]; exact numbers uniform. The causal mask is
// not among them: evaluators make it.
Tensors<double> random_doubles(const ArrayProgram& program, std::uint64_t seed, double scale = 1);
Tensors<Exact> random_exact(const ArrayProgram& program, std::uint64_t seed);
Tensors<double> random_doubles(const BlockProgram& program, std::uint64_t seed, double scale = 1);
Tensors<Exact> random_exact(const BlockProgram& program, std::uint64_t seed);

// Outputs by name. Nothing is rounded to element types: casts change no value. Missing inputs or wrong shapes
// are an InternalError. While `stop` is up, it ends with Stopped.
Tensors<double> evaluate(const ArrayProgram& program, const Tensors<double>& inputs);
Tensors<Exact> evaluate(const ArrayProgram& program, const Tensors<Exact>& inputs);
Tensors<double> evaluate(const BlockProgram& program, const Tensors<double>& inputs);
Tensors<Exact> evaluate(const BlockProgram& program, const Tensors<Exact>& inputs,
                        const StopSign& stop = kNeverStop);

}  // namespace blockscope
