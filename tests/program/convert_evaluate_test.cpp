// The block program means what the array program means: equal in exact arithmetic, and close in
// doubles, for every operator in every batch shape and in both forms, with ragged blocks.
#include <gtest/gtest.h>

#include "core/exec/prove.h"
#include "core/program/convert.h"
#include "tests/program/operator_cases.h"

namespace blockscope::test {
namespace {

void expect_equal_meaning(const CaseDims& dims, Use use) {
    for (const OperatorCase& c : operator_cases(dims, use)) {
        SCOPED_TRACE(c.name + ", batch '" + dims.batch + "', axes " + dims.rows + dims.cols + dims.inner);
        const BlockProgram program = to_block_program(c.program).program;
        const DimTable sizes = proof_dims(c.program.dims);
        const auto mismatch = compare_exact(c.program, program, sizes, 1);
        EXPECT_FALSE(mismatch.has_value()) << mismatch->output << " differs at " << mismatch->index;
        EXPECT_LT(relative_error(c.program, program, sizes, 2), 1e-10);
    }
}

class ConvertedMeaning : public testing::TestWithParam<Use> {};

TEST_P(ConvertedMeaning, IsThatOfTheArrayProgram) {
    for (const CaseDims& dims : all_case_dims()) expect_equal_meaning(dims, GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, ConvertedMeaning,
                         testing::Values(Use::Plain, Use::TransposedOnly, Use::BothWays));

}  // namespace
}  // namespace blockscope::test
