// The best state of a run: what fuse says of it, and the commands that take it by default.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

nlohmann::json json_of(std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    const Outcome outcome = run_cli(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
}

// The state whose `cost` is least is the one that fuse calls the best.
TEST(BestStateCommand, IsTheOneWithTheLeastCost) {
    const auto fused = json_of({"fuse", sample("rmsnorm-swiglu.bp"), "--objective", "traffic"});
    const auto& best = fused["best"];
    EXPECT_EQ(best["objective"], "traffic");
    EXPECT_EQ(best["unit"], "bytes");
    double least = 1e300;
    int step = -1;
    for (int each = 0; each <= fused["total_steps"].get<int>(); ++each) {
        const auto cost = json_of({"cost", sample("rmsnorm-swiglu.bp"), "--step", std::to_string(each)});
        const auto& state = cost["states"][0];
        const double bytes = state["inputs"]["bytes"].get<double>() +
                             state["outputs"]["bytes"].get<double>() +
                             state["intermediates"]["bytes"].get<double>();
        if (bytes < least) step = each;
        least = std::min(least, bytes);
    }
    EXPECT_EQ(best["step"], step);
    EXPECT_EQ(best["value"], least);
    EXPECT_GT(best["runner_up"]["value"].get<double>(), least);
    EXPECT_GT(best["last"]["value"].get<double>(), 5 * least);
    EXPECT_GT(best["worse_steps"].size(), 0U);
}

TEST(BestStateCommand, OfFuseSaysHowMuchWorseTheLastIsAndWhy) {
    const Outcome outcome = run_cli({"fuse", sample("rmsnorm-swiglu.bp"), "--device", "h100-sxm5"});
    EXPECT_THAT(outcome.out,
                HasSubstr("\nbest of 27 states by predicted time on NVIDIA H100 SXM5 80 GB (plain form): "));
    EXPECT_THAT(outcome.out, HasSubstr("; the last state, "));
    // The products, which are most of the work, and not the norm, which is repeated as often.
    EXPECT_THAT(outcome.out, HasSubstr("Computes dot, x/(1+exp(-x)) and mul 32 times over, to save "));
    EXPECT_THAT(outcome.out, HasSubstr("In bytes it pays only with "));
    // The same in JSON: of the four that are worst in the same words, and in members.
    const auto worse =
        json_of({"fuse", sample("rmsnorm-swiglu.bp"), "--device", "h100-sxm5"})["best"]["worse_steps"];
    std::size_t told = 0;
    for (const auto& one : worse) {
        const bool searched = one.contains("tried");
        EXPECT_EQ(outcome.out.find(": " + one["why"].get<std::string>() + "\n") != std::string::npos,
                  searched)
            << one;
        if (searched) ++told;
    }
    EXPECT_EQ(told, 4U);
    const auto at = [&](int step) {
        return *std::find_if(worse.begin(), worse.end(),
                             [&](const auto& one) { return one["step"] == step; });
    };
    EXPECT_EQ(at(23)["repeats"][0]["operator"], "dot");
    EXPECT_EQ(at(23)["repeats"][0]["times"], 32);
    EXPECT_EQ(at(23)["pays_in_bytes"], (nlohmann::json{{"dim", "N"}, {"at_most", 1}, {"blocks_now", 32}}));
    EXPECT_EQ(at(23)["tried"], (nlohmann::json{"N", "M"}));
    EXPECT_FALSE(at(23).contains("pays_in_time"));
    EXPECT_EQ(at(25)["pays_in_time"], (nlohmann::json{{"dim", "M"}, {"blocks", 64}, {"blocks_now", 32}}));
    EXPECT_THAT(at(25)["why"], HasSubstr("It is predicted to pay with 64 blocks of M instead of 32."));
    // States alone are not commented on.
    EXPECT_THAT(run_cli({"fuse", sample("attention.bp"), "--format", "listing"}).out,
                Not(HasSubstr("best of")));
    EXPECT_THAT(run_cli({"fuse", sample("attention.bp"), "--step", "3"}).out, Not(HasSubstr("best of")));
}

// Both forms compete: the plain one of attention is faster and overflows, so the safe one stands for it, and
// what that costs is said. Bytes are those of the listing.
TEST(BestStateCommand, IsSafeToComputeAndSaysWhatThatCosts) {
    for (const std::string device : {"h100-sxm5", "xeon-8480"}) {
        const std::vector<std::string> command{"fuse", sample("attention.bp"), "--device", device};
        const auto best = json_of(command)["best"];
        EXPECT_EQ(best["form"], "safe") << device;
        EXPECT_EQ(best["runner_up"]["form"], "safe") << device;
        EXPECT_LT(best["plain_value"].get<double>(), best["value"].get<double>()) << device;
        const std::string said = run_cli(command).out;
        EXPECT_THAT(said, HasSubstr(" (safe form): ")) << device;
        EXPECT_THAT(said, HasSubstr(" plain, which can overflow); then ")) << device;
    }
    const auto traffic = json_of({"fuse", sample("attention.bp"), "--objective", "traffic"})["best"];
    EXPECT_EQ(traffic["form"], "plain");
    EXPECT_FALSE(traffic.contains("plain_value"));
    // There is nothing to make safe in this one, and nothing to say of it.
    const std::vector<std::string> norm{"fuse", sample("rmsnorm-matmul.bp"), "--device", "h100-sxm5"};
    const auto best = json_of(norm)["best"];
    EXPECT_EQ(best["form"], "plain");
    EXPECT_FALSE(best.contains("plain_value"));
    EXPECT_THAT(run_cli(norm).out, Not(HasSubstr("overflow")));
    // Who asks for the plain form gets it.
    const auto unsafe = json_of({"codegen", sample("attention.bp"), "--unsafe"})["best"];
    EXPECT_EQ(unsafe["form"], "plain");
    EXPECT_FALSE(unsafe.contains("plain_value"));
}

// What is predicted for a processor that nobody has measured says so, and how to measure it.
TEST(BestStateCommand, SaysThatAProcessorIsNotCalibrated) {
    const std::string file = sample("softmax.bp");
    const std::string note =
        "AMD EPYC 9755 (Zen 5, 128 cores) is not calibrated: these times are by its description alone. "
        "`blockscope-cli calibrate` measures this machine's processor, which is then called local-cpu.\n";
    for (const std::vector<std::string>& command : {std::vector<std::string>{"fuse", file},
                                                    {"cost", file},
                                                    {"tune", file, "--predict"},
                                                    {"plan", file}}) {
        const auto on = [&](const char* device) {
            std::vector<std::string> words = command;
            words.insert(words.end(), {"--device", device});
            return run_cli(words).out;
        };
        EXPECT_THAT(on("epyc-9755"), HasSubstr(note)) << command[0];
        EXPECT_THAT(on("h100-sxm5"), Not(HasSubstr("calibrate"))) << command[0];
    }
    EXPECT_THAT(run_cli({"optimum", file, "--device", "epyc-9755"}).out,
                HasSubstr("(Zen 5, 128 cores), not calibrated ("));
    EXPECT_FALSE(json_of({"fuse", file, "--device", "epyc-9755"})["best"]["calibrated"]);
    EXPECT_FALSE(json_of({"fuse", file, "--device", "h100-sxm5"})["best"].contains("calibrated"));
}

TEST(BestStateCommand, TheLastSnapshotHasThatName) {
    for (const char* command : {"codegen", "optimum", "analyze"}) {
        const auto at = [&](const char* snapshot) {
            return run_cli(
                {command, sample("attention.bp"), "--snapshot", snapshot, "--device", "h100-sxm5"});
        };
        EXPECT_EQ(at("last").out, at("2").out) << command;
        EXPECT_EQ(at("last").code, 0) << command;
        EXPECT_EQ(at("first").code, 2) << command;
    }
}

// A product in 128 x 128 x 128 is generated as the file has it; whoever reads that should know of better
// blocks.
TEST(BestStateCommand, OfCodegenSaysWhichBlocksAreFaster) {
    std::vector<std::string> command = {"codegen", sample("matmul.bp"), "--device", "h100-sxm5"};
    const std::string said = run_cli(command).err;
    const std::regex sentence(R"(with ((?:--set \S+ )+)the best state is predicted to take ([^;]+);)");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(said, found, sentence)) << said;
    std::istringstream options(found[1]);
    for (std::string word; options >> word;) command.push_back(word);
    // Whoever does as it says has that time, and is told of nothing better.
    const std::string after = run_cli(command).err;
    EXPECT_THAT(after, HasSubstr(": snapshot 1, " + found[2].str()));
    EXPECT_THAT(after, Not(HasSubstr("is predicted to take")));
}

