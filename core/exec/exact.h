// Exact arithmetic for proofs: a real number is represented by its image in a finite field Z_p, and by its
// images in a chain of smaller fields that serve as exponents. With q | p-1 and g of order q in Z_p,
// exp(x) = g^(x mod q) mod p keeps exp(a+b) = exp(a) exp(b). Two programs that differ disagree with
// probability close to 1 (docs/proofs.md).
#pragma once

#include <cstdint>

#include "core/exec/field.h"
#include "core/graph/expr.h"

namespace blockscope {

constexpr std::uint64_t kPrimeP = 4294967087;  // values
constexpr std::uint64_t kPrimeQ = 2147483543;  // exponents; p = 2 q + 1
constexpr std::uint64_t kPrimeR = 342283;      // exponents of exponents; q = 6274 r + 1
constexpr std::uint64_t kPrimeS = 57047;       // a third level; r = 6 s + 1
constexpr std::uint64_t kGenerator = 2;        // exp(1) in Z_p, of order q

using FieldP = Field<kPrimeP>;
using FieldQ = Field<kPrimeQ>;
using FieldR = Field<kPrimeR>;
using FieldS = Field<kPrimeS>;

// A number's images in all fields. exp(x) takes each image from the next field's image of x, and the last
// one from a hash of the first. So the p image of a number is right however it was computed as long as
// exponentials nest at most three deep; the other images are right one level less each. Results
// are therefore compared by p alone.
struct Exact {
    std::uint32_t p = 0;
    std::uint32_t q = 0;
    std::uint32_t r = 0;
    std::uint32_t s = 0;
    bool operator==(const Exact&) const = default;
};

inline Exact operator+(Exact a, Exact b) {
    return {FieldP::add(a.p, b.p), FieldQ::add(a.q, b.q), FieldR::add(a.r, b.r), FieldS::add(a.s, b.s)};
}
inline Exact operator-(Exact a, Exact b) {
    return {FieldP::subtract(a.p, b.p), FieldQ::subtract(a.q, b.q), FieldR::subtract(a.r, b.r),
            FieldS::subtract(a.s, b.s)};
}
inline Exact operator*(Exact a, Exact b) {
    return {FieldP::multiply(a.p, b.p), FieldQ::multiply(a.q, b.q), FieldR::multiply(a.r, b.r),
            FieldS::multiply(a.s, b.s)};
}

// The image of a double, exactly (it is a fraction with a power of two below). -infinity, the exponent of
// an empty sum, maps to 0: its significand is 0, so any exponent represents it. Throws InternalError for
// other numbers that are not finite.
Exact exact_from(double value);
// The image of a dimension's size.
Exact exact_from_size(std::int64_t size);

// The image of fn(a) or fn(a, b). Division, sqrt and pow (with constant exponents n/2, |n| <= 128) use fixed
// multiplicative maps; 1/0 is 0. max and min pick by a fixed order of the images. Everything else is a
// fixed hash of the p images (uninterpreted).
Exact apply(Fn fn, Exact a, Exact b = {});
// As the C library computes it; max and min of a NaN are NaN.
double apply(Fn fn, double a, double b = 0);

// A fixed bijective mix of 64 bits, and the hash of two numbers.
std::uint64_t mix(std::uint64_t x);
std::uint64_t mix(std::uint64_t a, std::uint64_t b);

// A number with pseudo-random images.
Exact exact_from_hash(std::uint64_t hash);

// An element of an uninterpreted operator's result: a fixed hash of its name, the index and the hash of
// its inputs.
Exact uninterpreted(std::uint64_t name_hash, std::uint64_t inputs_hash, std::uint64_t index);

}  // namespace blockscope
