#include <gmock/gmock.h>

#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const char* const kCommands[] = {"fuse",      "matches",     "apply",   "why",     "cost",    "devices",
                                 "check",     "rules",       "optimum", "analyze", "convert", "replay",
                                 "codegen",   "render",      "export",  "run",     "bench",   "tune",
                                 "calibrate", "diagnostics", "worker"};

// The long options that a command's help names.
std::set<std::string> options(const std::string& command) {
    const std::string help = run_cli({command, "--help"}).out;
    std::set<std::string> names;
    const std::regex option("(^|[ ,])(--[a-z-]+)");
    for (auto it = std::sregex_iterator(help.begin(), help.end(), option); it != std::sregex_iterator();
         ++it) {
        names.insert((*it)[2]);
    }
    return names;
}

TEST(Help, EveryCommandHasHelpWithAnExample) {
    for (const char* command : kCommands) {
        const Outcome outcome = run_cli({command, "--help"});
        EXPECT_EQ(outcome.code, 0) << command;
        EXPECT_THAT(outcome.err, IsEmpty()) << command;
        EXPECT_THAT(outcome.out, HasSubstr("Example")) << command;
        EXPECT_THAT(outcome.out, HasSubstr(std::string("  blockscope-cli ") + command)) << command;
        EXPECT_THAT(outcome.out, HasSubstr("--json")) << command;
    }
}

// Those that write no file and measure nothing.
TEST(Help, ExamplesWork) {
    int run = 0;
    for (const char* command : {"fuse", "matches", "apply", "why", "cost", "optimum"}) {
        std::istringstream help(run_cli({command, "--help"}).out);
        for (std::string line; std::getline(help, line);) {
            const std::string start = std::string("  blockscope-cli ") + command + " samples/";
            if (line.rfind(start, 0) != 0 || line.find_first_of("|>") != std::string::npos) continue;
            std::istringstream words(line.substr(0, line.find(" #")));
            std::vector<std::string> arguments{std::istream_iterator<std::string>(words), {}};
            arguments.erase(arguments.begin());
            arguments[1] = sample(arguments[1].substr(std::string("samples/").size()));
            EXPECT_EQ(run_cli(arguments).code, 0) << line;
            ++run;
        }
    }
    EXPECT_GE(run, 6);
}

TEST(Help, TheProgramNamesItsCommandsAndExitCodes) {
    const Outcome outcome = run_cli({"--help"});
    EXPECT_EQ(outcome.code, 0);
    for (const char* command : kCommands)
        EXPECT_THAT(outcome.out, HasSubstr(std::string("\n  ") + command + " "));
    EXPECT_THAT(outcome.out, HasSubstr("130 interrupted"));
}

TEST(Help, VersionIsOneLine) {
    const Outcome outcome = run_cli({"--version"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(std::regex_match(outcome.out, std::regex("blockscope-cli [0-9]+\\.[0-9]+\\.[0-9]+\n")))
        << outcome.out;
}

TEST(Help, ManPageAndCompletionsKnowEveryCommandAndOption) {
    std::string man = source_file("docs/man/blockscope-cli.1");
    man = std::regex_replace(man, std::regex("\\\\-"), "-");
    const std::string bash = source_file("resources/completion/blockscope-cli.bash");
    const std::string zsh = source_file("resources/completion/_blockscope-cli");
    const std::string fish = source_file("resources/completion/blockscope-cli.fish");
    for (const std::string command : kCommands) {
        for (const std::string& text : {man, bash, zsh, fish}) EXPECT_THAT(text, HasSubstr(command));
        EXPECT_THAT(options(command), testing::SizeIs(testing::Ge(2U)));
        for (const std::string& option : options(command)) {
            EXPECT_THAT(man, HasSubstr(option));
            EXPECT_THAT(bash, HasSubstr(option));
            EXPECT_THAT(zsh, HasSubstr(option));
            EXPECT_THAT(fish, HasSubstr(option == "--help" ? "-l help" : "-l " + option.substr(2)));
        }
    }
}

}  // namespace
}  // namespace blockscope::test
