// What benchmarks time was compared with the reference before: a wrong result is no time.
#include "tests/bench/checked.h"

#include <gmock/gmock.h>

#include <cmath>

#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

ArrayProgram small(const std::string& sample) {
    ArrayProgram program = read_sample(sample);
    for (Dim& dim : program.dims) {
        dim.size = 24;
        dim.block = 8;
    }
    return program;
}

Trace traced(const ArrayProgram& program) {
    return fuse(std::make_shared<const BlockProgram>(to_block_program(program).program));
}

TEST(CheckedBench, TakesWhatIsRight) {
    const ArrayProgram program = small("attention");
    const bench::Checked checked(program);
    const CpuProgram fused = checked.prepared(*traced(program).last(), 1);
    const std::span<const float> values = fused.output(0);
    Tensors<double> outputs{{"O", {{24, 24}, std::vector<double>(values.begin(), values.end())}}};
    EXPECT_NO_THROW(checked.check("the engine", outputs));
    outputs["O"].data[5] *= 1.01;
    try {
        checked.check("a library", outputs);
        FAIL() << "one element is 1% off";
    } catch (const std::runtime_error& wrong) {
        EXPECT_THAT(wrong.what(), testing::StartsWith("a library is wrong"));
    }
    outputs["O"].data[5] = NAN;
    EXPECT_THROW(checked.check("a library", outputs), std::runtime_error) << "was never computed";
}

// The program of another sample computes something else from inputs of the same names.
TEST(CheckedBench, RefusesAStateThatComputesSomethingElse) {
    ArrayProgram program = small("gemm-relu");
    const bench::Checked checked(program);
    const auto other = parse_program(
        "dim M = 24 / 8\ndim K = 24 / 8\ndim N = 24 / 8\ninput X[M, K], W[K, N]\noutput Y = X @ W\n",
        "other.bp");
    EXPECT_THROW(checked.prepared(*traced(other.value()).last(), 1), std::runtime_error);
    EXPECT_NO_THROW(checked.prepared(*traced(program).last(), 1));
}

}  // namespace
}  // namespace blockscope::test
