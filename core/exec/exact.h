// Exact arithmetic for proofs: every real number x is represented by its images in two finite fields,
// Z_p (values) and Z_q (exponents), q | p-1, so that exp(x) = g^(x mod q) mod p with g of order q
// keeps exp(a+b) = exp(a) exp(b). Two programs that differ disagree with probability close to 1.
#pragma once

#include <cstdint>

#include "core/graph/expr.h"

namespace blockscope {

constexpr std::uint64_t kPrimeP = 4294967087;  // values
constexpr std::uint64_t kPrimeQ = 2147483543;  // exponents; p = 2 q + 1
constexpr std::uint64_t kGenerator = 2;        // exp(1)

// A number's image in both fields. After exp only the value image is known; its exponent image is
// then a fixed hash of the value image, so that equal numbers keep equal images.
struct Exact {
    std::uint32_t p = 0;
    std::uint32_t q = 0;
    bool operator==(const Exact&) const = default;
};

Exact operator+(Exact a, Exact b);
Exact operator-(Exact a, Exact b);
Exact operator*(Exact a, Exact b);

// The image of a double, exactly (it is a fraction with a power of two below). -infinity, the exponent of
// an empty sum, maps to 0: its significand is 0, so any exponent represents it.
Exact exact_from(double value);
// The image of a dimension's size.
Exact exact_from_size(std::int64_t size);

// The image of fn(a) or fn(a, b). Division, sqrt and pow use fixed multiplicative maps; max and
// min pick by a fixed order of the images; tanh, erf, sin, ... are fixed hashes (uninterpreted).
Exact apply(Fn fn, Exact a, Exact b = {});
double apply(Fn fn, double a, double b = 0);

// An element of an uninterpreted operator's result: a fixed hash of its name, the index and the hash of its
// inputs.
Exact uninterpreted(std::uint64_t name_hash, std::uint64_t inputs_hash, std::uint64_t index);

}  // namespace blockscope
