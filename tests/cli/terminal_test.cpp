#include "app/cli/terminal.h"

#include <gmock/gmock.h>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kEscape = "\x1b[";

TEST(Colours, OnATerminalOnly) {
    EXPECT_THAT(run_in_terminal({"rules"}, 100).out, HasSubstr(kEscape));
    EXPECT_THAT(run_cli({"rules"}).out, Not(HasSubstr(kEscape)));
}

TEST(Colours, NotWithNoColor) {
    for (const std::string command : {"rules", "fuse", "matches", "check"}) {
        std::vector<std::string> arguments{command};
        if (command != "rules") arguments.push_back(sample("attention.bp"));
        EXPECT_THAT(run_in_terminal(arguments, 100, {"NO_COLOR=1"}).out, Not(HasSubstr(kEscape))) << command;
    }
    EXPECT_THAT(run_cli({"rules"}, {}, {"NO_COLOR=1", "CLICOLOR_FORCE=1"}).out, Not(HasSubstr(kEscape)));
    EXPECT_THAT(run_in_terminal({"rules"}, 100, {"NO_COLOR="}).out, HasSubstr(kEscape));
}

TEST(Colours, ForcedByClicolorForce) {
    EXPECT_THAT(run_cli({"rules"}, {}, {"CLICOLOR_FORCE=1"}).out, HasSubstr(kEscape));
}

TEST(Report, StepLinesFitTheTerminal) {
    const Outcome outcome = run_in_terminal({"fuse", sample("attention.bp")}, 90, {"NO_COLOR=1"});
    EXPECT_EQ(outcome.code, 0);
    int steps = 0;
    for (std::string line : lines_of(outcome.out)) {
        if (line.find(" → ") == std::string::npos || line.find("fuse") == std::string::npos) continue;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        EXPECT_LE(cli::columns(line), 90) << line;
        ++steps;
    }
    EXPECT_GE(steps, 7);
}

TEST(Report, NothingIsCutWithoutATerminal) {
    EXPECT_THAT(run_cli({"fuse", sample("attention.bp")}).out, Not(HasSubstr("…")));
}

TEST(Text, FitsAndPadsByColumns) {
    EXPECT_EQ(cli::columns("a → b"), 5);
    EXPECT_EQ(cli::fit("a → b", 7), "a → b  ");
    EXPECT_EQ(cli::fit("a → b → c", 5), "a → …");
    EXPECT_EQ(cli::pad_left("→", 3), "  →");
}

}  // namespace
}  // namespace blockscope::test
