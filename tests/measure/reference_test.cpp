// Inputs and expected outputs of a measurement.
#include "core/measure/reference.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <tuple>

#include "core/exec/evaluate.h"
#include "core/program/convert.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace measure;

TEST(Rounding, IsToNearestEven) {
    EXPECT_EQ(round_to(ElemType::F32, 0.1), static_cast<double>(0.1F));
    EXPECT_EQ(round_to(ElemType::BF16, 1.0), 1.0);
    EXPECT_EQ(round_to(ElemType::BF16, 1 + 0x1p-8), 1.0);             // half way: to even
    EXPECT_EQ(round_to(ElemType::BF16, 1 + 3 * 0x1p-8), 1 + 0x1p-6);  // half way: to even
    EXPECT_EQ(round_to(ElemType::BF16, -(1 + 0x1.02p-8)), -(1 + 0x1p-7));
    EXPECT_EQ(round_to(ElemType::F16, 1 + 0x1p-11), 1.0);
    EXPECT_EQ(round_to(ElemType::F16, 65519.0), 65504.0);
    EXPECT_TRUE(std::isinf(round_to(ElemType::F16, 65520.0)));
    EXPECT_EQ(round_to(ElemType::F16, 0x1p-24), 0x1p-24);
    EXPECT_EQ(round_to(ElemType::F16, 0x1p-26), 0.0);
}

// A cast rounds where the reference does not: what it casts to decides, if it is the coarser of the two.
TEST(Tolerance, IsOfTheCoarsestTypeThatAProgramCastsTo) {
    const auto program = [](const std::string& map) {
        const std::string text =
            "dim M = 24 / 8\ndim N = 24 / 8\ninput A[M, N] : f32\noutput B = " + map + "\n";
        return to_block_program(parse_program(text, "").value()).program;
    };
    const BlockProgram plain = program("exp(A)"), half = program("exp(cast(A, f16))"),
                       brain = program("cast(cast(A, f16), bf16)"), back = program("cast(A, f32)");
    EXPECT_FALSE(coarsest_cast(plain));
    EXPECT_FALSE(coarsest_cast(back));
    EXPECT_EQ(coarsest_cast(half), ElemType::F16);
    EXPECT_EQ(coarsest_cast(brain), ElemType::BF16);
    EXPECT_EQ(tolerance(ElemType::F32, plain), tolerance(ElemType::F32));
    EXPECT_EQ(tolerance(ElemType::F32, half), tolerance(ElemType::F16));
    EXPECT_EQ(tolerance(ElemType::BF16, half), tolerance(ElemType::BF16));
}

TEST(Inputs, AreWhatTheTypeHas) {
    const ProgramPtr program = block_sample("attention");
    BlockProgram small = *program;
    for (Dim& dim : small.dims) {
        dim.size = 24;
        dim.block = 8;
    }
    for (const ElemType elem : {ElemType::F32, ElemType::BF16}) {
        const Tensors<double> inputs = random_inputs(small, elem, 1);
        EXPECT_EQ(inputs.size(), 3U);
        for (const double value : inputs.at("Q").data) EXPECT_EQ(value, round_to(elem, value));
        EXPECT_NE(inputs.at("Q").data, random_inputs(small, elem, 2).at("Q").data);
        const std::vector<double> quarter = random_inputs(small, elem, 1, 0.25).at("Q").data;
        for (std::size_t i = 0; i < quarter.size(); ++i) EXPECT_EQ(quarter[i], inputs.at("Q").data[i] / 4);
    }
}

