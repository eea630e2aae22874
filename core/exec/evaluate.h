// The two reference evaluators: of an array program on whole arrays, and of a block program block by block.
// Their inputs, the layout of arrays in memory, and the scalars that both share are here, too.
#pragma once

#include <array>
#include <cstddef>
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
// axes of the array are those of the item in reverse. `(N,M) block[M,N]` is the same array, its blocks column
// by column. An axis that no list dimension splits has its first block only.
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

// What both evaluators share: scalars made from numbers, and uninterpreted operators.

constexpr double kMasked = -1e30;  // what a causal mask adds to the scores that it hides

template <class S>
S scalar_from(double value);
template <>
inline double scalar_from<double>(double value) {
    return value;
}
template <>
inline Exact scalar_from<Exact>(double value) {
    return exact_from(value);
}

std::uint64_t hash_of(const std::string& text);

// Number of elements of an array of this shape.
std::int64_t element_count(const std::vector<std::int64_t>& shape);

// The causal mask of this many rows and columns: 0 where row i sees a column, else kMasked. It sees those up
// to i + columns - rows, with a `window` the last so many of them.
template <class S>
Tensor<S> causal_mask(std::int64_t rows, std::int64_t columns, std::int64_t window);

// Output `port`, of the given shape, of the custom operator `name` on whole arrays: a function that nothing
// is known about. Exact: a hash of all inputs. Double: values in [-1, 1] that depend smoothly on all
// inputs, so that rounding errors stay small.
Tensor<Exact> custom_array(const std::string& name, const std::vector<const Tensor<Exact>*>& inputs, int port,
                           std::vector<std::int64_t> shape);
Tensor<double> custom_array(const std::string& name, const std::vector<const Tensor<double>*>& inputs,
                            int port, std::vector<std::int64_t> shape);

// The one part of the reference evaluator that has to be fast: products of large matrices of doubles.

// c [rows, cols] = a [rows, inner] @ b [inner, cols], row-major. Each element is summed in the order of
// `inner`, whatever the number of threads; large products take all cores.
void multiply(const double* a, const double* b, double* c, std::size_t rows, std::size_t inner,
              std::size_t cols);

// Array operators on one batch element each, as numpy would define them (core/exec/array_evaluator.cpp
// walks over the batch). Matrices are row-major; `n` is always the length of the last axis.

template <class S>
struct ArrayOps {
    // result [rows, n] = a [rows, k] @ b [k, n]
    static void matmul(const S* a, const S* b, S* result, std::size_t rows, std::size_t k, std::size_t n);
    // result [n, rows] of a [rows, n]
    static void transpose(const S* a, S* result, std::size_t rows, std::size_t n);
    // An operator of the form KeepRows (result [rows, n]) or FoldRows (result [rows]) on its operands: a
    // matrix [rows, n], then vectors of n elements or null.
    static void by_rows(const ArrayOp& op, const std::array<const S*, 3>& operands, S* result,
                        std::size_t rows, std::size_t n);
    // result [rows, n]
    static void outer(const S* a, const S* b, S* result, std::size_t rows, std::size_t n);
};

}  // namespace blockscope
