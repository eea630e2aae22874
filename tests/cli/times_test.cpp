// blockscope-cli cost --device and devices: predicted times, descriptions and their sources.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Nothing of the user's or the machine's own.
Outcome run(const std::vector<std::string>& arguments) {
    return run_cli(arguments, {}, {"XDG_CONFIG_HOME=/nonexistent", "XDG_CACHE_HOME=/nonexistent"});
}

TEST(Times, StandBesideEachOther) {
    const Outcome outcome = run({"cost", sample("attention.bp"), "--device", "h100-sxm5", "--model", "all"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("predicted on NVIDIA H100 SXM5 80 GB, of the safe form\n"));
    for (const char* model : {"roofline", "mcfuser", "fusion-benefit", "blockscope"})
        EXPECT_THAT(outcome.out, HasSubstr(model));
    // 8.59 GFLOP at 989 TFLOP/s, 16.8 M exponentials at 4.18 T/s; the arrays stay in the L2.
    EXPECT_THAT(outcome.out, HasSubstr("1 O: Compute-bound: the matrix unit's operations take longer than"));
    EXPECT_THAT(outcome.out, HasSubstr("8.68 µs"));
}

TEST(Times, AsJsonAndCsvSayTheSame) {
    const std::vector<std::string> arguments = {
        "cost",    sample("attention.bp"), "--device", "a100-pcie-40gb", "--model",
        "mcfuser", "--snapshot",           "2"};
    std::vector<std::string> json_arguments = arguments;
    json_arguments.emplace_back("--json");
    const auto json = nlohmann::json::parse(run(json_arguments).out);
    EXPECT_EQ(json["device"], "a100-pcie-40gb");
    ASSERT_EQ(json["states"].size(), 1U);
    EXPECT_EQ(json["states"][0]["name"], "snapshot 2");
    const auto& times = json["states"][0]["times"];
    ASSERT_EQ(times.size(), 1U);
    EXPECT_EQ(times[0]["model"], "mcfuser");
    EXPECT_EQ(times[0]["binds"], "idle");
    const auto& terms = times[0]["kernels"][0]["terms"];
    const double sum = terms["memory"].get<double>() + terms["compute"].get<double>();
    EXPECT_NEAR(times[0]["seconds"].get<double>(), sum * (32 + 108) / 32, 1e-12);  // alpha
    std::vector<std::string> csv_arguments = arguments;
    csv_arguments.emplace_back("--csv");
    const std::vector<std::string> lines = lines_of(run(csv_arguments).out);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_THAT(lines[0], testing::EndsWith(",mcfuser_seconds,mcfuser_binds"));
    EXPECT_THAT(lines[1], testing::EndsWith(",idle"));
}

TEST(Times, OfFewerProcessorsAreLonger) {
    const auto seconds = [](const char* processors) {
        const Outcome outcome = run(
            {"cost", sample("gemm-relu.bp"), "--device", "xeon-8480", "--processors", processors, "--json"});
        return nlohmann::json::parse(outcome.out)["states"][0]["times"][0]["seconds"].get<double>();
    };
    EXPECT_GT(seconds("1"), 1.5 * seconds("2"));
}

// What the engine of a processor runs unless told otherwise: counts and times alike.
TEST(Times, OfAProcessorAreThoseOfFloat32) {
    const std::string file = sample("attention.bp");
    const auto state = [&](const std::string& device) {
        const Outcome outcome =
            run({"cost", file, "--device", device, "--model", "roofline", "--json", "--snapshot", "2"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return nlohmann::json::parse(outcome.out)["states"][0];
    };
    const auto card = state("h100-sxm5");
    const auto processor = state("ryzen-9-9950x");
    EXPECT_EQ(processor["inputs"]["bytes"], 2 * card["inputs"]["bytes"].get<std::int64_t>());
    EXPECT_THAT(run({"cost", file, "--device", "ryzen-9-9950x"}).out, HasSubstr("counted in f32"));
}

// Ratios name the baseline; a program read as a block program has but one.
TEST(Times, StandBesideBaselines) {
    const std::string file = sample("attention.bp");
    EXPECT_THAT(run({"cost", file, "--device", "h100-sxm5"}).out,
                AllOf(HasSubstr("\nlibrary "), HasSubstr("than library kernels\n")));
    EXPECT_THAT(run({"cost", file, "--device", "h100-sxm5", "--baseline", "operators"}).out,
                HasSubstr("than one kernel per operator\n"));
    const auto json = nlohmann::json::parse(run({"cost", file, "--device", "h100-sxm5", "--json"}).out);
    ASSERT_EQ(json["baselines"].size(), 4U);
    EXPECT_EQ(json["baselines"][0]["name"], "library");
    EXPECT_EQ(json["baselines"][0]["kernels"].size(), 3U);
    EXPECT_EQ(json["states"][0]["compulsory_bytes"], 4 * 4096 * 128 * 2);
    EXPECT_TRUE(json["verdict"].contains("fuse"));
}

// Nothing is measured, and the device need not be there.
TEST(Times, ChooseBlockSizesOfACardThatIsDescribed) {
    const Outcome outcome =
        run({"tune", sample("attention.bp"), "--predict", "--device", "h100-sxm5", "--json", "--top", "3"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    ASSERT_EQ(json["choices"].size(), 3U);
    double before = 0;
    for (const auto& choice : json["choices"]) {
        EXPECT_GE(choice["seconds"].get<double>(), before);
        before = choice["seconds"].get<double>();
        EXPECT_EQ(choice["target"], "sm_90a");
    }
    EXPECT_THAT(run({"tune", sample("attention.bp"), "--predict"}).out,
                HasSubstr("predicted on NVIDIA H100"));
}

TEST(Times, AskForWhatThereIs) {
    const std::string file = sample("softmax.bp");
    EXPECT_THAT(run({"cost", file, "--device", "tpu"}).err,
                HasSubstr("there is no device 'tpu'; there are a100-pcie-40gb, "));
    EXPECT_THAT(run({"cost", file, "--device", "h200", "--model", "oracle"}).err,
                HasSubstr("there is no time model 'oracle'; there are roofline, mcfuser"));
    EXPECT_THAT(run({"cost", file, "--device", "local"}).err, HasSubstr("this machine is not calibrated"));
    EXPECT_THAT(run({"cost", file, "--model", "roofline"}).out, HasSubstr("predicted on NVIDIA H100 SXM5"));
    EXPECT_THAT(run({"cost", file, "--snapshot", "9"}).err, HasSubstr("there is no snapshot 9; the run has"));
    EXPECT_THAT(run({"cost", file, "--processors", "2"}).err,
                HasSubstr("--processors needs --device or --model"));
    EXPECT_THAT(run({"cost", file, "--device", "h100-sxm5", "--processors", "5000"}).err,
                HasSubstr("--processors 5000: NVIDIA H100 SXM5"));
    for (const char* option : {"tpu", "./nothing.json"})
        EXPECT_NE(run({"cost", file, "--device", option}).code, 0) << option;
}

TEST(DevicesCommand, ListsThem) {
    EXPECT_THAT(run({"devices"}), ends(0, {"h100-sxm5", "/nonexistent/blockscope/devices"}));
    const auto json = nlohmann::json::parse(run({"devices", "--json"}).out);
    EXPECT_EQ(json["devices"].size(), 12U);
    EXPECT_EQ(json["devices"][0]["format"], "blockscope device");
}

// A line per figure; texts that hold quotes or commas are quoted.
TEST(DevicesCommand, WritesThemAsCommaSeparatedValues) {
    const std::string all = run({"devices", "--csv"}).out;
    EXPECT_EQ(all.substr(0, all.find('\n')), "device,figure,value,source,how");
    EXPECT_THAT(all, HasSubstr("\nh100-sxm5,\"processors\",132,\"h100-wp\",\"\"\n"));
    EXPECT_THAT(all, HasSubstr("\nl4,\"memory/3/bandwidth\",3e+11,\"l4-ds\",\"\"\n"));
    const std::string one = run({"devices", "l4", "--csv"}).out;
    EXPECT_THAT(one, testing::Not(HasSubstr("h100-sxm5,")));
    EXPECT_EQ(run({"devices", "--csv", "--json"}).code, 2);
}

TEST(DevicesCommand, ShowsEveryFigureWithItsSource) {
    EXPECT_THAT(run({"devices", "h100-sxm5"}),
                ends(0, {"HBM3 bandwidth", "matrix bf16 per_clock",
                         "h100-wp: NVIDIA H100 Tensor Core GPU Architecture, whitepaper"}));
}

TEST(DevicesCommand, TakesTheUsersOwn) {
    const std::filesystem::path config = std::filesystem::path(testing::TempDir()) / "blockscope-config";
    std::filesystem::create_directories(config / "blockscope/devices");
    std::string text = source_file("resources/devices/h200.json");
    text.replace(text.find("\"h200\""), 6, "\"mine\"");
    std::ofstream(config / "blockscope/devices/mine.json") << text;
    std::ofstream(config / "blockscope/devices/broken.json") << "{}";
    const std::vector<std::string> environment = {"XDG_CONFIG_HOME=" + config.string()};
    EXPECT_THAT(run_cli({"devices"}, {}, environment), ends(0, {"\nmine "}, {"left out: ", "broken.json"}));
    const std::string file = (config / "blockscope/devices/mine.json").string();
    EXPECT_EQ(run({"cost", sample("softmax.bp"), "--device", file}).code, 0);
    const Outcome broken = run({"devices", (config / "blockscope/devices/broken.json").string()});
    EXPECT_EQ(broken.code, 3);
    // Where it is asked for, too, the reason is said.
    const Outcome asked = run_cli({"cost", sample("softmax.bp"), "--device", "broken"}, {}, environment);
    EXPECT_EQ(asked.code, 5);
    EXPECT_THAT(asked.err, HasSubstr("there is no device 'broken'"));
    EXPECT_THAT(asked.err, HasSubstr("left out: "));
    std::filesystem::remove_all(config);
}

}  // namespace
}  // namespace blockscope::test