TEST(Multiply, AgreesWithTheDefinitionForAnyShape) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> number(-1, 1);
    for (const auto& [rows, inner, cols] :
         {std::tuple{1, 1, 1}, {4, 8, 32}, {5, 7, 33}, {63, 17, 65}, {130, 600, 401}}) {
        std::vector<double> a(static_cast<std::size_t>(rows * inner));
        std::vector<double> b(static_cast<std::size_t>(inner * cols));
        std::vector<double> c(static_cast<std::size_t>(rows * cols), NAN);
        for (double& x : a) x = number(random);
        for (double& x : b) x = number(random);
        multiply(a.data(), b.data(), c.data(), static_cast<std::size_t>(rows),
                 static_cast<std::size_t>(inner), static_cast<std::size_t>(cols));
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < cols; ++j) {
                double sum = 0;
                for (int l = 0; l < inner; ++l)
                    sum += a[static_cast<std::size_t>(i * inner + l)] *
                           b[static_cast<std::size_t>(l * cols + j)];
                ASSERT_NEAR(c[static_cast<std::size_t>(i * cols + j)], sum, 1e-13 * inner) << i << ' ' << j;
            }
    }
}

ArrayProgram sized(const std::string& sample, std::int64_t size, std::int64_t block) {
    ArrayProgram program = read_sample(sample);
    for (Dim& dim : program.dims) {
        if (dim.kind != DimKind::Blocked) continue;
        dim.size = size;
        dim.block = block;
        size += 5;
    }
    program.dims = fitted(program.dims, program);
    return program;
}

TEST(IndependentRows, AreThoseOfTheFirstAxis) {
    const auto name = [](const std::string& sample) -> std::string {
        const ArrayProgram program = read_sample(sample);
        const int dim = independent_rows(program);
        return dim < 0 ? "" : program.dims[static_cast<std::size_t>(dim)].name;
    };
    EXPECT_EQ(name("attention"), "M");
    EXPECT_EQ(name("rmsnorm-swiglu"), "M");
    EXPECT_EQ(name("layernorm-matmul"), "M");
    EXPECT_EQ(name("causal-attention"), "");  // the mask knows which row it is
    EXPECT_EQ(name("decoder-block"), "");     // rows attend to each other
}

// Whatever rows are taken, their values are those of the whole reference.
TEST(Sampled, RowsHaveTheValuesOfTheWhole) {
    int sampled = 0;
    for (const std::string& name : sample_names()) {
        const ArrayProgram program = sized(name, 21, 8);
        if (independent_rows(program) < 0) continue;
        const Tensors<double> inputs = random_doubles(program, 3);
        const auto part = expected_outputs(program, inputs, 3, 1);
        // A limit of ten operations refuses; rows are only taken if these are few enough.
        const auto rows = expected_outputs(program, inputs, 3, 0.2 * 1e6);
        const Tensors<double> whole = evaluate(program, inputs);
        ASSERT_FALSE(part) << name;
        if (!rows || rows->rows.empty()) continue;
        ++sampled;
        const Difference difference = compare_outputs(*rows, program, whole);
        EXPECT_LT(difference.error, 1e-12) << name;
        // First and last row of every block are among them.
        const Dim& dim = program.dims[static_cast<std::size_t>(rows->dim)];
        for (std::int64_t block = 0; block < dim.blocks(); ++block) {
            EXPECT_THAT(rows->rows, testing::Contains(block * dim.block)) << name;
            EXPECT_THAT(rows->rows, testing::Contains(block * dim.block + dim.block_size(block) - 1)) << name;
        }
        // A difference in a sampled row is found, at its place in the whole output.
        Tensors<double> broken = whole;
        Tensor<double>& output = broken.begin()->second;
        output.data.back() += 1000;
        const Difference found = compare_outputs(*rows, program, broken);
        EXPECT_GT(found.error, 1) << name;
        EXPECT_EQ(found.index, output.size() - 1) << name;
    }
    EXPECT_GE(sampled, 5);
}

TEST(Compare, FindsWhatIsNotFinite) {
    const ArrayProgram program = sized("attention", 16, 8);
    const Tensors<double> inputs = random_doubles(program, 1);
    const auto expected = expected_outputs(program, inputs, 1);
    ASSERT_TRUE(expected);
    EXPECT_THAT(expected->how, testing::StartsWith("all "));
    Tensors<double> found = expected->outputs;
    EXPECT_EQ(compare_outputs(*expected, program, found).error, 0);
    found.at("O").data[7] = NAN;
    const Difference difference = compare_outputs(*expected, program, found);
    EXPECT_TRUE(std::isinf(difference.error));
    EXPECT_EQ(difference.index, 7);
    EXPECT_THAT(difference_sentence(difference, 1e-4),
                testing::HasSubstr("element 7 of O is nan and should be"));
}

