// blockscope-cli codegen.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Codegen, WritesAProgramThatNvccCouldBuild) {
    const Outcome outcome = run_cli({"codegen", sample("attention.bp")});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("KERNEL kernel_1("));
    EXPECT_THAT(outcome.out, HasSubstr("// t6 += dot(t4,t5)"));
    EXPECT_THAT(outcome.out, HasSubstr("int main() {"));
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
    EXPECT_EQ(json["launches"][0]["tiles"], 2 * 32);
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
    const Outcome outcome =
        run_cli({"codegen", sample("attention.bp"), "--target", "sm_80", "--snapshot", "1"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("mma.sync"));
    EXPECT_THAT(outcome.out, HasSubstr("SharedTile<bf16, 128, 128, false>"));
    EXPECT_THAT(outcome.out, HasSubstr("fine = same(\"kernel_1\", reference::run_kernel_1"));
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
    const Outcome outcome =
        run_cli({"codegen", sample("attention.bp"), "--target", "sm_86", "--set", "D=256/256"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("sm_86 has 99 KiB"));
    EXPECT_THAT(outcome.err, HasSubstr("These fit: --set "));
}

// Nobody has asked for the blocks of the file: smaller ones take their place, and that is said.
TEST(Codegen, TheFilesBlocksGiveWayToSmallerOnesThatFit) {
    const Outcome outcome = run_cli({"codegen", sample("rmsnorm-swiglu.bp"), "--target", "sm_86"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("With smaller blocks than the file's (--set "));
    EXPECT_THAT(outcome.err, HasSubstr("sm_86 has 99 KiB"));
}

TEST(Codegen, WhatCannotBeGeneratedIsBadInput) {
    const Outcome outcome =
        run_cli({"codegen", sample("attention.bp"), "--set", "M=4096/4096", "--set", "N=4096/4096"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("no CUDA for `"));
    EXPECT_THAT(outcome.err, HasSubstr("4096 x 4096"));
}

}  // namespace
}  // namespace blockscope::test
