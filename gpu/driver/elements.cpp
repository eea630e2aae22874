#include "gpu/driver/elements.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/measure/reference.h"

namespace blockscope::gpu {

namespace {

constexpr std::uint16_t kHalfInfinity = 0x7c00;

std::uint16_t bf16_bits(double value) {
    const auto bits =
        std::bit_cast<std::uint32_t>(static_cast<float>(measure::round_to(ElemType::BF16, value)));
    return static_cast<std::uint16_t>(bits >> 16U);
}

std::uint16_t f16_bits(double given) {
    const double value = measure::round_to(ElemType::F16, given);
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000U : 0U);
    const double size = std::abs(value);
    if (std::isnan(value)) return static_cast<std::uint16_t>(sign | kHalfInfinity | 1U);
    if (std::isinf(value)) return static_cast<std::uint16_t>(sign | kHalfInfinity);
    if (size < 0x1p-14) return static_cast<std::uint16_t>(sign | static_cast<unsigned>(std::ldexp(size, 24)));
    const int exponent = std::ilogb(size);
    const auto fraction = static_cast<unsigned>(std::ldexp(size, 10 - exponent)) - 1024U;
    return static_cast<std::uint16_t>(sign | static_cast<unsigned>(exponent + 15) << 10U | fraction);
}

double f16_value(std::uint16_t bits) {
    const double sign = bits & 0x8000U ? -1 : 1;
    const int exponent = static_cast<int>(bits >> 10U & 31U);
    const int fraction = static_cast<int>(bits & 1023U);
    if (exponent == 31) return fraction ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
}

// A type of 8 bits: a sign, an exponent, so many bits of a fraction. Without infinities (e4m3) all but one of
// the largest exponent's numbers are finite.
struct Small {
    int fraction;
    int bias;
    bool infinite;
};
constexpr Small kE4M3{3, 7, false};
constexpr Small kE5M2{2, 15, true};

std::uint8_t small_bits(const Small& type, ElemType elem, double given) {
    const auto sign = static_cast<unsigned>(std::signbit(given) ? 0x80U : 0U);
    const double size = std::abs(measure::round_to(elem, given));
    if (std::isnan(size)) return static_cast<std::uint8_t>(sign | 0x7fU);
    if (size == 0) return static_cast<std::uint8_t>(sign);
    const int lowest = 1 - type.bias;
    const int exponent = std::max(std::ilogb(size), lowest);
    const auto steps =
        static_cast<unsigned>(std::ldexp(size, type.fraction - exponent));  // with the hidden bit
    return static_cast<std::uint8_t>(sign |
                                     ((static_cast<unsigned>(exponent - lowest) << type.fraction) + steps));
}

double small_value(const Small& type, std::uint8_t bits) {
    const double sign = bits & 0x80U ? -1 : 1;
    const int exponent = (bits & 0x7f) >> type.fraction;
    const int fraction = bits & ((1 << type.fraction) - 1);
    const int largest = 0x7f >> type.fraction;
    if (type.infinite && exponent == largest) return fraction ? NAN : sign * INFINITY;
    if (!type.infinite && (bits & 0x7f) == 0x7f) return NAN;
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - type.bias - type.fraction);
    return sign * std::ldexp((1 << type.fraction) + fraction, exponent - type.bias - type.fraction);
}

template <class Bits, class Encode>
std::vector<unsigned char> encode(std::span<const double> values, Encode bits_of) {
    std::vector<unsigned char> bytes(values.size() * sizeof(Bits));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Bits bits = bits_of(values[i]);
        std::memcpy(&bytes[i * sizeof(Bits)], &bits, sizeof(Bits));
    }
    return bytes;
}

template <class Bits, class Decode>
std::vector<double> decode(std::span<const unsigned char> bytes, Decode value_of) {
    std::vector<double> values(bytes.size() / sizeof(Bits));
    for (std::size_t i = 0; i < values.size(); ++i) {
        Bits bits{};
        std::memcpy(&bits, &bytes[i * sizeof(Bits)], sizeof(Bits));
        values[i] = value_of(bits);
    }
    return values;
}

}  // namespace

std::vector<unsigned char> to_bytes(ElemType elem, std::span<const double> values) {
    if (elem == ElemType::F32) return encode<float>(values, [](double x) { return static_cast<float>(x); });
    if (elem == ElemType::BF16) return encode<std::uint16_t>(values, bf16_bits);
    if (elem == ElemType::F16) return encode<std::uint16_t>(values, f16_bits);
    const Small& type = elem == ElemType::E4M3 ? kE4M3 : kE5M2;
    return encode<std::uint8_t>(values, [&](double x) { return small_bits(type, elem, x); });
}

std::vector<double> from_bytes(ElemType elem, std::span<const unsigned char> bytes) {
    if (elem == ElemType::F32) return decode<float>(bytes, [](float x) { return static_cast<double>(x); });
    if (elem == ElemType::BF16)
        return decode<std::uint16_t>(bytes, [](std::uint16_t bits) {
            return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U));
        });
    if (elem == ElemType::F16) return decode<std::uint16_t>(bytes, f16_value);
    const Small& type = elem == ElemType::E4M3 ? kE4M3 : kE5M2;
    return decode<std::uint8_t>(bytes, [&](std::uint8_t bits) { return small_value(type, bits); });
}

}  // namespace blockscope::gpu
