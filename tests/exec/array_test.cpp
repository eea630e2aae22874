// Array programs on whole arrays against loops written here by hand.
#include "core/support/result.h"
#include "tests/exec/programs.h"
#include "tests/support/array_maker.h"

namespace blockscope::test {
namespace {

// ArrayMaker's sizes.
constexpr std::size_t kM = 7, kN = 10, kK = 5, kB = 2, kH = 3, kG = 2;

template <class S>
class Arrays : public testing::Test {};
using Scalars = testing::Types<double, Exact>;
TYPED_TEST_SUITE(Arrays, Scalars);

// The program's output Z, and what `expected(inputs)` gives for each of its elements in order.
template <class S, class F>
void check(const ArrayMaker& maker, const F& expected) {
    const Tensors<S> in = random_inputs<S>(maker.program, 21);
    const Tensor<S> found = evaluate(maker.program, in).at("Z");
    const std::vector<S> values = expected(in);
    ASSERT_EQ(found.data.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) expect_equal(found.data[i], values[i], i);
}

template <class S>
S root(S x) {
    return apply(Fn::Sqrt, x);
}
template <class S>
S quotient(S a, S b) {
    return apply(Fn::Div, a, b);
}
template <class S>
S number_of(double x) {
    return scalar_from<S>(x);
}

// q[B,G,H,M,K] @ k[B,G,N,K].T: the heads H of one group share k.
TYPED_TEST(Arrays, GroupedMatmulSharesTheOperandThatLacksTheDimension) {
    using S = TypeParam;
    ArrayMaker maker;
    const int q = maker.input("Q", "BGH|MK");
    const int k = maker.input("K", "BG|NK");
    const int kt = maker.op(ArrayOpKind::Transpose, {k}, "BG|KN");
    maker.output("Z", maker.op(ArrayOpKind::Matmul, {q, kt}, "BGH|MN"));
    check<S>(maker, [](const Tensors<S>& in) {
        const std::vector<S>& qs = in.at("Q").data;
        const std::vector<S>& ks = in.at("K").data;
        std::vector<S> z;
        for (std::size_t bg = 0; bg < kB * kG; ++bg)
            for (std::size_t h = 0; h < kH; ++h)
                for (std::size_t i = 0; i < kM; ++i)
                    for (std::size_t j = 0; j < kN; ++j) {
                        S sum{};
                        for (std::size_t l = 0; l < kK; ++l)
                            sum = sum + qs[((bg * kH + h) * kM + i) * kK + l] * ks[(bg * kN + j) * kK + l];
                        z.push_back(sum);
                    }
        return z;
    });
}

// The operand lacks the first batch dimension: x[B,H,M] + y[H,M].
TYPED_TEST(Arrays, BatchDimensionsAreMatchedByName) {
    using S = TypeParam;
    ArrayMaker maker;
    const int x = maker.input("X", "BH|M");
    const int y = maker.input("Y", "H|M");
    const int s = maker.input("S", "B|");
    const ExprPtr expr = call(Fn::Sub, call(Fn::Add, arg(0), call(Fn::Mul, arg(1), arg(1))), arg(2));
    maker.output("Z", maker.elementwise(expr, {x, y, s}, "BH|M"));
    check<S>(maker, [](const Tensors<S>& in) {
        std::vector<S> z;
        for (std::size_t b = 0; b < kB; ++b)
            for (std::size_t i = 0; i < kH * kM; ++i) {
                const S other = in.at("Y").data[i];
                z.push_back(in.at("X").data[b * kH * kM + i] + other * other - in.at("S").data[b]);
            }
        return z;
    });
}

TYPED_TEST(Arrays, SoftmaxNormalisesExponentialsOfRows) {
    using S = TypeParam;
    ArrayMaker maker;
    maker.output("Z", maker.op(ArrayOpKind::Softmax, {maker.input("X", "B|MN")}, "B|MN"));
    check<S>(maker, [](const Tensors<S>& in) {
        const std::vector<S>& x = in.at("X").data;
        std::vector<S> z;
        for (std::size_t row = 0; row < kB * kM; ++row) {
            S sum{};
            for (std::size_t j = 0; j < kN; ++j) sum = sum + apply(Fn::Exp, x[row * kN + j]);
            for (std::size_t j = 0; j < kN; ++j) z.push_back(quotient(apply(Fn::Exp, x[row * kN + j]), sum));
        }
        return z;
    });
}

TEST(ArraysInDouble, SoftmaxOfLargeScoresIsFinite) {
    ArrayMaker maker;
    maker.output("Z", maker.op(ArrayOpKind::Softmax, {maker.input("X", "MN")}, "MN"));
    const Tensor<double> z = evaluate(maker.program, random_doubles(maker.program, 1, 5000)).at("Z");
    double sum = 0;
    for (const double value : z.data) sum += value;
    EXPECT_NEAR(sum, kM, 1e-9);
}

TYPED_TEST(Arrays, RmsNormInBothForms) {
    using S = TypeParam;
    for (const bool paper : {false, true}) {
        ArrayMaker maker;
        const int x = maker.input("X", "MN");
        const int w = maker.input("W", "N");
        maker.output("Z", maker.norm(ArrayOpKind::RmsNorm, {x, w}, "MN", paper));
        maker.last().epsilon = paper ? 0 : 0.25;
        check<S>(maker, [paper](const Tensors<S>& in) {
            const std::vector<S>& xs = in.at("X").data;
            std::vector<S> z;
            for (std::size_t i = 0; i < kM; ++i) {
                S sum{};
                for (std::size_t j = 0; j < kN; ++j) sum = sum + xs[i * kN + j] * xs[i * kN + j];
                if (!paper) sum = quotient(sum, number_of<S>(kN)) + number_of<S>(0.25);
                for (std::size_t j = 0; j < kN; ++j)
                    z.push_back(quotient(xs[i * kN + j], root(sum)) * in.at("W").data[j]);
            }
            return z;
        });
    }
}

// With the paper's E[x^2] - E[x]^2 as the variance, which the evaluator does not use.
TYPED_TEST(Arrays, LayerNormInBothForms) {
    using S = TypeParam;
    for (const bool paper : {false, true}) {
        ArrayMaker maker;
        const int x = maker.input("X", "MN");
        const int w = maker.input("W", "N");
        const int b = maker.input("B", "N");
        maker.output("Z", maker.norm(ArrayOpKind::LayerNorm, {x, w, b}, "MN", paper));
        maker.last().epsilon = paper ? 0 : 0.25;
        check<S>(maker, [paper](const Tensors<S>& in) {
            const std::vector<S>& xs = in.at("X").data;
            std::vector<S> z;
            for (std::size_t i = 0; i < kM; ++i) {
                S sum{}, squares{};
                for (std::size_t j = 0; j < kN; ++j) {
                    sum = sum + xs[i * kN + j];
                    squares = squares + xs[i * kN + j] * xs[i * kN + j];
                }
                const S mean = quotient(sum, number_of<S>(kN));
                S variance = quotient(squares, number_of<S>(kN)) - mean * mean;
                if (!paper) variance = variance + number_of<S>(0.25);
                for (std::size_t j = 0; j < kN; ++j)
                    z.push_back(quotient(xs[i * kN + j] - mean, root(variance)) * in.at("W").data[j] +
                                in.at("B").data[j]);
            }
            return z;
        });
    }
}

// Each pair of numbers is a complex one, multiplied by cos + i sin: where both have the same angle, its
// length stays. The batch shares cosines and sines.
TYPED_TEST(Arrays, RotaryEmbeddingsTurnPairs) {
    using S = TypeParam;
    for (const ArrayOpKind kind : {ArrayOpKind::Rope, ArrayOpKind::RopeInterleaved}) {
        ArrayMaker maker;
        const int x = maker.input("X", "H|MW");
        const int c = maker.input("C", "MW");
        maker.output("Z", maker.op(kind, {x, c, maker.input("S", "H|MW")}, "H|MW"));
        check<S>(maker, [kind](const Tensors<S>& in) {
            constexpr std::size_t kW = 6;
            const bool halves = kind == ArrayOpKind::Rope;
            std::vector<S> z(kH * kM * kW);
            for (std::size_t row = 0; row < kH * kM; ++row)
                for (std::size_t pair = 0; pair < kW / 2; ++pair) {
                    const std::size_t a = row * kW + (halves ? pair : 2 * pair);
                    const std::size_t b = a + (halves ? kW / 2 : 1);
                    const auto cosine = [&](std::size_t at) { return in.at("C").data[at % (kM * kW)]; };
                    const auto sine = [&](std::size_t at) { return in.at("S").data[at]; };
                    const std::vector<S>& v = in.at("X").data;
                    z[a] = v[a] * cosine(a) - v[b] * sine(a);
                    z[b] = v[b] * cosine(b) + v[a] * sine(b);
                }
            return z;
        });
    }
}

TYPED_TEST(Arrays, RowsAreReduced) {
    using S = TypeParam;
    for (const ArrayOpKind kind : {ArrayOpKind::RowSum, ArrayOpKind::RowMean, ArrayOpKind::RowMax}) {
        ArrayMaker maker;
        maker.output("Z", maker.op(kind, {maker.input("X", "H|MN")}, "H|M"));
        check<S>(maker, [kind](const Tensors<S>& in) {
            const std::vector<S>& x = in.at("X").data;
            std::vector<S> z;
            for (std::size_t row = 0; row < kH * kM; ++row) {
                S total = x[row * kN];
                for (std::size_t j = 1; j < kN; ++j)
                    total = apply(kind == ArrayOpKind::RowMax ? Fn::Max : Fn::Add, total, x[row * kN + j]);
                z.push_back(kind == ArrayOpKind::RowMean ? quotient(total, number_of<S>(kN)) : total);
            }
            return z;
        });
    }
}

TYPED_TEST(Arrays, VectorsSpreadAlongEitherAxisOnEitherSide) {
    using S = TypeParam;
    for (const VectorAxis axis : {VectorAxis::Rows, VectorAxis::Cols})
        for (const bool vector_first : {false, true}) {
            ArrayMaker maker;
            const int x = maker.input("X", "MN");
            const int v = maker.input("V", axis == VectorAxis::Rows ? "M" : "N");
            maker.output("Z",
                         maker.broadcast(Fn::Div, axis, vector_first ? v : x, vector_first ? x : v, "MN"));
            check<S>(maker, [&](const Tensors<S>& in) {
                std::vector<S> z;
                for (std::size_t i = 0; i < kM; ++i)
                    for (std::size_t j = 0; j < kN; ++j) {
                        const S a = in.at("X").data[i * kN + j];
                        const S b = in.at("V").data[axis == VectorAxis::Rows ? i : j];
                        z.push_back(vector_first ? quotient(b, a) : quotient(a, b));
                    }
                return z;
            });
        }
}

TYPED_TEST(Arrays, OuterTransposeAndCast) {
    using S = TypeParam;
    ArrayMaker maker;
    const int outer = maker.op(ArrayOpKind::Outer, {maker.input("A", "M"), maker.input("B", "B|N")}, "B|MN");
    const int turned = maker.op(ArrayOpKind::Transpose, {outer}, "B|NM");
    maker.output("Z", maker.cast(ElemType::BF16, turned, "B|NM"));
    check<S>(maker, [](const Tensors<S>& in) {
        std::vector<S> z;
        for (std::size_t b = 0; b < kB; ++b)
            for (std::size_t j = 0; j < kN; ++j)
                for (std::size_t i = 0; i < kM; ++i)
                    z.push_back(in.at("A").data[i] * in.at("B").data[b * kN + j]);
        return z;
    });
}

TYPED_TEST(Arrays, SumsOverTheMiddleBatchDimension) {
    using S = TypeParam;
    ArrayMaker maker;
    maker.output("Z", maker.sum_over('H', maker.input("X", "BHG|M"), "BG|M"));
    check<S>(maker, [](const Tensors<S>& in) {
        std::vector<S> z;
        for (std::size_t b = 0; b < kB; ++b)
            for (std::size_t i = 0; i < kG * kM; ++i) {
                S sum{};
                for (std::size_t h = 0; h < kH; ++h) sum = sum + in.at("X").data[(b * kH + h) * kG * kM + i];
                z.push_back(sum);
            }
        return z;
    });
}

TYPED_TEST(Arrays, CausalMaskWithAWindowHidesTheDistantPast) {
    using S = TypeParam;
    ArrayMaker maker;
    const int mask = maker.input("Mask", "MN");
    maker.last().source = InputSource::CausalMask;
    maker.last().window = 2;
    maker.output("Z", mask);
    check<S>(maker, [](const Tensors<S>&) {
        std::vector<S> z;
        for (std::size_t i = 0; i < kM; ++i)
            for (std::size_t j = 0; j < kN; ++j) {
                const std::size_t last = i + kN - kM;
                z.push_back(number_of<S>(j == last || j + 1 == last ? 0 : -1e30));
            }
        return z;
    });
}

TYPED_TEST(Arrays, CausalMaskHidesTheFuture) {
    using S = TypeParam;
    ArrayMaker maker;
    const int mask = maker.input("Mask", "MN");
    maker.last().source = InputSource::CausalMask;
    maker.output("Z", mask);
    check<S>(maker, [](const Tensors<S>& in) {
        EXPECT_TRUE(in.empty());
        std::vector<S> z;
        for (std::size_t i = 0; i < kM; ++i)
            for (std::size_t j = 0; j < kN; ++j) z.push_back(number_of<S>(j <= i + kN - kM ? 0 : -1e30));
        return z;
    });
}

TYPED_TEST(Arrays, SizesAndSharedPartsInExpressions) {
    using S = TypeParam;
    ArrayMaker maker;
    ExprPtr doubled = arg(0);
    for (int i = 0; i < 60; ++i) doubled = call(Fn::Add, doubled, doubled);
    const ExprPtr expr = call(Fn::Mul, doubled, call(Fn::Pow, size_of(maker.dim('D')), number(-0.5)));
    maker.output("Z", maker.elementwise(expr, {maker.input("X", "M")}, "M"));
    check<S>(maker, [](const Tensors<S>& in) {
        std::vector<S> z;
        for (const S x : in.at("X").data)
            z.push_back(x * number_of<S>(0x1p60) * quotient(number_of<S>(1), root(number_of<S>(4))));
        return z;
    });
}

TEST(ArrayInputs, AreCheckedForPresenceAndShape) {
    ArrayMaker maker;
    maker.output("Z", maker.input("X", "M"));
    EXPECT_THROW(evaluate(maker.program, Tensors<double>{}), InternalError);
    EXPECT_THROW(evaluate(maker.program, Tensors<double>{{"X", array<double>({2}, {1, 2})}}), InternalError);
}

TEST(RandomInputs, DependOnSeedNameAndScaleOnly) {
    ArrayMaker maker;
    maker.input("X", "MN");
    maker.output("Z", maker.input("Y", "MN"));
    const Tensors<double> in = random_doubles(maker.program, 4);
    EXPECT_EQ(in.at("X").data, random_doubles(maker.program, 4).at("X").data);
    EXPECT_NE(in.at("X").data, in.at("Y").data);
    EXPECT_NE(in.at("X").data, random_doubles(maker.program, 5).at("X").data);
    const Tensors<double> large = random_doubles(maker.program, 4, 1000);
    for (std::size_t i = 0; i < kM * kN; ++i) {
        EXPECT_LE(std::abs(in.at("X").data[i]), 1);
        EXPECT_DOUBLE_EQ(large.at("X").data[i], 1000 * in.at("X").data[i]);
    }
}

}  // namespace
}  // namespace blockscope::test
