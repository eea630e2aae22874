// Every exit code but 4 (mismatch_test.cpp), with its sentence.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string contents_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Processor time of all programs that ran and ended.
double seconds_of_children() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    return static_cast<double>(used.ru_utime.tv_sec) + 1e-6 * static_cast<double>(used.ru_utime.tv_usec);
}

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
        {{"cost", attention, "--step", "18"}, "there is no step 18; the run takes 17 steps"},
        {{"cost", attention, "--derive", "all", "--step", "18"},
         "there is no step 18; the run takes 17 steps"},
        {{"cost", attention, "--snapshot", "3"}, "there is no snapshot 3; the run has 2, counted from 1"},
        {{"cost", attention, "--snapshot", "first"}, "'snapshot first' names no state: write a step"},
        {{"codegen", attention, "--snapshot", "3"}, "there is no snapshot 3; the run has 2, counted from 1"},
        {{"matches", attention, "--at", "-1"}, "'-1' is not a number from 0 on"},
        {{"fuse", attention, "--step", "1", "--snapshot", "1"}, "excludes"},
        {{"fuse", attention, "--format", "pdf"}, "listing"},
        {{"fuse", attention, "--all", "--safe", "--format", "json"}, "a trace in JSON has no safe form"},
        {{"matches", attention, "--at", "18"}, "there is no step 18; the run takes 17 steps"},
        {{"matches", attention, "--rule", "20"}, "there is no rule '20'"},
        {{"matches", attention, "--dim", "Z"}, "no dimension 'Z'"},
        {{"matches", attention, "--path", "/n9999"}, "no path of maps /n9999"},
        {{"matches", attention, "--path", "here"}, "'here' is no node"},
        {{"apply", attention}, "CHOICE is required"},
        {{"apply", attention, "1"}, "not of the form RULE@NODES"},
        {{"apply", attention, "1@n9999"}, "there is no node n9999"},
        {{"apply", attention, "20@n1"}, "there is no rule '20'"},
        {{"apply", attention, "12@n1"}, "rule 12 has no match at n1"},
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
    EXPECT_THAT(run_cli({"fuse", sample("attention.bp"), "--format", "json", "--json"}),
                ends(2, {}, {"excludes"}));
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
    EXPECT_THAT(run_cli({"check", "-"}, trace), ends(3, {}, {"blockscope-cli replay"}));
}

TEST(ExitCode, AStdoutThatTakesNothingIsNoInternalError) {
    for (const std::string file : {"/dev/full", ""})  // "": closed
        for (const std::vector<std::string>& command :
             std::vector<std::vector<std::string>>{{"rules"}, {"--help"}, {"devices", "--json"}}) {
            const Outcome outcome = run_cli_into(file, command);
            EXPECT_EQ(outcome.code, 2) << file << command.front();
            EXPECT_THAT(outcome.err, HasSubstr("stdout cannot be written")) << file << command.front();
        }
    // Whether it fails at the first block or at the end.
    std::vector<std::vector<std::string>> commands = {{"rules"},
                                                      {"convert", sample("softmax.bp"), "--to", "json"},
                                                      {"codegen", sample("attention.bp")},
                                                      {"fuse", sample("attention.bp"), "--all"}};
    if (BLOCKSCOPE_PICTURES) {
        commands.push_back({"render", sample("softmax.bp")});
        commands.push_back({"export", sample("softmax.bp"), "--as", "html"});
    }
    for (const std::vector<std::string>& command : commands)
        EXPECT_THAT(run_cli_into("/dev/full", command).err,
                    HasSubstr("stdout cannot be written: No space left on device"))
            << command.front();
}

// A stream that is closed is not the next file that is opened.
TEST(ExitCode, NothingIsWrittenIntoAFileForAClosedStdout) {
    const std::string file = testing::TempDir() + "closed_stdout.json";
    ASSERT_EQ(run_cli({"convert", sample("softmax.bp"), "--to", "json", "-o", file}).code, 0);
    const std::string before = contents_of(file);
    EXPECT_EQ(run_cli_into("", {"fuse", file}).code, 2);
    EXPECT_EQ(contents_of(file), before);
}

TEST(ExitCode, AnInterruptExitsWith130) {
    EXPECT_EQ(interrupted_by({"check", "-"}, SIGINT), 130);
}

TEST(ExitCode, ControlCharactersOfTheInputStayAwayFromTheTerminal) {
    const Outcome outcome = run_cli({"check", "-"}, "dim \x1b[31mM = 4\n");
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos) << outcome.err;
}

