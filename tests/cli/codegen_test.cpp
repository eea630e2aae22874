// blockscope-cli codegen.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <utility>

#include "core/json/device_files.h"
#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

TEST(Codegen, WritesAProgramThatNvccCouldBuild) {
    // D has one block: no sum over it is built, and its loop is the paper's.
    EXPECT_THAT(run_cli({"codegen", sample("attention.bp")}),
                ends(0, {"KERNEL kernel_1(", "// t6 = dot(t4,t5)", "int main() {"}));
    EXPECT_THAT(run_cli({"codegen", sample("attention.bp"), "--form", "paper"}),
                ends(0, {"KERNEL kernel_1(", "// t6 += dot(t4,t5)", "int main() {"}));
}

TEST(Codegen, TakesTheSafeFormUnlessToldOtherwise) {
    EXPECT_THAT(run_cli({"codegen", sample("attention.bp")}).out, HasSubstr("= row_max("));
    EXPECT_THAT(run_cli({"codegen", sample("attention.bp"), "--unsafe"}).out, Not(HasSubstr("= row_max(")));
}

TEST(Codegen, AnUnfusedStateIsManyKernels) {
    const Outcome outcome = run_cli({"codegen", sample("attention.bp"), "--step", "0"});
    EXPECT_THAT(outcome.out, HasSubstr("KERNEL kernel_4("));
}

TEST(Codegen, JsonSaysWhichLineShowsWhichNode) {
    const Outcome outcome = run_cli({"codegen", sample("gemm-relu.bp"), "--set", "M=64/32", "--json"});
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["target"], "f32");
    EXPECT_EQ(json["arrays"][0]["name"], "X");
    EXPECT_EQ(json["launches"][0]["tiles"], 2 * 32 * json["launches"][0]["parts"].get<int>());
    std::istringstream content(json["content"].get<std::string>());
    std::vector<std::string> lines(1);
    for (std::string line; std::getline(content, line);) lines.push_back(line);
    bool dot = false;
    for (const auto& entry : json["lines"]) {
        const std::string& line = lines.at(entry["line"].get<std::size_t>());
        dot = dot || line.find("+= dot(") != std::string::npos;
        EXPECT_EQ(entry["node"].get<std::string>().substr(0, 1), "n");
    }
    EXPECT_TRUE(dot);
}

TEST(Codegen, TensorCoresHaveTilesAndAHostThatChecksThem) {
    EXPECT_THAT(run_cli({"codegen", sample("attention.bp"), "--target", "sm_80", "--snapshot", "1"}),
                ends(0, {"mma.sync", "SharedTile<bf16, 128, 128, false>",
                         "fine = same(\"kernel_1\", reference::run_kernel_1"}));
}

// As the state is predicted to be built there, with the parts that its processors want.
TEST(Codegen, IsForTheDeviceThatIsNamed) {
    const std::string file = sample("attention.bp");
    const auto on = [&](const std::string& device) {
        return nlohmann::json::parse(run_cli({"codegen", file, "--device", device, "--json"}).out);
    };
    EXPECT_EQ(on("h100-sxm5")["target"], "sm_90a");
    EXPECT_EQ(on("h100-sxm5")["best"]["device"], "h100-sxm5");
    EXPECT_EQ(on("a100-pcie-40gb")["target"], "sm_80");
    EXPECT_THAT(run_cli({"codegen", file, "--device", "l4", "--target", "f32", "--json"}).out,
                HasSubstr("\"target\": \"f32\""));
    EXPECT_THAT(run_cli({"codegen", file, "--device", "xeon-8480"}), ends(2, {}, {"is a processor"}));
}

