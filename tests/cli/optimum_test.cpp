// blockscope-cli optimum: formulas, numbers at a memory limit, JSON, and what it refuses.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

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
    // 232,448 bytes of a thread block, 2 bytes each; the L2 stands for those of all 132 multiprocessors.
    EXPECT_THAT(outcome.out, HasSubstr("with 116 k values of memory"));
    EXPECT_THAT(outcome.out, HasSubstr("into shared from L2, with 116 k values"));
    EXPECT_THAT(outcome.out, HasSubstr("into L2 from HBM3, with 15.3 M values that all of shared hold: "));
    const Outcome json =
        run_cli({"optimum", sample("matmul.bp"), "--device", "h100-sxm5", "--memory", "100000", "--json"});
    const auto parsed = nlohmann::json::parse(json.out);
    EXPECT_EQ(parsed["memory"]["bytes"], 100000) << "--memory says another limit";
    double sum = 0;
    for (const auto& level : parsed["device"]["levels"]) sum += level["seconds"].get<double>();
    EXPECT_DOUBLE_EQ(parsed["device"]["seconds"].get<double>(), sum);
    // 2abc M^-1/2 + ac at 4096^3 in the shared memory of a thread block.
    const double shared = 2 * std::pow(4096.0, 3) / std::sqrt(116224.0) + 4096.0 * 4096;
    EXPECT_NEAR(parsed["device"]["levels"][0]["least_values"].get<double>() / shared, 1, 1e-9);
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
    EXPECT_EQ(alone["searches"][0]["search"], asked["search"]);
    EXPECT_TRUE(asked["search"]["fits"]);
}

// Into an L2 with room for whole axes every array goes once.
TEST(OptimumCommand, MovesEveryArrayOnceAtLeast) {
    const auto parsed =
        nlohmann::json::parse(run_cli({"optimum", sample("matmul.bp"), "--device", "epyc-9755", "--set",
                                       "A=256", "--set", "B=256", "--set", "C=256", "--json"})
                                  .out);
    for (const auto& level : parsed["device"]["levels"]) EXPECT_GE(level["least_values"], 3 * 256.0 * 256);
    EXPECT_EQ(parsed["device"]["levels"].back()["least_values"], 3 * 256.0 * 256);
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
