// One state has one time on one device, whichever command says it, and each says of which form it is; and a
// step that makes it longer says why.
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "app/cli/best.h"
#include "tests/cli/runner.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;

nlohmann::json answer_of(std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    const Outcome outcome = run_cli(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out, nullptr, false);
}

constexpr const char* kCard = "h100-sxm5";

double blockscope_seconds(const nlohmann::json& state) {
    for (const auto& times : state["times"])
        if (times["model"] == "blockscope") return times["seconds"].get<double>();
    return -1;
}

// Seconds by step, as cost has them of the unfused program and all snapshots, or of one step.
std::map<int, double> of_cost(const std::string& file, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"cost", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto json = answer_of(arguments);
    std::map<int, double> seconds;
    for (const auto& state : json["states"]) seconds[state["step"].get<int>()] = blockscope_seconds(state);
    return seconds;
}

// The best, the runner-up and the last.
std::map<int, double> of_best(const nlohmann::json& best) {
    std::map<int, double> seconds{{best["step"].get<int>(), best["value"].get<double>()}};
    for (const char* other : {"runner_up", "last"})
        if (best.contains(other))
            seconds[best[other]["step"].get<int>()] = best[other]["value"].get<double>();
    return seconds;
}

struct OnDevice {
    std::string sample, device;
};
void PrintTo(const OnDevice& one, std::ostream* to) {
    *to << one.sample << " on " << one.device;
}

std::vector<OnDevice> all_samples_on_devices() {
    std::vector<OnDevice> all;
    for (const std::string& name : distinct_samples()) all.push_back({name, kCard});
    for (const char* name : {"attention", "softmax", "rmsnorm-matmul"}) all.push_back({name, "xeon-8480"});
    return all;
}

class OneTime : public testing::TestWithParam<OnDevice> {};

TEST_P(OneTime, IsTheSameInEveryCommand) {
    const auto& [name, device] = GetParam();
    const std::string file = sample(name + ".bp");
    const auto fused = answer_of({"fuse", file, "--no-prove", "--device", device});
    ASSERT_TRUE(fused.contains("best"));
    const bool needs_safe = State(sample_trace(name).last(), safe_form()).exponentials() > 0;
    EXPECT_EQ(fused["best"]["form"], needs_safe ? "safe" : "plain");
    EXPECT_EQ(fused["best"].contains("plain_value"), needs_safe);
    const std::map<int, double> said = of_best(fused["best"]);
    std::map<int, double> counted = of_cost(file, {"--device", device});
    for (const auto& [step, seconds] : said) {
        if (counted.count(step) == 0)
            counted.merge(of_cost(file, {"--device", device, "--step", std::to_string(step)}));
        EXPECT_DOUBLE_EQ(counted.at(step), seconds) << "step " << step;
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, OneTime, testing::ValuesIn(all_samples_on_devices()), [](const auto& each) {
    return test_name(each.param.sample + "_on_" + each.param.device);
});

// Of those whose runs are short all that take the best state: the same step, time and form.
TEST(OneTimeOfAll, IsTheSameInCommandsThatTakeTheBestState) {
    for (const char* name : {"attention", "rmsnorm-matmul", "softmax", "gated-mlp"}) {
        SCOPED_TRACE(name);
        const std::string file = sample(std::string(name) + ".bp");
        const auto best = answer_of({"fuse", file, "--no-prove", "--device", kCard})["best"];
        for (std::vector<std::string> command : {std::vector<std::string>{"codegen", file},
                                                 {"optimum", file},
                                                 {"analyze", file},
                                                 {"tune", file, "--predict"}}) {
            command.insert(command.end(), {"--device", kCard});
            const auto other = answer_of(command)["best"];
            EXPECT_EQ(other["step"], best["step"]) << command[0];
            EXPECT_EQ(other["value"], best["value"]) << command[0];
            EXPECT_EQ(other["form"], best["form"]) << command[0];
            EXPECT_EQ(other["runner_up"], best["runner_up"]) << command[0];
        }
    }
}

TEST(OneTimeOfAll, IsOfTheFormThatIsAskedForAndNamed) {
    const std::string file = sample("attention.bp");
    const auto safe = answer_of({"cost", file, "--device", kCard, "--snapshot", "last"});
    const auto plain = answer_of({"cost", file, "--device", kCard, "--snapshot", "last", "--unsafe"});
    EXPECT_EQ(safe["timed_form"], "safe");
    EXPECT_EQ(plain["timed_form"], "plain");
    EXPECT_GT(blockscope_seconds(safe["states"][0]), blockscope_seconds(plain["states"][0]));
    EXPECT_EQ(safe["states"][0]["inputs"], plain["states"][0]["inputs"]) << "counts are as it is listed";
    const auto best = answer_of({"codegen", file, "--device", kCard, "--unsafe"})["best"];
    EXPECT_EQ(best["form"], "plain");
    EXPECT_EQ(best["value"].get<double>(), blockscope_seconds(plain["states"][0]));
    const auto built = answer_of({"codegen", file, "--device", kCard})["best"];
    EXPECT_EQ(built["value"].get<double>(), blockscope_seconds(safe["states"][0]));
    EXPECT_EQ(built["plain_value"], best["value"]);
    const std::string text = run_cli({"cost", file, "--device", kCard}).out;
    EXPECT_THAT(text, HasSubstr("predicted on NVIDIA H100 SXM5 80 GB, of the safe form\n"));
    EXPECT_THAT(text, HasSubstr("counts are of the plain form, as it is listed, times of the safe form"));
    EXPECT_THAT(run_cli({"cost", file, "--device", kCard, "--unsafe"}).out,
                HasSubstr(", of the plain form\n"));
    for (const std::vector<std::string>& command : {std::vector<std::string>{"fuse", file, "--device", kCard},
                                                    {"tune", file, "--predict", "--device", kCard}})
        EXPECT_THAT(run_cli(command).out,
                    HasSubstr("by predicted time on NVIDIA H100 SXM5 80 GB (safe form): "));
    EXPECT_THAT(run_cli({"codegen", file, "--device", kCard}).err, HasSubstr(" (safe form): "));
}

// The counts give a reason for a third of these steps; the terms of the prediction give one for all.
TEST(WorseSteps, OfAllSamplesSayWhy) {
    int steps = 0;
    for (const std::string& name : distinct_samples())
        for (const char* device : {kCard, "xeon-8480"}) {
            const auto worth = cli::worth_of(sample_trace(name), cli::stakes_of({}, device));
            ASSERT_TRUE(worth) << name;
            for (const cli::WorseStep& worse : worth->worse) {
                ++steps;
                EXPECT_THAT(worse.why.str(), HasSubstr("By the prediction "))
                    << name << " on " << device << ", step " << worse.step;
            }
        }
    EXPECT_GT(steps, 50);
}

}  // namespace
}  // namespace blockscope::test