// What a card does not run has no time on it. Older targets and f32 run on each.
TEST(Codegen, RefusesATargetThatTheCardDoesNotRun) {
    const auto on = [](const std::string& device, const std::string& target) {
        return run_cli({"codegen", sample("gemm-relu.bp"), "--device", device, "--target", target, "--json"});
    };
    EXPECT_THAT(on("a100-sxm-80gb", "sm_90a"),
                ends(2, {}, {"--target sm_90a: NVIDIA A100 SXM 80 GB does not run it"}));
    EXPECT_EQ(on("rtx-4090", "sm_90a").code, 2);
    EXPECT_EQ(on("rtx-3080", "sm_89").code, 2);
    EXPECT_EQ(on("h100-pcie", "sm_100").code, 2);
    for (const auto& [device, target] :
         {std::pair{"h100-pcie", "sm_90a"}, {"h100-pcie", "sm_80"}, {"l4", "sm_86"}, {"b200", "sm_100"}})
        EXPECT_EQ(nlohmann::json::parse(on(device, target).out)["target"], target) << device;
}

// An L4 has 99 KiB, where sm_80 is for cards with 163.
TEST(Codegen, KeepsToTheSharedMemoryOfTheCard) {
    const std::vector<std::string> command{
        "codegen", sample("layernorm-matmul.bp"), "--device", "l4", "--target", "sm_80"};
    const auto most = [](std::vector<std::string> words) {
        words.emplace_back("--json");
        int bytes = 0;
        const auto json = nlohmann::json::parse(run_cli(words).out);
        for (const auto& launch : json["launches"])
            bytes = std::max(bytes, launch["shared_bytes"].get<int>());
        return bytes;
    };
    EXPECT_LE(most(command), 99 * 1024);
    std::vector<std::string> advised = command;
    std::smatch found;
    const std::string said = run_cli(command).err;
    ASSERT_TRUE(std::regex_search(said, found, std::regex(R"(with ((?:--set \S+ )+)the best)"))) << said;
    std::istringstream options(found[1]);
    for (std::string word; options >> word;) advised.push_back(word);
    EXPECT_GT(most(advised), 0);
    EXPECT_LE(most(advised), 99 * 1024);
    EXPECT_THAT(run_cli({"codegen", sample("attention.bp"), "--device", "l4", "--target", "sm_80", "--set",
                         "D=256/256", "--set", "N=4096/256"}),
                ends(3, {}, {"a thread block of NVIDIA L4 24 GB has 99 KiB"}));
}

TEST(Codegen, SaysOfWhichKernelsTimesInTf32Are) {
    const std::vector<std::string> command{"codegen", sample("gemm-relu.bp"), "--device", "a100-sxm-80gb",
                                           "--type"};
    const auto said = [&](const std::string& type) {
        std::vector<std::string> words = command;
        words.push_back(type);
        return run_cli(words).err;
    };
    EXPECT_THAT(said("tf32"), HasSubstr("in tf32 no time is predicted"));
    EXPECT_THAT(said("tf32"), Not(HasSubstr("As generated")));
    EXPECT_THAT(said("f32"), Not(HasSubstr("tf32 no time")));
}

// Where no card is named, nor here: kernels that any card runs, and times of those on the usual card.
TEST(Codegen, IsForTheUsualCardWhereThereIsNone) {
    const std::vector<std::string> nowhere{"BLOCKSCOPE_CUDA_DRIVER=/nowhere/libcuda.so"};
    const std::string file = sample("attention.bp");
    const Outcome outcome = run_cli({"codegen", file, "--json"}, {}, nowhere);
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["target"], "f32");
    EXPECT_EQ(json["best"]["device"], kUsualCard);
    EXPECT_EQ(json["best"]["target"], "f32");
    EXPECT_THAT(outcome.err,
                HasSubstr("There is no card here: the kernels are those that any card from sm_75 "
                          "on runs, and times are of those on NVIDIA H100 SXM5 80 GB."));
    EXPECT_THAT(outcome.err, HasSubstr("SXM5 80 GB, kernels for f32 (safe form): "));
    EXPECT_THAT(outcome.err, Not(HasSubstr("As generated"))) << "the time that is said is theirs";
    const double products = 4.0 * 4096 * 4096 * 128, peak = 132 * 256 * 1.98e9;  // of float32
    EXPECT_GT(json["best"]["value"].get<double>(), products / peak);
    // A target has a generation of cards.
    const Outcome older = run_cli({"codegen", file, "--target", "sm_86", "--json"}, {}, nowhere);
    EXPECT_EQ(nlohmann::json::parse(older.out)["best"]["device"], "rtx-3080");
    EXPECT_THAT(older.err, Not(HasSubstr("no card here")));
}

