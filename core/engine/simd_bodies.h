// Elementary functions in float32 that the compiler can vectorise: no calls, no branches. Included by the
// routines alone, once per instruction set; everything is local to the including file, as its code must not
// be used by others.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/engine/simd.h"

namespace {

#define BLOCKSCOPE_INLINE static inline __attribute__((always_inline))

BLOCKSCOPE_INLINE uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

BLOCKSCOPE_INLINE float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Cody-Waite reduction to |r| <= ln(2)/2 and a polynomial of degree 6 (Cephes); 0 below -87.34, infinity
// above 88.72.
BLOCKSCOPE_INLINE float exp_of(float x) {
    const float lowest = -87.33654f;
    const float highest = 88.72283f;
    float c = x < lowest ? lowest : x;
    c = c > highest ? highest : c;
    const float magic = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
    const float shifted = c * 1.44269504f + magic;
    const float n = shifted - magic;
    const float r = (c - n * 0.693359375f) + n * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    // 2^128 is no float32: one factor of 2 is left for the end.
    // The integer n stands in the lowest bits of `shifted`: a NaN, which no integer holds, is never
    // converted.
    const uint32_t scale = (bits_of(shifted) - bits_of(magic) + 126U) << 23;
    const float y = p * float_of(scale) * 2.0f;
    const float bounded = x > highest ? __builtin_inff() : y;
    return x < lowest ? 0.0f : bounded;
}

// Cephes' logf; -infinity at 0, NaN below.
BLOCKSCOPE_INLINE float log_of(float x) {
    const bool tiny = x < 1.17549435e-38f;
    const uint32_t bits = bits_of(tiny ? x * 8388608.0f : x);
    float e = static_cast<float>(static_cast<int32_t>(bits >> 23) - (tiny ? 150 : 127));
    float m = float_of((bits & 0x7fffffU) | 0x3f800000U);
    const bool large = m > 1.41421356f;
    m = large ? m * 0.5f : m;
    e = large ? e + 1.0f : e;
    const float f = m - 1.0f;
    const float z = f * f;
    float p = 7.0376836292e-2f;
    p = p * f - 1.1514610310e-1f;
    p = p * f + 1.1676998740e-1f;
    p = p * f - 1.2420140846e-1f;
    p = p * f + 1.4249322787e-1f;
    p = p * f - 1.6668057665e-1f;
    p = p * f + 2.0000714765e-1f;
    p = p * f - 2.4999993993e-1f;
    p = p * f + 3.3333331174e-1f;
    const float y = f * z * p - 2.12194440e-4f * e - 0.5f * z;
    float result = f + y + 0.693359375f * e;
    result = x == __builtin_inff() ? x : result;
    result = x == 0.0f ? -__builtin_inff() : result;
    return x >= 0.0f ? result : __builtin_nanf("");
}

// Cephes' tanhf: an odd polynomial near 0, 1 - 2 / (e^2x + 1) elsewhere.
BLOCKSCOPE_INLINE float tanh_of(float x) {
    const float z = x * x;
    float p = -5.70498872745e-3f;
    p = p * z + 2.06390887954e-2f;
    p = p * z - 5.37397155531e-2f;
    p = p * z + 1.33314422036e-1f;
    p = p * z - 3.33332819422e-1f;
    const float near = p * z * x + x;
    const float size = x < 0.0f ? -x : x;
    const float far = 1.0f - 2.0f / (exp_of(2.0f * size) + 1.0f);
    return size < 0.625f ? near : (x < 0.0f ? -far : far);
}

// The Maclaurin series near 0; elsewhere Abramowitz and Stegun's 7.1.26 (absolute error 1.5e-7).
BLOCKSCOPE_INLINE float erf_of(float x) {
    const float z = x * x;
    float p = -7.57575758e-4f;   // -1/1320
    p = p * z + 4.62962963e-3f;  // 1/216
    p = p * z - 2.38095238e-2f;  // -1/42
    p = p * z + 1.0e-1f;
    p = p * z - 3.33333333e-1f;
    const float near = 1.12837917f * (p * z * x + x);
    const float size = x < 0.0f ? -x : x;
    const float t = 1.0f / (1.0f + 0.3275911f * size);
    float q = 1.061405429f;
    q = q * t - 1.453152027f;
    q = q * t + 1.421413741f;
    q = q * t - 0.284496736f;
    q = q * t + 0.254829592f;
    const float far = 1.0f - q * t * exp_of(-z);
    return size < 0.5f ? near : (x < 0.0f ? -far : far);
}

// NaN if one of them is, as the reference has it.
BLOCKSCOPE_INLINE float max_of(float a, float b) {
    return ((a > b) | (a != a)) ? a : b;
}
BLOCKSCOPE_INLINE float min_of(float a, float b) {
    return ((a < b) | (a != a)) ? a : b;
}

// What each primitive computes, and the functions that the engine adds to them. Every Op has a body here: the
// table of microkernels does not compile without.
using blockscope::Fn;
using blockscope::engine::Op;
using blockscope::engine::op_of;

template <Op kOp>
struct Scalar;
template <>
struct Scalar<op_of(Fn::Neg)> {
    BLOCKSCOPE_INLINE float of(float a) { return -a; }
};
template <>
struct Scalar<op_of(Fn::Exp)> {
    BLOCKSCOPE_INLINE float of(float a) { return exp_of(a); }
};
template <>
struct Scalar<op_of(Fn::Log)> {
    BLOCKSCOPE_INLINE float of(float a) { return log_of(a); }
};
template <>
struct Scalar<op_of(Fn::Sqrt)> {
    BLOCKSCOPE_INLINE float of(float a) { return __builtin_sqrtf(a); }
};
template <>
struct Scalar<op_of(Fn::Tanh)> {
    BLOCKSCOPE_INLINE float of(float a) { return tanh_of(a); }
};
template <>
struct Scalar<op_of(Fn::Erf)> {
    BLOCKSCOPE_INLINE float of(float a) { return erf_of(a); }
};
template <>
struct Scalar<op_of(Fn::Abs)> {
    BLOCKSCOPE_INLINE float of(float a) { return __builtin_fabsf(a); }
};
template <>
struct Scalar<op_of(Fn::Sin)> {
    BLOCKSCOPE_INLINE float of(float a) { return __builtin_sinf(a); }
};
template <>
struct Scalar<op_of(Fn::Cos)> {
    BLOCKSCOPE_INLINE float of(float a) { return __builtin_cosf(a); }
};
template <>
struct Scalar<op_of(Fn::Floor)> {
    BLOCKSCOPE_INLINE float of(float a) { return __builtin_floorf(a); }
};
template <>
struct Scalar<op_of(Fn::Add)> {
    BLOCKSCOPE_INLINE float of(float a, float b) { return a + b; }
};
template <>
struct Scalar<op_of(Fn::Sub)> {
    BLOCKSCOPE_INLINE float of(float a, float b) { return a - b; }
};
template <>
struct Scalar<op_of(Fn::Mul)> {
    BLOCKSCOPE_INLINE float of(float a, float b) { return a * b; }
};
template <>
struct Scalar<op_of(Fn::Div)> {
    BLOCKSCOPE_INLINE float of(float a, float b) { return a / b; }
};
template <>
struct Scalar<op_of(Fn::Pow)> {
    BLOCKSCOPE_INLINE float of(float a, float b) { return __builtin_powf(a, b); }
};
template <>
struct Scalar<op_of(Fn::Max)> {
    BLOCKSCOPE_INLINE float of(float a, float b) { return max_of(a, b); }
};
template <>
struct Scalar<op_of(Fn::Min)> {
    BLOCKSCOPE_INLINE float of(float a, float b) { return min_of(a, b); }
};
template <>
struct Scalar<Op::Copy> {
    BLOCKSCOPE_INLINE float of(float a) { return a; }
};
template <>
struct Scalar<Op::Square> {
    BLOCKSCOPE_INLINE float of(float a) { return a * a; }
};
template <>
struct Scalar<Op::Reciprocal> {
    BLOCKSCOPE_INLINE float of(float a) { return 1.0f / a; }
};
template <>
struct Scalar<Op::ReciprocalSqrt> {
    BLOCKSCOPE_INLINE float of(float a) { return 1.0f / __builtin_sqrtf(a); }
};

}  // namespace
// The engine's own block matmul, for builds without libxsmm: accumulators of kRows x kCols numbers in
// registers, streams over the rows of Bt.

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
    const MatmulBlocks m{.a = a,
                         .a_step = a_step,
                         .bt = bt,
                         .bt_step = bt_step,
                         .c = c,
                         .c_step = c_step,
                         .inner = inner,
                         .add = add};
    int col = 0;
    for (; col + kCols <= cols; col += kCols) columns_of_tiles<2>(m, rows, col);
    for (; col + kVector <= cols; col += kVector) columns_of_tiles<1>(m, rows, col);
    if (col < cols) ragged_columns(m, rows, col, cols - col);
}

}  // namespace
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result)
// The routines themselves, compiled once per instruction set (simd_*.cpp). No header of the standard
// library with inline functions may be included here: the linker could pick this file's version of them for
// everyone.

