// What a generated program calls: blocks of numbers in a core's own memory, and operators on them. C++17,
// with OpenMP where the compiler has it. All arithmetic is in float, whatever type the arrays have.
#pragma once

#include <math.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>
#ifdef _OPENMP
#include <omp.h>
#endif

namespace blockscope {

// ---- Numbers of arrays.

inline float bits_to_float(std::uint32_t bits) {
    float x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}
inline std::uint32_t float_to_bits(float x) {
    std::uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}
const float INFINITY_F = bits_to_float(0x7f800000u);

struct bf16 {
    std::uint16_t bits;
};

// A sign, an exponent and MANTISSA bits below it. Exponents begin at -BIAS; without infinities the largest
// number is the last but one.
template <class Bits, int MANTISSA, int BIAS, unsigned LARGEST, bool HAS_INFINITY>
struct Small {
    Bits bits;
};
using f16 = Small<std::uint16_t, 10, 15, 0x7bff, true>;
using e5m2 = Small<std::uint8_t, 2, 15, 0x7b, true>;
using e4m3 = Small<std::uint8_t, 3, 7, 0x7e, false>;

inline float to_float(float x) {
    return x;
}
inline float to_float(bf16 x) {
    return bits_to_float((std::uint32_t)x.bits << 16);
}
template <class Bits, int MANTISSA, int BIAS, unsigned LARGEST, bool HAS_INFINITY>
float to_float(Small<Bits, MANTISSA, BIAS, LARGEST, HAS_INFINITY> x) {
    constexpr std::uint32_t sign_bit = 1u << (8 * sizeof(Bits) - 1);
    const std::uint32_t magnitude = x.bits & (sign_bit - 1);
    // As an exponent of float it is too small by a power of two.
    const float scale = bits_to_float((std::uint32_t)(127 + 127 - BIAS) << 23);
    float value = bits_to_float(magnitude << (23 - MANTISSA)) * scale;
    if (magnitude > LARGEST)
        value = HAS_INFINITY && magnitude == LARGEST + 1 ? INFINITY_F : bits_to_float(0x7fc00000u);
    return (x.bits & sign_bit) != 0 ? -value : value;
}

// Rounded to the nearest, ties to even.
template <class T>
struct Rounded;
template <>
struct Rounded<float> {
    static float of(float x) { return x; }
};
template <>
struct Rounded<bf16> {
    static bf16 of(float x) {
        const std::uint32_t bits = float_to_bits(x);
        const std::uint32_t up = 0x7fffu + (bits >> 16 & 1u);
        return {(std::uint16_t)(x == x ? (bits + up) >> 16 : bits >> 16 | 0x40u)};
    }
};
template <class Bits, int MANTISSA, int BIAS, unsigned LARGEST, bool HAS_INFINITY>
struct Rounded<Small<Bits, MANTISSA, BIAS, LARGEST, HAS_INFINITY>> {
    static Small<Bits, MANTISSA, BIAS, LARGEST, HAS_INFINITY> of(float x) {
        const std::uint32_t all = float_to_bits(x);
        const std::uint32_t magnitude = all & 0x7fffffffu;
        const unsigned sign = (unsigned)(all >> 31) << (8 * sizeof(Bits) - 1);
        if (magnitude > 0x7f800000u) return {(Bits)(sign | ((1u << (8 * sizeof(Bits) - 1)) - 1))};
        unsigned bits;
        if (magnitude < (std::uint32_t)(128 - BIAS) << 23) {  // below the smallest normal number
            const std::uint32_t magic = (std::uint32_t)(127 - BIAS + 1 - MANTISSA + 23) << 23;
            bits = float_to_bits(bits_to_float(magnitude) + bits_to_float(magic)) - magic;
        } else {
            const std::uint32_t up = (1u << (22 - MANTISSA)) - 1 + (magnitude >> (23 - MANTISSA) & 1u);
            bits = (magnitude + up - ((std::uint32_t)(127 - BIAS) << 23)) >> (23 - MANTISSA);
        }
        // What is too large becomes infinity in f16, and the largest number in the types of 8 bits.
        if (bits > LARGEST) bits = sizeof(Bits) == 2 ? LARGEST + 1 : LARGEST;
        return {(Bits)(sign | bits)};
    }
};
template <class T>
float rounded(float x) {
    return to_float(Rounded<T>::of(x));
}

// ---- Functions of numbers, by the names that CUDA has for them. The rest comes from math.h.

inline float square(float x) {
    return x * x;
}
inline float square_root(float x) {
    return sqrtf(x);
}
inline float rsqrtf(float x) {
    return 1.0f / sqrtf(x);
}
inline float quotient(float a, float b) {
    return a / b;
}
// The greater, the smaller; not a number if one of them is none.
inline float fmaxf(float a, float b) {
    return a > b || a != a ? a : b;
}
inline float fminf(float a, float b) {
    return a < b || a != a ? a : b;
}
// e^x without branches, so that compilers make vectors of it: 2^n * e^r with |r| <= log(2)/2.
inline float exponential(float x) {
    const float shifted = x * 1.44269504f + 12582912.0f;  // 1.5 * 2^23: the sum's last bits are n
    const float n = shifted - 12582912.0f;
    float r = x - n * 0.693359375f;
    r = r + n * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    const float y =
        p * bits_to_float((float_to_bits(shifted) << 23) + 0x3f000000u) * 2.0f;  // 2^(n-1) is finite
    return x > 88.7228f ? INFINITY_F : x < -86.6f ? 0.0f : y;
}

// ---- Values: a Block in local memory, a View of an array, a block of a causal mask. Each has rows, cols and
// (i, j). A vector has one column; a single number is a float.

template <int ROWS, int COLS>
struct Block {
    int rows, cols;  // of those that there is room for
    alignas(64) float v[(std::size_t)ROWS * COLS];
    float operator()(int i, int j) const { return v[i * COLS + j]; }
    float& at(int i, int j) { return v[i * COLS + j]; }
};

template <class T, long long ROW_STEP, long long COL_STEP>
struct View {
    const T* first = nullptr;
    int rows = 0, cols = 0;
    float operator()(int i, int j) const { return to_float(first[i * ROW_STEP + j * COL_STEP]); }
};

// Row i sees the columns up to i + ahead, with a window the last so many of them.
struct Causal {
    int rows = 0, cols = 0;
    bool transposed = false;
    int first_row = 0, first_col = 0;  // of the mask
    int ahead = 0, window = 0;
    float operator()(int i, int j) const {
        const int row = first_row + (transposed ? j : i);
        const int col = first_col + (transposed ? i : j);
        const int behind = row + ahead - col;
        return behind < 0 || (window > 0 && behind >= window) ? -1e30f : 0.0f;
    }
};

struct Shape {
    int rows, cols;
};

// Elements of the block with this number.
inline int extent(int index, int size, int block) {
    return std::min(block, size - index * block);
}

// Blocks of columns of which a block of rows sees some under a causal mask. All of them if one of its rows
// sees none.
inline int first_visible(int row, int rows, int row_block, int cols, int col_block, int window) {
    const int ahead = cols - rows, first = row * row_block;
    if (window == 0 || first + ahead < 0) return 0;
    return std::max(0, first + ahead - window + 1) / col_block;
}
inline int end_visible(int row, int rows, int row_block, int cols, int col_block) {
    const int ahead = cols - rows, first = row * row_block;
    if (first + ahead < 0) return (cols + col_block - 1) / col_block;
    return (std::min(first + row_block, rows) - 1 + ahead) / col_block + 1;
}

// Memory that a thread keeps for all its iterations, and for the next call.
template <class T>
T& local() {
    static thread_local const std::unique_ptr<T> kept(new T);
    return *kept;
}

// ---- Operators. `to` is set(x) or plus(x): what it is written to, or added to.

template <class T>
struct Set {
    T& to;
    void shape(int rows, int cols) const { to.rows = rows, to.cols = cols; }
    void put(int i, int j, float x) const { to.at(i, j) = x; }
};
template <class T>
struct Plus {
    T& to;
    void shape(int, int) const {}
    void put(int i, int j, float x) const { to.at(i, j) += x; }
};
template <class T>
Set<T> set(T& to) {
    return {to};
}
template <class T>
Plus<T> plus(T& to) {
    return {to};
}

template <class T>
float element(const T& value, int i, int j) {
    return value(i, j);
}
inline float element(float value, int, int) {
    return value;
}

// f of the elements at each place. `like` has the result's shape; numbers are spread.
template <class To, class Like, class F, class... A>
void map(To to, const Like& like, F f, const A&... a) {
    const int rows = like.rows, cols = like.cols;
    to.shape(rows, cols);
    if (cols == 1) {
        for (int i = 0; i < rows; ++i) to.put(i, 0, f(element(a, i, 0)...));
        return;
    }
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j) to.put(i, j, f(element(a, i, j)...));
}

