// Arithmetic in the finite field Z_p of a prime p < 2^32.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/scalar/primitives.h"

namespace blockscope {

template <std::uint32_t kPrime>
struct Field {
    using Value = std::uint32_t;

    static constexpr Value reduce(std::uint64_t x) { return static_cast<Value>(x % kPrime); }
    static constexpr Value add(Value a, Value b) {
        const std::uint64_t sum = std::uint64_t{a} + b;
        return static_cast<Value>(sum >= kPrime ? sum - kPrime : sum);
    }
    static constexpr Value negate(Value a) { return a == 0 ? 0 : kPrime - a; }
    static constexpr Value subtract(Value a, Value b) { return add(a, negate(b)); }
    static constexpr Value multiply(Value a, Value b) { return reduce(std::uint64_t{a} * b); }

    static constexpr Value power(Value base, std::uint64_t exponent) {
        Value result = 1;
        for (; exponent != 0; exponent >>= 1) {
            if (exponent & 1) result = multiply(result, base);
            base = multiply(base, base);
        }
        return result;
    }

    // 1/a by the extended Euclidean algorithm; 1/0 is 0, which keeps 1/(a*b) = 1/a * 1/b.
    static constexpr Value inverse(Value a) {
        if (a == 0) return 0;
        std::uint32_t r0 = kPrime, r1 = a;
        std::int64_t t0 = 0, t1 = 1;
        while (r1 != 0) {
            const std::uint32_t quotient = r0 / r1;
            const std::uint32_t r2 = r0 - quotient * r1;
            const std::int64_t t2 = t0 - static_cast<std::int64_t>(quotient) * t1;
            r0 = r1;
            r1 = r2;
            t0 = t1;
            t1 = t2;
        }
        return static_cast<Value>(t0 < 0 ? t0 + kPrime : t0);
    }

    // x^((p+1)/4): sqrt(a*b) = sqrt(a)*sqrt(b) for all a and b, and sqrt(a)^2 = a wherever a is a square.
    static constexpr Value sqrt(Value a) {
        static_assert(kPrime % 4 == 3);
        return power(a, (std::uint64_t{kPrime} + 1) / 4);
    }

    // x^(n/2) for any integer n, by repeated multiplication and sqrt.
    static constexpr Value half_power(Value x, int n) {
        const unsigned m = static_cast<unsigned>(n < 0 ? -n : n);
        Value result = power(x, m / 2);
        if (m % 2 == 1) result = multiply(result, sqrt(x));
        return n < 0 ? inverse(result) : result;
    }
};

// Powers of one element g of a field: g^e from a table per byte of e.
template <std::uint32_t kPrime, std::uint32_t kBase>
class FixedBasePower {
public:
    constexpr FixedBasePower() {
        std::uint32_t step = kBase;  // g^(256^i)
        for (auto& table : tables_) {
            std::uint32_t value = 1;
            for (std::uint32_t& entry : table) {
                entry = value;
                value = Field<kPrime>::multiply(value, step);
            }
            step = value;
        }
    }

    constexpr std::uint32_t operator()(std::uint32_t exponent) const {
        std::uint32_t result = tables_[0][exponent & 255];
        for (unsigned i = 1; i < 4; ++i)
            result = Field<kPrime>::multiply(result, tables_[i][exponent >> (8 * i) & 255]);
        return result;
    }

private:
    std::array<std::array<std::uint32_t, 256>, 4> tables_{};
};

// Exact arithmetic for proofs: a real number is represented by its image in a finite field Z_p, and by its
// images in a chain of smaller fields that serve as exponents. With q | p-1 and g of order q in Z_p,
// exp(x) = g^(x mod q) mod p keeps exp(a+b) = exp(a) exp(b). Two programs that differ disagree with
// probability close to 1 (docs/rules.md).

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

// The image of fn(a) or fn(a, b), as the table of primitives has it. Division, sqrt and pow (with constant
// exponents n/2, |n| <= 128) use fixed multiplicative maps; 1/0 is 0. max and min pick by a fixed order of
// the images. Everything else is a fixed hash of the p images (uninterpreted).
inline Exact apply(Fn fn, Exact a, Exact b = {}) {
    return primitive(fn).exact(a, b);
}

// exp(x), x^(n/2) and 1/x.
Exact exponential(Exact x);
Exact half_power(Exact x, int n);
Exact inverse(Exact x);
// n where x is the image of n/2 with |n| <= 128.
std::optional<int> small_half(Exact x);
// A fixed total order, scrambled so that max behaves like no field operation; 0 is in its middle, so that
// max(x,0) is x for half of all x.
bool before(Exact a, Exact b);

// A fixed bijective mix of 64 bits, and the hash of two numbers.
std::uint64_t mix(std::uint64_t x);
std::uint64_t mix(std::uint64_t a, std::uint64_t b);

// A number with pseudo-random images.
Exact exact_from_hash(std::uint64_t hash);

// An element of an uninterpreted operator's result: a fixed hash of its name, the index and the hash of
// its inputs.
Exact uninterpreted(std::uint64_t name_hash, std::uint64_t inputs_hash, std::uint64_t index);

}  // namespace blockscope