TEST(BestStateCommand, IsWhatOtherCommandsTakeByDefault) {
    const auto best = json_of({"fuse", sample("decoder-block.bp"), "--objective", "traffic"})["best"];
    for (std::vector<std::string> command :
         {std::vector<std::string>{"optimum", sample("decoder-block.bp")},
          {"analyze", sample("decoder-block.bp"), "--device", "h100-sxm5"}}) {
        command.insert(command.end(), {"--objective", "traffic"});
        const auto json = json_of(command);
        EXPECT_EQ(json["step"], best["step"]) << command[0];
        EXPECT_EQ(json["best"]["value"], best["value"]) << command[0];
    }
    const auto code = json_of({"codegen", sample("attention.bp"), "--target", "sm_80"});
    EXPECT_EQ(code["best"]["device"], "a100-sxm-80gb");
    EXPECT_EQ(code["step"], code["best"]["step"]);
}

TEST(BestStateCommand, CanBeAnyOtherState) {
    EXPECT_EQ(json_of({"codegen", sample("attention.bp"), "--state", "last"})["step"], 17);
    EXPECT_EQ(json_of({"codegen", sample("attention.bp"), "--state", "snapshot 1"})["state"], "snapshot 1");
    EXPECT_EQ(json_of({"optimum", sample("attention.bp"), "--state", "4"})["step"], 4);
    const Outcome wrong = run_cli({"codegen", sample("attention.bp"), "--state", "nowhere"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("'nowhere' names no state: write a step"));
    const Outcome both = run_cli({"codegen", sample("attention.bp"), "--state", "last", "--step", "3"});
    EXPECT_EQ(both.code, 2);
}

// A state's name means the same in all commands, with the option that asks for it alone, too.
TEST(BestStateCommand, IsNamedTheSameWayEverywhere) {
    const std::string file = sample("softmax.bp");
    const std::string trace = run_cli({"fuse", file, "--all", "--format", "json"}).out;
    const std::vector<std::vector<std::string>> commands = {
        {"fuse", file, "--format", "text"},
        {"apply", file, "1@n8,n16", "--then-fuse", "--format", "text"},
        {"replay", "-", "--format", "text"},
        {"cost", file},
        {"cost", file, "--derive", "moved.bytes"},
        {"tune", file, "--predict", "--device", "h100-sxm5"}};
    for (const std::vector<std::string>& command : commands) {
        const auto of = [&](std::vector<std::string> named) {
            named.insert(named.begin(), command.begin(), command.end());
            const Outcome outcome = run_cli(named, trace);
            EXPECT_EQ(outcome.code, 0) << command[0] << ": " << outcome.err;
            return outcome.out.substr(0, outcome.out.find("\nbest: "));  // which says how long it took
        };
        EXPECT_EQ(of({"--state", "step 2"}), of({"--step", "2"})) << command[0];
        EXPECT_NE(of({"--state", "1"}), of({"--step", "2"})) << command[0];
        for (const std::string other : {"--step", "--snapshot"}) {
            std::vector<std::string> both = command;
            both.insert(both.end(), {"--state", "last", other, "1"});
            EXPECT_EQ(run_cli(both, trace).code, 2) << command[0];
        }
    }
    const auto best = json_of({"fuse", file, "--device", "h100-sxm5"})["best"];
    const auto cost = json_of({"cost", file, "--state", "best", "--device", "h100-sxm5"});
    ASSERT_EQ(cost["states"].size(), 1U);
    EXPECT_EQ(cost["states"][0]["step"], best["step"]);
}

// The results file keeps what was measured; the best by it is the one that took least.
TEST(BestStateCommand, ByMeasuredTimeIsTheOneThatTookLeast) {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / "blockscope-best-measured";
    std::filesystem::remove_all(folder);
    const std::vector<std::string> home{"XDG_DATA_HOME=" + folder.string(), "BLOCKSCOPE_FAKE_DEVICE="};
    const std::vector<std::string> measured{"optimum", sample("softmax.bp"), "--objective", "measured",
                                            "--json"};
    const Outcome none = run_cli(measured, {}, home);
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr("no measurement of this program at these sizes is kept"));
    ASSERT_EQ(run_cli({"run", sample("softmax.bp"), "--on", "fake", "--seconds", "0"}, {}, home).code, 0);
    const Outcome outcome = run_cli(measured, {}, home);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["best"]["objective"], "measured");
    EXPECT_LE(json["best"]["value"].get<double>(), json["best"]["runner_up"]["value"].get<double>());
    EXPECT_THAT(json["best"]["measured_on"].get<std::string>(), StartsWith("fake of "));

    EXPECT_THAT(json["best"]["measured_on"].get<std::string>(), Not(HasSubstr("not to be trusted")));

    // What another machine took for a state that this one has not measured says nothing of this one's states.
    const std::filesystem::path kept = folder / "blockscope" / "results.jsonl";
    std::stringstream records;
    records << std::ifstream(kept).rdbuf();
    std::string first;
    std::getline(records, first);
    nlohmann::json elsewhere = nlohmann::json::parse(first);
    elsewhere["machine"]["host"] = "elsewhere";
    elsewhere["subject"]["machine"] = "another processor on elsewhere";
    elsewhere["warm"]["median"] = 1e-12;
    const std::string others = records.str().substr(first.size() + 1);
    ASSERT_FALSE(others.empty());
    const auto best_of = [&](const std::string& text) {
        std::ofstream(kept) << text;
        const Outcome again = run_cli(measured, {}, home);
        EXPECT_EQ(again.code, 0) << again.err;
        return nlohmann::json::parse(again.out)["best"];
    };
    EXPECT_GT(best_of(elsewhere.dump() + "\n" + others)["value"].get<double>(), 1e-9);
    // Nor does it hide what this one measured before.
    const std::size_t last = others.rfind('\n', others.size() - 2) + 1;
    const std::string older = first + "\n" + others.substr(0, last), newest = others.substr(last);
    EXPECT_EQ(best_of(older + elsewhere.dump() + "\n" + newest), json["best"]);
    // Seven threads' times are not those of all.
    elsewhere["machine"] = nlohmann::json::parse(first)["machine"];
    elsewhere["subject"]["machine"] = nlohmann::json::parse(first)["subject"]["machine"];
    elsewhere["subject"]["threads"] = 7;
    EXPECT_GT(best_of(elsewhere.dump() + "\n" + others)["value"].get<double>(), 1e-9);
    EXPECT_THAT(best_of(others + elsewhere.dump() + "\n")["measured_on"].get<std::string>(),
                HasSubstr(" on 7 threads"));
    // Figures of a busy machine decide, but it is said.
    nlohmann::json busy = nlohmann::json::parse(first);
    busy["after"]["others"] = 1.5;
    EXPECT_THAT(best_of(busy.dump() + "\n" + others)["measured_on"].get<std::string>(),
                HasSubstr(", while others used the machine: not to be trusted"));
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace blockscope::test
