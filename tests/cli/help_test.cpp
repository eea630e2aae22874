#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const char* const kCommands[] = {
    "fuse",    "matches",   "apply",       "why",    "cost",    "devices", "check",   "rules",  "glossary",
    "optimum", "analyze",   "convert",     "replay", "codegen", "render",  "export",  "run",    "bench",
    "tune",    "calibrate", "diagnostics", "worker", "lesson",  "plan",    "tilings", "import", "layers"};

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

TEST(Help, FilesMayBeModels) {
    for (const char* command : {"cost", "fuse", "codegen", "optimum", "run", "check"})
        EXPECT_THAT(run_cli({command, "--help"}).out, HasSubstr("(.onnx, .pt2)")) << command;
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

// What is made of the table of commands.
std::string generated(const std::vector<std::string>& what) {
    std::vector<std::string> arguments = {"generate"};
    arguments.insert(arguments.end(), what.begin(), what.end());
    const Outcome outcome = run_cli(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
}

TEST(Help, ManPageAndCompletionsKnowEveryCommandAndOption) {
    const std::string man = std::regex_replace(generated({"man"}), std::regex("\\\\-"), "-");
    const std::string bash = generated({"bash"});
    const std::string zsh = generated({"zsh"});
    const std::string fish = generated({"fish"});
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

// What a shell that runs `script` prints; `name` is the shell's.
std::string said_by(const std::string& name, const std::string& script) {
    // Other processes run other tests of this file at the same time.
    const std::string file = testing::TempDir() + "script_of_help_test." + std::to_string(getpid());
    std::ofstream(file) << script;
    std::FILE* pipe = popen((name + " " + file + " 2>&1").c_str(), "r");
    std::string text;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, count);
    EXPECT_EQ(pclose(pipe), 0) << text;
    std::remove(file.c_str());
    return text;
}

// What bash offers behind these words.
std::string completed(const std::string& words) {
    return said_by("bash", generated({"bash"}) + "COMP_WORDS=(blockscope-cli " + words +
                               ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_blockscope_cli\n" +
                               "echo \" ${COMPREPLY[*]} \"\n");
}

TEST(Help, BashCompletesCommandsOptionsAndValues) {
    EXPECT_EQ(completed("fu"), " fuse \n");
    EXPECT_EQ(completed("fuse --sa"), " --safe \n");
    EXPECT_EQ(completed("fuse --format ''"), " listing text dot json \n");
    EXPECT_THAT(completed("matches --rule ''"), HasSubstr(" 6 6a 6b 6c 7 "));
    EXPECT_THAT(completed("cost --model ''"), HasSubstr(" roofline "));
    EXPECT_THAT(completed("cost --device h10"), HasSubstr(" h100-sxm5 "));
    EXPECT_EQ(completed("tune --target sm_90"), " sm_90 sm_90a \n");
    EXPECT_THAT(completed("check /et"), HasSubstr(" /etc "));
    EXPECT_EQ(completed("fuse --step ''"), "  \n");
}

// Where these programs are there to judge.
TEST(Help, OtherProgramsAcceptWhatIsGenerated) {
    for (const char* const shell : {"zsh", "fish"}) {
        if (std::system((std::string("command -v ") + shell + " > /dev/null").c_str()) != 0) continue;
        EXPECT_EQ(said_by(std::string(shell) + " -n", generated({shell})), "") << shell;
    }
    if (std::system("command -v man > /dev/null") != 0) return;
    const std::string page = testing::TempDir() + "page_of_help_test.1";
    std::ofstream(page) << generated({"man"});
    EXPECT_EQ(said_by("sh", "man --warnings -l " + page + " > /dev/null\n"), "");
}

// The lists of options in docs/cli.md, between "<!-- generated: COMMAND -->" and "<!-- /generated -->"; those
// that several commands share stand once, under "shared". With BLOCKSCOPE_UPDATE=1 they are written anew.
TEST(Help, DocsListTheOptionsOfEveryCommand) {
    const std::string start = "<!-- generated: ";
    const std::string end = "<!-- /generated -->";
    const std::string text = source_file("docs/cli.md");
    std::string made;
    std::set<std::string> listed;
    std::size_t done = 0;
    for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start, done)) {
        const std::size_t name = at + start.size();
        const std::string command = text.substr(name, text.find(" -->", name) - name);
        const std::size_t body = text.find('\n', name) + 1;
        made += text.substr(done, body - done) + generated({"options", command});
        listed.insert(command);
        done = text.find(end, body);
        ASSERT_NE(done, std::string::npos) << command;
    }
    made += text.substr(done);
    for (const char* command : kCommands) EXPECT_TRUE(listed.count(command) == 1) << command;
    EXPECT_TRUE(listed.count("shared") == 1);
    if (std::getenv("BLOCKSCOPE_UPDATE")) std::ofstream(BLOCKSCOPE_SOURCE_DIR "/docs/cli.md") << made;
    EXPECT_EQ(made, text) << "BLOCKSCOPE_UPDATE=1 test_cli --gtest_filter=Help.* writes the lists anew";
}

// An option that two commands describe differently is explained once, and by the other command itself.
TEST(Help, OptionsOfSeveralCommandsAreExplainedOnce) {
    const std::string shared = generated({"options", "shared"});
    const std::string fuse = generated({"options", "fuse"});
    EXPECT_THAT(shared, HasSubstr("- `--allow-rounding`: "));
    EXPECT_THAT(fuse, testing::Not(HasSubstr("- `--allow-rounding`: ")));
    EXPECT_THAT(fuse, testing::ContainsRegex("- \\[shared\\]\\(#shared-options\\): .*`--allow-rounding`"));
    EXPECT_THAT(shared, HasSubstr("- `--device D`: predict times for this device: "));
    EXPECT_THAT(generated({"options", "cost"}),
                HasSubstr("- `--device D`: predict times on this device, too: "));
}

}  // namespace
}  // namespace blockscope::test
