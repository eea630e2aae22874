// blockscope-cli analyze: of programs, states and circuit documents, and what it refuses.
#include <gmock/gmock.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/cost/counts.h"
#include "core/diagram/arrange.h"
#include "core/diagram/document.h"
#include "core/fusion/trace.h"
#include "core/json/device_files.h"
#include "core/program/convert.h"
#include "core/rules/rule.h"
#include "core/safety/safety.h"
#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;

// The paper's algorithm and device, with the types of Table 1.
const std::vector<std::string> kAttention = {
    "analyze", sample("attention.bp"), "--device", "H100-SXM5", "--type", "Q=e4m3", "--type", "K=e4m3",
    "--type",  "A of P=e4m3"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST(AnalyzeCommand, SaysWhatThePaperSaysOfAttention) {
    EXPECT_THAT(
        run_cli(kAttention),
        ends(0, {"on NVIDIA H100 SXM5", "Pseudocode: threads share M, N is streamed", "for each s_N of N (",
                 "this is the schedule alone; `cost --device` predicts what is built", "3 warpgroups fit",
                 "from g_M = 295 on; ideally 1.32 P operations per second", "Levels (Equation 2)",
                 "L2: 132 children hold"}));
}

TEST(AnalyzeCommand, AsJson) {
    const Outcome outcome = run_cli(with(kAttention, {"--json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto parsed = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(parsed["blockscope"], "analyze");
    EXPECT_EQ(parsed["device"], "h100-sxm5");
    EXPECT_EQ(parsed["kernel"]["configuration"]["warpgroups"], 3);
    EXPECT_EQ(parsed["kernel"]["clocks"]["bound"], 6);
    EXPECT_EQ(parsed["kernel"]["stream"], "N");
    EXPECT_EQ(parsed["models"]["levels"][0]["level"], "L2");
    EXPECT_EQ(parsed["limit"]["bytes"], 227 * 1024);
    EXPECT_TRUE(parsed["axes"][0].contains("stream_reasons"));
}

TEST(AnalyzeCommand, OfAState) {
    const std::string file = sample("attention.bp");
    EXPECT_THAT(run_cli({"analyze", file, "--device", "h100-sxm5", "--snapshot", "2"}),
                ends(0, {"snapshot 2 (step 17) of ", "load K ", "H* = "}));
    EXPECT_THAT(run_cli({"analyze", file, "--device", "h100-sxm5", "--step", "4"}), ends(0, {"step 4 of "}));
    const Outcome json = run_cli({"analyze", file, "--device", "h100-sxm5", "--step", "17", "--json"});
    const auto state = nlohmann::json::parse(json.out);
    // The same sum as the counter's of the paper's loops, which are drawn.
    const auto cost = nlohmann::json::parse(
        run_cli({"cost", file, "--step", "17", "--form", "paper", "--json"}).out)["states"][0];
    EXPECT_EQ(state["diagram"]["transferred"]["value"], cost["inputs"]["values"].get<double>() +
                                                            cost["outputs"]["values"].get<double>() +
                                                            cost["intermediates"]["values"].get<double>());
}

// Without more words the state is the one that codegen and optimum take, and the device the one that costs
// are predicted for.
TEST(AnalyzeCommand, TakesTheBestStateOnTheUsualDevice) {
    const std::vector<std::string> nowhere = {"XDG_CACHE_HOME=/nonexistent"};
    const std::string file = sample("attention.bp");
    const Outcome said = run_cli({"analyze", file}, {}, nowhere);
    EXPECT_THAT(said, ends(0, {"snapshot 2 (step 17) of ",
                               "on NVIDIA H100 SXM5 80 GB\nbest of 18 states by predicted time",
                               "they are of the whole program: --state program"}));
    const auto json = nlohmann::json::parse(run_cli({"analyze", file, "--json"}, {}, nowhere).out);
    EXPECT_EQ(json["device"], kUsualCard);
    EXPECT_EQ(json["state"], "snapshot 2");
    const auto optimum = nlohmann::json::parse(run_cli({"optimum", file, "--json"}, {}, nowhere).out);
    EXPECT_EQ(json["best"], optimum["best"]);
}

TEST(AnalyzeCommand, SaysThatItCountsWhatAMaskHides) {
    for (const std::string state : {"best", "program"}) {
        const auto of = [&](const char* name, const char* more) {
            return run_cli({"analyze", sample(name), "--device", "h100-sxm5", "--state", state, more}).out;
        };
        for (const char* masked : {"causal-attention.bp", "sliding-window-attention.bp"}) {
            EXPECT_THAT(of(masked, "--same=D=L"), HasSubstr("counts the blocks that the mask hides, too"));
            EXPECT_TRUE(nlohmann::json::parse(of(masked, "--json"))["counts_hidden_blocks"]);
        }
        EXPECT_THAT(of("attention.bp", "--same=D=L"), testing::Not(HasSubstr("mask")));
        EXPECT_FALSE(nlohmann::json::parse(of("attention.bp", "--json")).contains("counts_hidden_blocks"));
    }
}

TEST(AnalyzeCommand, OfAWholeProgramNeedsOne) {
    const std::string blocks = run_cli({"fuse", sample("gemm-relu.bp"), "--format", "json"}).out;
    EXPECT_THAT(run_cli({"analyze", "-"}, blocks), ends(0, {"the file holds a block program"}));
    EXPECT_THAT(run_cli({"analyze", "-", "--state", "program"}, blocks),
                ends(2, {}, {"--state program needs an array program"}));
}

// A processor computes in float32, whatever the program declares: of the program and of its states.
TEST(AnalyzeCommand, OfAProcessorCountsFloat32) {
    const std::vector<std::string> command = {"analyze", sample("attention.bp"), "--device", "epyc-9755"};
    EXPECT_THAT(run_cli(command).out, HasSubstr("4 bytes per value"));
    EXPECT_THAT(run_cli(with(command, {"--state", "program"})).out, HasSubstr("4 bytes per value"));
}

TEST(AnalyzeCommand, OfACpuAndAnotherGpu) {
    EXPECT_THAT(
        run_cli({"analyze", sample("matmul.bp"), "--device", "epyc-9755", "--state", "program"}),
        ends(0, {"L3", "of L2, ", "there is no kernel of warpgroups: epyc-9755 has no shared memory"}));
    // What is looked for ends somewhere, and the sentence says so.
    EXPECT_THAT(
        run_cli({"analyze", sample("gated-mlp.bp"), "--device", "h100-sxm5", "--state", "program"}).out,
        HasSubstr("special functions may take at least 400.0% longer"));
    const Outcome gpu =
        run_cli({"analyze", sample("rmsnorm-swiglu.bp"), "--device", "a100-sxm-80gb", "--state", "program"});
    EXPECT_EQ(gpu.code, 0) << gpu.err;
    EXPECT_THAT(gpu.out, HasSubstr("threads share M, K is streamed, and in every part of it all of D"));
    EXPECT_THAT(gpu.out, HasSubstr("products are computed 21.7 times"));
    EXPECT_THAT(gpu.out, testing::ContainsRegex("[1-9] warpgroups? fits?\n"));
    EXPECT_THAT(
        gpu.out,
        HasSubstr("transfers bind it at every g_M, as each row is streamed, too, unless s_K is more than"));
}

// What is left out says so and why; sizes of groups are formulas, with two axes of one size as one if asked.
TEST(AnalyzeCommand, SaysWhatItLeavesOut) {
    const std::vector<std::string> attention = {
        "analyze", sample("attention.bp"), "--device", "h100-sxm5", "--state", "program"};
    const Outcome outcome = run_cli(attention);
    EXPECT_THAT(outcome.out, HasSubstr("at best g_M = Mem/(D + L) = 454"));
    EXPECT_THAT(outcome.out, HasSubstr("Left out"));
    EXPECT_THAT(outcome.out, HasSubstr("Arithmetic intensity (Appendix B.1): its operations are a sum"));
    const Outcome same = run_cli(with(attention, {"--same", "D=L"}));
    EXPECT_EQ(same.code, 0) << same.err;
    EXPECT_THAT(same.out, HasSubstr("H* = 2·D·M + 4·D²·M·N·Mem^-1"));
    EXPECT_THAT(same.out, HasSubstr("at best g_M = Mem/(2·D) = 454"));
    EXPECT_THAT(same.out, testing::Not(HasSubstr("Left out")));
    const Outcome none = run_cli(
        {"analyze", sample("decoder-block.bp"), "--device", "h100-sxm5", "--state", "program", "--json"});
    const auto parsed = nlohmann::json::parse(none.out);
    std::string all;
    for (const auto& one : parsed["omitted"])
        all += one["section"].get<std::string>() + ": " + one["why"].get<std::string>() + "\n";
    EXPECT_THAT(all, HasSubstr("there is no H*: not even the smallest parts fit"));
    EXPECT_THAT(all, HasSubstr("no axis can be grouped"));
    EXPECT_EQ(parsed["omitted"].size(), 3u);
    for (const char* wrong : {"D", "D=Z", "D=M"}) {
        EXPECT_EQ(run_cli(with(attention, {"--same", wrong})).code, 2) << wrong;
    }
}

// The algorithm on this machine's own levels: memory as calibrated, down to the vector registers.
TEST(AnalyzeCommand, OfTheCalibratedCpu) {
    const std::string cache = testing::TempDir() + "analyze-local";
    std::filesystem::create_directories(cache + "/blockscope");
    Device cpu = *find_device(builtin_devices(), "ryzen-9-9950x");
    cpu.name = kLocalCpu;
    cpu.title = "This machine";
    cpu.calibration = Calibration{"2026-01-02T03:04:05Z", "a test", "by hand"};
    std::ofstream(cache + "/blockscope/local-cpu.json") << write_json(cpu);
    const std::vector<std::string> environment = {"XDG_CACHE_HOME=" + cache};
    EXPECT_THAT(
        run_cli({"analyze", sample("matmul.bp"), "--device", "local", "--state", "program"}, {}, environment),
        ends(0, {"on This machine", "Levels with groups of their own (Equation 2)"}));
    const Outcome outcome =
        run_cli({"analyze", sample("matmul.bp"), "--device", "local", "--state", "program", "--json"}, {},
                environment);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto plans = nlohmann::json::parse(outcome.out)["level_plans"];
    ASSERT_EQ(plans["levels"].size(), 4u);
    double sum = 0, moved = 0;
    std::vector<std::string> names;
    for (const auto& level : plans["levels"]) {
        names.push_back(level["level"]);
        EXPECT_LE(level["memory"], level["memory_values"]);
        EXPECT_GT(level["transferred"].get<double>(), moved) << "a smaller level moves more";
        moved = level["transferred"];
        sum += level["seconds"].get<double>();
    }
    EXPECT_EQ(names, (std::vector<std::string>{"L3", "L2", "L1", "registers"}));
    EXPECT_NEAR(plans["seconds"].get<double>(), sum, 1e-9 * sum);
    std::filesystem::remove_all(cache);
}

// Drawings of peeled and safe states are no program on whole axes; they are analysed as they are drawn.
void expect_analysed_as_drawn(const BlockProgram& state, const std::string& why) {
    const std::string file = testing::TempDir() + "analyze-state.json";
    std::ofstream(file) << json::print(
        circuit::to_json(circuit::CircuitDocument{"a state", circuit::circuit_of(state).value(), {}}));
    const Outcome outcome = run_cli({"analyze", file, "--device", "h100-sxm5", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_THAT(json["no_axes"], HasSubstr(why));
    EXPECT_EQ(json["parts"][0]["part"], "g_M");
    const Counts counts = count(lower(state));
    EXPECT_EQ(
        json["drawn"]["transferred"]["value"],
        static_cast<double>(counts.inputs.values + counts.outputs.values + counts.intermediates.values));
    EXPECT_LE(json["best"]["memory"].get<double>(), json["limit"]["values"].get<double>());
    EXPECT_FALSE(json["level_plans"]["levels"].empty());
    const Outcome text = run_cli({"analyze", file, "--device", "h100-sxm5"});
    EXPECT_THAT(text.out, HasSubstr("Partition"));
    EXPECT_THAT(text.out, HasSubstr("best of powers of two: g_M = "));
    const Outcome asked = run_cli({"analyze", file, "--device", "h100-sxm5", "--rows", "M"});
    EXPECT_EQ(asked.code, 2);
    EXPECT_THAT(asked.err, HasSubstr("as it is drawn"));
    std::remove(file.c_str());
}

TEST(AnalyzeCommand, OfPeeledAndSafeStates) {
    const ArrayProgram program = parse_program(source_file("samples/attention.bp"), "attention.bp").value();
    const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(program).program));
    expect_analysed_as_drawn(make_safe(*trace.last(), SharedExponent::PerRow).program,
                             "goes on from a first value");
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step)
        for (const Match& match : all_matches(*trace.state(step))) {
            if (match.rule.number != 7) continue;
            const ProgramPtr peeled = fuse_on(branch(trace, step, match)).last();
            if (circuit::flow_of(circuit::circuit_of(*peeled).value())) continue;
            return expect_analysed_as_drawn(*peeled, "found ");
        }
    FAIL() << "nothing to peel";
}

TEST(AnalyzeCommand, SaysWhichAlgorithmAStateIs) {
    const Outcome text =
        run_cli({"analyze", sample("attention.bp"), "--device", "h100-sxm5", "--step", "17"});
    EXPECT_THAT(text.out, HasSubstr("g_M = 128, s_N = 128"));
    EXPECT_THAT(text.out, HasSubstr("the same H and M"));
    const auto alike = nlohmann::json::parse(
        run_cli({"analyze", sample("attention.bp"), "--device", "h100-sxm5", "--step", "17", "--json"})
            .out)["algorithm"];
    EXPECT_TRUE(alike["same"]);
    EXPECT_EQ(alike["state"], alike["program"]);
    const Outcome before =
        run_cli({"analyze", sample("attention.bp"), "--device", "h100-sxm5", "--step", "3"});
    EXPECT_THAT(before.out, testing::Not(HasSubstr("the same H and M")));
}

TEST(AnalyzeCommand, OpensFlashAttention3) {
    const Outcome outcome = run_cli({"analyze", sample("circuits/flash-attention-3-fp16-intra.json")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("FlashAttention-3, FP16"));
    EXPECT_THAT(outcome.out, HasSubstr("tensor cores at 74.6%, 738 T of 989 T operations per second\n"
                                       "Special functions are taken to last 66.7% longer than their "
                                       "operations alone; this is put in, not derived.\n"));
    // With FP32 accumulators registers have room for one warpgroup (Section 6.1).
    EXPECT_THAT(outcome.out, HasSubstr("193.5 KiB per warpgroup: 1.32 warpgroups"));
    EXPECT_THAT(outcome.out, HasSubstr("\n1 warpgroup fits\n"));
    const Outcome inter = run_cli({"analyze", sample("circuits/flash-attention-3-fp16-inter.json")});
    EXPECT_THAT(inter.out, HasSubstr("2 warpgroups, of which 1 would fit, overlapping between them"));
    EXPECT_THAT(outcome.out, HasSubstr("As drawn"));
    const Outcome other = run_cli({"analyze", sample("circuits/flash-attention-3-fp8-inter.json"),
                                   "--special-overhead", "0", "--json"});
    ASSERT_EQ(other.code, 0) << other.err;
    const auto schedule = nlohmann::json::parse(other.out)["kernel"]["schedule"];
    EXPECT_NEAR(schedule["utilisation"], 1, 0.01);
    EXPECT_EQ(schedule["put_in"], "");
    EXPECT_NEAR(schedule["operations_per_second"].get<double>() / 1e15, 1.98, 0.03);
}

// What --circuit writes opens again, and says the same.
TEST(AnalyzeCommand, WritesDocumentsThatOpen) {
    const std::string file = testing::TempDir() + "analyze-circuit.json";
    const Outcome first = run_cli(with(kAttention, {"--circuit", file, "--json"}));
    ASSERT_EQ(first.code, 0) << first.err;
    const Outcome again =
        run_cli({"analyze", file, "--json", "--type", "Q=e4m3", "--type", "K=e4m3", "--type", "A of P=e4m3"});
    ASSERT_EQ(again.code, 0) << again.err;
    const auto a = nlohmann::json::parse(first.out)["kernel"];
    const auto b = nlohmann::json::parse(again.out)["kernel"];
    EXPECT_EQ(a["clocks"], b["clocks"]);
    EXPECT_EQ(a["schedule"], b["schedule"]);
    std::remove(file.c_str());
}

// An option that says what is so anyway changes nothing: the warpgroups stay those that fit.
TEST(AnalyzeCommand, KeepsTheWarpgroupsThatFit) {
    const std::vector<std::string> plain = {"analyze", sample("attention.bp"), "--device", "h100-sxm5"};
    const std::string expected = run_cli(with(plain, {"--state", "program"})).out;
    EXPECT_THAT(expected, HasSubstr("2 warpgroups, overlapping"));
    for (const std::vector<std::string>& same : {std::vector<std::string>{"--symbol", "w_M=128"},
                                                 {"--special-overhead", "0"},
                                                 {"--overlap", "inter"}}) {
        std::vector<std::string> words = plain;
        words.insert(words.end(), same.begin(), same.end());
        EXPECT_EQ(run_cli(words).out, expected) << same.front();
    }
}

// Table 2 with the types of Table 1: what three warpgroups leave.
TEST(AnalyzeCommand, SaysWhatIsLeft) {
    const Outcome outcome = run_cli({"analyze", sample("attention.bp"), "--device", "h100-sxm5", "--type",
                                     "Q=e4m3", "--type", "K=e4m3", "--type", "A of P=e4m3"});
    EXPECT_THAT(outcome.out, HasSubstr("shared: 227 KiB, 48 KiB per thread block and 48 KiB per warpgroup: "
                                       "3.73 warpgroups; with 3 35 KiB are left"));
    EXPECT_THAT(outcome.out, HasSubstr("with 3 35 KiB are left, 11.67 KiB a warpgroup, "));
    EXPECT_THAT(outcome.out,
                HasSubstr("with 3 31.75 KiB are left, 10.58 KiB a warpgroup, 85 bytes a thread"));
    EXPECT_THAT(outcome.out, HasSubstr("L′=32"));
}

// Groups end at their axes: an L2 that has room for three arrays of 4096² has each moved into it once.
TEST(AnalyzeCommand, MovesEveryArrayOnceAtLeast) {
    const std::vector<std::string> matmul = {"analyze", sample("matmul.bp"), "--device", "h100-sxm5"};
    const std::vector<std::string> program = with(matmul, {"--state", "program"});
    const Outcome outcome = run_cli(program);
    EXPECT_THAT(outcome.out, testing::ContainsRegex("L2 +1 +52.4 MB +g_C, g_A|L2 +1 +52.4 MB +g_A, g_C"));
    EXPECT_THAT(outcome.out, HasSubstr("no group is larger than its axis"));
    const auto json = nlohmann::json::parse(run_cli(with(program, {"--json"})).out);
    const auto& l2 = json["models"]["levels"][0];
    EXPECT_EQ(l2["transfers"], 3 * 4096.0 * 4096);
    EXPECT_EQ(l2["whole"].size(), 2u);
    EXPECT_EQ(json["pieces"].back()["whole"].size(), 2u);
    EXPECT_EQ(json["pieces"].back()["law"].size(), 1u);
    // With so much memory the sizes that are best are those of the axes.
    const auto large = nlohmann::json::parse(run_cli(with(matmul, {"--memory", "1000000000", "--json"})).out);
    EXPECT_EQ(large["least_values"], 3 * 4096.0 * 4096);
    EXPECT_EQ(large["sizes"][0]["value"], 4096);
    EXPECT_TRUE(large["sizes"][0]["whole"]);
    // A state of the run has the same law by its loops.
    const auto state = nlohmann::json::parse(run_cli(with(matmul, {"--snapshot", "1", "--json"})).out);
    EXPECT_EQ(state["models"]["levels"][0]["transfers"], 3 * 4096.0 * 4096);
}

TEST(AnalyzeCommand, RefusesWhatIsNotThere) {
    const std::string attention = sample("attention.bp");
    const std::string circuit = sample("circuits/flash-attention-3-fp8-intra.json");
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
        {{attention, "--device", "h1000"}, "there is no device 'h1000'"},
        {{attention, "--device", "h100-sxm5", "--rows", "N"}, "N cannot be grouped"},
        {{attention, "--device", "h100-sxm5", "--stream", "Z"}, "there is no axis Z"},
        {{attention, "--device", "h100-sxm5", "--snapshot", "9"}, "there is no snapshot 9"},
        {{attention, "--device", "h100-sxm5", "--type", "Q=f17"}, "there is no type 'f17'"},
        {{attention, "--device", "h100-sxm5", "--symbol", "w_M"}, "expected SYMBOL=NUMBER"},
        {{attention, "--device", "h100-sxm5", "--symbol", "w_M=-1"}, "expected a number above 0"},
        {{attention, "--device", "h100-sxm5", "--symbol", "foo=3"},
         "there is no symbol 'foo' to choose; there"},
        {{attention, "--device", "h100-sxm5", "--symbol", "M=1"}, "there is no symbol 'M' to choose"},
        {{attention, "--device", "h100-sxm5", "--symbol", "s_N=100000"},
         "s_N = 100000 is more than N = 4096"},
        {{sample("multihead-attention.bp"), "--device", "h100-sxm5", "--symbol", "g_H=1000"},
         "g_H = 1000 is no size of a group"},
        {{attention, "--device", "h100-sxm5", "--type", "ZZ=f16"},
         "there is no variable 'ZZ'; there are Q, K"},
        {{attention, "--device", "h100-sxm5", "--vector-overhead", "nan"},
         "is not a percentage from 0 to 1000"},
        {{attention, "--device", "h100-sxm5", "--step", "3", "--circuit", "x.json"},
         "--circuit is of the whole program (--state program), not of a state"},
        {{attention, "--state", "best", "--stream-size", "64"}, "--stream-size is of the whole program"},
        {{attention, "--state", "program", "--objective", "traffic"}, "--state program is the whole program"},
        {{attention, "--state", "nowhere"}, "nowhere"},
        {{circuit, "--step", "3"}, "a circuit has no steps"}};
    for (const auto& [options, sentence] : wrong) {
        std::vector<std::string> words = {"analyze"};
        words.insert(words.end(), options.begin(), options.end());
        const Outcome outcome = run_cli(words);
        const bool device = sentence.find("no device") != std::string::npos;
        EXPECT_EQ(outcome.code, device ? 5 : 2) << sentence;
        EXPECT_THAT(outcome.err, HasSubstr(sentence));
    }
    const Outcome broken = run_cli({"analyze", "-"}, R"({"format": "blockscope circuit", "version": 1})");
    EXPECT_EQ(broken.code, 3);
    EXPECT_THAT(broken.err, HasSubstr("axes"));
    const Outcome fused = run_cli({"fuse", circuit});
    EXPECT_EQ(fused.code, 3);
    EXPECT_THAT(fused.err, HasSubstr("this is a circuit"));
}

// A diagram draws Q's load in the loop over key blocks, `cost` counts it before that loop: both are said.
TEST(Analyze, OfAStateSaysWhyItsDiagramMovesMoreThanCostCounts) {
    const std::string file = sample("attention.bp");
    const Outcome outcome = run_cli({"analyze", file, "--state", "17", "--device", "h100-sxm5"});
    EXPECT_THAT(outcome.out,
                HasSubstr("H = 50.9 M has each load once per iteration of the loop that it is drawn "
                          "in; 34.6 M, as `cost` counts,"));
    EXPECT_THAT(outcome.out, HasSubstr("each level is taken whole and alone here; `optimum` fills "));
    const auto cost =
        nlohmann::json::parse(run_cli({"cost", file, "--step", "17", "--json"}).out)["states"][0];
    double values = 0;
    for (const char* moved : {"inputs", "outputs", "intermediates"})
        values += cost[moved]["values"].get<double>();
    EXPECT_NEAR(values, 34.6e6, 0.05e6);
}

}  // namespace
}  // namespace blockscope::test
