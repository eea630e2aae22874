#include "tests/gpu/elements.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace blockscope::test {

namespace {

struct Format {
    int exponent_bits;
    int mantissa_bits;
    int bias;
    double largest;
    bool infinity;
};

Format format(ElemType elem) {
    switch (elem) {
        case ElemType::F16:
            return {5, 10, 15, 65504, true};
        case ElemType::BF16:
            return {8, 7, 127, 3.3895313892515355e38, true};
        case ElemType::E4M3:
            return {4, 3, 7, 448, false};
        case ElemType::E5M2:
            return {5, 2, 15, 57344, true};
        case ElemType::F32:
            break;
    }
    return {8, 23, 127, 3.4028234663852886e38, true};
}

double step_at(const Format& f, double magnitude) {
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    return std::ldexp(1.0, std::max(exponent - 1, 1 - f.bias) - f.mantissa_bits);
}

std::uint32_t bits_of(ElemType elem, double value) {
    const Format f = format(elem);
    const std::uint32_t sign = std::signbit(value) ? 1u << (f.exponent_bits + f.mantissa_bits) : 0u;
    const double magnitude = std::abs(round_to(elem, value));
    if (magnitude == 0) return sign;
    const double step = step_at(f, magnitude);
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    const int biased = std::max(exponent - 1, 1 - f.bias) + f.bias;
    const auto whole = static_cast<std::uint32_t>(magnitude / step);  // with the hidden bit, if it is normal
    return sign | ((static_cast<std::uint32_t>(biased - 1) << f.mantissa_bits) + whole);
}

double value_of(ElemType elem, std::uint32_t bits) {
    const Format f = format(elem);
    const auto exponent = static_cast<int>(bits >> f.mantissa_bits & ((1u << f.exponent_bits) - 1));
    const std::uint32_t mantissa = bits & ((1u << f.mantissa_bits) - 1);
    const double sign = bits >> (f.exponent_bits + f.mantissa_bits) & 1u ? -1 : 1;
    const bool special = exponent == (1 << f.exponent_bits) - 1;
    if (special && (f.infinity ? mantissa != 0 : mantissa == (1u << f.mantissa_bits) - 1))
        return std::numeric_limits<double>::quiet_NaN();
    if (special && f.infinity) return sign * std::numeric_limits<double>::infinity();
    if (exponent == 0) return sign * std::ldexp(mantissa, 1 - f.bias - f.mantissa_bits);
    return sign * std::ldexp(mantissa + (1u << f.mantissa_bits), exponent - f.bias - f.mantissa_bits);
}

}  // namespace

double round_to(ElemType elem, double value) {
    if (value == 0 || !std::isfinite(value)) return value;
    const Format f = format(elem);
    const double step = step_at(f, std::abs(value));
    return std::copysign(std::min(std::nearbyint(std::abs(value) / step) * step, f.largest), value);
}

std::vector<unsigned char> encode(ElemType elem, const std::vector<double>& values) {
    const auto size = static_cast<std::size_t>(bytes_per_element(elem));
    std::vector<unsigned char> bytes(values.size() * size);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint32_t bits = bits_of(elem, values[i]);
        std::memcpy(bytes.data() + i * size, &bits, size);
    }
    return bytes;
}

std::vector<double> decode(ElemType elem, const std::vector<unsigned char>& bytes) {
    const auto size = static_cast<std::size_t>(bytes_per_element(elem));
    std::vector<double> values(bytes.size() / size);
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, bytes.data() + i * size, size);
        values[i] = value_of(elem, bits);
    }
    return values;
}

std::vector<unsigned char> nan_bytes(ElemType elem, std::int64_t count) {
    return std::vector<unsigned char>(static_cast<std::size_t>(count * bytes_per_element(elem)), 0xff);
}

}  // namespace blockscope::test
