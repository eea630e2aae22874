// The engine's own block matmul, for builds without libxsmm: accumulators of kRows x kCols numbers in
// registers, streams over the rows of Bt. Included by the kernels alone (kernel_bodies.h).
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/engine/scalar_math.h"

// Offsets within a tile of registers are small.
// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result)
namespace {

#if defined(__AVX512F__)
constexpr int kVector = 16;
constexpr int kRows = 12;
#elif defined(__AVX2__)
constexpr int kVector = 8;
constexpr int kRows = 6;
#else
constexpr int kVector = 4;
constexpr int kRows = 4;
#endif
constexpr int kCols = 2 * kVector;

typedef float Vector __attribute__((vector_size(kVector * 4)));
typedef float Unaligned __attribute__((vector_size(kVector * 4), aligned(4), may_alias));

// A tile of kVector x kVector numbers, transposed.
BLOCKSCOPE_INLINE void transpose_tile(float* to, int64_t to_step, const float* from, int64_t from_step) {
#if defined(__GNUC__) && !defined(__clang__)
    typedef int Lanes __attribute__((vector_size(kVector * 4)));
    Vector rows[kVector];
#pragma GCC unroll 16
    for (int i = 0; i < kVector; ++i) rows[i] = *reinterpret_cast<const Unaligned*>(from + i * from_step);
        // A butterfly per bit of the index: rows i and i|s exchange the lanes in which that bit differs.
#pragma GCC unroll 4
    for (int s = 1; s < kVector; s *= 2) {
        Lanes low{};
        Lanes high{};
#pragma GCC unroll 16
        for (int lane = 0; lane < kVector; ++lane) {
            low[lane] = (lane & s) ? kVector + (lane ^ s) : lane;
            high[lane] = (lane & s) ? kVector + lane : (lane | s);
        }
#pragma GCC unroll 16
        for (int i = 0; i < kVector; ++i) {
            if (i & s) continue;
            const Vector a = rows[i];
            const Vector b = rows[i | s];
            rows[i] = __builtin_shuffle(a, b, low);
            rows[i | s] = __builtin_shuffle(a, b, high);
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < kVector; ++i) *reinterpret_cast<Unaligned*>(to + i * to_step) = rows[i];
#else
    for (int i = 0; i < kVector; ++i)
        for (int j = 0; j < kVector; ++j) to[i * to_step + j] = from[j * from_step + i];
#endif
}

struct MatmulBlocks {
    const float* a;
    int64_t a_step;
    const float* bt;
    int64_t bt_step;
    float* c;
    int64_t c_step;
    int inner;
    bool add;
};

// kCount rows and kWide vectors of columns.
template <int kCount, int kWide>
BLOCKSCOPE_INLINE void full_tile(const MatmulBlocks& m, const float* a, const float* bt, float* c) {
    Vector sums[kCount][kWide] = {};
    for (int k = 0; k < m.inner; ++k) {
        Vector b[kWide];
#pragma GCC unroll 2
        for (int j = 0; j < kWide; ++j)
            b[j] = *reinterpret_cast<const Unaligned*>(bt + k * m.bt_step + j * kVector);
#pragma GCC unroll 16
        for (int i = 0; i < kCount; ++i) {
            const Vector x = a[i * m.a_step + k] - Vector{};  // in all lanes; x - 0 is x
#pragma GCC unroll 2
            for (int j = 0; j < kWide; ++j) sums[i][j] += x * b[j];
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < kCount; ++i)
#pragma GCC unroll 2
        for (int j = 0; j < kWide; ++j) {
            Unaligned* out = reinterpret_cast<Unaligned*>(c + i * m.c_step + j * kVector);
            *out = m.add ? *out + sums[i][j] : sums[i][j];
        }
}

template <int kCount, int kWide>
BLOCKSCOPE_INLINE void rows_of_tiles(const MatmulBlocks& m, int& row, int rows, int col) {
    for (; row + kCount <= rows; row += kCount)
        full_tile<kCount, kWide>(m, m.a + row * m.a_step, m.bt + col, m.c + row * m.c_step + col);
}

template <int kWide>
void columns_of_tiles(const MatmulBlocks& m, int rows, int col) {
    int row = 0;
    rows_of_tiles<kRows, kWide>(m, row, rows, col);
    rows_of_tiles<4, kWide>(m, row, rows, col);
    rows_of_tiles<1, kWide>(m, row, rows, col);
}

// The last columns, fewer than a tile has.
void ragged_columns(const MatmulBlocks& m, int rows, int col, int cols) {
    for (int row = 0; row < rows; ++row) {
        float sums[kCols] = {};
        const float* a = m.a + row * m.a_step;
        for (int k = 0; k < m.inner; ++k) {
            const float* b = m.bt + k * m.bt_step + col;
            for (int j = 0; j < cols; ++j) sums[j] += a[k] * b[j];
        }
        float* out = m.c + row * m.c_step + col;
        for (int j = 0; j < cols; ++j) out[j] = m.add ? out[j] + sums[j] : sums[j];
    }
}

void matmul_blocks(int rows, int cols, int inner, const float* a, int64_t a_step, const float* bt,
                   int64_t bt_step, float* c, int64_t c_step, bool add) {
    const MatmulBlocks m{a, a_step, bt, bt_step, c, c_step, inner, add};
    int col = 0;
    for (; col + kCols <= cols; col += kCols) columns_of_tiles<2>(m, rows, col);
    for (; col + kVector <= cols; col += kVector) columns_of_tiles<1>(m, rows, col);
    if (col < cols) ragged_columns(m, rows, col, cols - col);
}

}  // namespace
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result)
