// Elementary functions in float32 that the compiler can vectorise: no calls, no branches. Included by the
// kernels alone, once per instruction set; everything is local to the including file, as its code must not be
// used by others.
#pragma once

#include <stdint.h>
#include <string.h>

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
    const float n = (c * 1.44269504f + magic) - magic;
    const float r = (c - n * 0.693359375f) + n * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    // 2^128 is no float32: one factor of 2 is left for the end.
    const uint32_t scale = static_cast<uint32_t>(static_cast<int32_t>(n) + 126) << 23;
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
    return (a > b) | (a != a) ? a : b;
}
BLOCKSCOPE_INLINE float min_of(float a, float b) {
    return (a < b) | (a != a) ? a : b;
}

}  // namespace