// Offsets within a tile of registers are small.
// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result)
namespace {

using blockscope::engine::Op;
using blockscope::engine::Operand;
using blockscope::engine::SimdTable;
using blockscope::engine::Target;

// ---- elementwise ----------------------------------------------------------------------------------

template <Op kOp>
void unary(const Target& to, const Operand& a) {
    for (int row = 0; row < to.rows; ++row) {
        float* out = to.data + row * to.row_step;
        const float* in = a.data + row * a.row_step;
        if (a.splat) {
            const float value = Scalar<kOp>::of(*in);
            for (int i = 0; i < to.cols; ++i) out[i] = value;
            continue;
        }
        for (int i = 0; i < to.cols; ++i) out[i] = Scalar<kOp>::of(in[i]);
    }
}

template <Op kOp, bool kSplatA, bool kSplatB>
void binary(const Target& to, const Operand& a, const Operand& b) {
    for (int row = 0; row < to.rows; ++row) {
        float* out = to.data + row * to.row_step;
        const float* left = a.data + row * a.row_step;
        const float* right = b.data + row * b.row_step;
        const float x = *left;
        const float y = *right;
        for (int i = 0; i < to.cols; ++i)
            out[i] = Scalar<kOp>::of(kSplatA ? x : left[i], kSplatB ? y : right[i]);
    }
}

// ---- rows -----------------------------------------------------------------------------------------

constexpr Op kAdd = blockscope::engine::op_of(blockscope::Fn::Add);
constexpr Op kMax = blockscope::engine::op_of(blockscope::Fn::Max);

template <Op kOp>
BLOCKSCOPE_INLINE Vector combine(Vector a, Vector b) {
    static_assert(kOp == kAdd || kOp == kMax, "another fold needs a line of its own");
    if (kOp == kAdd) return a + b;
    return ((a > b) | (a != a)) ? a : b;  // max_of
}

BLOCKSCOPE_INLINE Vector vector_at(const float* a) {
    return *reinterpret_cast<const Unaligned*>(a);
}

// The whole vectors of a row, at least one, folded into one. Four partial results side by side, so that
// additions need not wait for one another.
template <Op kOp>
BLOCKSCOPE_INLINE Vector fold_vectors(const float* a, int cols) {
    Vector part = vector_at(a);
    int i = kVector;
    if (cols >= 4 * kVector) {
        Vector parts[4] = {part, vector_at(a + kVector), vector_at(a + 2 * kVector),
                           vector_at(a + 3 * kVector)};
        for (i = 4 * kVector; i + 4 * kVector <= cols; i += 4 * kVector)
#pragma GCC unroll 4
            for (int j = 0; j < 4; ++j) parts[j] = combine<kOp>(parts[j], vector_at(a + i + j * kVector));
        part = combine<kOp>(combine<kOp>(parts[0], parts[1]), combine<kOp>(parts[2], parts[3]));
    }
    for (; i + kVector <= cols; i += kVector) part = combine<kOp>(part, vector_at(a + i));
    return part;
}

template <Op kOp>
BLOCKSCOPE_INLINE float fold_lanes(Vector a) {
    float lanes[kVector];
    *reinterpret_cast<Unaligned*>(lanes) = a;
    for (int width = kVector / 2; width > 0; width /= 2)
        for (int lane = 0; lane < width; ++lane)
            lanes[lane] = Scalar<kOp>::of(lanes[lane], lanes[lane + width]);
    return lanes[0];
}

// The numbers behind the whole vectors of a row, and what was there before.
template <Op kOp>
BLOCKSCOPE_INLINE void finish_row(float* to, const float* a, int begin, int cols, float result, bool add) {
    for (int i = begin; i < cols; ++i) result = Scalar<kOp>::of(result, a[i]);
    *to = add ? Scalar<kOp>::of(*to, result) : result;
}

// As many rows at once as a vector has lanes: their lanes are folded after a transposition.
template <Op kOp>
void fold_rows(float* to, const float* a, int64_t a_step, int rows, int cols, bool add) {
    const int whole = cols / kVector * kVector;
    int row = 0;
    if (whole > 0)
        for (; row + kVector <= rows; row += kVector) {
            float tile[kVector * kVector];
            float turned[kVector * kVector];
            for (int i = 0; i < kVector; ++i)
                *reinterpret_cast<Unaligned*>(tile + i * kVector) =
                    fold_vectors<kOp>(a + (row + i) * a_step, cols);
            transpose_tile(turned, kVector, tile, kVector);
            Vector sums = vector_at(turned);
            for (int i = 1; i < kVector; ++i) sums = combine<kOp>(sums, vector_at(turned + i * kVector));
            for (int i = 0; i < kVector; ++i)
                finish_row<kOp>(to + row + i, a + (row + i) * a_step, whole, cols, sums[i], add);
        }
    for (; row < rows; ++row) {
        const float* from = a + row * a_step;
        const float first = whole > 0 ? fold_lanes<kOp>(fold_vectors<kOp>(from, cols)) : from[0];
        finish_row<kOp>(to + row, from, whole > 0 ? whole : 1, cols, first, add);
    }
}

// Down the columns, some vectors of them at a time, which stay in registers.
template <Op kOp, int kWide>
BLOCKSCOPE_INLINE void fold_tile_down(float* to, const float* a, int64_t a_step, int rows, bool add) {
    Vector parts[kWide];
#pragma GCC unroll 8
    for (int j = 0; j < kWide; ++j) parts[j] = vector_at((add ? to : a) + j * kVector);
    for (int row = add ? 0 : 1; row < rows; ++row)
#pragma GCC unroll 8
        for (int j = 0; j < kWide; ++j)
            parts[j] = combine<kOp>(parts[j], vector_at(a + row * a_step + j * kVector));
#pragma GCC unroll 8
    for (int j = 0; j < kWide; ++j) *reinterpret_cast<Unaligned*>(to + j * kVector) = parts[j];
}

template <Op kOp>
void fold_columns(float* to, const float* a, int64_t a_step, int rows, int cols, bool add) {
    int col = 0;
    for (; col + 8 * kVector <= cols; col += 8 * kVector)
        fold_tile_down<kOp, 8>(to + col, a + col, a_step, rows, add);
    for (; col + kVector <= cols; col += kVector)
        fold_tile_down<kOp, 1>(to + col, a + col, a_step, rows, add);
    for (; col < cols; ++col) {
        float result = add ? Scalar<kOp>::of(to[col], a[col]) : a[col];
        for (int row = 1; row < rows; ++row) result = Scalar<kOp>::of(result, a[row * a_step + col]);
        to[col] = result;
    }
}

// ---- moving ---------------------------------------------------------------------------------------

void fill_block(const Target& to, float value) {
    for (int row = 0; row < to.rows; ++row) {
        float* out = to.data + row * to.row_step;
        for (int i = 0; i < to.cols; ++i) out[i] = value;
    }
}

void copy_block(const Target& to, const float* from, int64_t from_step) {
    for (int row = 0; row < to.rows; ++row)
        memcpy(to.data + row * to.row_step, from + row * from_step,
               sizeof(float) * static_cast<size_t>(to.cols));
}

BLOCKSCOPE_INLINE void store_past_caches(float* to, Vector value) {
#if defined(__clang__)
    __builtin_nontemporal_store(value, reinterpret_cast<Vector*>(to));
#elif defined(__AVX512F__)
    __builtin_ia32_movntps512(to, value);
#elif defined(__AVX2__)
    __builtin_ia32_movntps256(to, value);
#elif defined(__SSE__)
    __builtin_ia32_movntps(to, value);
#else
    *reinterpret_cast<Vector*>(to) = value;
#endif
}

// Vectors that begin where a vector has to, past the caches; the others as they are.
void stream_block(const Target& to, const float* from, int64_t from_step) {
    for (int row = 0; row < to.rows; ++row) {
        float* out = to.data + row * to.row_step;
        const float* in = from + row * from_step;
        const bool aligned = reinterpret_cast<uintptr_t>(out) % (kVector * sizeof(float)) == 0;
        int i = 0;
        if (aligned)
            for (; i + kVector <= to.cols; i += kVector) store_past_caches(out + i, vector_at(in + i));
        for (; i < to.cols; ++i) out[i] = in[i];
    }
}

void wait_for_streams() {
#if defined(__SSE__)
    __builtin_ia32_sfence();
#endif
}

void widen_block(const Target& to, const uint16_t* from, int64_t from_step) {
    for (int row = 0; row < to.rows; ++row) {
        float* out = to.data + row * to.row_step;
        const uint16_t* in = from + row * from_step;
        for (int i = 0; i < to.cols; ++i) out[i] = float_of(static_cast<uint32_t>(in[i]) << 16);
    }
}

void transpose_block(const Target& to, const float* from, int64_t from_step) {
    int row = 0;
    for (; row + kVector <= to.rows; row += kVector) {
        int col = 0;
        for (; col + kVector <= to.cols; col += kVector)
            transpose_tile(to.data + row * to.row_step + col, to.row_step, from + col * from_step + row,
                           from_step);
        for (; col < to.cols; ++col)
            for (int i = 0; i < kVector; ++i)
                to.data[(row + i) * to.row_step + col] = from[col * from_step + row + i];
    }
    for (; row < to.rows; ++row)
        for (int col = 0; col < to.cols; ++col)
            to.data[row * to.row_step + col] = from[col * from_step + row];
}

// ---- measuring ------------------------------------------------------------------------------------

float read_all(const float* from, int64_t n) {
    constexpr int kStreams = 8;
    Vector sums[kStreams] = {};
    int64_t i = 0;
    for (; i + kStreams * kVector <= n; i += kStreams * kVector) {
#pragma GCC unroll 8
        for (int j = 0; j < kStreams; ++j)
            sums[j] += *reinterpret_cast<const Unaligned*>(from + i + j * kVector);
    }
    // Halves are added up, not one number after the other: a chain of 8 x 16 additions takes longer than
    // reading half a first-level cache.
    for (int half = kStreams / 2; half > 0; half /= 2)
        for (int j = 0; j < half; ++j) sums[j] += sums[j + half];
    for (int half = kVector / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; ++lane) sums[0][lane] += sums[0][lane + half];
    float sum = sums[0][0];
    for (; i < n; ++i) sum += from[i];
    return sum;
}

// 12 independent chains of multiply-adds: more than latency times units of any processor so far.
constexpr int kChains = 12;

float multiply_adds(int64_t n) {
    Vector chains[kChains];
    for (int j = 0; j < kChains; ++j) chains[j] = Vector{} + static_cast<float>(j);
    const Vector factor = Vector{} + 0.999f;
    const Vector summand = Vector{} + 0.001f;
    for (int64_t i = 0; i < n; ++i) {
#pragma GCC unroll 12
        for (int j = 0; j < kChains; ++j) chains[j] = chains[j] * factor + summand;
    }
    float sum = 0;
    for (int j = 0; j < kChains; ++j)
        for (int i = 0; i < kVector; ++i) sum += chains[j][i];
    return sum;
}

// ---- the table ------------------------------------------------------------------------------------

template <Op kOp>
void set(SimdTable& table, float (*)(float)) {
    table.unary[static_cast<int>(kOp)] = unary<kOp>;
}

template <Op kOp>
void set(SimdTable& table, float (*)(float, float)) {
    SimdTable::Binary(&entry)[2][2] = table.binary[static_cast<int>(kOp)];
    entry[0][0] = binary<kOp, false, false>;
    entry[0][1] = binary<kOp, false, true>;
    entry[1][0] = binary<kOp, true, false>;
    entry[1][1] = binary<kOp, true, true>;
}

// From number kOp on.
template <int kOp>
void set_all(SimdTable& table) {
    set<static_cast<Op>(kOp)>(table, Scalar<static_cast<Op>(kOp)>::of);
    if constexpr (kOp + 1 < blockscope::engine::kOpCount) set_all<kOp + 1>(table);
}

template <Op kOp>
void set_fold(SimdTable& table) {
    table.row_fold[static_cast<int>(kOp)] = fold_rows<kOp>;
    table.col_fold[static_cast<int>(kOp)] = fold_columns<kOp>;
}

SimdTable make_table(const char* name) {
    SimdTable table{};
    table.name = name;
    table.vector_elements = kVector;
    set_all<0>(table);
    table.matmul = matmul_blocks;
    set_fold<kAdd>(table);
    set_fold<kMax>(table);
    table.fill = fill_block;
    table.copy = copy_block;
    table.stream = stream_block;
    table.streamed = wait_for_streams;
    table.transpose = transpose_block;
    table.widen = widen_block;
    table.read = read_all;
    table.fma = multiply_adds;
    table.fma_width = kChains * kVector;
    return table;
}

}  // namespace
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result)
