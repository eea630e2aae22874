// Every exit code but 4 (mismatch_test.cpp), with its sentence.
#include <gmock/gmock.h>

#include <csignal>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

struct Usage {
    std::vector<std::string> arguments;
    std::string sentence;
};

TEST(ExitCode, UsageErrorsExitWith2AndSayWhatIsPossible) {
    const std::string attention = sample("attention.bp");
    const Usage cases[] = {
        {{}, "Usage: blockscope-cli"},
        {{"melt", attention}, "there is no command 'melt'"},
        {{"fuse"}, "FILE is required"},
        {{"fuse", attention, "--stepp", "1"}, "--stepp"},
        {{"fuse", attention, "--step", "18"}, "there is no step 18; the run takes 17 steps"},
        {{"fuse", attention, "--step", "-1"}, "there is no step -1"},
        {{"fuse", attention, "--step", "x"}, "x"},
        {{"fuse", attention, "--snapshot", "-1"}, "there is no snapshot -1; the run has 2, counted from 1"},
        {{"fuse", attention, "--snapshot", "3"}, "there is no snapshot 3"},
        {{"fuse", attention, "--step", "1", "--snapshot", "1"}, "excludes"},
        {{"fuse", attention, "--format", "pdf"}, "listing"},
        {{"fuse", attention, "--all", "--safe", "--format", "json"}, "a trace in JSON has no safe form"},
        {{"matches", attention, "--at", "18"}, "there is no step 18; the algorithm takes 17 steps"},
        {{"matches", attention, "--rule", "10"}, "there is no rule '10'"},
        {{"matches", attention, "--dim", "Z"}, "no dimension 'Z'"},
        {{"matches", attention, "--path", "/n9999"}, "no path of maps /n9999"},
        {{"matches", attention, "--path", "here"}, "'here' is no node"},
        {{"apply", attention}, "CHOICE is required"},
        {{"apply", attention, "1"}, "not of the form RULE@NODES"},
        {{"apply", attention, "1@n9999"}, "there is no node n9999"},
        {{"apply", attention, "12@n1"}, "there is no rule '12'"},
        {{"why", attention, "1", "x3"}, "'x3' is no node"},
        {{"rules", "0"}, "there is no rule '0'"},
        {{"convert", attention}, "--to is required"},
        {{"convert", attention, "--to", "pdf"}, "block-json"},
        {{"convert", attention, "--to", "text", "-o", "/no/such/folder/file"},
         "cannot write /no/such/folder/file"},
    };
    for (const Usage& usage : cases) {
        const Outcome outcome = run_cli(usage.arguments);
        EXPECT_EQ(outcome.code, 2) << usage.sentence << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(usage.sentence));
        EXPECT_THAT(outcome.out, IsEmpty()) << usage.sentence;
    }
}

TEST(ExitCode, AFormatAndTheEnvelopeExcludeEachOther) {
    const Outcome outcome = run_cli({"fuse", sample("attention.bp"), "--format", "json", "--json"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("excludes"));
}

TEST(ExitCode, BadInputExitsWith3AndNamesThePlace) {
    const std::string two_errors =
        "dim M = 4 / 2\n"
        "input A[M, M] : f32\n"
        "B = A @ C\n"
        "output O = frobnicate(A)\n";
    const Outcome outcome = run_cli({"check", "-"}, two_errors);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr("<stdin>:3:9: "));
    EXPECT_THAT(outcome.err, HasSubstr("    B = A @ C\n            ^"));
    EXPECT_THAT(outcome.err, HasSubstr("<stdin>:4:12: "));
    const Outcome windows = run_cli({"check", "-"}, "dim M = 4 / 2\r\ninput A[M, M] : f33\r\n");
    EXPECT_THAT(windows.err, HasSubstr("    input A[M, M] : f33\n"));
    for (const char* command : {"fuse", "matches", "check"}) {
        EXPECT_EQ(run_cli({command, "-"}, two_errors).code, 3) << command;
    }
}

TEST(ExitCode, UnreadableFilesExitWith3) {
    for (const char* file : {"/no/such/file.bp", "/"}) {
        const Outcome outcome = run_cli({"fuse", file});
        EXPECT_EQ(outcome.code, 3) << file;
        EXPECT_THAT(outcome.err, HasSubstr("The file cannot be read")) << file;
    }
}

TEST(ExitCode, BadJsonExitsWith3AndNamesThePointer) {
    for (const char* text : {"{", "{}", R"({"format": "blockscope array program"})",
                             R"({"format": "blockscope block program"})"}) {
        const Outcome outcome = run_cli({"check", "-"}, text);
        EXPECT_EQ(outcome.code, 3) << text;
        EXPECT_THAT(outcome.err, HasSubstr("<stdin>")) << text;
    }
    EXPECT_EQ(run_cli({"replay", "-"}, "{}").code, 3);
}

TEST(ExitCode, ATraceIsNoProgram) {
    const std::string trace = run_cli({"fuse", sample("attention.bp"), "--all", "--format", "json"}).out;
    const Outcome outcome = run_cli({"check", "-"}, trace);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("blockscope-cli replay"));
}

TEST(ExitCode, AFullDiskExitsWith1) {
    const std::string command = BLOCKSCOPE_CLI " rules > /dev/full 2>/dev/null";
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
}

TEST(ExitCode, AnInterruptExitsWith130) {
    EXPECT_EQ(interrupted_by({"check", "-"}, SIGINT), 130);
}

TEST(ExitCode, ControlCharactersOfTheInputStayAwayFromTheTerminal) {
    const Outcome outcome = run_cli({"check", "-"}, "dim \x1b[31mM = 4\n");
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace blockscope::test
