// The one part of the reference evaluator that has to be fast: products of large matrices of doubles.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/exec/scalar.h"
#include "core/program/array_program.h"

namespace blockscope {

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