// f of a block's element and the vector's of its row; or of its column.
template <class To, class A, class C, class F>
void with_rows(To to, const A& a, const C& c, F f) {
    const int rows = a.rows, cols = a.cols;
    to.shape(rows, cols);
    for (int i = 0; i < rows; ++i) {
        const float x = c(i, 0);
        for (int j = 0; j < cols; ++j) to.put(i, j, f(a(i, j), x));
    }
}
template <class To, class A, class R, class F>
void with_cols(To to, const A& a, const R& r, F f) {
    const int rows = a.rows, cols = a.cols;
    to.shape(rows, cols);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j) to.put(i, j, f(a(i, j), r(j, 0)));
}

// All numbers of a row, folded by f in sixteen courses side by side.
template <class A, class F>
float folded(const A& a, int i, F f) {
    constexpr int COURSES = 16;
    const int cols = a.cols, courses = std::min(cols, COURSES), whole = cols / COURSES * COURSES;
    float x[COURSES] = {};
    for (int k = 0; k < courses; ++k) x[k] = a(i, k);
    for (int j = COURSES; j < whole; j += COURSES)
        for (int k = 0; k < COURSES; ++k) x[k] = f(x[k], a(i, j + k));
    for (int k = 0; whole > 0 && k < cols - whole; ++k) x[k] = f(x[k], a(i, whole + k));
    float result = x[0];
    for (int k = 1; k < courses; ++k) result = f(result, x[k]);
    return result;
}
template <class To, class A, class F>
void fold_rows(To to, const A& a, F f) {
    const int rows = a.rows;
    to.shape(rows, 1);
    for (int i = 0; i < rows; ++i) to.put(i, 0, folded(a, i, f));
}
template <class A, class F>
float fold_all(const A& a, F f) {
    float result = folded(a, 0, f);
    for (int i = 1; i < a.rows; ++i) result = f(result, folded(a, i, f));
    return result;
}

