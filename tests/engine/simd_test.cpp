// Every kernel of every instruction set that this processor has, against the C library in float64.
#include "core/engine/simd.h"
#include "core/engine/worker.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/graph/node.h"

namespace blockscope::engine::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<const SimdTable*> tables() {
    const SimdTable* found[3] = {};
    const int count = available_simd(found);
    return {found, found + count};
}

std::vector<float> numbers(int count, float scale, std::uint32_t seed = 1) {
    std::vector<float> result;
    for (int i = 0; i < count; ++i) {
        seed = seed * 1664525U + 1013904223U;
        result.push_back(scale * (static_cast<float>(seed >> 8) / 8388608.0F - 1.0F));
    }
    return result;
}

class Microkernels : public testing::TestWithParam<const SimdTable*> {
protected:
    const SimdTable& k_ = *GetParam();

    std::vector<float> unary(Op op, const std::vector<float>& a) const {
        std::vector<float> result(a.size());
        const auto n = static_cast<int>(a.size());
        k_.unary[static_cast<int>(op)]({result.data(), n, 1, n}, {a.data(), n, false});
        return result;
    }

    // Relative to the function's value, but for what `near` allows around its zeros.
    void expect_unary(Op op, const std::vector<float>& a, const std::function<double(double)>& f,
                      double tolerance, double near = 0) const {
        const std::vector<float> result = unary(op, a);
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double expected = f(static_cast<double>(a[i]));
            EXPECT_NEAR(result[i], expected, tolerance * std::abs(expected) + near) << "of " << a[i];
        }
    }
};

TEST_P(Microkernels, ElementaryFunctions) {
    expect_unary(
        op_of(Fn::Exp), numbers(1000, 87), [](double x) { return std::exp(x); }, 2e-7);
    expect_unary(
        op_of(Fn::Exp), numbers(1000, 1), [](double x) { return std::exp(x); }, 2e-7);
    std::vector<float> positive = numbers(1000, 10);
    for (float& x : positive) x = x * x + 1e-6F;
    expect_unary(
        op_of(Fn::Log), positive, [](double x) { return std::log(x); }, 3e-7, 1e-7);
    expect_unary(
        op_of(Fn::Sqrt), positive, [](double x) { return std::sqrt(x); }, 1e-7);
    expect_unary(
        Op::ReciprocalSqrt, positive, [](double x) { return 1 / std::sqrt(x); }, 2e-7);
    for (const float scale : {0.3F, 3.0F, 30.0F}) {
        const std::vector<float> x = numbers(1000, scale);
        expect_unary(
            op_of(Fn::Tanh), x, [](double v) { return std::tanh(v); }, 5e-7);
        expect_unary(
            op_of(Fn::Erf), x, [](double v) { return std::erf(v); }, 2e-6, 4e-7);
        expect_unary(
            op_of(Fn::Sin), x, [](double v) { return std::sin(v); }, 1e-6, 1e-7);
        expect_unary(
            op_of(Fn::Cos), x, [](double v) { return std::cos(v); }, 1e-6, 1e-7);
        expect_unary(
            op_of(Fn::Floor), x, [](double v) { return std::floor(v); }, 0);
        expect_unary(
            op_of(Fn::Abs), x, [](double v) { return std::abs(v); }, 0);
        expect_unary(
            op_of(Fn::Neg), x, [](double v) { return -v; }, 0);
        expect_unary(
            Op::Copy, x, [](double v) { return v; }, 0);
        expect_unary(
            Op::Square, x, [](double v) { return v * v; }, 1e-7);
        expect_unary(
            Op::Reciprocal, x, [](double v) { return 1 / v; }, 1e-7);
    }
}

TEST_P(Microkernels, EveryPrimitiveComputesWhatItsRowSays) {
    std::vector<float> positive = numbers(1000, 5);
    for (float& x : positive) x = std::abs(x) + 1e-3F;
    for (const Primitive& function : kPrimitives) {
        SCOPED_TRACE(function.name);
        if (function.arity != 1) continue;
        expect_unary(
            op_of(function.fn), positive, [&](double x) { return function.real(x, 0); }, 3e-6, 3e-6);
    }
}