// A result that holds the largest number wherever the reference is beyond it is an overflow; anything else
// that is wrong is not.
TEST(Compare, AnOverflowIsNamed) {
    const ArrayProgram program = sized("matmul", 64, 8);
    auto expected = expected_outputs(program, random_doubles(program, 5), 1);
    ASSERT_TRUE(expected);
    std::vector<double>& values = expected->outputs.begin()->second.data;
    values[3] = 786, values[9] = -1000;
    Tensors<double> found = expected->outputs;
    std::vector<double>& had = found.begin()->second.data;
    for (double& value : had) value = round_to(ElemType::E4M3, value);
    const auto said = [&](ElemType elem) {
        return overflow_sentence(*expected, program, found, elem, 0.125);
    };
    ASSERT_TRUE(said(ElemType::E4M3));
    EXPECT_THAT(said(ElemType::E4M3)->str(),
                testing::AllOf(testing::HasSubstr("2 of 4736 elements of the reference are beyond 448"),
                               testing::HasSubstr("up to 1000")));
    EXPECT_FALSE(said(ElemType::E5M2)) << "which holds them";
    had[5] = 400;
    EXPECT_FALSE(said(ElemType::E4M3)) << "another element is wrong, too";
}

// However much is allowed of single values: e5m2 in many operators allows most of the largest one.
TEST(Compare, WhatHasNothingToDoWithTheReferenceNeverAgrees) {
    const ArrayProgram program = sized("matmul", 64, 8);
    const auto expected = expected_outputs(program, random_doubles(program, 5), 1);
    ASSERT_TRUE(expected);
    constexpr double kWide = 2.5;  // more than any two outputs differ
    const auto judged = [&](const auto& change) {
        Tensors<double> found = expected->outputs;
        std::size_t i = 0;
        for (double& value : found.begin()->second.data) value = change(value, i++);
        return compare_outputs(*expected, program, found);
    };
    const Difference zeros = judged([](double, std::size_t) { return 0.0; });
    EXPECT_NEAR(zeros.apart, 1, 1e-12);
    EXPECT_FALSE(agrees(zeros, kWide));
    EXPECT_THAT(difference_sentence(zeros, kWide), testing::HasSubstr("All differences together are 1 of"));
    const auto& values = expected->outputs.begin()->second.data;
    const Difference others =
        judged([&](double, std::size_t i) { return values[(i + 1000) % values.size()]; });
    EXPECT_GT(others.apart, 1.2);
    EXPECT_FALSE(agrees(others, kWide));
    const Difference rounded =
        judged([](double value, std::size_t) { return round_to(ElemType::E5M2, value); });
    EXPECT_LT(rounded.apart, 0.1);
    EXPECT_TRUE(agrees(rounded, tolerance(ElemType::E5M2)));
    EXPECT_TRUE(agrees(judged([](double value, std::size_t) { return value; }), 0));
    EXPECT_FALSE(agrees(judged([](double, std::size_t) { return NAN; }), kWide));
}

TEST(Reference, BlockProgramsAreInterpretedAndRefusedIfTooLarge) {
    BlockProgram small = *block_sample("attention");
    for (Dim& dim : small.dims) {
        dim.size = 24;
        dim.block = 8;
    }
    const Tensors<double> inputs = random_inputs(small, ElemType::F32, 1);
    const auto program = std::make_shared<const BlockProgram>(small);
    ArrayProgram array = read_sample("attention");
    array.dims = small.dims;
    const auto expected = expected_outputs(program, inputs, 1);
    ASSERT_TRUE(expected);
    EXPECT_LT(compare_outputs(*expected, program, evaluate(array, inputs)).error, 1e-12);
    const auto refused = expected_outputs(program, inputs, 1, 100);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.failure().cls, FailureClass::Refused);
}

}  // namespace
}  // namespace blockscope::test