#ifdef BLOCKSCOPE_FAKE_CUDA_LIBRARY
TEST(Codegen, IsForTheCardOfThisMachine) {
    const std::vector<std::string> card{"BLOCKSCOPE_CUDA_DRIVER=" BLOCKSCOPE_FAKE_CUDA_LIBRARY};
    const std::string file = sample("attention.bp");
    const Outcome outcome = run_cli({"codegen", file, "--json"}, {}, card);
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["target"], "sm_80");
    EXPECT_THAT(outcome.err, HasSubstr("For the card of this machine, NVIDIA A100"));
    // A card that is named, and the target of one, stay what they are.
    const auto named =
        nlohmann::json::parse(run_cli({"codegen", file, "--device", "h100-sxm5", "--json"}, {}, card).out);
    EXPECT_EQ(named["target"], "sm_90a");
}
#endif

// Advice is of kernels for the target, too: who follows it has the time that it promises.
TEST(Codegen, AdvisesBlocksForItsTarget) {
    std::vector<std::string> command{"codegen", sample("attention.bp"), "--device", "h100-sxm5", "--target",
                                     "sm_80"};
    const std::string said = run_cli(command).err;
    const std::regex advice(R"(with ((?:--set \S+ )+)the best state is predicted to take ([^;]+);)");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(said, found, advice)) << said;
    std::istringstream options(found[1]);
    for (std::string word; options >> word;) command.push_back(word);
    EXPECT_THAT(run_cli(command).err, HasSubstr(", " + found[2].str()));
}

// The states are rated in kernels for the target; what is built in another way takes another time, which is
// said.
TEST(Codegen, SaysTheTimeOfWhatItGenerates) {
    const auto said = [](const std::vector<std::string>& more) {
        std::vector<std::string> words{"codegen", sample("attention.bp"), "--device", "h100-sxm5"};
        words.insert(words.end(), more.begin(), more.end());
        return run_cli(words).err;
    };
    EXPECT_THAT(said({}), Not(HasSubstr("As generated")));
    for (const std::string target : {"f32", "sm_80"}) {
        EXPECT_THAT(said({"--target", target}), HasSubstr("SXM5 80 GB, kernels for " + target + " ("));
        EXPECT_THAT(said({"--target", target}), Not(HasSubstr("As generated")));
    }
    const std::string whole = said({"--parts", "1"});
    EXPECT_THAT(whole, testing::ContainsRegex("As generated \\([a-z0-9_]+\\): [0-9.]+ .?.s, "
                                              "predicted for NVIDIA H100 SXM5"));
    EXPECT_THAT(whole, Not(HasSubstr("is predicted to take"))) << "advice would be about other kernels";
}

TEST(Codegen, PartsComeTogetherAsAskedFor) {
    for (const std::string how : {"workspace", "atomics"}) {
        const Outcome outcome =
            run_cli({"codegen", sample("layernorm-matmul.bp"), "--parts", "3", "--combine", how, "--json"});
        const auto json = nlohmann::json::parse(outcome.out);
        EXPECT_EQ(json["launches"][0]["parts"], 3);
        EXPECT_EQ(json["launches"][0]["adds"], how == "atomics");
        EXPECT_THAT(outcome.err, HasSubstr(how == "atomics" ? "last bits may differ" : "puts them together"));
    }
    EXPECT_EQ(run_cli({"codegen", sample("layernorm-matmul.bp"), "--combine", "luck"}).code, 2);
}

