#include "core/scalar/exact.h"

#include <cmath>
#include <tuple>

#include "core/support/result.h"

namespace blockscope {

namespace {

constexpr std::uint32_t kGeneratorQ = FieldQ::power(2, (kPrimeQ - 1) / kPrimeR);  // of order r in Z_q
constexpr std::uint32_t kGeneratorR = FieldR::power(2, (kPrimeR - 1) / kPrimeS);  // of order s in Z_r
static_assert(kPrimeP == 2 * kPrimeQ + 1 && FieldP::power(kGenerator, kPrimeQ) == 1);
static_assert(kGeneratorQ != 1 && kGeneratorR != 1);

constexpr FixedBasePower<kPrimeP, kGenerator> kExpP;
constexpr FixedBasePower<kPrimeQ, kGeneratorQ> kExpQ;
constexpr FixedBasePower<kPrimeR, kGeneratorR> kExpR;

constexpr std::uint32_t kLargestHalf = 128;  // exponents n/2 with |n| up to this are recognised

template <std::uint32_t kPrime>
std::uint32_t image(std::uint64_t mantissa, int exponent, bool negative) {
    using F = Field<kPrime>;
    const std::uint32_t two = exponent < 0 ? F::inverse(2) : 2;
    const std::uint32_t scale = F::power(two, static_cast<std::uint64_t>(std::abs(exponent)));
    const std::uint32_t value = F::multiply(F::reduce(mantissa), scale);
    return negative ? F::negate(value) : value;
}

std::uint64_t rank(Exact x) {
    constexpr std::uint64_t kMiddle = std::uint64_t{1} << 63;
    return mix(x.p) ^ mix(0) ^ kMiddle;
}

}  // namespace

Exact exponential(Exact x) {
    const std::uint32_t p = kExpP(x.q);
    return {p, kExpQ(x.r), kExpR(x.s), FieldS::reduce(mix(p))};
}

Exact half_power(Exact x, int n) {
    return {FieldP::half_power(x.p, n), FieldQ::half_power(x.q, n), FieldR::half_power(x.r, n),
            FieldS::half_power(x.s, n)};
}

Exact inverse(Exact x) {
    return {FieldP::inverse(x.p), FieldQ::inverse(x.q), FieldR::inverse(x.r), FieldS::inverse(x.s)};
}

std::optional<int> small_half(Exact x) {
    const std::uint32_t doubled = FieldP::add(x.p, x.p);
    if (doubled <= kLargestHalf) return static_cast<int>(doubled);
    const std::uint32_t negated = FieldP::negate(doubled);
    if (negated <= kLargestHalf) return -static_cast<int>(negated);
    return std::nullopt;
}

bool before(Exact a, Exact b) {
    return std::tuple(rank(a), a.q, a.r, a.s) < std::tuple(rank(b), b.q, b.r, b.s);
}

std::uint64_t mix(std::uint64_t x) {  // the finaliser of splitmix64
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    return mix(mix(a) ^ b);
}

Exact exact_from(double value) {
    if (std::isinf(value) && value < 0) return {};
    if (!std::isfinite(value))
        throw InternalError("exact arithmetic has no image of a number that is not finite");
    int exponent = 0;
    const double fraction = std::frexp(std::abs(value), &exponent);
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    exponent -= 53;
    const bool negative = std::signbit(value);
    return {image<kPrimeP>(mantissa, exponent, negative), image<kPrimeQ>(mantissa, exponent, negative),
            image<kPrimeR>(mantissa, exponent, negative), image<kPrimeS>(mantissa, exponent, negative)};
}

Exact exact_from_size(std::int64_t size) {
    return exact_from(static_cast<double>(size));
}

Exact exact_from_hash(std::uint64_t hash) {
    return {FieldP::reduce(mix(hash, 1)), FieldQ::reduce(mix(hash, 2)), FieldR::reduce(mix(hash, 3)),
            FieldS::reduce(mix(hash, 4))};
}

Exact uninterpreted(std::uint64_t name_hash, std::uint64_t inputs_hash, std::uint64_t index) {
    return exact_from_hash(mix(mix(name_hash, inputs_hash), index));
}

}  // namespace blockscope