template <class To, class C, class D, class F>
void outer(To to, const C& c, const D& d, F f) {
    const int rows = c.rows, cols = d.rows;
    to.shape(rows, cols);
    for (int i = 0; i < rows; ++i) {
        const float x = c(i, 0);
        for (int j = 0; j < cols; ++j) to.put(i, j, f(x, d(j, 0)));
    }
}

// Pairs (x, y) of a row, `step` apart, become (f(y), x): halves of the row, or neighbours.
template <class To, class A, class F>
void rotate(To to, const A& a, bool halves, F f) {
    const int rows = a.rows, cols = a.cols;
    const int step = halves ? cols / 2 : 1, apart = halves ? 1 : 2;
    to.shape(rows, cols);
    for (int i = 0; i < rows; ++i)
        for (int pair = 0; pair < cols / 2; ++pair) {
            const int j = pair * apart;
            const float x = a(i, j), y = a(i, j + step);
            to.put(i, j, f(y));
            to.put(i, j + step, x);
        }
}

// ---- The product a * transposed(b), HEIGHT x WIDTH sums at a time, which stay in registers. Columns of b
// are packed, so that the innermost loop reads memory in order.

#if defined(__AVX512F__)
constexpr int HEIGHT = 6, WIDTH = 32;
#elif defined(__AVX__)
constexpr int HEIGHT = 6, WIDTH = 16;
#else
constexpr int HEIGHT = 4, WIDTH = 8;
#endif