// Names and sentences from outside, in what succeeds.
TEST(ExitCode, NoEscapeSequenceReachesTheTerminal) {
    std::string trace = run_cli({"fuse", sample("softmax.bp"), "--all", "--format", "json"}).out;
    const std::string key = "\"stopped\": \"";
    trace.insert(trace.find(key) + key.size(), "\\u001b]0;title\\u0007\\u009b31m");
    const std::string file = testing::TempDir() + "esc\x1b[31m\xc2\x9b" + "31m.bp";
    std::ofstream(file) << source_file("samples/softmax.bp");
    const Outcome refused = run_cli({"replay", "-"}, trace);
    EXPECT_EQ(refused.code, 3);
    EXPECT_EQ(refused.err.find('\x1b'), std::string::npos) << refused.err;
    const std::vector<Outcome> outcomes = {
        run_cli({"check", file}), run_cli({"fuse", file}), run_cli({"optimum", file}),
        run_cli({"analyze", file, "--device", "h100-sxm5", "--state", "program"}),
        run_cli({"analyze", file, "--device", "h100-sxm5", "--step", "0"})};
    for (const Outcome& outcome : outcomes) {
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        for (const std::string& text : {outcome.out, outcome.err}) {
            EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
            EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos) << text;
        }
    }
    EXPECT_THAT(outcomes[0].out, HasSubstr("esc?[31m?31m.bp"));
}

// The whole name stays in JSON, which has a spelling for it.
TEST(ExitCode, JsonSpellsControlCharacters) {
    const std::string file = testing::TempDir() + "esc\x1b[31m.bp";
    std::ofstream(file) << source_file("samples/softmax.bp");
    EXPECT_THAT(run_cli({"check", file, "--json"}).out, HasSubstr("esc\\u001b[31m.bp"));
}

TEST(ExitCode, TitlesOfCircuitsHaveNoControlCharacters) {
    std::string circuit = source_file("samples/circuits/flash-attention-3-fp16-intra.json");
    const std::string key = "\"title\": \"";
    circuit.insert(circuit.find(key) + key.size(), "\\u001b[31m");
    EXPECT_THAT(run_cli({"analyze", "-"}, circuit),
                ends(3, {}, {"#/title: a text has no control characters"}));
}

// A disk that is full (here: files that may have 4 KiB) leaves the file that was there, and nothing else.
TEST(ExitCode, AFileIsWrittenAsAWholeOrNotAtAll) {
    const std::string folder = testing::TempDir() + "whole_files";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    const std::string file = folder + "/out";
    const std::string attention = sample("attention.bp");
    const std::string errors = testing::TempDir() + "whole_files_err";
    for (const std::string& command : std::vector<std::string>{
             "convert " + attention + " --to block-json -o ", "codegen " + attention + " -o ",
             "generate man -o ", "analyze " + attention + " --device h100-sxm5 --circuit ",
             "render " + attention + " -o ", "export " + attention + " --as html -o "}) {
        const bool picture = command.starts_with("render") || command.starts_with("export");
        if (picture && !BLOCKSCOPE_PICTURES) continue;
        std::ofstream(file) << "before";
        const std::string line = BLOCKSCOPE_CLI " " + command + file + " > /dev/null 2> " + errors;
        EXPECT_NE(std::system(("bash -c 'ulimit -f 4; " + line + "'").c_str()), 0) << command;
        EXPECT_EQ(contents_of(file), "before") << command;
        EXPECT_THAT(contents_of(errors), HasSubstr("cannot write " + file + ": File too large")) << command;
        int files = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++files;
        EXPECT_EQ(files, 1) << command;
    }
}

TEST(ExitCode, AnEmptyHostIsNoHost) {
    for (const char* command : {"run", "bench", "tune", "calibrate"}) {
        std::vector<std::string> words = {command, "--host", ""};
        if (std::string(command) != "calibrate") words.insert(words.begin() + 1, sample("softmax.bp"));
        const Outcome outcome = run_cli(words);
        EXPECT_EQ(outcome.code, 2) << command;
        EXPECT_THAT(outcome.err, HasSubstr("--host: its value is empty")) << command;
    }
}

TEST(ExitCode, AFileThatLooksLikeAnOptionCanBeNamed) {
    EXPECT_THAT(run_cli({"check", "-dash.bp"}),
                ends(2, {},
                     {"FILE is required, and '-dash.bp' looks like an option; a file of this "
                      "name is written ./-dash.bp, or stands behind --"}));
    EXPECT_THAT(run_cli({"check", "--", "-dash.bp"}).err, HasSubstr("-dash.bp: The file cannot be read"));
    EXPECT_THAT(run_cli({"check", "./-dash.bp"}).err, HasSubstr("-dash.bp: The file cannot be read"));
}

// Dimensions that nothing uses cost no time: 20,000 of them took two seconds once, 65,000 twenty.
TEST(ExitCode, AnalysisTakesManyDimensions) {
    std::string program;
    for (int i = 0; i < 65'000; ++i) program += "dim D" + std::to_string(i) + " = 64 / 16\n";
    program += "input A[D0, D1] : f32\ninput B[D1, D2] : f32\noutput C = A @ B\n";
    const double before = seconds_of_children();
    const Outcome outcome = run_cli({"analyze", "-", "--device", "h100-sxm5", "--state", "program"}, program);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_LT(seconds_of_children() - before, 8);
}

}  // namespace
}  // namespace blockscope::test
