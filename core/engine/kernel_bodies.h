// The kernels themselves, compiled once per instruction set (kernels_*.cpp). No header of the standard
// library with inline functions may be included here: the linker could pick this file's version of them for
// everyone.
#pragma once

#include "core/engine/kernels.h"
#include "core/engine/matmul_body.h"
#include "core/engine/scalar_math.h"

// Offsets within a tile of registers are small.
// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result)
namespace {

using blockscope::engine::KernelTable;
using blockscope::engine::Op;
using blockscope::engine::Operand;
using blockscope::engine::Target;

// ---- elementwise ----------------------------------------------------------------------------------

template <Op kOp>
BLOCKSCOPE_INLINE float apply(float a) {
    if (kOp == Op::Neg) return -a;
    if (kOp == Op::Exp) return exp_of(a);
    if (kOp == Op::Log) return log_of(a);
    if (kOp == Op::Sqrt) return __builtin_sqrtf(a);
    if (kOp == Op::Tanh) return tanh_of(a);
    if (kOp == Op::Erf) return erf_of(a);
    if (kOp == Op::Abs) return __builtin_fabsf(a);
    if (kOp == Op::Sin) return __builtin_sinf(a);
    if (kOp == Op::Cos) return __builtin_cosf(a);
    if (kOp == Op::Floor) return __builtin_floorf(a);
    if (kOp == Op::Square) return a * a;
    if (kOp == Op::Reciprocal) return 1.0f / a;
    if (kOp == Op::ReciprocalSqrt) return 1.0f / __builtin_sqrtf(a);
    return a;
}

template <Op kOp>
BLOCKSCOPE_INLINE float apply(float a, float b) {
    if (kOp == Op::Add) return a + b;
    if (kOp == Op::Sub) return a - b;
    if (kOp == Op::Mul) return a * b;
    if (kOp == Op::Div) return a / b;
    if (kOp == Op::Max) return max_of(a, b);
    if (kOp == Op::Min) return min_of(a, b);
    return __builtin_powf(a, b);
}

template <Op kOp>
void unary(const Target& to, const Operand& a) {
    for (int row = 0; row < to.rows; ++row) {
        float* out = to.data + row * to.row_step;
        const float* in = a.data + row * a.row_step;
        if (a.splat) {
            const float value = apply<kOp>(*in);
            for (int i = 0; i < to.cols; ++i) out[i] = value;
            continue;
        }
        for (int i = 0; i < to.cols; ++i) out[i] = apply<kOp>(in[i]);
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
        for (int i = 0; i < to.cols; ++i) out[i] = apply<kOp>(kSplatA ? x : left[i], kSplatB ? y : right[i]);
    }
}

// ---- rows -----------------------------------------------------------------------------------------

template <Op kOp>
BLOCKSCOPE_INLINE Vector combine(Vector a, Vector b) {
    if (kOp == Op::Add) return a + b;
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
        for (int lane = 0; lane < width; ++lane) lanes[lane] = apply<kOp>(lanes[lane], lanes[lane + width]);
    return lanes[0];
}

// The numbers behind the whole vectors of a row, and what was there before.
template <Op kOp>
BLOCKSCOPE_INLINE void finish_row(float* to, const float* a, int begin, int cols, float result, bool add) {
    for (int i = begin; i < cols; ++i) result = apply<kOp>(result, a[i]);
    *to = add ? apply<kOp>(*to, result) : result;
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
    float sum = 0;
    for (int j = 0; j < kStreams; ++j)
        for (int lane = 0; lane < kVector; ++lane) sum += sums[j][lane];
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
void set_unary(KernelTable& table) {
    table.unary[static_cast<int>(kOp)] = unary<kOp>;
}

template <Op kOp>
void set_binary(KernelTable& table) {
    KernelTable::Binary(&entry)[2][2] =
        table.binary[static_cast<int>(kOp) - blockscope::engine::kFirstBinary];
    entry[0][0] = binary<kOp, false, false>;
    entry[0][1] = binary<kOp, false, true>;
    entry[1][0] = binary<kOp, true, false>;
    entry[1][1] = binary<kOp, true, true>;
}

KernelTable make_table(const char* name) {
    KernelTable table{};
    table.name = name;
    table.vector_elements = kVector;
    set_unary<Op::Copy>(table);
    set_unary<Op::Neg>(table);
    set_unary<Op::Exp>(table);
    set_unary<Op::Log>(table);
    set_unary<Op::Sqrt>(table);
    set_unary<Op::Tanh>(table);
    set_unary<Op::Erf>(table);
    set_unary<Op::Abs>(table);
    set_unary<Op::Sin>(table);
    set_unary<Op::Cos>(table);
    set_unary<Op::Floor>(table);
    set_unary<Op::Square>(table);
    set_unary<Op::Reciprocal>(table);
    set_unary<Op::ReciprocalSqrt>(table);
    set_binary<Op::Add>(table);
    set_binary<Op::Sub>(table);
    set_binary<Op::Mul>(table);
    set_binary<Op::Div>(table);
    set_binary<Op::Max>(table);
    set_binary<Op::Min>(table);
    set_binary<Op::Pow>(table);
    table.matmul = matmul_blocks;
    table.row_sum = fold_rows<Op::Add>;
    table.row_max = fold_rows<Op::Max>;
    table.fill = fill_block;
    table.copy = copy_block;
    table.transpose = transpose_block;
    table.widen = widen_block;
    table.read = read_all;
    table.fma = multiply_adds;
    table.fma_width = kChains * kVector;
    return table;
}

}  // namespace
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result)
