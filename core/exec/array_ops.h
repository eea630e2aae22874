// Array operators on one batch element each, as numpy would define them (core/exec/array_evaluator.cpp
// walks over the batch). Matrices are row-major; `n` is always the length of the last axis.
#pragma once

#include <cstddef>
#include <vector>

#include "core/exec/scalar.h"
#include "core/program/array_program.h"

namespace blockscope {

template <class S>
struct ArrayOps {
    // result [rows, n] = a [rows, k] @ b [k, n]
    static void matmul(const S* a, const S* b, S* result, std::size_t rows, std::size_t k, std::size_t n);
    // result [n, rows] of a [rows, n]
    static void transpose(const S* a, S* result, std::size_t rows, std::size_t n);
    static void softmax(const S* a, S* result, std::size_t rows, std::size_t n);
    // `weight` and `bias` of n elements, or null.
    static void rmsnorm(const ArrayOp& op, const S* a, const S* weight, S* result, std::size_t rows,
                        std::size_t n);
    static void layernorm(const ArrayOp& op, const S* a, const S* weight, const S* bias, S* result,
                          std::size_t rows, std::size_t n);
    // RowSum, RowMean or RowMax: result [rows]
    static void row_reduce(ArrayOpKind kind, const S* a, S* result, std::size_t rows, std::size_t n);
    // result [rows, n]
    static void outer(const S* a, const S* b, S* result, std::size_t rows, std::size_t n);
};

}  // namespace blockscope
