// CONTRIBUTING.md follows one program through its stages: what it shows is what blockscope-cli prints. A line
// "..." stands for any number of lines. BLOCKSCOPE_UPDATE=1 writes the blocks without one anew.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

const std::string kFence = "```\n";
const std::string kConsole = "```console\n$ blockscope-cli ";

// The first block that follows `heading`, a line.
std::string program_of(const std::string& page) {
    const std::size_t from = page.find(kFence, page.find("`small.bp`:")) + kFence.size();
    return page.substr(from, page.find(kFence, from) - from);
}

// What a command line, such as "matches small.bp", prints for the program.
std::string printed(const std::string& command, const std::string& program) {
    std::istringstream words(command);
    std::vector<std::string> arguments;
    for (std::string word; words >> word;) arguments.push_back(word == "small.bp" ? "-" : word);
    const Outcome outcome = run_cli(arguments, program);
    EXPECT_EQ(outcome.code, 0) << command << ": " << outcome.err;
    std::string text = outcome.out;
    const std::string stdin_name = "<stdin>";
    for (std::size_t at = text.find(stdin_name); at != std::string::npos; at = text.find(stdin_name))
        text.replace(at, stdin_name.size(), "small.bp");
    return text;
}

// Whether the shown text is all of the output but what "..." stands for, in its order.
testing::AssertionResult shows(const std::string& shown, const std::string& output) {
    const std::string gap = "...\n";
    std::size_t reached = 0;
    bool free = false;  // whether lines may be skipped before the next part
    for (std::size_t at = 0; at < shown.size();) {
        const std::size_t end = shown.compare(at, gap.size(), gap) == 0 ? at : shown.find("\n" + gap, at);
        if (end == at) {
            free = true;
            at += gap.size();
            continue;
        }
        const std::string part = shown.substr(at, end == std::string::npos ? end : end + 1 - at);
        const std::size_t found = output.find(part, reached);
        if (found == std::string::npos || (!free && found != reached))
            return testing::AssertionFailure() << "not printed here:\n"
                                               << part << "\nbut:\n"
                                               << output.substr(reached);
        reached = found + part.size();
        at += part.size();
        free = false;
    }
    if (!free && reached != output.size())
        return testing::AssertionFailure() << "not shown:\n" << output.substr(reached);
    return testing::AssertionSuccess();
}

TEST(Contributing, ShowsWhatTheProgramPrints) {
    std::string page = source_file("CONTRIBUTING.md");
    const std::string program = program_of(page);
    int stages = 0;
    for (std::size_t at = page.find(kConsole); at != std::string::npos; at = page.find(kConsole, at)) {
        at += kConsole.size();
        const std::size_t line_end = page.find('\n', at);
        const std::string command = page.substr(at, line_end - at);
        const std::string output = printed(command, program);
        const std::size_t from = line_end + 1;
        const std::size_t length = page.find(kFence, from) - from;
        const std::string shown = page.substr(from, length);
        if (std::getenv("BLOCKSCOPE_UPDATE") != nullptr && shown.find("...\n") == std::string::npos)
            page.replace(from, length, output);
        else
            EXPECT_TRUE(shows(shown, output)) << command;
        ++stages;
    }
    EXPECT_EQ(stages, 6);
    if (std::getenv("BLOCKSCOPE_UPDATE") != nullptr)
        std::ofstream(BLOCKSCOPE_SOURCE_DIR "/CONTRIBUTING.md", std::ios::binary) << page;
}

TEST(Contributing, NoticesWhatIsNotPrinted) {
    EXPECT_TRUE(shows("a\n...\nc\n", "a\nb\nc\n"));
    EXPECT_FALSE(shows("a\nc\n", "a\nb\nc\n"));
    EXPECT_FALSE(shows("...\nb\n", "a\nb\nc\n"));
    EXPECT_FALSE(shows("a\n...\nd\n", "a\nb\nc\n"));
}

TEST(Contributing, NamesEightFilesThatExist) {
    const std::string page = source_file("CONTRIBUTING.md");
    for (int stage = 1; stage <= 8; ++stage) {
        const std::string mark = "**" + std::to_string(stage) + ". `";
        const std::size_t from = page.find(mark);
        ASSERT_NE(from, std::string::npos) << stage;
        const std::string path =
            page.substr(from + mark.size(), page.find('`', from + mark.size()) - from - mark.size());
        EXPECT_FALSE(source_file(path).empty()) << path;
    }
}

}  // namespace
}  // namespace blockscope::test
