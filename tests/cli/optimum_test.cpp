// blockscope-cli optimum: formulas, numbers at a memory limit, JSON, and what it refuses.
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/json/device_files.h"
#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;

TEST(OptimumCommand, DerivesTheFormula) {
    EXPECT_THAT(run_cli({"optimum", sample("matmul.bp")}),
                ends(0, {"  a = M^1/2, grouped\n"
                         "  b = 1, streamed: traffic does not depend on it\n"
                         "  c = M^1/2, grouped\n"
                         "  H = A·B·C/a + A·B·C/c + A·C values\n"
                         "  memory >= a·c values, at line 6; left out: a + c\n"
                         "  H* = A·C + 2·A·B·C·M^-1/2\n"}));
}

TEST(OptimumCommand, PutsAMemoryLimitIn) {
    EXPECT_THAT(run_cli({"optimum", sample("attention.bp"), "--same", "D=L", "--memory", "100000",
                         "--multiple", "16"}),
                ends(0, {"m = Mem/(2·D) = 195, grouped", "H* = 2·M·D + 4·M·N·D²·Mem^-1",
                         "with 50000 values of memory (2 bytes each): H* = ", "numerical, all "}));
    const Outcome none = run_cli({"optimum", sample("attention.bp"), "--memory", "10"});
    EXPECT_THAT(none.out, HasSubstr("numerical: no block sizes fit 10 B"));
}

