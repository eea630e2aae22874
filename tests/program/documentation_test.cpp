// docs/language.md: every program in it is read, and every function in it exists.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/program/array_program.h"
#include "core/program/functions.h"

namespace blockscope {
namespace {

std::string page() {
    std::ifstream file(BLOCKSCOPE_SOURCE_DIR "/docs/language.md");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(LanguagePage, ShowsProgramsThatAreRead) {
    const std::string text = page();
    const std::string fence = "```";
    int programs = 0;
    for (std::size_t from = text.find(fence); from != std::string::npos; from = text.find(fence, from)) {
        const std::size_t start = text.find('\n', from) + 1;
        const std::size_t end = text.find(fence, start);
        ASSERT_NE(end, std::string::npos);
        const Result<ArrayProgram> program = parse_program(text.substr(start, end - start), "language.md");
        EXPECT_TRUE(program) << to_string(program.problems()[0]);
        ++programs;
        from = end + fence.size();
    }
    EXPECT_EQ(programs, 3);
}

TEST(LanguagePage, NamesEveryFunction) {
    const std::string text = page();
    for (const std::string_view name : function_names()) {
        EXPECT_NE(text.find(name), std::string::npos) << name;
    }
}

}  // namespace
}  // namespace blockscope
