// Every text of tests/hostile/json.txt is refused with the problem that the table holds. Cases are named for
// the format that they attack; any_* are read as all three.
#include <gmock/gmock.h>

#include <algorithm>

#include "core/json/json_io.h"
#include "tests/support/text_cases.h"

namespace blockscope::test {
namespace {

using testing::Contains;
using testing::Not;

const std::string kHostileJson = BLOCKSCOPE_SOURCE_DIR "/tests/hostile/json.txt";

template <class T>
std::string first_problem(const Result<T>& read) {
    return read ? "it was accepted" : to_string(read.problems().at(0));
}

// The first problem of each reader that the case is for; once if all say the same.
std::vector<std::string> refusals(const TextCase& text_case) {
    const std::string& text = text_case.input;
    const std::string format = text_case.name.substr(0, text_case.name.find('_'));
    const bool any = format == "any";
    std::vector<std::string> said;
    if (any || format == "array") said.push_back(first_problem(read_array_program(text, "f")));
    if (any || format == "block") said.push_back(first_problem(read_block_program(text, "f")));
    if (any || format == "trace") said.push_back(first_problem(read_trace(text, "f")));
    EXPECT_THAT(said, Not(Contains("it was accepted"))) << text_case.name;
    if (any && said[0] == said[1] && said[1] == said[2]) said.resize(1);
    return said;
}

TEST(HostileJson, IsRefusedAsExpected) {
    EXPECT_GE(text_cases(kHostileJson).size(), 100U);
    EXPECT_EQ(said_otherwise(kHostileJson, refusals), "");
}

// Several problems of one text are reported at once.
TEST(HostileJson, SeveralProblemsAreReportedTogether) {
    const std::vector<TextCase> cases = text_cases(kHostileJson);
    const auto several = std::find_if(cases.begin(), cases.end(), [](const TextCase& text_case) {
        return text_case.name == "array_several_problems";
    });
    ASSERT_NE(several, cases.end());
    const Result<ArrayProgram> read = read_array_program(several->input, "f");
    ASSERT_FALSE(read);
    std::vector<std::string> pointers;
    for (const Problem& problem : read.problems()) pointers.push_back(problem.place.pointer);
    EXPECT_EQ(pointers, (std::vector<std::string>{"/dims/0/size", "/ops/0/axes/0", "/ops/0/elem",
                                                  "/ops/1/axes/0", "/ops/3/operands/0", "/outputs/0/name"}));
}

}  // namespace
}  // namespace blockscope::test