TEST(OptimumCommand, TakesMemoryAndLevelsFromADevice) {
    const Outcome outcome = run_cli({"optimum", sample("matmul.bp"), "--device", "h100-sxm5"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    // 232,448 bytes of a thread block, of 233,472 of a multiprocessor, 2 bytes each; 52.4 MB of the L2.
    EXPECT_THAT(outcome.out, HasSubstr("with 116 k values of memory"));
    EXPECT_THAT(outcome.out, HasSubstr("into shared from L2, with 117 k values"));
    EXPECT_THAT(outcome.out, HasSubstr("into L2 from HBM3, with 26.2 M values: "));
    const Outcome json =
        run_cli({"optimum", sample("matmul.bp"), "--device", "h100-sxm5", "--memory", "100000", "--json"});
    const auto parsed = nlohmann::json::parse(json.out);
    EXPECT_EQ(parsed["memory"]["bytes"], 100000) << "--memory says another limit";
    double sum = 0;
    for (const auto& level : parsed["device"]["levels"]) sum += level["seconds"].get<double>();
    EXPECT_DOUBLE_EQ(parsed["device"]["seconds"].get<double>(), sum);
    // 2abc M^-1/2 + ac at 4096^3 in the shared memory of a multiprocessor.
    const double shared = 2 * std::pow(4096.0, 3) / std::sqrt(116736.0) + 4096.0 * 4096;
    ASSERT_EQ(parsed["device"]["levels"][1]["name"], "shared");
    EXPECT_NEAR(parsed["device"]["levels"][1]["least_values"].get<double>() / shared, 1, 1e-9);
}

// H* into each level is one number, whichever command says it.
TEST(OptimumCommand, HasTheLevelsOfTheAnalysis) {
    for (const char* name :
         {"matmul", "attention", "multihead-attention", "causal-attention", "layernorm-matmul", "gqa"})
        for (const char* device : {"h100-sxm5", "l4", "xeon-8480"}) {
            SCOPED_TRACE(std::string(name) + " on " + device);
            const std::string file = sample(std::string(name) + ".bp");
            const auto answer = [&](const char* command) {
                const Outcome outcome =
                    run_cli({command, file, "--device", device, "--state", "last", "--json"});
                EXPECT_EQ(outcome.code, 0) << outcome.err;
                return nlohmann::json::parse(outcome.out, nullptr, false);
            };
            const auto optimum = answer("optimum")["device"], analysis = answer("analyze")["models"];
            ASSERT_GE(optimum["levels"].size(), 2U);
            ASSERT_EQ(optimum["levels"].size(), analysis["levels"].size());
            for (std::size_t i = 0; i < optimum["levels"].size(); ++i) {
                const auto &one = optimum["levels"][i], &other = analysis["levels"][i];
                EXPECT_EQ(one["name"], other["level"]);
                EXPECT_EQ(one["least_values"], other["transfers"]) << one["name"];
                EXPECT_EQ(one["seconds"], other["seconds"]) << one["name"];
            }
            EXPECT_EQ(optimum["seconds"], analysis["seconds"]);
        }
}

// Of causal attention the search counts what is built, as `cost` does at the same block sizes; what the
// paper's loops move stands beside it.
TEST(OptimumCommand, LeavesOutBlocksThatMasksHide) {
    const std::string file = sample("causal-attention.bp");
    const Outcome text = run_cli({"optimum", file, "--device", "h100-sxm5", "--state", "last"});
    EXPECT_THAT(text.out,
                HasSubstr("H* and seconds count the blocks that the mask hides, too, as the paper"));
    EXPECT_THAT(text.out, HasSubstr("\n  as built, without the blocks that the mask hides:\n    H = "));
    EXPECT_THAT(text.out, HasSubstr(" values; as built "));
    EXPECT_THAT(text.out, HasSubstr("Mem^-1 - 1/2"));
    EXPECT_THAT(run_cli({"optimum", sample("sliding-window-attention.bp"), "--device", "h100-sxm5", "--state",
                         "last"})
                    .out,
                HasSubstr("formulas count the blocks that the mask hides, too"));
    EXPECT_THAT(text.out, HasSubstr("437 MB (738 MB if what the mask hides is loaded, too)"));
    const auto json = nlohmann::json::parse(
        run_cli({"optimum", file, "--device", "h100-sxm5", "--state", "last", "--json"}).out);
    EXPECT_TRUE(json["launches"][0]["built"].contains("formula"));
    const auto& search = json["search"];
    // The law's tiles are not whole numbers, those of the search are.
    EXPECT_NEAR(json["built_values"].get<double>(), search["moved"]["values"].get<double>(),
                0.15 * search["moved"]["values"].get<double>());
    std::vector<std::string> cost = {"cost", file, "--state", "last", "--json"};
    for (const char* dim : {"M", "N"})
        cost.insert(cost.end(), {"--set", std::string(dim) + "=4096/" +
                                              std::to_string(search["blocks"][dim].get<int>())});
    const auto state = nlohmann::json::parse(run_cli(cost).out)["states"][0];
    EXPECT_EQ(search["moved"]["bytes"].get<std::int64_t>(),
              state["inputs"]["bytes"].get<std::int64_t>() + state["outputs"]["bytes"].get<std::int64_t>() +
                  state["intermediates"]["bytes"].get<std::int64_t>());
    EXPECT_GT(search["in_paper_loops"]["bytes"].get<double>(), 1.5 * search["moved"]["bytes"].get<double>());
    const auto plain = nlohmann::json::parse(
        run_cli({"optimum", sample("attention.bp"), "--memory", "100000", "--state", "last", "--json"}).out);
    EXPECT_FALSE(plain["search"].contains("in_paper_loops"));
}

TEST(OptimumCommand, SaysWhyThereIsNoFormula) {
    EXPECT_THAT(run_cli({"optimum", sample("mcfuser-g5.bp"), "--memory", "100000"}),
                ends(0, {"no formula: memory has several leading terms that differ in the tile sizes",
                         "numerical, "}));
}

// A chain whose memory has several leading terms has no formula, but it has numbers: at the local memory of
// an H100, a quarter of it and four times as much. They are those of a search with that memory.
TEST(OptimumCommand, HasNumbersWhereThereIsNoFormula) {
    const Outcome outcome = run_cli({"optimum", sample("mcfuser-g4.bp")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("no formula: "));
    EXPECT_THAT(outcome.out, HasSubstr("232 kB (shared of NVIDIA H100 SXM5 80 GB), numerical, "));
    EXPECT_THAT(outcome.out, HasSubstr("(a quarter of that), numerical, "));
    EXPECT_THAT(outcome.out, HasSubstr("(four times as much), numerical, "));
    const auto alone = nlohmann::json::parse(run_cli({"optimum", sample("mcfuser-g4.bp"), "--json"}).out);
    ASSERT_EQ(alone["searches"].size(), 3u);
    EXPECT_EQ(alone["searches"][0]["memory"]["bytes"], 232448);
    const auto asked = nlohmann::json::parse(
        run_cli({"optimum", sample("mcfuser-g4.bp"), "--memory", "232448", "--json"}).out);
    for (const char* what : {"blocks", "moved", "local_memory", "tried"})
        EXPECT_EQ(alone["searches"][0]["search"][what], asked["search"][what]) << what;
    EXPECT_TRUE(asked["search"]["fits"]);
}

// On a calibrated machine they are its own, as costs are.
TEST(OptimumCommand, HasNumbersOfTheCalibratedMachine) {
    const std::string cache = testing::TempDir() + "optimum-local";
    std::filesystem::create_directories(cache + "/blockscope");
    Device cpu = *find_device(builtin_devices(), "ryzen-9-9950x");
    cpu.name = kLocalCpu;
    cpu.title = "This machine";
    cpu.calibration = Calibration{"2026-01-02T03:04:05Z", "a test", "by hand"};
    std::ofstream(cache + "/blockscope/local-cpu.json") << write_json(cpu);
    const std::vector<std::string> environment = {"XDG_CACHE_HOME=" + cache};
    const auto numbers = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"optimum", sample("mcfuser-g4.bp"), "--json"});
        return nlohmann::json::parse(run_cli(words, {}, environment).out);
    };
    const auto alone = numbers({}), asked = numbers({"--device", "local"});
    EXPECT_EQ(alone["searches"][0]["memory"]["of"], "L2 of This machine");
    EXPECT_EQ(alone["searches"][0]["memory"]["bytes"], asked["memory"]["bytes"]);
    EXPECT_EQ(alone["searches"][0]["search"]["blocks"], asked["search"]["blocks"]);
    EXPECT_EQ(alone["bytes_per_value"], 4) << "as its engine computes";
    EXPECT_EQ(numbers({"--memory", "100000"})["bytes_per_value"], 4) << "whatever memory it has";
}