// Rows of numbers one behind the other.
struct Rows {
    const float* first;
    std::ptrdiff_t step;
};
template <int ROWS, int COLS>
Rows rows_of(const Block<ROWS, COLS>& a, std::vector<float>&) {
    return {a.v, COLS};
}
template <class A>
Rows rows_of(const A& a, std::vector<float>& memory) {
    const int rows = a.rows, cols = a.cols;
    memory.resize((std::size_t)rows * cols);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j) memory[(std::size_t)i * cols + j] = a(i, j);
    return {memory.data(), cols};
}

// WIDTH rows of b from `first` on, side by side, filled up with zeros.
template <class B>
void pack(float* to, const B& b, int first) {
    const int count = std::min(WIDTH, b.rows - first), inner = b.cols;
    if (count < WIDTH) std::fill_n(to, (std::size_t)WIDTH * inner, 0.0f);
    for (int k = 0; k < inner; ++k)
        for (int j = 0; j < count; ++j) to[k * WIDTH + j] = b(first + j, k);
}

inline void multiply(const float* const (&left)[HEIGHT], const float* right, int inner,
                     float (&result)[HEIGHT][WIDTH]) {
    float sums[HEIGHT][WIDTH] = {};
    for (int k = 0; k < inner; ++k)
        for (int i = 0; i < HEIGHT; ++i)
            for (int j = 0; j < WIDTH; ++j) sums[i][j] += left[i][k] * right[k * WIDTH + j];
    std::memcpy(result, sums, sizeof sums);
}

template <class To, class A, class B>
void dot(To to, const A& a, const B& b) {
    const int rows = a.rows, cols = b.rows, inner = a.cols;
    static thread_local std::vector<float> left, right;
    const Rows all = rows_of(a, left);
    right.resize((std::size_t)WIDTH * inner);
    to.shape(rows, cols);
    for (int j = 0; j < cols; j += WIDTH) {
        pack(right.data(), b, j);
        const int width = std::min(WIDTH, cols - j);
        for (int i = 0; i < rows; i += HEIGHT) {
            const int height = std::min(HEIGHT, rows - i);
            const float* row[HEIGHT];  // the last one again where there are no more
            for (int y = 0; y < HEIGHT; ++y) row[y] = all.first + (i + std::min(y, height - 1)) * all.step;
            float sums[HEIGHT][WIDTH];
            multiply(row, right.data(), inner, sums);
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x) to.put(i + y, j + x, sums[y][x]);
        }
    }
}

// ---- Memory.

template <class To>
void fill(To to, Shape shape, float value) {
    map(to, shape, [value]() { return value; });
}
template <class To, class A>
void copy(To to, const A& a) {
    map(
        to, a, [](float x) { return x; }, a);
}
template <long long ROW_STEP, long long COL_STEP, class T, class A>
void store(T* to, const A& a) {
    for (int i = 0; i < a.rows; ++i)
        for (int j = 0; j < a.cols; ++j) to[i * ROW_STEP + j * COL_STEP] = Rounded<T>::of(a(i, j));
}

inline void use_threads(int threads) {
#ifdef _OPENMP
    if (threads > 0) omp_set_num_threads(threads);
#else
    (void)threads;
#endif
}

}  // namespace blockscope
