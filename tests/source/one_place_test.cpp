// A state is lowered, and made numerically safe, in one place: everybody else asks a State.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace blockscope::test {
namespace {

namespace fs = std::filesystem;

// Calls and definitions of lower() and make_safe(); members of the same names are others.
bool names_a_pass(const std::string& source) {
    static const std::regex comment("//[^\n]*");
    static const std::regex pass("(^|[^\\w.>])(lower|make_safe)\\s*\\(");
    return std::regex_search(std::regex_replace(source, comment, ""), pass);
}

TEST(Passes, AreFoundInSources) {
    EXPECT_TRUE(names_a_pass("auto loops = lower(program);"));
    EXPECT_TRUE(names_a_pass("return count(blockscope::lower (*program));"));
    EXPECT_TRUE(names_a_pass("make_safe(program).program"));
    EXPECT_FALSE(names_a_pass("// lower(program) is called by core/state"));
    EXPECT_FALSE(names_a_pass("lower_case(name) + text.lower() + follower(x)"));
}

TEST(Passes, AreCalledByStatesAlone) {
    std::vector<std::string> found;
    const fs::path root = BLOCKSCOPE_SOURCE_DIR;
    for (const char* part : {"core", "gpu", "app"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / part)) {
            if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
            std::ostringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            if (names_a_pass(text.str())) found.push_back(entry.path().lexically_relative(root));
        }
    // Where they are declared and defined, and the one place that calls them.
    EXPECT_THAT(found, testing::UnorderedElementsAre("core/loops/loop_program.h", "core/loops/lower.cpp",
                                                     "core/safety/safety.h", "core/safety/safety.cpp",
                                                     "core/state/state.cpp"));
}

}  // namespace
}  // namespace blockscope::test
