// blockscope-cli cost: the table, one state taken apart, other sizes, JSON and CSV.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

TEST(Cost, ShowsTheInitialProgramAndAllSnapshots) {
    const Outcome outcome = run_cli({"cost", sample("attention.bp")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* state : {"step 0 ", "snapshot 1 ", "snapshot 2 "})
        EXPECT_THAT(outcome.out, HasSubstr(state));
    // Q is loaded once where it is built, and for every block of keys in the paper's listing.
    EXPECT_THAT(outcome.out, HasSubstr("Q       M·D = 524 k"));
    EXPECT_THAT(outcome.out, HasSubstr("2·M·N·D + 2·M·N·L"));
    const Outcome paper = run_cli({"cost", sample("attention.bp"), "--form", "paper"});
    EXPECT_EQ(paper.code, 0) << paper.err;
    EXPECT_THAT(paper.out, HasSubstr("Q       M·D·N/n = 16.8 M"));
    EXPECT_THAT(paper.out, HasSubstr("2·M·N·D + 2·M·N·L"));
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

// The star is where the objective is least, and a state that no snapshot was taken of is shown for it.
TEST(Cost, TheBestStateHasAStar) {
    const auto starred = [](std::vector<std::string> words) {
        const Outcome outcome = run_cli(std::move(words));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        std::string lines, line;
        for (std::istringstream text(outcome.out); std::getline(text, line);)
            if (line.find("★") != std::string::npos) lines += line.substr(0, line.find(" ★")) + ";";
        return lines;
    };
    EXPECT_EQ(starred({"cost", sample("attention.bp")}), "snapshot 2;");
    EXPECT_EQ(starred({"cost", sample("attention.bp"), "--device", "h100-sxm5"}), "snapshot 2;snapshot 2;")
        << "of counts and of times";
    EXPECT_EQ(starred({"cost", sample("attention.bp"), "--snapshot", "1"}), "") << "it is not shown";
    const std::vector<std::string> decoder = {"cost", sample("decoder-block.bp"), "--objective", "traffic"};
    EXPECT_THAT(starred(decoder), testing::StartsWith("step ")) << "before the snapshot that is worse";
    const Outcome outcome = run_cli(decoder);
    EXPECT_THAT(outcome.out, HasSubstr("states by traffic (plain form): step "));
}

TEST(Cost, TheBestStateIsInJson) {
    const auto best = [](std::vector<std::string> words) {
        words.insert(words.begin(), {"cost", sample("attention.bp"), "--json"});
        return nlohmann::json::parse(run_cli(std::move(words)).out)["best"];
    };
    const nlohmann::json time = best({"--device", "h100-sxm5"});
    EXPECT_EQ(time["objective"], "time");
    EXPECT_EQ(time["device"], "h100-sxm5");
    EXPECT_EQ(time["state"], "snapshot 2");
    EXPECT_LT(time["value"], time["runner_up"]["value"]);
    const nlohmann::json traffic = best({"--device", "h100-sxm5", "--objective", "traffic"});
    EXPECT_EQ(traffic["objective"], "traffic");
    EXPECT_EQ(traffic["unit"], "bytes");
    EXPECT_FALSE(traffic.contains("device")) << "bytes are the same on all";
}

// One number's formula is of the best state, too, where it is asked for.
TEST(Cost, DerivesNumbersOfTheBestState) {
    const std::vector<std::string> words = {"cost", sample("rmsnorm-swiglu.bp"), "--derive", "moved.bytes",
                                            "--json"};
    const auto step = [&](std::vector<std::string> more) {
        more.insert(more.begin(), words.begin(), words.end());
        return nlohmann::json::parse(run_cli(std::move(more)).out)["step"].get<int>();
    };
    EXPECT_LT(step({"--objective", "traffic"}), step({"--state", "last"}));
    EXPECT_EQ(step({"--objective", "traffic", "--step", "3"}), 3);
}

// What is not worth building may be with rules that are off by default.
TEST(Cost, TheVerdictNamesRulesThatRound) {
    const std::vector<std::string> words = {"cost", sample("fp8-attention.bp"), "--device", "h100-sxm5"};
    const Outcome outcome = run_cli(words);
    EXPECT_THAT(outcome.out, HasSubstr("Do not fuse this"));
    EXPECT_THAT(outcome.out, HasSubstr("With --allow-rounding, after which values are rounded elsewhere, "
                                       "the best state is predicted to take "));
    EXPECT_THAT(outcome.out, ContainsRegex("slower than a compiler's kernels.*\n.*as fast as a compiler's"))
        << "one baseline for both";
    std::vector<std::string> rounding = words;
    rounding.push_back("--allow-rounding");
    EXPECT_THAT(run_cli(rounding).out, testing::Not(HasSubstr("With --allow-rounding")));
}

// Whoever compares times would blame the fusion.
TEST(Cost, SaysWhichStatesRepeatWork) {
    const std::string note =
        "times the operations of step 0 at these block sizes; tune looks for better ones";
    EXPECT_THAT(run_cli({"cost", sample("rmsnorm-swiglu.bp"), "--set", "N=64/8"}), ends(0, {note}));
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
    EXPECT_THAT(run_cli({"cost", sample("attention.bp"), "--execute"}),
                ends(2, {}, {"choose smaller sizes with --set"}));
}

TEST(Cost, OfOneStepOfTheSafeForm) {
    const Outcome outcome = run_cli({"cost", sample("attention.bp"), "--step", "17", "--safe"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("\nstep 17 "));
    EXPECT_THAT(outcome.out, testing::Not(HasSubstr("\nsnapshot"))) << "no other state";
}

// The table and the sentence below it have one name for it, and what comes from caches is said to.
TEST(Cost, OfTheBestStateNamesItAsTheVerdictDoes) {
    const Outcome outcome =
        run_cli({"cost", sample("attention.bp"), "--state", "best", "--device", "h100-sxm5"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("\nsnapshot 2 ★  "));
    EXPECT_THAT(outcome.out, HasSubstr("best of 18 states at these block sizes: snapshot 2, "));
    EXPECT_THAT(outcome.out, testing::Not(HasSubstr("step 17")));
    EXPECT_THAT(outcome.out, HasSubstr("HBM3 0 B;"));
    EXPECT_THAT(outcome.out, HasSubstr("nothing comes from HBM3: "));
}

TEST(Cost, AsJsonAndCsvSaysTheSame) {
    const Outcome json = run_cli({"cost", sample("attention.bp"), "--json"});
    const auto parsed = nlohmann::json::parse(json.out);
    EXPECT_EQ(parsed["blockscope"], "cost");
    ASSERT_EQ(parsed["states"].size(), 3U);
    EXPECT_EQ(parsed["states"][2]["intermediates"]["bytes"], 0);
    EXPECT_EQ(parsed["states"][2]["flops"]["matrix"], 8589934592);
    EXPECT_EQ(parsed["states"][2]["buffers"][0]["loads_formula"], "M·D");
    // Q, K, V and O once each: 4 arrays of 4096 x 128 in two bytes a number.
    EXPECT_EQ(parsed["states"][2]["compulsory_bytes"], 4194304);
    const Outcome csv = run_cli({"cost", sample("attention.bp"), "--csv"});
    EXPECT_THAT(
        csv.out,
        HasSubstr("state,step,input_bytes,output_bytes,intermediate_bytes,compulsory_bytes,matrix,vector,"));
    EXPECT_THAT(csv.out, HasSubstr("snapshot 2,17,68157440,1048576,0,4194304,8589934592,"));
}

TEST(Cost, AsJsonAndCsvSaysTheSameOfThePapersLoops) {
    const std::vector<std::string> words = {"cost", sample("attention.bp"), "--form", "paper"};
    const auto with = [&](const std::string& option) {
        std::vector<std::string> all = words;
        all.push_back(option);
        return run_cli(all).out;
    };
    const auto last = nlohmann::json::parse(with("--json"))["states"][2];
    EXPECT_EQ(last["buffers"][0]["loads_formula"], "M·D·N/n");
    EXPECT_EQ(last["compulsory_bytes"], 4194304);
    EXPECT_THAT(with("--csv"), HasSubstr("snapshot 2,17,100663296,1048576,0,4194304,8589934592,"));
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
    const auto derived = [](const std::string& form, const std::string& quantity) {
        const Outcome outcome =
            run_cli({"cost", sample("attention.bp"), "--derive", quantity, "--form", form, "--step", "17"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        const std::string head = "step 17 of " + sample("attention.bp") + "\n";
        EXPECT_TRUE(outcome.out.starts_with(head)) << outcome.out;
        return outcome.out.substr(std::min(head.size(), outcome.out.size()));
    };
    const std::string keys =
        "K.loads.values = N·D·M/m = 16777216 values\n"
        "values loaded from K: N·D·M/m = 16777216\n"
        "  with N = 4096, D = 128, M/m = 32\n"
        "  + N·D·M/m = 16777216  n9, ";
    EXPECT_EQ(derived("built", "K.loads"), keys + "line 4: t2 = load(K[n,0])\n");
    EXPECT_EQ(derived("paper", "K.loads"), keys + "line 6: t2 = load(K[n,d])\n");
    EXPECT_EQ(derived("built", "Q.loads"),
              "Q.loads.values = M·D = 524288 values\n"
              "values loaded from Q: M·D = 524288\n"
              "  with M = 4096, D = 128\n"
              "  + M·D = 524288  n8, line 2: t1 = load(Q[m,0])\n");
    EXPECT_THAT(derived("paper", "Q.loads"), HasSubstr("Q.loads.values = M·D·N/n = 16777216 values\n"));
    const Outcome unfused =
        run_cli({"cost", sample("attention.bp"), "--derive", "launches", "--step", "0", "--set", "N=64"});
    EXPECT_THAT(unfused.out, HasSubstr("launches = 7 = 7 launches\n"));
}

// The number that is taken apart is one of the state that `cost` shows, on the same device, and that is said.
TEST(Derive, IsOfTheBestState) {
    const std::string file = sample("rmsnorm-swiglu.bp");  // its last state moves 7.9 times as much
    for (const std::vector<std::string>& options : {std::vector<std::string>{"--device", "h100-sxm5"},
                                                    {"--device", "epyc-9755"},
                                                    {"--objective", "traffic"}}) {
        SCOPED_TRACE(options.back());
        const auto with = [&](std::vector<std::string> words) {
            words.insert(words.begin(), {"cost", file});
            words.insert(words.end(), options.begin(), options.end());
            return run_cli(words);
        };
        const auto cost = nlohmann::json::parse(with({"--json"}).out);
        const auto derived = nlohmann::json::parse(with({"--derive", "moved.bytes", "--json"}).out);
        EXPECT_EQ(derived["best"], cost["best"]);
        EXPECT_EQ(derived["state"], cost["best"]["state"]);
        EXPECT_LT(derived["step"], 26) << "the last one";
        double moved = 0;
        for (const auto& state : cost["states"])
            if (state["step"] == derived["step"])
                for (const char* kind : {"inputs", "outputs", "intermediates"})
                    moved += state[kind]["bytes"].get<double>();
        EXPECT_EQ(derived["derivations"][0]["value"].get<double>(), moved);
        EXPECT_THAT(with({"--derive", "moved.bytes"}).out,
                    testing::StartsWith(derived["state"].get<std::string>() + " of " + file + "\nbest of "));
    }
}

// On some processors of a device another state may be the best, as in the tables.
TEST(Derive, IsOfTheBestStateOnSoManyProcessors) {
    const std::string file = sample("attention.bp");
    const auto json = [&](std::vector<std::string> more) {
        std::vector<std::string> words{"cost", file, "--device", "h100-sxm5", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return nlohmann::json::parse(run_cli(words).out);
    };
    const std::vector<std::string> derived{"--derive", "K.loads"};
    const auto all = json(derived), tables = json({"--processors", "4"});
    const auto four = json({"--derive", "K.loads", "--processors", "4"});
    EXPECT_EQ(four["best"]["value"], tables["best"]["value"]);
    EXPECT_EQ(four["best"]["processors"], 4);
    EXPECT_GT(four["best"]["value"].get<double>(), all["best"]["value"].get<double>());
    EXPECT_THAT(
        run_cli({"cost", file, "--device", "h100-sxm5", "--derive", "K.loads", "--processors", "4"}).out,
        HasSubstr("on NVIDIA H100 SXM5 80 GB with 4 of its 132 SMs (safe form)"));
    EXPECT_THAT(run_cli({"cost", file, "--derive", "K.loads", "--processors", "4"}),
                ends(2, {}, {"--processors needs --device"}));
}

TEST(Derive, AsJson) {
    const Outcome outcome =
        run_cli({"cost", sample("attention.bp"), "--derive", "intensity", "--state", "last", "--json"});
    const auto parsed = nlohmann::json::parse(outcome.out);
    const auto& derivation = parsed["derivations"].at(0);
    EXPECT_EQ(derivation["quantity"], "intensity");
    EXPECT_NEAR(derivation["value"].get<double>(), 124.86, 0.01);
    EXPECT_EQ(derivation["sum"]["value"], 8640925696);
    EXPECT_EQ(derivation["divisor"]["value"], 69206016);
    EXPECT_EQ(derivation["divisor"]["summands"][0]["buffer"], "Q");
    EXPECT_EQ(derivation["divisor"]["summands"][0]["line"]["text"], "t1 = load(Q[m,0])");
    EXPECT_EQ(derivation["divisor"]["symbols"][0]["symbol"], "M");
    const Outcome paper = run_cli({"cost", sample("attention.bp"), "--derive", "intensity", "--form", "paper",
                                   "--state", "last", "--json"});
    const auto in_paper = nlohmann::json::parse(paper.out)["derivations"].at(0);
    EXPECT_NEAR(in_paper["value"].get<double>(), 84.95, 0.01);
    EXPECT_EQ(in_paper["sum"]["value"], 8640925696);
    EXPECT_EQ(in_paper["divisor"]["value"], 101711872);
    EXPECT_EQ(in_paper["divisor"]["summands"][0]["line"]["text"], "t1 = load(Q[m,d])");
    const Outcome all = run_cli({"cost", sample("attention.bp"), "--derive", "all", "--json"});
    EXPECT_GT(nlohmann::json::parse(all.out)["derivations"].size(), 30U);
}

TEST(Derive, RefusesWhatIsNoQuantity) {
    EXPECT_THAT(run_cli({"cost", sample("attention.bp"), "--derive", "Q.weight"}),
                ends(2, {}, {"'Q.weight' is no quantity of this state; expected BUFFER.loads"}));
    EXPECT_EQ(run_cli({"cost", sample("attention.bp"), "--derive", "moved", "--csv"}).code, 2);
    EXPECT_EQ(run_cli({"cost", sample("attention.bp"), "--derive", "moved", "--step", "99"}).code, 2);
}

}  // namespace
}  // namespace blockscope::test
