// What every kernel starts from: element types, shared memory, barriers, extents. No includes, so that NVRTC needs
// no header directory. Emulated on a CPU (tests/gpu/emulator) the few device primitives come from there.
#pragma once

// What elementwise functions compute with. (Host code that checks kernels has doubles.)
#ifndef BLOCKSCOPE_NUMBER
#define BLOCKSCOPE_NUMBER float
#endif
using Number = BLOCKSCOPE_NUMBER;

struct f16 {
    unsigned short bits;
};
struct bf16 {
    unsigned short bits;
};
struct e4m3 {
    unsigned char bits;
};
struct e5m2 {
    unsigned char bits;
};

#ifndef BLOCKSCOPE_EMULATED
#define KERNEL extern "C" __global__ void __launch_bounds__(THREADS)
#define DEVICE __device__ __forceinline__
#define UNROLL _Pragma("unroll")
#define INFINITY_F __int_as_float(0x7f800000)

extern __shared__ __align__(1024) unsigned char shared_bytes[];

DEVICE int thread_index() {
    __builtin_assume(threadIdx.x < THREADS);  // so that whole blocks leave no guards behind
    return (int)threadIdx.x;
}
DEVICE long long tile_index() { return (long long)blockIdx.x; }
// All THREADS threads; where a warp more brings tiles, it takes no part.
DEVICE void sync() {
    if (WARP_SPECIALISED)
        asm volatile("bar.sync 1, %0;" ::"n"(THREADS) : "memory");
    else
        __syncthreads();
}
// The value that the lane whose number differs in the bits of `mask` has. All 32 lanes take part.
DEVICE float shuffle_xor(float x, int mask) { return __shfl_xor_sync(0xffffffffu, x, mask); }

// Whether it holds for any of the 32 lanes.
DEVICE bool any_of_warp(bool holds) { return __any_sync(0xffffffffu, holds) != 0; }

DEVICE float bits_to_float(unsigned int bits) { return __uint_as_float(bits); }
DEVICE unsigned int float_to_bits(float x) { return __float_as_uint(x); }

// Shared memory as float numbers, by their index.
DEVICE float shared_read(int index) { return ((const float*)shared_bytes)[index]; }
DEVICE void shared_write(int index, float x) { ((float*)shared_bytes)[index] = x; }
// Four in a row; `index` is a multiple of four.
DEVICE void shared_read4(int index, float (&x)[4]) {
    const float4 four = ((const float4*)shared_bytes)[index / 4];
    x[0] = four.x, x[1] = four.y, x[2] = four.z, x[3] = four.w;
}

template <class T>
DEVICE T global_read(const T* from) { return *from; }
template <class T>
DEVICE void global_write(T* to, T x) { *to = x; }
// Adds to what lies there, whoever else does so at the same time.
DEVICE void global_add(float* to, float x) { atomicAdd(to, x); }

// That no sum takes in before it is rounded.
DEVICE float rounded_product(float x, float y) { return __fmul_rn(x, y); }

