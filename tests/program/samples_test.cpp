// Every sample reads, says in two lines what it shows, and converts.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/graph/verify.h"
#include "core/program/array_program.h"
#include "core/program/convert.h"
#include "tests/program/same_program.h"

namespace blockscope {
namespace {

std::vector<std::filesystem::path> sample_paths() {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(BLOCKSCOPE_SOURCE_DIR) + "/samples")) {
        if (entry.path().extension() == ".bp") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string test_name(const testing::TestParamInfo<std::filesystem::path>& sample) {
    std::string name = sample.param.stem().string();
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

class Samples : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Samples, ReadsAndConverts) {
    const Result<ArrayProgram> program = parse_program(read(GetParam()), GetParam().filename().string());
    ASSERT_TRUE(program) << to_string(program.problems()[0]);
    EXPECT_EQ(program->comment.size(), 2u);
    const std::vector<Violation> violations = verify(to_block_program(*program).program);
    EXPECT_TRUE(violations.empty()) << violations[0].sentence;
}

TEST_P(Samples, IsReadAgainAsItIsPrinted) {
    const Result<ArrayProgram> program = parse_program(read(GetParam()), "sample");
    ASSERT_TRUE(program);
    const std::string printed = print_program(*program);
    const Result<ArrayProgram> again = parse_program(printed, "printed");
    ASSERT_TRUE(again) << to_string(again.problems()[0]) << "\n" << printed;
    EXPECT_EQ(difference(*program, *again), "");
    EXPECT_EQ(print_program(*again), printed);
}

INSTANTIATE_TEST_SUITE_P(All, Samples, testing::ValuesIn(sample_paths()), test_name);

TEST(SampleFolder, HoldsThePapersTables) {
    EXPECT_GE(sample_paths().size(), 36u);
}

}  // namespace
}  // namespace blockscope
