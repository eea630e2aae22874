// blockscope-cli optimum: formulas, numbers at a memory limit, JSON, and what it refuses.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;

TEST(OptimumCommand, DerivesTheFormula) {
    const Outcome outcome = run_cli({"optimum", sample("matmul.bp")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("  a = M^1/2, grouped\n"
                                       "  b = 1, streamed: traffic does not depend on it\n"
                                       "  c = M^1/2, grouped\n"
                                       "  H = A·B·C/a + A·B·C/c + A·C values\n"
                                       "  memory >= a·c values, at line 6; left out: a + c\n"
                                       "  H* = A·C + 2·A·B·C·M^-1/2\n"));
}

TEST(OptimumCommand, PutsAMemoryLimitIn) {
    const Outcome outcome = run_cli(
        {"optimum", sample("attention.bp"), "--same", "D=L", "--memory", "100000", "--multiple", "16"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("m = Mem/(2·D) = 195, grouped"));
    EXPECT_THAT(outcome.out, HasSubstr("H* = 2·M·D + 4·M·N·D²·Mem^-1"));
    EXPECT_THAT(outcome.out, HasSubstr("with 50000 values of memory (2 bytes each): H* = "));
    EXPECT_THAT(outcome.out, HasSubstr("numerical, all "));
    const Outcome none = run_cli({"optimum", sample("attention.bp"), "--memory", "10"});
    EXPECT_THAT(none.out, HasSubstr("numerical: no block sizes fit 10 B"));
}

TEST(OptimumCommand, SaysWhyThereIsNoFormula) {
    const Outcome outcome = run_cli({"optimum", sample("mcfuser-g5.bp"), "--memory", "100000"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                HasSubstr("no formula: memory has several leading terms that differ in the tile sizes"));
    EXPECT_THAT(outcome.out, HasSubstr("numerical, "));
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