DEVICE float exp2_fast(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

DEVICE float reciprocal_fast(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
DEVICE float sqrt_fast(float x) {
    float y;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

DEVICE float half_to_float(unsigned short bits) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
}
DEVICE unsigned short float_to_half(float x) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
}
#endif

// ---- Element types: to float exactly, from float rounded to nearest even.

DEVICE float to_float(float x) { return x; }
DEVICE float to_float(f16 x) { return half_to_float(x.bits); }
DEVICE float to_float(bf16 x) { return bits_to_float((unsigned int)x.bits << 16); }

// A float of 1 sign, EXPONENT and MANTISSA bits, whose subnormals are multiples of 2^(1 - BIAS - MANTISSA).
template <int EXPONENT, int MANTISSA, int BIAS>
DEVICE float small_to_float(unsigned int bits) {
    const unsigned int exponent = (bits >> MANTISSA) & ((1u << EXPONENT) - 1);
    const unsigned int mantissa = bits & ((1u << MANTISSA) - 1);
    const float sign = bits >> (EXPONENT + MANTISSA) ? -1.0f : 1.0f;
    const float smallest = bits_to_float((unsigned int)(127 + 1 - BIAS - MANTISSA) << 23);
    if (exponent == 0) return sign * smallest * (float)mantissa;
    return sign * bits_to_float(((exponent + 127 - BIAS) << 23) | (mantissa << (23 - MANTISSA)));
}
DEVICE float to_float(e4m3 x) {
    if ((x.bits & 0x7f) == 0x7f) return bits_to_float(0x7fc00000u);
    return small_to_float<4, 3, 7>(x.bits);
}
DEVICE float to_float(e5m2 x) {
    if ((x.bits & 0x7f) > 0x7c) return bits_to_float(0x7fc00000u);
    if ((x.bits & 0x7f) == 0x7c) return x.bits & 0x80 ? -INFINITY_F : INFINITY_F;
    return small_to_float<5, 2, 15>(x.bits);
}

template <class T>
struct FromFloat;
template <>
struct FromFloat<float> {
    static DEVICE float of(float x) { return x; }
};
template <>
struct FromFloat<f16> {
    static DEVICE f16 of(float x) { return f16{float_to_half(x)}; }
};
template <>
struct FromFloat<bf16> {
    static DEVICE bf16 of(float x) {
        const unsigned int bits = float_to_bits(x);
        if (x != x) return bf16{0x7fc0};
        return bf16{(unsigned short)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
    }
};
// The magnitude of x rounded to MANTISSA bits, its bits as a small float; larger ones become `largest`.
template <int MANTISSA, int BIAS>
DEVICE unsigned char small_from_float(float x, float limit, unsigned int largest) {
    const unsigned int bits = float_to_bits(x);
    const unsigned int sign = (bits >> 24) & 0x80u;
    const float magnitude = x < 0 ? -x : x;
    if (x != x) return (unsigned char)(sign | 0x7fu);
    if (magnitude >= limit) return (unsigned char)(sign | largest);
    const int lowest = 1 - BIAS;  // exponent of the smallest normal number
    int exponent = (int)((bits >> 23) & 0xffu) - 127;
    if (exponent < lowest) exponent = lowest;
    const float step = bits_to_float((unsigned int)(127 + exponent - MANTISSA) << 23);
    const float scaled = magnitude / step;  // exact: a power of two
    int whole = (int)scaled;
    const float rest = scaled - (float)whole;
    if (rest > 0.5f || (rest == 0.5f && (whole & 1))) ++whole;
    // A subnormal has no hidden bit, and a carry goes over into the exponent by itself.
    return (unsigned char)(sign | (unsigned int)(((exponent - lowest) << MANTISSA) + whole));
}
template <>
struct FromFloat<e4m3> {
    static DEVICE e4m3 of(float x) { return e4m3{small_from_float<3, 7>(x, 464.0f, 0x7e)}; }
};
template <>
struct FromFloat<e5m2> {
    static DEVICE e5m2 of(float x) { return e5m2{small_from_float<2, 15>(x, 61440.0f, 0x7b)}; }
};

// What is stored as this is added to the float that lies there.
struct Added {
    float value;
};
template <>
struct FromFloat<Added> {
    static DEVICE Added of(float x) { return Added{x}; }
};
DEVICE void global_write(Added* to, Added x) { global_add(&to->value, x.value); }

DEVICE float square(float x) { return x * x; }
// FAST_MATH is for results of 16 bits and fewer: single instructions that are right to 2^-21 or so, where the exact
// ones have slow paths for numbers out of the usual range.
DEVICE float exponential(float x) { return FAST_MATH ? exp2_fast(x * 1.44269504f) : expf(x); }
DEVICE float quotient(float x, float y) { return FAST_MATH ? x * reciprocal_fast(y) : x / y; }
// What a sum relative to the exponent x takes to be one relative to `most`, which is not smaller.
DEVICE float rescaling(float x, float most) { return x == most ? 1.0f : exponential(x - most); }
DEVICE float square_root(float x) { return FAST_MATH ? sqrt_fast(x) : sqrtf(x); }

// ---- Blocks of a dimension, and tiles of a launch.

// Elements of block `index`; the last one of a dimension may be shorter.
DEVICE int extent(int index, int size, int block) {
    const int left = size - index * block;
    return left < block ? left : block;
}

// How many blocks of columns, from the first, a causal mask leaves to block `row` of the rows: column - row <=
// columns - rows. All of them if a row of the block sees no column.
DEVICE int visible_blocks(int row, int rows, int row_block, int columns, int column_block) {
    const int behind = (row + 1) * row_block < rows ? (row + 1) * row_block : rows;
    const bool unseeing = row * row_block + columns - rows < 0;
    return ((unseeing ? columns : behind + columns - rows) + column_block - 1) / column_block;
}

// How many of these, from the first, stand before all that the last `window` columns of each row leave.
DEVICE int hidden_blocks(int row, int rows, int row_block, int columns, int column_block, int window) {
    const int last = row * row_block + columns - rows;  // of the columns that the first row sees
    return last >= window ? (last - window + 1) / column_block : 0;
}

// Tiles rows x cols are visited in groups of 8 rows, so that what is read along rows and along columns
// stays in the L2 cache.
struct Tile {
    int row, col;
};
DEVICE Tile grouped_tile(int tile, int rows, int cols) {
    const int group = tile / (8 * cols);
    const int left = rows - group * 8;
    const int height = left < 8 ? left : 8;
    const int inside = tile - group * 8 * cols;
    return Tile{group * 8 + inside % height, inside / height};
}

// A block in global memory that is read where it is used: R x C at most, rows x cols of them there.
template <class T, int R, int C>
struct View {
    static constexpr int kRows = R, kCols = C;
    const T* data;
    int rows, cols;
    long long row_step, col_step;

    DEVICE float at(int row, int col) const {
        if (row >= rows || col >= cols) return 0;
        return to_float(global_read(data + row * row_step + col * col_step));
    }
};
template <int R, int C, class T>
DEVICE View<T, R, C> view(const T* data, int rows, int cols, long long row_step, long long col_step) {
    return View<T, R, C>{data, rows, cols, row_step, col_step};
}

constexpr int kAllKeys = 0x7fffffff;  // the window of a mask that has none

// What a causal mask holds: a query sees the keys up to its own place, counted from the end, and of these the
// last `window` ones.
template <int R, int C>
struct CausalView {
    static constexpr int kRows = R, kCols = C;
    int rows, cols;
    int row_step, col_step;  // 1 and 0 of queries; a mask that is read transposed has them in reverse
    int query, key;          // places of the first element
    int ahead;               // keys less queries
    float hidden;            // what it holds for the others
    int window;

    DEVICE float at(int row, int col) const {
        if (row >= rows || col >= cols) return 0;
        const int from = query + row * row_step + col * col_step;
        const int to = key + row * col_step + col * row_step;
        const int before = from + ahead - to;  // the last key that the query sees
        return before >= 0 && (window == kAllKeys || before < window) ? 0.0f : hidden;
    }
    // Whether every query of the block sees every key: all zeros, which need not be added.
    DEVICE bool zeros() const {
        const int queries = row_step ? rows : cols, keys = row_step ? cols : rows;
        return key + keys - 1 - query <= ahead && query + queries - 1 + ahead - key < window;
    }
};
template <int R, int C>
DEVICE CausalView<R, C> causal(int rows, int cols, bool transposed, int query, int key, int ahead,
                               float hidden = -1e30f, int window = kAllKeys) {
    return CausalView<R, C>{rows,  cols, transposed ? 0 : 1, transposed ? 1 : 0, query, key,
                            ahead, hidden, window};
}
