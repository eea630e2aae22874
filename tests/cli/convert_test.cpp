#include <gmock/gmock.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string convert(const std::string& text, const std::string& to) {
    const Outcome outcome = run_cli({"convert", "-", "--to", to}, text);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
}

TEST(Convert, GoesRoundBetweenTextAndJson) {
    const std::string text = convert(source_file("samples/attention.bp"), "text");
    const std::string json = convert(text, "json");
    EXPECT_EQ(convert(json, "json"), json);
    EXPECT_EQ(convert(json, "text"), text);
}

TEST(Convert, BlockProgramsStayBlockPrograms) {
    const std::string blocks = convert(source_file("samples/attention.bp"), "block-json");
    EXPECT_EQ(convert(blocks, "block-json"), blocks);
    EXPECT_THAT(run_cli({"convert", "-", "--to", "text"}, blocks), ends(2, {}, {"holds a block program"}));
}

TEST(Convert, WritesAFile) {
    const auto file =
        std::filesystem::temp_directory_path() / ("blockscope-convert-" + std::to_string(std::rand()));
    const Outcome outcome = run_cli({"convert", sample("attention.bp"), "--to", "json", "-o", file.string()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, IsEmpty());
    std::ostringstream written;
    written << std::ifstream(file).rdbuf();
    std::filesystem::remove(file);
    EXPECT_EQ(written.str(), run_cli({"convert", sample("attention.bp"), "--to", "json"}).out);
}

}  // namespace
}  // namespace blockscope::test
