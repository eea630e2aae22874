// Vectorised routines on blocks in memory, in one version per instruction set; the widest that the processor
// has is chosen when the program runs.
#pragma once

#include <cstdint>

#include "core/scalar/primitives.h"

namespace blockscope::engine {

// What one elementwise instruction reads: a row-major block, or (splat) one number per row. A row step of 0
// repeats the first row or number: a vector along the columns, a scalar.
struct Operand {
    const float* data = nullptr;
    std::int64_t row_step = 0;
    bool splat = false;
};

// A row-major block to be written.
struct Target {
    float* data = nullptr;
    std::int64_t row_step = 0;
    int rows = 0;
    int cols = 0;
};

// What an elementwise instruction computes: a primitive, or one of a few functions more that programs often
// need.
enum class Op : std::uint8_t { Copy = kFnCount, Square, Reciprocal, ReciprocalSqrt };
constexpr int kOpCount = static_cast<int>(Op::ReciprocalSqrt) + 1;

constexpr Op op_of(Fn fn) {
    return static_cast<Op>(fn);
}

struct SimdTable {
    const char* name;
    int vector_elements;

    using Unary = void (*)(const Target& to, const Operand& a);
    using Binary = void (*)(const Target& to, const Operand& a, const Operand& b);
    // By Op; null where the function has another number of arguments.
    Unary unary[kOpCount];
    Binary binary[kOpCount][2][2];  // by splat of a and b

    // C[rows,cols] = A[rows,inner] Bt[inner,cols], or += with `add`; all row-major.
    void (*matmul)(int rows, int cols, int inner, const float* a, std::int64_t a_step, const float* bt,
                   std::int64_t bt_step, float* c, std::int64_t c_step, bool add);

    // to[row] = the row folded by a scalar function, or that together with what it is (`add`). Vectors are
    // one row. By Fn; null where no functional operator folds by it.
    using RowFold = void (*)(float* to, const float* a, std::int64_t a_step, int rows, int cols, bool add);
    RowFold row_fold[kFnCount];
    // The same down the columns: to[col] = the column folded, of the block as it lies in memory.
    RowFold col_fold[kFnCount];

    void (*fill)(const Target& to, float value);
    void (*copy)(const Target& to, const float* from, std::int64_t from_step);
    // The same past the caches, for what is read much later; streamed() after the last of them, before other
    // threads read it.
    void (*stream)(const Target& to, const float* from, std::int64_t from_step);
    void (*streamed)();
    // to[i,j] = from[j,i]
    void (*transpose)(const Target& to, const float* from, std::int64_t from_step);
    // The same from bfloat16.
    void (*widen)(const Target& to, const std::uint16_t* from, std::int64_t from_step);

    // For micro.h: the sum of n numbers; n * 2 * fma_width operations on registers.
    float (*read)(const float* from, std::int64_t n);
    float (*fma)(std::int64_t n);
    int fma_width;
};

const SimdTable& baseline_simd();
#ifdef BLOCKSCOPE_X86_SIMD
const SimdTable& avx2_simd();
const SimdTable& avx512_simd();
#endif

// The best that this processor has.
const SimdTable& simd();
// All that this processor has.
int available_simd(const SimdTable* tables[3]);

}  // namespace blockscope::engine