TEST_P(Microkernels, EveryFoldOfRowsHasAMicrokernel) {
    for (const FunctionalOperator& row : kFunctionalOperators)
        if (is_fold(row.op)) {
            SCOPED_TRACE(row.name);
            const SimdTable::RowFold of_rows = k_.row_fold[static_cast<int>(row.fn)];
            const SimdTable::RowFold of_columns = k_.col_fold[static_cast<int>(row.fn)];
            ASSERT_TRUE(of_rows && of_columns);
            constexpr int kMany = 257;  // whole vectors, and a rest
            const std::vector<float> a = numbers(kMany, 1);
            double expected = static_cast<double>(a[0]);
            for (int i = 1; i < kMany; ++i)
                expected =
                    primitive(row.fn).real(expected, static_cast<double>(a[static_cast<std::size_t>(i)]));
            float along = 0;
            of_rows(&along, a.data(), kMany, 1, kMany, false);
            EXPECT_NEAR(along, expected, 1e-4);
            // Of two equal rows: every column folded with itself.
            std::vector<float> twice = a;
            twice.insert(twice.end(), a.begin(), a.end());
            std::vector<float> down(a.size());
            of_columns(down.data(), twice.data(), kMany, 2, kMany, false);
            for (std::size_t i = 0; i < a.size(); ++i) {
                const auto one = static_cast<double>(a[i]);
                ASSERT_NEAR(down[i], primitive(row.fn).real(one, one), 1e-6) << i;
            }
        }
}

TEST_P(Microkernels, EdgesOfFunctions) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> edges{0, -1e30F, -kInfinity, 89, kInfinity, 88.7F, nan};
    const std::vector<float> exp = unary(op_of(Fn::Exp), edges);
    EXPECT_EQ(exp[0], 1);
    EXPECT_EQ(exp[1], 0);
    EXPECT_EQ(exp[2], 0);
    EXPECT_EQ(exp[3], kInfinity);
    EXPECT_EQ(exp[4], kInfinity);
    EXPECT_NEAR(exp[5] / std::exp(static_cast<double>(88.7F)), 1, 1e-6);
    EXPECT_TRUE(std::isnan(exp[6]));
    const std::vector<float> log = unary(op_of(Fn::Log), {0, -1, kInfinity, nan, 1e-40F, 1});
    EXPECT_EQ(log[0], -kInfinity);
    EXPECT_TRUE(std::isnan(log[1]));
    EXPECT_EQ(log[2], kInfinity);
    EXPECT_TRUE(std::isnan(log[3]));
    EXPECT_NEAR(log[4], std::log(static_cast<double>(1e-40F)), 1e-4);
    EXPECT_EQ(log[5], 0);
}

TEST_P(Microkernels, BinaryOperatorsWithRowsColumnsAndNumbersRepeated) {
    constexpr int kRows = 5;
    constexpr int kCols = 37;
    constexpr int kStep = 40;
    std::vector<float> block = numbers(kRows * kStep, 2);
    std::vector<float> vector = numbers(kCols + kRows, 2, 7);
    for (float& x : block) x = std::abs(x) + 0.1F;  // for powers
    struct Way {
        Operand operand;
        std::function<float(int, int)> value;
    };
    const std::vector<Way> ways = {
        {{block.data(), kStep, false},
         [&](int r, int c) { return block[static_cast<std::size_t>(r * kStep + c)]; }},
        {{vector.data(), 0, false}, [&](int, int c) { return vector[static_cast<std::size_t>(c)]; }},
        {{vector.data(), 1, true}, [&](int r, int) { return vector[static_cast<std::size_t>(r)]; }},
        {{vector.data(), 0, true}, [&](int, int) { return vector[0]; }}};
    for (const Primitive& function : kPrimitives) {
        if (function.arity != 2) continue;
        const int number = static_cast<int>(function.fn);
        for (const Way& a : ways)
            for (const Way& b : ways) {
                if (function.fn == Fn::Pow && a.operand.data != block.data()) continue;
                std::vector<float> result(kRows * kStep, 7.0F);
                k_.binary[number][a.operand.splat][b.operand.splat]({result.data(), kStep, kRows, kCols},
                                                                    a.operand, b.operand);
                for (int r = 0; r < kRows; ++r)
                    for (int c = 0; c < kStep; ++c) {
                        const float value = result[static_cast<std::size_t>(r * kStep + c)];
                        if (c >= kCols) {
                            ASSERT_EQ(value, 7.0F) << "written beyond the row";
                            continue;
                        }
                        const double expected = function.real(a.value(r, c), b.value(r, c));
                        ASSERT_NEAR(value, expected, 1e-6 * std::abs(expected) + 1e-12) << function.name;
                    }
            }
    }
}