// Without a formula there are seconds all the same: of block sizes that are searched for each level, and
// their sum.
TEST(OptimumCommand, HasSecondsWhereThereIsNoFormula) {
    const auto parsed = nlohmann::json::parse(
        run_cli({"optimum", sample("mcfuser-g4.bp"), "--device", "h100-sxm5", "--state", "last", "--json"})
            .out);
    EXPECT_FALSE(parsed.contains("formula"));
    const auto& device = parsed["device"];
    ASSERT_EQ(device["searched_levels"].size(), 3U);
    double sum = 0;
    for (const auto& level : device["searched_levels"]) sum += level["search"]["seconds"].get<double>();
    EXPECT_DOUBLE_EQ(device["seconds"].get<double>(), sum);
    EXPECT_EQ(device["searched_levels"][0]["name"], "L2");
    // Into the L2, with room for all of it, at the 3.352 TB/s of the memory.
    const auto& first = device["searched_levels"][0]["search"];
    EXPECT_NEAR(first["seconds"].get<double>(), first["moved"]["bytes"].get<double>() / 3.352e12, 1e-12);
    const std::string alone = run_cli({"optimum", sample("mcfuser-g4.bp"), "--state", "last"}).out;
    EXPECT_THAT(alone, testing::ContainsRegex("move [^\n]* in [0-9]+ ns from L2"));
}

// Into an L2 with room for whole axes every array goes once.
TEST(OptimumCommand, MovesEveryArrayOnceAtLeast) {
    const auto parsed =
        nlohmann::json::parse(run_cli({"optimum", sample("matmul.bp"), "--device", "epyc-9755", "--set",
                                       "A=256", "--set", "B=256", "--set", "C=256", "--json"})
                                  .out);
    for (const auto& level : parsed["device"]["levels"]) EXPECT_GE(level["least_values"], 3 * 256.0 * 256);
    EXPECT_EQ(parsed["device"]["levels"].front()["least_values"], 3 * 256.0 * 256);
}

TEST(OptimumCommand, AsJson) {
    const Outcome outcome =
        run_cli({"optimum", sample("attention.bp"), "--snapshot", "1", "--memory", "100000", "--json"});
    const auto parsed = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(parsed["blockscope"], "optimum");
    EXPECT_EQ(parsed["step"], 15);
    EXPECT_EQ(parsed["formula"], "2·M·N + M·D + M·L + M·N·D·(D + L)·Mem^-1");
    EXPECT_EQ(parsed["law"].back()["beta"], "1");
    EXPECT_EQ(parsed["launches"][0]["tiles"].size(), 4U);
    EXPECT_EQ(parsed["memory"]["values"], 50000);
    EXPECT_TRUE(parsed["search"]["fits"]);
    EXPECT_LE(parsed["search"]["local_memory"]["bytes"], 100000);
}

TEST(OptimumCommand, RefusesWhatIsNotThere) {
    const std::string attention = sample("attention.bp");
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
        {{"--snapshot", "9"}, "there is no snapshot 9"},
        {{"--step", "99"}, "there is no step 99"},
        {{"--same", "D"}, "does not say which dimensions are the same"},
        {{"--same", "D=M"}, "are not the same"},
        {{"--same", "D=Z"}, "Z"},
        {{"--memory", "-4"}, "--memory"},
        {{"--set", "M=64/128"}, "a block is larger"}};
    for (const auto& [options, sentence] : wrong) {
        std::vector<std::string> words = {"optimum", attention};
        words.insert(words.end(), options.begin(), options.end());
        const Outcome outcome = run_cli(words);
        EXPECT_EQ(outcome.code, 2) << options[0] << options[1];
        EXPECT_THAT(outcome.err, HasSubstr(sentence));
    }
}

}  // namespace
}  // namespace blockscope::test