TEST(Codegen, WhatDoesNotFitACardIsSaidWithItsSize) {
    EXPECT_THAT(run_cli({"codegen", sample("attention.bp"), "--target", "sm_86", "--set", "D=256/256"}),
                ends(3, {}, {"sm_86 has 99 KiB", "These fit: --set "}));
}

// Nobody has asked for the blocks of the file: smaller ones take their place, and that is said.
TEST(Codegen, TheFilesBlocksGiveWayToSmallerOnesThatFit) {
    EXPECT_THAT(run_cli({"codegen", sample("rmsnorm-swiglu.bp"), "--target", "sm_86", "--state", "last"}),
                ends(0, {}, {"With smaller blocks than the file's (--set ", "sm_86 has 99 KiB"}));
}

TEST(Codegen, WhatCannotBeGeneratedIsBadInput) {
    EXPECT_THAT(run_cli({"codegen", sample("attention.bp"), "--set", "M=4096/4096", "--set", "N=4096/4096"}),
                ends(3, {}, {"no CUDA for `", "4096 x 128", "These fit: --set M=4096/"}));
}

// What is in the folder, tests/handover asks.
TEST(CodegenPytorch, WritesAFolder) {
    const fs::path folder = fs::path(testing::TempDir()) / "blockscope-pytorch" / "deeper";
    fs::remove_all(folder);
    const std::vector<std::string> asked = {"codegen",   sample("gemm-relu.bp"), "--set", "M=64/32",
                                            "--pytorch", folder.string()};
    EXPECT_THAT(run_cli(asked), ends(0, {"Wrote ", "Next: python3 ", "check.py"}, {"best of "}));
    std::vector<std::string> with_json = asked;
    with_json.emplace_back("--json");
    const auto json = nlohmann::json::parse(run_cli(with_json).out);
    EXPECT_EQ(json["output"], folder.string());
    EXPECT_EQ(json["files"].size(), 9U);
    for (const auto& file : json["files"]) EXPECT_TRUE(fs::exists(folder / file.get<std::string>())) << file;
    EXPECT_TRUE(fs::exists(folder / "gemm_relu.cu"));
    fs::remove_all(folder.parent_path());
}

TEST(CodegenPytorch, RefusesWhatItCannotWrite) {
    const std::string custom = "dim M = 64 / 16\ninput X[M, M]\noutput Y = custom(\"mystery\", X)\n";
    EXPECT_THAT(run_cli({"codegen", "-", "--pytorch", "nowhere"}, custom),
                ends(3, {}, {"no C++ for `Y = mystery(X)`", "nobody knows what it computes"}));
    EXPECT_FALSE(fs::exists("nowhere"));
    EXPECT_THAT(run_cli({"codegen", sample("gemm-relu.bp"), "--pytorch", "a", "-o", "b"}),
                ends(2, {}, {"--output"}));
    EXPECT_THAT(run_cli({"codegen", sample("gemm-relu.bp"), "--pytorch", "/dev/null/a"}),
                ends(2, {}, {"cannot make the folder /dev/null/a"}));
    const std::string blocks = run_cli({"fuse", sample("gemm-relu.bp"), "--format", "json"}).out;
    EXPECT_THAT(run_cli({"codegen", "-", "--pytorch", "nowhere"}, blocks),
                ends(2, {}, {"--pytorch needs an array program"}));
}

// Blocks that no card has room for are no reason to hand nothing over.
TEST(CodegenPytorch, GoesWithoutCudaWhereThereIsNone) {
    const fs::path folder = fs::path(testing::TempDir()) / "blockscope-without-cuda";
    EXPECT_THAT(run_cli({"codegen", sample("gemm-relu.bp"), "--set", "M=4096/4096", "--set", "N=4096/4096",
                         "--pytorch", folder.string()}),
                ends(0, {"Wrote "}, {"Without CUDA: no CUDA for `"}));
    EXPECT_FALSE(fs::exists(folder / "gemm_relu.cu"));
    fs::remove_all(folder);
}

}  // namespace
}  // namespace blockscope::test
