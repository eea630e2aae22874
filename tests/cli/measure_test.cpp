// The commands that measure, on the fake device: text, JSON, CSV, exit codes.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "app/worker/probe.h"
#include "core/fusion/trace.h"
#include "core/json/device_files.h"
#include "core/program/convert.h"
#include "core/state/state.h"
#include "tests/cli/runner.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class MeasureCommands : public testing::Test {
protected:
    MeasureCommands() {
        std::string pattern = (fs::temp_directory_path() / "blockscope-measure-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
    }
    ~MeasureCommands() override { fs::remove_all(folder_); }

    std::string results() const { return (folder_ / "results.jsonl").string(); }

    // `command` of small attention on the fake device.
    Outcome measured(const std::string& command, std::vector<std::string> more = {},
                     const std::string& faults = "") const {
        std::vector<std::string> arguments = {command,     sample("attention.bp"),
                                              "--on",      "fake",
                                              "--set",     "M=64/16",
                                              "--set",     "N=48/16",
                                              "--set",     "D=32/32",
                                              "--set",     "L=32/32",
                                              "--seconds", "0",
                                              "--samples", "25",
                                              "--results", results()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        // Whether this machine is calibrated stands there.
        return run_cli(arguments, {},
                       {"BLOCKSCOPE_FAKE_DEVICE=" + faults, "XDG_CACHE_HOME=" + folder_.string()});
    }

    // Compares with tests/cli/golden/NAME.txt, but for what depends on the machine. With
    // BLOCKSCOPE_UPDATE set, writes that file instead.
    void expect_golden(const std::string& name, std::string text) const {
        text = std::regex_replace(text, std::regex("f32 on [^\n]*"), "f32 on MACHINE");
        text = std::regex_replace(text, std::regex("[0-9.]+e-[0-9]+"), "ERROR");
        const std::size_t at = text.find(results());
        if (at != std::string::npos) text.replace(at, results().size(), "RESULTS");
        const std::string file = "tests/cli/golden/" + name + ".txt";
        if (std::getenv("BLOCKSCOPE_UPDATE"))
            std::ofstream(std::string(BLOCKSCOPE_SOURCE_DIR "/") + file, std::ios::binary) << text;
        EXPECT_EQ(text, source_file(file)) << "BLOCKSCOPE_UPDATE=1 ./dev test MeasureCommands writes it anew";
    }

    fs::path folder_;
};

TEST_F(MeasureCommands, RunShowsAllStates) {
    const Outcome outcome = measured("run", {"--snapshot", "all"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    expect_golden("run", outcome.out);
}

// On a processor that nobody has calibrated.
TEST_F(MeasureCommands, WhereNothingIsPredictedItSaysWhy) {
    const auto run_with = [&](const std::string& type) {
        return run_cli({"run", sample("softmax.bp"), "--set", "M=32/16", "--set", "N=32/16", "--type", type,
                        "--seconds", "0", "--samples", "3", "--wait", "0", "--no-results"},
                       {}, {"XDG_CACHE_HOME=" + folder_.string()})
            .out;
    };
    EXPECT_THAT(run_with("f32"),
                HasSubstr("no time is predicted: 'blockscope-cli calibrate' has not measured "
                          "this machine yet\n"));
    EXPECT_THAT(measured("run").out, testing::Not(HasSubstr("no time is predicted")));
}

// Which is worth building is the question: the best state stands beside the unfused program, not the last.
TEST_F(MeasureCommands, RunTakesTheBestStateAndTheUnfusedProgram) {
    const std::vector<std::string> sizes = {"--set", "M=64/16", "--set", "D=64/16",
                                            "--set", "K=64/16", "--set", "N=64/8"};
    const auto run = [&](const std::string& command, std::vector<std::string> more) {
        std::vector<std::string> all{
            command, sample("rmsnorm-swiglu.bp"), "--on", "fake", "--seconds", "0", "--no-results"};
        all.insert(all.end(), sizes.begin(), sizes.end());
        all.insert(all.end(), more.begin(), more.end());
        return run_cli(all, {}, {"BLOCKSCOPE_FAKE_DEVICE=", "XDG_CACHE_HOME=" + folder_.string()});
    };
    const auto json = nlohmann::json::parse(run("run", {"--json"}).out);
    const auto& best = json["best_state"];
    EXPECT_EQ(best["device"], "epyc-9755") << "a processor, as it runs on one";
    EXPECT_LT(best["step"], best["last"]["step"]);
    EXPECT_LT(best["value"], best["last"]["value"]);
    ASSERT_GE(json["measurements"].size(), 2U);
    for (std::size_t i = 2; i < json["measurements"].size(); ++i)
        EXPECT_TRUE(json["measurements"][i].contains("instead_of"));
    EXPECT_EQ(json["measurements"][0]["subject"]["state"], "step 0");
    EXPECT_EQ(json["measurements"][1]["subject"]["state"], best["state"]);
    const std::string text = run("run", {}).out;
    EXPECT_THAT(text, HasSubstr("\nbest of "));
    EXPECT_THAT(text, HasSubstr("states by predicted time on AMD EPYC 9755"));
    // What is asked for needs no reason.
    EXPECT_THAT(run("run", {"--snapshot", "all"}).out, testing::Not(HasSubstr("best of")));
    const auto tuned = nlohmann::json::parse(run("tune", {"--json", "--top", "1"}).out);
    for (const auto& each : tuned["measurements"]) EXPECT_EQ(each["subject"]["state"], best["state"]);
    EXPECT_EQ(tuned["best_state"], best);
}

// The state that is the fastest as it will run: in these types, on so many threads, with these loops, in this
// form, at these sizes. `cost` is asked for the same of every step.
TEST_F(MeasureCommands, TheBestStateIsThatOfTheObjective) {
    for (const char* command : {"run", "bench"}) {
        const Outcome outcome = measured(command, {"--objective", "traffic", "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        const auto best = nlohmann::json::parse(outcome.out)["best_state"];
        EXPECT_EQ(best["objective"], "traffic") << command;
        EXPECT_EQ(best["unit"], "bytes");
        EXPECT_FALSE(best.contains("device")) << "bytes are the same on all";
        EXPECT_LT(best["value"], best["runner_up"]["value"]);
    }
    EXPECT_EQ(measured("run", {"--objective", "traffic", "--snapshot", "1"}).code, 2) << "it says which";
    EXPECT_EQ(measured("run", {"--objective", "traffic", "--step", "3"}).code, 2);
}

TEST_F(MeasureCommands, TheBestStateIsRatedAsItWillRun) {
    const auto best_of = [&](const std::string& command, std::vector<std::string> more) {
        more.insert(more.begin(), {"--no-cold", "--top", "1", "--json"});
        if (command == "run") more.erase(more.begin() + 1, more.begin() + 3);
        const Outcome outcome = measured(command, more);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return nlohmann::json::parse(outcome.out)["best_state"];
    };
    const auto seconds_of = [&](int step, std::vector<std::string> more) {
        more.insert(more.begin(), {"cost", sample("attention.bp"), "--device", "epyc-9755", "--step",
                                   std::to_string(step), "--json"});
        for (const char* size : {"M=64/16", "N=48/16", "D=32/32", "L=32/32"})
            more.insert(more.end(), {"--set", size});
        const auto json = nlohmann::json::parse(run_cli(more).out);
        return json["states"][0]["times"][0]["seconds"].get<double>();
    };
    const auto run = best_of("run", {"--threads", "1", "--form", "paper"});
    EXPECT_EQ(run["type"], "f32");
    EXPECT_EQ(run["threads"], 1);
    EXPECT_EQ(run["form"], "safe");
    double least = 1e300;
    for (int step = 0; step <= 17; ++step)
        least = std::min(least, seconds_of(step, {"--processors", "1", "--form", "paper"}));
    EXPECT_DOUBLE_EQ(run["value"].get<double>(), least);
    EXPECT_DOUBLE_EQ(seconds_of(run["step"], {"--processors", "1", "--form", "paper"}), least);
    EXPECT_NE(run["value"], best_of("run", {"--threads", "1"})["value"]) << "of other loops";
    EXPECT_EQ(best_of("tune", {"--threads", "1", "--form", "paper"}), run);
    const auto unsafe = best_of("run", {"--threads", "1", "--form", "paper", "--unsafe"});
    EXPECT_EQ(unsafe["form"], "plain");
    EXPECT_LT(unsafe["value"], run["value"]);
    EXPECT_THAT(measured("run", {"--unsafe"}).out, HasSubstr("\nstep 0, plain "));
    EXPECT_THAT(measured("run", {}).out, HasSubstr("states by predicted time on AMD EPYC 9755"));
    // Inputs of half the bytes are another time, and the sentence says of what.
    const auto narrow = best_of("run", {"--threads", "1", "--type", "bf16"});
    EXPECT_EQ(narrow["type"], "bf16");
    EXPECT_NE(narrow["value"], best_of("run", {"--threads", "1"})["value"]);
    // By the same arithmetic as the column "predicted" of a calibrated machine.
    ArrayProgram program = read_sample("attention");
    for (Dim& dim : program.dims) {
        dim.size = dim.name == "M" ? 64 : dim.name == "N" ? 48 : 32;
        dim.block = std::min<std::int64_t>(dim.size, dim.name == "M" || dim.name == "N" ? 16 : 32);
    }
    const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(program).program));
    const State built(trace.state(narrow["step"].get<int>()), safe_form());
    EXPECT_DOUBLE_EQ(narrow["value"].get<double>(),
                     worker::predicted_seconds(built.program(), *find_device(builtin_devices(), "epyc-9755"),
                                               ElemType::BF16, 1));
    EXPECT_THAT(measured("run", {"--threads", "1", "--type", "bf16", "--form", "paper"}).out,
                HasSubstr(" cores) in bf16 on 1 thread, not calibrated (safe form, the paper's loops): "));
}

// Times that would be misread without a word: work done again, and operators that are not Blockscope's.
TEST_F(MeasureCommands, RunSaysWhatTimesDoNot) {
    const auto run = [&](const std::string& file, const std::string& block) {
        std::vector<std::string> arguments{"run", file, "--on", "fake", "--seconds", "0", "--no-results"};
        if (!block.empty()) arguments.insert(arguments.end(), {"--snapshot", "all"});
        for (const char* dim : {"M=64/32", "D=64/32", "K=64/32"})
            if (!block.empty()) arguments.insert(arguments.end(), {"--set", dim});
        if (!block.empty()) arguments.insert(arguments.end(), {"--set", "N=64/" + block});
        return run_cli(arguments, {}, {"BLOCKSCOPE_FAKE_DEVICE="});
    };
    const std::string swiglu = sample("rmsnorm-swiglu.bp");
    const std::string repeats =
        "times the operations of step 0 at these block sizes; tune looks for better ones";
    EXPECT_THAT(run(swiglu, "8"), ends(0, {repeats}));
    EXPECT_THAT(run(swiglu, "64").out, testing::Not(HasSubstr(repeats))) << "the output in one block";
    // Softmax's safe form computes exponentials twice over; step 0 does not repeat its own work for that.
    const Outcome softmax = measured("run", {"--snapshot", "all", "--set", "N=64/16"});
    EXPECT_EQ(softmax.code, 0) << softmax.err;
    EXPECT_THAT(softmax.out, testing::Not(HasSubstr("step 0 does")));
    const std::string custom = (folder_ / "custom.bp").string();
    std::ofstream(custom) << "dim M = 8 / 4\ndim N = 8 / 4\ninput X[M, N]\n"
                             "Y = custom(\"sort\", X)\noutput O = Y + X\n";
    EXPECT_THAT(run(custom, ""), ends(0, {"'sort' is a custom operator: a stand-in runs for it"}));
}

// Whoever sees a fused state lose would blame the fusion: it stands there with block sizes that repeat less,
// too, as measured.
TEST_F(MeasureCommands, AStateThatLosesForItsBlockSizesRunsAtOthersToo) {
    const auto run = [&](const std::string& block, std::vector<std::string> more) {
        std::vector<std::string> arguments{"run",          sample("rmsnorm-swiglu.bp"),
                                           "--on",         "fake",
                                           "--seconds",    "0",
                                           "--no-results", "--no-cold",
                                           "--set",        "N=64/" + block};
        for (const char* dim : {"M=64/32", "D=64/32", "K=64/32"})
            arguments.insert(arguments.end(), {"--set", dim});
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_cli(arguments, {}, {"BLOCKSCOPE_FAKE_DEVICE="});
    };
    const auto all = nlohmann::json::parse(run("8", {"--json", "--snapshot", "all"}).out)["measurements"];
    const auto time = [&](const nlohmann::json& each) { return each["warm"]["median"].get<double>(); };
    int others = 0;
    for (const auto& each : all) {
        if (!each.contains("instead_of")) continue;
        ++others;
        const auto& own = all[each["instead_of"].get<std::size_t>()];
        EXPECT_EQ(each["subject"]["state"], own["subject"]["state"]);
        EXPECT_NE(each["subject"]["dims"], own["subject"]["dims"]);
        EXPECT_GT(time(own), time(all[0]));
        EXPECT_LT(time(each), time(all[0])) << "the fusion wins";
    }
    EXPECT_GE(others, 1);
    EXPECT_TRUE(all.back().contains("instead_of")) << "behind the states";
    const std::string text = run("8", {"--snapshot", "all"}).out;
    EXPECT_THAT(text,
                testing::ContainsRegex("takes [0-9.]+ times as long as step 0 at these block sizes, and "
                                       "0[.][0-9]+ times with.* --set N=64/"));
    const auto none = nlohmann::json::parse(run("64", {"--json", "--snapshot", "all"}).out)["measurements"];
    for (const auto& each : none) EXPECT_FALSE(each.contains("instead_of"));
    // What is asked for alone is measured alone.
    EXPECT_EQ(nlohmann::json::parse(run("8", {"--json", "--snapshot", "last"}).out)["measurements"].size(),
              1U);
}

TEST_F(MeasureCommands, BenchComparesWithTheBaseline) {
    const Outcome outcome = measured("bench");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expect_golden("bench", outcome.out);
    EXPECT_EQ(measured("bench", {"--snapshot", "1", "--baseline", "1"}).code, 2);
    EXPECT_EQ(measured("bench", {"--baseline", "9"}).code, 2);
    EXPECT_EQ(measured("bench", {"--state", "last", "--baseline", "2"}).code, 2)
        << "itself, under another name";
}

TEST_F(MeasureCommands, AStateHasOneNameInAllOfThem) {
    for (const std::string command : {"run", "bench"}) {
        const Outcome outcome = measured(command, {"--state", "snapshot 1", "--csv"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.out, measured(command, {"--snapshot", "1", "--csv"}).out);
        EXPECT_NE(outcome.out, measured(command, {"--state", "last", "--csv"}).out);
        EXPECT_EQ(measured(command, {"--state", "last", "--step", "1"}).code, 2);
        EXPECT_EQ(measured(command, {"--state", "nowhere"}).code, 2);
    }
}

TEST_F(MeasureCommands, JsonHasEveryNumberAndTheFileHasEveryResult) {
    const Outcome outcome = measured("run", {"--json", "--snapshot", "all"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["blockscope"], "run");
    EXPECT_FALSE(json["machine"]["cpu"].get<std::string>().empty());
    ASSERT_EQ(json["measurements"].size(), 3U);
    const auto& last = json["measurements"][2];
    EXPECT_EQ(last["subject"]["state"], "snapshot 2");
    EXPECT_EQ(last["subject"]["dims"][1]["size"], 48);
    EXPECT_EQ(last["warm"]["count"], 25);
    EXPECT_LE(last["warm"]["interval"][0], last["warm"]["median"]);
    EXPECT_EQ(last["cold"]["count"], 25);
    EXPECT_EQ(last["check"]["how"], "all 2048 elements against the float64 reference");
    std::ifstream stream(results());
    std::vector<nlohmann::json> kept;
    for (std::string line; std::getline(stream, line);) kept.push_back(nlohmann::json::parse(line));
    ASSERT_EQ(kept.size(), 3U);
    for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(kept[i]["key"], json["measurements"][i]["key"]);
}

TEST_F(MeasureCommands, CsvHasOneLinePerState) {
    const Outcome outcome = measured("run", {"--csv", "--snapshot", "2", "--no-cold"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<std::string> lines = lines_of(outcome.out);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_THAT(lines[0], HasSubstr("warm_median"));
    EXPECT_EQ(std::count(lines[0].begin(), lines[0].end(), ','),
              std::count(lines[1].begin(), lines[1].end(), ','));
    EXPECT_THAT(lines[1], testing::StartsWith("\"snapshot 2\",f32,fake,M=64/16 N=48/16 D=32/32 L=32/32,25,"));
    const Outcome bench = measured("bench", {"--csv"});
    for (const std::string& line : lines_of(bench.out))
        EXPECT_EQ(std::count(line.begin(), line.end(), ','),
                  std::count(lines[0].begin(), lines[0].end(), ','));
}

// As multiples of the first state that has a time; the interval is that of programs that ran in turn.
TEST_F(MeasureCommands, CsvHasRatios) {
    const auto cells = [](const std::string& line) {
        std::vector<std::string> all(1);
        bool quoted = false;
        for (const char c : line) {
            quoted = quoted != (c == '"');
            if (c == ',' && !quoted)
                all.emplace_back();
            else
                all.back() += c;
        }
        return all;
    };
    const auto ratios = [&](const std::string& command) {
        const std::vector<std::string> lines =
            lines_of(measured(command, {"--csv", "--snapshot", "all"}).out);
        const std::vector<std::string> head = cells(lines.at(0));
        const auto at = static_cast<std::size_t>(std::find(head.begin(), head.end(), "ratio") - head.begin());
        const auto median =
            static_cast<std::size_t>(std::find(head.begin(), head.end(), "warm_median") - head.begin());
        const double first = std::stod(cells(lines.at(1)).at(median));
        for (std::size_t i = 1; i < lines.size(); ++i) {
            const std::vector<std::string> line = cells(lines[i]);
            EXPECT_EQ(line.at(at + 1).empty(), command == "run") << "the interval";
            const double ratio = std::stod(line.at(at));
            const double expected = std::stod(line.at(median)) / first;
            EXPECT_TRUE(command == "bench" ? ratio > 0 : std::abs(ratio - expected) < 1e-6) << lines[i];
        }
    };
    ratios("run");
    ratios("bench");
}

// Nothing that was asked for is left out in silence, and nothing is refused nine times.
TEST_F(MeasureCommands, RefusesWhatTheDeviceCannotDo) {
    const auto refused = [&](std::vector<std::string> more, const std::string& sentence) {
        more.insert(more.begin(), {"tune", sample("softmax.bp"), "--no-results"});
        const Outcome outcome = run_cli(more);
        EXPECT_EQ(outcome.code, 2) << outcome.out;
        EXPECT_THAT(outcome.err, HasSubstr(sentence));
        EXPECT_LE(lines_of(outcome.err).size(), 2U) << outcome.err;
    };
    refused({"--type", "f16"}, "the processor takes inputs in f32 or bf16; --type f16 is for cards");
    refused({"--block-threads", "128"}, "--block-threads is for cards; 'cpu' is none");
    refused({"--stages", "2"}, "--stages is for cards");
    refused({"--target", "sm_80"}, "--target is for cards");
    refused({"--threads", "4096"}, "--threads 4096 is too many for ");
    refused({"--seed", "-1"}, "--seed: '-1' is not a whole number from 0");
    refused({"--seed", "99999999999999999999"}, "is not a whole number from 0");
}

TEST_F(MeasureCommands, WhatFailsAlikeIsSaidOnce) {
    const Outcome states = measured("run", {"--snapshot", "all"}, "oom@prepare");
    EXPECT_EQ(states.code, 7);
    EXPECT_EQ(states.err,
              "blockscope-cli: step 0, snapshot 1, snapshot 2: The device has not enough memory.\n");
    const Outcome blocks = measured("tune", {"--top", "3"}, "oom@prepare");
    EXPECT_EQ(blocks.err, "blockscope-cli: snapshot 2 (4 times): The device has not enough memory.\n");
}

// A file that cannot keep the results is refused before anything runs.
TEST_F(MeasureCommands, ResultsNeedAFile) {
    const Outcome folder = run_cli({"run", sample("softmax.bp"), "--results", folder_.string()});
    EXPECT_EQ(folder.code, 2);
    EXPECT_THAT(folder.err, HasSubstr("is a folder; results are kept in a file"));
    EXPECT_EQ(folder.out, "");
}

TEST_F(MeasureCommands, AReportSaysHowManyThreadsRan) {
    EXPECT_THAT(measured("run", {"--threads", "1"}).out, HasSubstr(", 1 thread on "));
    EXPECT_THAT(measured("run").out, testing::Not(HasSubstr("thread")));
}

TEST_F(MeasureCommands, HelpSaysWhichStatesAreTaken) {
    EXPECT_THAT(run_cli({"bench", "--help"}).out, HasSubstr("all (default)"));
    const std::string run = run_cli({"run", "--help"}).out;
    EXPECT_THAT(run, HasSubstr("by default the best state and the initial block program"));
    EXPECT_THAT(run_cli({"tune", "--help"}).out, HasSubstr("by default the best state;"));
    EXPECT_THAT(run, testing::Not(HasSubstr("all (default)")));
}

TEST_F(MeasureCommands, ExitCodesSayWhatWentWrong) {
    const Outcome below = measured("run", {"--seconds", "-1"});
    EXPECT_EQ(below.code, 2);
    EXPECT_THAT(below.err, HasSubstr("--seconds: '-1' is not a number from 0 on"));
    const Outcome wrong = measured("run", {"--snapshot", "all"}, "wrong@check");
    EXPECT_EQ(wrong.code, 4);
    EXPECT_THAT(wrong.err, HasSubstr("snapshot 2: The result differs from the reference"));
    EXPECT_THAT(wrong.out, testing::Not(HasSubstr("µs"))) << "a wrong result has no time";
    const Outcome lost = measured("run", {"--snapshot", "1"}, "crash@measure");
    EXPECT_EQ(lost.code, 7);
    EXPECT_THAT(lost.err, HasSubstr("It was ended by signal 9"));
    EXPECT_THAT(lost.out, HasSubstr("lost-worker"));
    EXPECT_THAT(run_cli({"run", sample("attention.bp"), "--on", "gpu"}),
                ends(5, {}, {"there is no device 'gpu' on "}));
    EXPECT_EQ(measured("run", {"--host", "-x"}).code, 2);
    EXPECT_EQ(measured("run", {"--snapshot", "7"}).code, 2);
    EXPECT_EQ(measured("run", {"--type", "f64"}).code, 2);
    EXPECT_EQ(run_cli({"run", "/nonexistent.bp"}).code, 3);
}

TEST_F(MeasureCommands, TuneMeasuresTheModelsFavourites) {
    const Outcome outcome = measured("tune", {"--top", "3", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    const auto& all = json["measurements"];
    ASSERT_EQ(all.size(), 4U) << "the file's own block sizes, and three";
    const auto& best = all[json["best"].get<std::size_t>()];
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i]["subject"]["state"], "snapshot 2");
        EXPECT_FALSE(all[i].contains("predicted_seconds")) << "nobody has calibrated the fake device";
        EXPECT_LE(best["warm"]["median"], all[i]["warm"]["median"]);
        EXPECT_EQ(all[i].contains("against"), &all[i] != &best);
        EXPECT_EQ(all[i]["trusted"], true);
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(all[i]["key"], all[j]["key"]) << "measured twice";
    }
    std::ifstream stream(results());
    int kept = 0;
    for (std::string line; std::getline(stream, line);) ++kept;
    EXPECT_EQ(kept, 4);
    EXPECT_EQ(json["in_turns"], true);
    EXPECT_TRUE(json["ties"].is_array());
    EXPECT_THAT(measured("tune", {"--top", "1"}).out, HasSubstr("\nfastest: --set M=64/"));
}

// Block sizes that change nothing for the fake device: which is the fastest is chance, and tune says so.
TEST_F(MeasureCommands, TuneSaysWhatIsNotDifferent) {
    const Outcome same =
        run_cli({"tune", sample("softmax.bp"), "--on", "fake", "--set", "M=16/16", "--set", "N=16/16",
                 "--top", "2", "--seconds", "0", "--no-results", "--snapshot", "0"},
                {}, {"BLOCKSCOPE_FAKE_DEVICE="});
    EXPECT_EQ(same.code, 0) << same.err;
    EXPECT_THAT(same.out, testing::Not(HasSubstr("not different"))) << "there is but one candidate";
    const Outcome lost = measured("tune", {"--top", "2"}, "crash@measure");
    EXPECT_EQ(lost.code, 7);
}

// Others use the machine all the time: the wait ends, and everything that is printed says what to think of
// it.
TEST_F(MeasureCommands, FiguresOfABusyMachineAreNotToBeTrusted) {
    const Outcome text = measured("run", {"--snapshot", "1", "--wait", "1"}, "others=1.5");
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_THAT(text.out,
                HasSubstr("Others kept 1.5 processors busy meanwhile: these figures are not to be trusted."));
    const Outcome json = measured("tune", {"--top", "1", "--wait", "0", "--json"}, "others=1.5");
    const auto all = nlohmann::json::parse(json.out)["measurements"];
    EXPECT_EQ(all[0]["trusted"], false);
    EXPECT_EQ(all[0]["after"]["others"], 1.5);
    EXPECT_THAT(measured("run", {"--snapshot", "1"}).out, testing::Not(HasSubstr("trusted")));
}

TEST_F(MeasureCommands, ABadCalibrationDoesNotReplaceAGoodOne) {
    const std::string cache = "XDG_CACHE_HOME=" + folder_.string();
    const fs::path kept = folder_ / "blockscope" / "local-cpu.json";
    const auto calibrate = [&](const std::string& faults, std::vector<std::string> more) {
        more.insert(more.begin(), {"calibrate", "--on", "fake", "--wait", "0"});
        return run_cli(more, {}, {cache, "BLOCKSCOPE_FAKE_DEVICE=" + faults});
    };
    const Outcome odd = calibrate("odd@calibrate", {});
    EXPECT_EQ(odd.code, 7);
    EXPECT_THAT(odd.out, HasSubstr("One core reads L2 at "));
    EXPECT_THAT(odd.out, HasSubstr("Not kept: an earlier description stays as it is."));
    EXPECT_FALSE(fs::exists(kept));
    EXPECT_EQ(calibrate("", {}).code, 0);
    const auto when = fs::last_write_time(kept);
    const Outcome busy = calibrate("others=1.5", {"--json"});
    EXPECT_EQ(busy.code, 7);
    const auto json = nlohmann::json::parse(busy.out);
    EXPECT_EQ(json["kept"], false);
    EXPECT_THAT(json["doubts"].dump(), HasSubstr("Others kept 1.5 processors busy"));
    EXPECT_EQ(fs::last_write_time(kept), when);
    EXPECT_EQ(calibrate("others=1.5", {"--keep"}).code, 0);
    EXPECT_NE(fs::last_write_time(kept), when);
}

TEST_F(MeasureCommands, CalibrateKeepsADescriptionOfTheMachine) {
    const std::string cache = "XDG_CACHE_HOME=" + folder_.string();
    const Outcome outcome =
        run_cli({"calibrate", "--on", "fake", "--json"}, {}, {cache, "BLOCKSCOPE_FAKE_DEVICE="});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["output"], (folder_ / "blockscope" / "local-cpu.json").string());
    EXPECT_EQ(json["device"]["name"], "local-cpu");
    std::ifstream stream(json["output"].get<std::string>());
    EXPECT_EQ(nlohmann::json::parse(stream), json["device"]);
    const Outcome csv =
        run_cli({"calibrate", "--on", "fake", "--csv"}, {}, {cache, "BLOCKSCOPE_FAKE_DEVICE="});
    EXPECT_THAT(csv.out, testing::StartsWith("device,figure,value,source,how\nlocal-cpu,\""));
    // A calibration that fails leaves the description as it is.
    const Outcome lost =
        run_cli({"calibrate", "--on", "fake"}, {}, {cache, "BLOCKSCOPE_FAKE_DEVICE=crash@calibrate"});
    EXPECT_EQ(lost.code, 7);
    EXPECT_THAT(lost.err, HasSubstr("The worker ended while calibrating the device."));
    EXPECT_TRUE(fs::exists(folder_ / "blockscope" / "local-cpu.json"));
    EXPECT_EQ(run_cli({"calibrate", "--on", "gpu"}, {}, {cache}).code, 5);
}

// One of three states crashes the worker: the others are measured all the same.
TEST_F(MeasureCommands, OneFailureCostsOneMeasurement) {
    const std::string once = (folder_ / "once").string();
    std::ofstream(once) << "x";
    const Outcome outcome = measured("run", {"--json", "--snapshot", "all"}, "crash@check,once=" + once);
    EXPECT_EQ(outcome.code, 7);
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["measurements"][0]["failure"]["class"], "lost-worker");
    EXPECT_TRUE(json["measurements"][1].contains("warm"));
    EXPECT_TRUE(json["measurements"][2].contains("warm"));
}

TEST_F(MeasureCommands, AnUnreachableHostIsNoDevice) {
    std::ofstream(folder_ / "ssh") << "#!/bin/sh\necho 'ssh: Could not resolve hostname far' >&2\nexit 255\n";
    fs::permissions(folder_ / "ssh", fs::perms::owner_all);
    EXPECT_THAT(run_cli({"run", sample("attention.bp"), "--host", "far"}, {},
                        {"PATH=" + folder_.string() + ":" + std::getenv("PATH")}),
                ends(5, {}, {"Could not resolve hostname far"}));
}

TEST_F(MeasureCommands, CtrlCEndsItAtOnceAndTheWorkerWithIt) {
    const pid_t child = fork();
    if (child == 0) {
        setenv("BLOCKSCOPE_FAKE_DEVICE", "run=60000", 1);
        const std::string file = sample("softmax.bp");
        execl(BLOCKSCOPE_CLI, BLOCKSCOPE_CLI, "run", file.c_str(), "--on", "fake", "--no-results", nullptr);
        _exit(127);
    }
    usleep(500'000);
    kill(child, SIGINT);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 130);
}

TEST_F(MeasureCommands, ProgressIsForTerminalsOnly) {
    const Outcome outcome =
        run_in_terminal({"run", sample("attention.bp"), "--on", "fake", "--set", "M=64/16", "--set",
                         "N=48/16", "--snapshot", "2", "--no-results"},
                        100, {"BLOCKSCOPE_FAKE_DEVICE="});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("snapshot 2: warm"));
    EXPECT_THAT(outcome.out, HasSubstr("\r\x1b[K"));
}

TEST(Worker, SpeaksJsonLines) {
    const Outcome outcome = run_cli({"worker"},
                                    "nonsense\n{\"id\": 1, \"type\": \"hello\", \"version\": 1}\n"
                                    "{\"id\": 2, \"type\": \"cancel\", \"target\": 7}\n"
                                    "{\"id\": 3, \"type\": \"dance\"}\n");
    EXPECT_EQ(outcome.code, 0);
    const std::vector<std::string> lines = lines_of(outcome.out);
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(nlohmann::json::parse(lines[0])["failure"]["class"], "refused");
    EXPECT_EQ(nlohmann::json::parse(lines[1])["type"], "hello");
    EXPECT_THAT(lines[2], HasSubstr("There is no request 7 to cancel."));
    EXPECT_EQ(nlohmann::json::parse(lines[3])["id"], 3);
    EXPECT_THAT(lines[3], HasSubstr("message#/type"));
}

// What the card's own target gets wrong is measured as sm_90, and whoever reads the times hears of it.
TEST_F(MeasureCommands, ATargetThatGaveWayIsSaidInTableFooterAndExitCode) {
    const std::string once = (folder_ / "once").string();
    std::ofstream(once) << "x";
    const auto run = [&](const std::string& more) {
        return run_cli({"run",        sample("attention.bp"),
                        "--on",       "cuda0",
                        "--type",     "f16",
                        "--snapshot", "last",
                        "--set",      "M=64/16",
                        "--set",      "N=48/16",
                        "--set",      "D=32/32",
                        "--set",      "L=32/32",
                        "--no-cold",  "--no-results",
                        "--seconds",  "0",
                        "--samples",  "5"},
                       {},
                       {"BLOCKSCOPE_CUDA_DRIVER=" BLOCKSCOPE_FAKE_CUDA_LIBRARY,
                        "BLOCKSCOPE_NVRTC=" BLOCKSCOPE_FAKE_NVRTC_LIBRARY,
                        "XDG_CACHE_HOME=" BLOCKSCOPE_CUBIN_FOLDER, "BLOCKSCOPE_FAKE_CUDA=hopper" + more});
    };
    const Outcome other = run(",wrong,once=" + once);
    EXPECT_EQ(other.code, 4) << other.err;
    EXPECT_THAT(other.out, HasSubstr("ran as"));
    EXPECT_THAT(other.out,
                HasSubstr("ran as sm_90, as the target that suits the card best failed (mismatch): "
                          "The result differs"));
    const Outcome own = run("");
    EXPECT_EQ(own.code, 0) << own.err;
    EXPECT_THAT(own.out, testing::Not(HasSubstr("ran as")));
}

}  // namespace
}  // namespace blockscope::test
