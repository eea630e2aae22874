// Arithmetic in the finite field Z_p of a prime p < 2^32.
#pragma once

#include <array>
#include <cstdint>

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

}  // namespace blockscope
