// blockscope-cli cost: the table, one state taken apart, other sizes, JSON and CSV.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;

TEST(Cost, ShowsTheInitialProgramAndAllSnapshots) {
    const Outcome outcome = run_cli({"cost", sample("attention.bp")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* state : {"step 0 ", "snapshot 1 ", "snapshot 2 "})
        EXPECT_THAT(outcome.out, HasSubstr(state));
    EXPECT_THAT(outcome.out, HasSubstr("M·D·N/n = 16.8 M"));
    EXPECT_THAT(outcome.out, HasSubstr("2·M·N·D + 2·M·N·L"));
}

// As run, bench, fuse and render have it.
TEST(Cost, SnapshotZeroIsTheUnfusedProgram) {
    const auto states = [](const std::string& snapshot) {
        const Outcome outcome = run_cli({"cost", sample("attention.bp"), "--json", "--snapshot", snapshot});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        std::string names;
        const auto json = nlohmann::json::parse(outcome.out);
        for (const auto& state : json["states"]) names += state["name"].get<std::string>() + ";";
        return names;
    };
    EXPECT_EQ(states("0"), "step 0;");
    EXPECT_EQ(states("last"), "snapshot 2;");
    EXPECT_EQ(states("all"), "step 0;snapshot 1;snapshot 2;");
    EXPECT_EQ(run_cli({"fuse", sample("attention.bp"), "--snapshot", "0"}).code, 0);
    if (BLOCKSCOPE_PICTURES) {
        EXPECT_EQ(run_cli({"render", sample("attention.bp"), "--snapshot", "0"}).code, 0);
    }
}

// Whoever compares times would blame the fusion.
TEST(Cost, SaysWhichStatesRepeatWork) {
    const std::string note =
        "times the operations of step 0 at these block sizes; tune looks for better ones";
    const Outcome repeats = run_cli({"cost", sample("rmsnorm-swiglu.bp"), "--set", "N=64/8"});
    EXPECT_EQ(repeats.code, 0) << repeats.err;
    EXPECT_THAT(repeats.out, HasSubstr(note));
    const Outcome whole = run_cli({"cost", sample("rmsnorm-swiglu.bp"), "--set", "N=64/64"});
    EXPECT_THAT(whole.out, testing::Not(HasSubstr(note))) << "the output in one block";
}

TEST(Cost, ExecutesStatesAndFindsTheSameCounts) {
    const std::vector<std::string> sizes = {"--set", "M=40/16", "--set", "N=24/8",
                                            "--set", "D=16/8",  "--set", "L=8/8"};
    std::vector<std::string> words = {"cost", sample("attention.bp"), "--execute"};
    words.insert(words.end(), sizes.begin(), sizes.end());
    const Outcome outcome = run_cli(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* state : {"step 0", "snapshot 1", "snapshot 2"})
        EXPECT_THAT(outcome.out, HasSubstr(std::string(state) + ": executed, with the same counts"));
    words.push_back("--json");
    const auto parsed = nlohmann::json::parse(run_cli(words).out);
    ASSERT_EQ(parsed["states"].size(), 3U);
    for (const auto& state : parsed["states"]) EXPECT_TRUE(state["executed_same"].get<bool>());
    const Outcome large = run_cli({"cost", sample("attention.bp"), "--execute"});
    EXPECT_EQ(large.code, 2);
    EXPECT_THAT(large.err, HasSubstr("choose smaller sizes with --set"));
}

TEST(Cost, OfOneStepOfTheSafeForm) {
    const Outcome outcome = run_cli({"cost", sample("attention.bp"), "--step", "17", "--safe"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("step 17"));
    EXPECT_THAT(outcome.out, testing::Not(HasSubstr("snapshot")));
}

TEST(Cost, AsJsonAndCsvSaysTheSame) {
    const Outcome json = run_cli({"cost", sample("attention.bp"), "--json"});
    const auto parsed = nlohmann::json::parse(json.out);
    EXPECT_EQ(parsed["blockscope"], "cost");
    ASSERT_EQ(parsed["states"].size(), 3U);
    EXPECT_EQ(parsed["states"][2]["intermediates"]["bytes"], 0);
    EXPECT_EQ(parsed["states"][2]["flops"]["matrix"], 8589934592);
    EXPECT_EQ(parsed["states"][2]["buffers"][0]["loads_formula"], "M·D·N/n");
    const Outcome csv = run_cli({"cost", sample("attention.bp"), "--csv"});
    EXPECT_THAT(csv.out, HasSubstr("state,step,input_bytes"));
    EXPECT_THAT(csv.out, HasSubstr("snapshot 2,17,100663296,1048576,0,8589934592,"));
}

TEST(Cost, TakesOtherSizes) {
    const Outcome outcome = run_cli({"cost", sample("attention.bp"), "--set", "N=8192/64", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["states"][2]["flops"]["matrix"], 2 * 8589934592);
    const std::vector<std::pair<std::string, std::string>> wrong = {
        {"Z=4", "the program has no dimension Z"},
        {"M", "is no size"},
        {"=4", "is no size"},
        {"M=0", "is no size"},
        {"M=64/x", "is no size"},
        {"M=99999999999/64", "a size is at most 2147483647"},
        {"M=64/128", "a block is larger"}};
    for (const auto& [size, sentence] : wrong) {
        const Outcome refused = run_cli({"cost", sample("attention.bp"), "--set", size});
        EXPECT_EQ(refused.code, 2) << size;
        EXPECT_THAT(refused.err, HasSubstr(sentence));
    }
    EXPECT_EQ(run_cli({"cost", sample("attention.bp"), "--step", "99"}).code, 2);
}

TEST(Derive, SaysWhereANumberComesFrom) {
    const Outcome outcome = run_cli({"cost", sample("attention.bp"), "--derive", "K.loads"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out,
              "K.loads.values = N·D·M/m = 16777216 values\n"
              "values loaded from K: N·D·M/m = 16777216\n"
              "  with N = 4096, D = 128, M/m = 32\n"
              "  + N·D·M/m = 16777216  n9, line 6: t2 = load(K[n,d])\n");
    const Outcome unfused =
        run_cli({"cost", sample("attention.bp"), "--derive", "launches", "--step", "0", "--set", "N=64"});
    EXPECT_THAT(unfused.out, HasSubstr("launches = 7 = 7 launches\n"));
}

TEST(Derive, AsJson) {
    const Outcome outcome = run_cli({"cost", sample("attention.bp"), "--derive", "intensity", "--json"});
    const auto parsed = nlohmann::json::parse(outcome.out);
    const auto& derivation = parsed["derivations"].at(0);
    EXPECT_EQ(derivation["quantity"], "intensity");
    EXPECT_NEAR(derivation["value"].get<double>(), 84.95, 0.01);
    EXPECT_EQ(derivation["sum"]["value"], 8640925696);
    EXPECT_EQ(derivation["divisor"]["value"], 101711872);
    EXPECT_EQ(derivation["divisor"]["summands"][0]["buffer"], "Q");
    EXPECT_EQ(derivation["divisor"]["summands"][0]["line"]["text"], "t1 = load(Q[m,d])");
    EXPECT_EQ(derivation["divisor"]["symbols"][0]["symbol"], "M");
    const Outcome all = run_cli({"cost", sample("attention.bp"), "--derive", "all", "--json"});
    EXPECT_GT(nlohmann::json::parse(all.out)["derivations"].size(), 30U);
}

TEST(Derive, RefusesWhatIsNoQuantity) {
    const Outcome outcome = run_cli({"cost", sample("attention.bp"), "--derive", "Q.weight"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("'Q.weight' is no quantity of this state; expected BUFFER.loads"));
    EXPECT_EQ(run_cli({"cost", sample("attention.bp"), "--derive", "moved", "--csv"}).code, 2);
    EXPECT_EQ(run_cli({"cost", sample("attention.bp"), "--derive", "moved", "--step", "99"}).code, 2);
}

}  // namespace
}  // namespace blockscope::test