TEST_P(Microkernels, NaNIsNeverHiddenByMaximaAndMinima) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> a(70, 1.0F);
    const std::vector<float> b(70, 2.0F);
    a[3] = a[69] = nan;
    std::vector<float> result(70);
    for (const Op op : {op_of(Fn::Max), op_of(Fn::Min)}) {
        const SimdTable::Binary kernel = k_.binary[static_cast<int>(op)][0][0];
        kernel({result.data(), 70, 1, 70}, {a.data(), 70, false}, {b.data(), 70, false});
        EXPECT_TRUE(std::isnan(result[3]) && std::isnan(result[69]) && !std::isnan(result[4]));
        kernel({result.data(), 70, 1, 70}, {b.data(), 70, false}, {a.data(), 70, false});
        EXPECT_TRUE(std::isnan(result[3]) && std::isnan(result[69]) && !std::isnan(result[4]));
    }
    k_.row_fold[static_cast<int>(Fn::Max)](result.data(), a.data(), 0, 1, 70, false);
    EXPECT_TRUE(std::isnan(result[0]));
}

TEST_P(Microkernels, SumsAndMaximaOfRows) {
    for (const int cols : {1, 5, 63, 64, 65, 130, 257}) {
        const int rows = 3;
        const int step = cols + 3;
        const std::vector<float> a = numbers(rows * step, 1, static_cast<std::uint32_t>(cols));
        std::vector<float> sums(3, 10.0F);
        std::vector<float> largest(3, 0.5F);
        k_.row_fold[static_cast<int>(Fn::Add)](sums.data(), a.data(), step, rows, cols, true);
        k_.row_fold[static_cast<int>(Fn::Max)](largest.data(), a.data(), step, rows, cols, true);
        for (int r = 0; r < rows; ++r) {
            double sum = 10;
            float maximum = 0.5F;
            for (int c = 0; c < cols; ++c) {
                sum += static_cast<double>(a[static_cast<std::size_t>(r * step + c)]);
                maximum = std::max(maximum, a[static_cast<std::size_t>(r * step + c)]);
            }
            EXPECT_NEAR(sums[static_cast<std::size_t>(r)], sum, 1e-5);
            EXPECT_EQ(largest[static_cast<std::size_t>(r)], maximum);
        }
    }
}

TEST_P(Microkernels, SumsAndMaximaDownTheColumns) {
    constexpr int kRows = 5;
    for (const int cols : {1, 15, 16, 17, 130, 300}) {
        const int step = cols + 3;
        const std::vector<float> a = numbers(kRows * step, 1, static_cast<std::uint32_t>(cols));
        for (const bool add : {false, true}) {
            std::vector<float> sums(static_cast<std::size_t>(cols), 10.0F);
            std::vector<float> largest(static_cast<std::size_t>(cols), 0.5F);
            k_.col_fold[static_cast<int>(Fn::Add)](sums.data(), a.data(), step, kRows, cols, add);
            k_.col_fold[static_cast<int>(Fn::Max)](largest.data(), a.data(), step, kRows, cols, add);
            for (int c = 0; c < cols; ++c) {
                double sum = add ? 10 : 0;
                float maximum = add ? 0.5F : a[static_cast<std::size_t>(c)];
                for (int r = 0; r < kRows; ++r) {
                    sum += static_cast<double>(a[static_cast<std::size_t>(r * step + c)]);
                    maximum = std::max(maximum, a[static_cast<std::size_t>(r * step + c)]);
                }
                ASSERT_NEAR(sums[static_cast<std::size_t>(c)], sum, 1e-5) << cols << " " << c;
                ASSERT_EQ(largest[static_cast<std::size_t>(c)], maximum) << cols << " " << c;
            }
        }
    }
}

