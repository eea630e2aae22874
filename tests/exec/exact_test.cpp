// Arithmetic in the finite fields, and both kinds of scalar functions.
#include "core/scalar/exact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "core/support/result.h"

namespace blockscope {
namespace {

constexpr int kTrials = 200;

Exact random_number(std::uint64_t seed) {
    return exact_from_hash(mix(seed, 77));
}

bool is_prime(std::uint64_t n) {
    for (std::uint64_t d = 2; d * d <= n; ++d)
        if (n % d == 0) return false;
    return n > 1;
}

TEST(Primes, FormAChainOfExponents) {
    EXPECT_EQ(kPrimeP, 2 * kPrimeQ + 1);
    EXPECT_EQ((kPrimeQ - 1) % kPrimeR, 0u);
    EXPECT_EQ((kPrimeR - 1) % kPrimeS, 0u);
    for (const std::uint64_t prime : {kPrimeP, kPrimeQ, kPrimeR, kPrimeS}) {
        EXPECT_TRUE(is_prime(prime)) << prime;
        EXPECT_EQ(prime % 4, 3u) << "the square root is x^((p+1)/4)";
    }
}

// q is prime, so an element other than 1 whose q-th power is 1 has order q.
TEST(Primes, TheGeneratorHasOrderQ) {
    EXPECT_NE(kGenerator, 1u);
    EXPECT_EQ(FieldP::power(kGenerator, kPrimeQ), 1u);
    EXPECT_EQ(apply(Fn::Exp, exact_from(1)).p, kGenerator);
}

TEST(Exact, IsAField) {
    const Exact one = exact_from(1);
    for (std::uint64_t i = 0; i < kTrials; ++i) {
        const Exact a = random_number(3 * i), b = random_number(3 * i + 1), c = random_number(3 * i + 2);
        EXPECT_EQ(a + b, b + a);
        EXPECT_EQ(a * b, b * a);
        EXPECT_EQ((a + b) + c, a + (b + c));
        EXPECT_EQ((a * b) * c, a * (b * c));
        EXPECT_EQ(a * (b + c), a * b + a * c);
        EXPECT_EQ(a + Exact{}, a);
        EXPECT_EQ(a * one, a);
        EXPECT_EQ((a - b) + b, a);
        EXPECT_EQ(a + apply(Fn::Neg, a), Exact{});
        EXPECT_EQ(a * apply(Fn::Div, one, a), one);
        EXPECT_EQ(apply(Fn::Div, a * b, b), a);
    }
}

TEST(Exact, DividesByZeroToZero) {
    EXPECT_EQ(apply(Fn::Div, exact_from(3), Exact{}), Exact{});
    EXPECT_EQ(apply(Fn::Pow, Exact{}, exact_from(-1)), Exact{});
}

TEST(Exact, TakesTheExponentialOfASumToAProduct) {
    for (std::uint64_t i = 0; i < kTrials; ++i) {
        const Exact a = random_number(2 * i), b = random_number(2 * i + 1);
        const Exact sum = apply(Fn::Exp, a + b);
        const Exact product = apply(Fn::Exp, a) * apply(Fn::Exp, b);
        EXPECT_EQ(sum.p, product.p);
        EXPECT_EQ(sum.q, product.q);
        EXPECT_EQ(sum.r, product.r);
        EXPECT_NE(apply(Fn::Exp, a).p, apply(Fn::Exp, b).p);
    }
    EXPECT_EQ(apply(Fn::Exp, Exact{}).p, 1u);
}

// exp(exp(exp(x))) has the same image whether its innermost exponential is computed whole or in parts.
TEST(Exact, KeepsThreeNestedExponentials) {
    const auto exp = [](Exact x) { return apply(Fn::Exp, x); };
    const auto split_exp = [&](Exact x) { return exp(x - exact_from(5)) * exp(exact_from(5)); };
    for (std::uint64_t i = 0; i < kTrials; ++i) {
        const Exact x = random_number(i);
        EXPECT_NE(exp(x), split_exp(x)) << "the last image is a hash";
        EXPECT_EQ(exp(exp(exp(x))).p, exp(exp(split_exp(x))).p);
        EXPECT_EQ(exp(exp(exp(x))).p, split_exp(split_exp(split_exp(x))).p);
    }
}

TEST(Exact, HasAMultiplicativeSquareRoot) {
    for (std::uint64_t i = 0; i < kTrials; ++i) {
        const Exact a = random_number(2 * i), b = random_number(2 * i + 1);
        const Exact root = apply(Fn::Sqrt, a);
        EXPECT_EQ(apply(Fn::Sqrt, a * b), root * apply(Fn::Sqrt, b));
        EXPECT_EQ(apply(Fn::Sqrt, a * a) * apply(Fn::Sqrt, a * a), a * a);
        EXPECT_TRUE((root * root).p == a.p || (root * root).p == FieldP::negate(a.p));
        EXPECT_NE(root, a);
    }
}

TEST(Exact, RaisesToIntegersAndHalves) {
    const Exact one = exact_from(1);
    for (std::uint64_t i = 0; i < kTrials; ++i) {
        const Exact x = random_number(i);
        const auto pow = [x](double e) { return apply(Fn::Pow, x, exact_from(e)); };
        EXPECT_EQ(pow(0), one);
        EXPECT_EQ(pow(1), x);
        EXPECT_EQ(pow(2), x * x);
        EXPECT_EQ(pow(5), x * x * x * x * x);
        EXPECT_EQ(pow(-1), apply(Fn::Div, one, x));
        EXPECT_EQ(pow(-3), apply(Fn::Div, one, x * x * x));
        EXPECT_EQ(pow(0.5), apply(Fn::Sqrt, x));
        EXPECT_EQ(pow(1.5), x * apply(Fn::Sqrt, x));
        EXPECT_EQ(pow(-0.5), apply(Fn::Div, one, apply(Fn::Sqrt, x)));
        EXPECT_EQ(pow(64), pow(32) * pow(32));
        EXPECT_EQ(pow(1.0 / 3), pow(1.0 / 3));
        EXPECT_NE(pow(1.0 / 3), pow(1.0 / 5));
    }
}

TEST(Exact, RepresentsDoublesExactly) {
    EXPECT_EQ(exact_from(0), Exact{});
    EXPECT_EQ(exact_from(-0.0), Exact{});
    EXPECT_EQ(exact_from(7), (Exact{7, 7, 7, 7}));
    EXPECT_EQ(exact_from(7), exact_from_size(7));
    EXPECT_EQ(exact_from(-1), Exact{} - exact_from(1));
    EXPECT_EQ(exact_from(0.375) * exact_from(8), exact_from(3));
    EXPECT_EQ(exact_from(0.1) * exact_from(0x1p60), exact_from(0.1 * 0x1p60));
    EXPECT_EQ(exact_from(0x1p-1074) * exact_from(0x1p1000) * exact_from(0x1p74), exact_from(1));
    EXPECT_EQ(exact_from(-1e30), Exact{} - exact_from(1e30));
    EXPECT_EQ(exact_from(1e30), exact_from(std::ldexp(1e30, -40)) * exact_from(0x1p40));
    EXPECT_NE(exact_from(0.1) + exact_from(0.2), exact_from(0.3)) << "0.1 and 0.2 are doubles here, exactly";
    EXPECT_EQ(exact_from_size(2147483647).p, 2147483647u);
}

TEST(Exact, TakesMinusInfinityAsZeroAndRefusesOtherNonNumbers) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(exact_from(-kInfinity), Exact{});
    EXPECT_THROW(exact_from(kInfinity), InternalError);
    EXPECT_THROW(exact_from(std::nan("")), InternalError);
}

TEST(Exact, MaxAndMinPickOneOfTheTwo) {
    int picked_zero = 0;
    for (std::uint64_t i = 0; i < kTrials; ++i) {
        const Exact a = random_number(3 * i), b = random_number(3 * i + 1), c = random_number(3 * i + 2);
        const auto max = [](Exact x, Exact y) { return apply(Fn::Max, x, y); };
        const auto min = [](Exact x, Exact y) { return apply(Fn::Min, x, y); };
        EXPECT_TRUE(max(a, b) == a || max(a, b) == b);
        EXPECT_EQ(max(a, b), max(b, a));
        EXPECT_EQ(max(max(a, b), c), max(a, max(b, c)));
        EXPECT_EQ(max(a, a), a);
        EXPECT_EQ(max(a, b) + min(a, b), a + b);
        EXPECT_EQ(min(max(a, b), a), a);
        picked_zero += max(a, Exact{}) == Exact{};
    }
    EXPECT_GT(picked_zero, kTrials / 4) << "relu must not look like the identity";
    EXPECT_LT(picked_zero, 3 * kTrials / 4) << "nor like zero";
}

TEST(Exact, UninterpretedFunctionsDiffer) {
    const Exact x = random_number(1);
    std::set<std::uint32_t> images{x.p};
    for (const Fn fn :
         {Fn::Log, Fn::Tanh, Fn::Erf, Fn::Abs, Fn::Sin, Fn::Cos, Fn::Floor, Fn::Exp, Fn::Sqrt}) {
        EXPECT_EQ(apply(fn, x), apply(fn, x));
        EXPECT_TRUE(images.insert(apply(fn, x).p).second) << to_string(fn);
        EXPECT_NE(apply(fn, x).p, apply(fn, random_number(2)).p) << to_string(fn);
        EXPECT_NE(apply(fn, x + x).p, (apply(fn, x) + apply(fn, x)).p) << to_string(fn) << " is not linear";
    }
}

TEST(Exact, FunctionsSeeTheValueImageOnly) {
    Exact other = random_number(1);
    other.q = other.r = other.s = 5;
    EXPECT_EQ(apply(Fn::Tanh, random_number(1)), apply(Fn::Tanh, other));
}

TEST(Exact, UninterpretedDependsOnNameInputsAndIndex) {
    const Exact base = uninterpreted(1, 2, 3);
    EXPECT_EQ(base, uninterpreted(1, 2, 3));
    EXPECT_NE(base.p, uninterpreted(2, 2, 3).p);
    EXPECT_NE(base.p, uninterpreted(1, 3, 3).p);
    EXPECT_NE(base.p, uninterpreted(1, 2, 4).p);
    EXPECT_NE(base.p, uninterpreted(2, 1, 3).p);
}

struct DoubleCase {
    Fn fn;
    double a, b, expected;
};

TEST(Double, ComputesEachFunction) {
    const DoubleCase cases[] = {
        {Fn::Neg, 2, 0, -2},
        {Fn::Exp, 1, 0, 2.718281828459045},
        {Fn::Log, 8, 0, 3 * std::log(2.0)},
        {Fn::Sqrt, 9, 0, 3},
        {Fn::Tanh, 0.5, 0, 0.46211715726000976},
        {Fn::Erf, 1, 0, 0.8427007929497149},
        {Fn::Abs, -3, 0, 3},
        {Fn::Sin, 1, 0, 0.8414709848078965},
        {Fn::Cos, 1, 0, 0.5403023058681398},
        {Fn::Floor, -1.5, 0, -2},
        {Fn::Add, 2, 3, 5},
        {Fn::Sub, 2, 3, -1},
        {Fn::Mul, 2, 3, 6},
        {Fn::Div, 3, 2, 1.5},
        {Fn::Pow, 2, -0.5, 0.7071067811865476},
        {Fn::Max, 2, 3, 3},
        {Fn::Min, 2, 3, 2},
    };
    ASSERT_EQ(std::size(cases), static_cast<std::size_t>(kFnCount));
    for (const DoubleCase& c : cases) EXPECT_DOUBLE_EQ(apply(c.fn, c.a, c.b), c.expected) << to_string(c.fn);
}

TEST(Double, PropagatesNaN) {
    const double nan = std::nan("");
    for (const Fn fn : {Fn::Max, Fn::Min, Fn::Add, Fn::Div}) {
        EXPECT_TRUE(std::isnan(apply(fn, nan, 1))) << to_string(fn);
        EXPECT_TRUE(std::isnan(apply(fn, 1, nan))) << to_string(fn);
    }
    EXPECT_TRUE(std::isinf(apply(Fn::Div, 1, 0)));
}

}  // namespace
}  // namespace blockscope
