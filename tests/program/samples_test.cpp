// Every sample reads, says in two lines what it shows, and converts.
#include <gtest/gtest.h>

#include "core/graph/verify.h"
#include "core/program/array_program.h"
#include "core/program/convert.h"
#include "tests/program/same_program.h"
#include "tests/support/samples.h"

namespace blockscope {
namespace {

class Samples : public testing::TestWithParam<std::string> {};

TEST_P(Samples, ReadsAndConverts) {
    const ArrayProgram program = test::read_sample(GetParam());
    EXPECT_EQ(program.comment.size(), 2u);
    const Conversion conversion = to_block_program(program);
    const std::vector<Violation> violations = verify(conversion.program);
    EXPECT_TRUE(violations.empty()) << violations[0].sentence;
    EXPECT_EQ(conversion.origins.size(), conversion.program.graph->nodes().size());
}

TEST_P(Samples, IsReadAgainAsItIsPrinted) {
    const ArrayProgram program = test::read_sample(GetParam());
    const std::string printed = print_program(program);
    const Result<ArrayProgram> again = parse_program(printed, "printed");
    ASSERT_TRUE(again) << to_string(again.problems()[0]) << "\n" << printed;
    EXPECT_EQ(difference(program, *again), "");
    EXPECT_EQ(print_program(*again), printed);
}

INSTANTIATE_TEST_SUITE_P(All, Samples, testing::ValuesIn(test::sample_names()),
                         [](const auto& sample) { return test::test_name(sample.param); });

TEST(SampleFolder, HoldsThePapersTables) {
    EXPECT_GE(test::sample_names().size(), 36u);
}

}  // namespace
}  // namespace blockscope