// Rows that begin at cache lines and rows that do not; nothing beside the block is touched.
TEST_P(Microkernels, CopyingPastTheCaches) {
    constexpr int kRows = 3;
    for (const int cols : {1, 16, 40, 64}) {
        for (const int step : {64, 65}) {
            const std::vector<float> a = numbers(kRows * (cols + 1), 1);
            engine::Memory to(static_cast<std::int64_t>(kRows) * step * 4);
            k_.stream({to.floats(), step, kRows, cols}, a.data(), cols + 1);
            k_.streamed();
            for (int r = 0; r < kRows; ++r)
                for (int c = 0; c < step; ++c)
                    ASSERT_EQ(to.floats()[r * step + c],
                              c < cols ? a[static_cast<std::size_t>(r * (cols + 1) + c)] : 0.0F);
        }
    }
}

TEST_P(Microkernels, TransposingAndWidening) {
    for (const int rows : {1, 16, 33}) {
        for (const int cols : {1, 7, 48}) {
            const std::vector<float> a = numbers(rows * (cols + 1), 1);
            std::vector<float> turned(static_cast<std::size_t>(cols * (rows + 2)), 7.0F);
            k_.transpose({turned.data(), rows + 2, cols, rows}, a.data(), cols + 1);
            for (int r = 0; r < rows; ++r)
                for (int c = 0; c < cols; ++c)
                    ASSERT_EQ(turned[static_cast<std::size_t>(c * (rows + 2) + r)],
                              a[static_cast<std::size_t>(r * (cols + 1) + c)]);
        }
    }
    const std::vector<std::uint16_t> halves(37, 0xC049);  // -3.140625
    std::vector<float> wide(37);
    k_.widen({wide.data(), 37, 1, 37}, halves.data(), 37);
    EXPECT_EQ(wide, std::vector<float>(37, -3.140625F));
}

void expect_product(const std::vector<float>& c, const std::vector<float>& before,
                    const std::vector<float>& a, const std::vector<float>& bt, int rows, int cols, int inner,
                    const MatmulShape& shape, bool add) {
    for (int r = 0; r < rows; ++r)
        for (int j = 0; j < shape.c_step; ++j) {
            const auto at = static_cast<std::size_t>(r * shape.c_step + j);
            if (j >= cols) {
                ASSERT_EQ(c[at], before[at]) << "written beyond the row";
                continue;
            }
            double sum = add ? static_cast<double>(before[at]) : 0;
            for (int i = 0; i < inner; ++i)
                sum += static_cast<double>(a[static_cast<std::size_t>(r * shape.a_step + i)]) *
                       static_cast<double>(bt[static_cast<std::size_t>(i * shape.bt_step + j)]);
            ASSERT_NEAR(c[at], sum, 1e-4) << rows << "x" << cols << "x" << inner << " at " << r << "," << j;
        }
}

TEST_P(Microkernels, MatmulOfAnyShape) {
    for (const int rows : {1, 4, 13, 31})
        for (const int cols : {1, 15, 32, 48, 71})
            for (const int inner : {1, 9, 64}) {
                const MatmulShape shape{{rows, rows}, {cols, cols}, {inner, inner},
                                        inner + 1,    cols + 2,     cols + 3};
                const std::vector<float> a = numbers(rows * (inner + 1), 1, 3);
                const std::vector<float> bt = numbers(inner * (cols + 2), 1, 5);
                const std::vector<float> before = numbers(rows * (cols + 3), 1, 9);
                for (const bool add : {false, true}) {
                    std::vector<float> c = before;
                    k_.matmul(rows, cols, inner, a.data(), shape.a_step, bt.data(), shape.bt_step, c.data(),
                              shape.c_step, add);
                    ASSERT_NO_FATAL_FAILURE(expect_product(c, before, a, bt, rows, cols, inner, shape, add));
                    // What the engine takes, for the full shape and for a ragged one.
                    c = before;
                    const Matmul matmul(shape);
                    matmul.run(rows, cols, inner, a.data(), bt.data(), c.data(), add);
                    ASSERT_NO_FATAL_FAILURE(expect_product(c, before, a, bt, rows, cols, inner, shape, add));
                    if (rows == 1) continue;
                    c = before;
                    matmul.run(rows - 1, cols, inner, a.data(), bt.data(), c.data(), add);
                    ASSERT_NO_FATAL_FAILURE(
                        expect_product(c, before, a, bt, rows - 1, cols, inner, shape, add));
                }
            }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, Microkernels, testing::ValuesIn(tables()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace blockscope::engine::test
