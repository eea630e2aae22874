// blockscope-cli import: a model's program, the report on it, and what is refused. What the programs compute
// is tests/import's.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "core/import/onnx_reader.h"
#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;

std::string model_file(const std::string& name) {
    return BLOCKSCOPE_SOURCE_DIR "/tests/import/models/" + name;
}

class ImportCommand : public testing::Test {
protected:
    void SetUp() override {
        if (!model::reads_onnx()) GTEST_SKIP() << "this build reads no ONNX: protobuf is missing";
    }
};

TEST_F(ImportCommand, PrintsAProgramThatOtherCommandsRead) {
    const Outcome program = run_cli({"import", model_file("gated.onnx")});
    EXPECT_THAT(program, ends(0, {"# Imported from gated.onnx, made by pytorch 1.13.0", "output "}));
    EXPECT_THAT(run_cli({"check", "-"}, program.out), ends(0, {"OK: "}));
    EXPECT_THAT(run_cli({"fuse", "-"}, program.out), ends(0, {"steps and the conversion proven"}));
}

// Every command that reads a program reads a model; what is assumed of it stands beside the output.
TEST_F(ImportCommand, OtherCommandsReadModelsThemselves) {
    const Outcome outcome = run_cli({"cost", model_file("bert-dynamic.onnx"), "--device", "h100-sxm5"});
    EXPECT_THAT(outcome, ends(0, {"step 0"}));
    EXPECT_THAT(outcome.err,
                HasSubstr("All of the model is understood. batch = 1 and seq = 128 are assumed."));
    EXPECT_THAT(run_cli({"fuse", model_file("cumsum.onnx")}).err,
                HasSubstr("One operator of the model has no form in the language and stays custom: CumSum."));
}

TEST_F(ImportCommand, WritesTheProgramToAFile) {
    const std::string file = (std::filesystem::path(testing::TempDir()) / "imported.bp").string();
    EXPECT_THAT(run_cli({"import", model_file("mlp.onnx"), "-o", file, "--report"}),
                ends(0, {"2 matrix products"}));
    std::ifstream read(file);
    const std::string text{std::istreambuf_iterator<char>(read), {}};
    EXPECT_EQ(text, run_cli({"import", model_file("mlp.onnx")}).out);
}

TEST_F(ImportCommand, SizesBindSymbols) {
    EXPECT_THAT(run_cli({"import", model_file("bert-dynamic.onnx"), "--report"}),
                ends(0, {"batch = 1  (--set batch=SIZE says otherwise)",
                         "8 matrix products, 1 softmax, 2 norms, 1 activation; 0 custom"}));
    const Outcome set = run_cli({"import", model_file("bert-dynamic.onnx"), "--set", "seq=512/64"});
    EXPECT_THAT(set, ends(0, {"dim seq = 512 / 64"}));
    for (const char* words : {"seq", "seq=", "=4", "seq=0", "seq=4x", "seq=4/8", "seq=99999999999"})
        EXPECT_THAT(run_cli({"import", model_file("bert-dynamic.onnx"), "--set", words}),
                    ends(2, {}, {"--set"}))
            << words;
    EXPECT_THAT(run_cli({"import", model_file("bert-dynamic.onnx"), "--set", "seq=4", "--set", "seq=8"}),
                ends(2, {}, {"--set names seq twice"}));
    EXPECT_THAT(run_cli({"import", model_file("bert-dynamic.onnx"), "--set", "nosuch=4"}),
                ends(3, {}, {"found no dimension nosuch; the model has batch and seq"}));
}

TEST_F(ImportCommand, TheReportNamesWhatHasNoForm) {
    EXPECT_THAT(run_cli({"import", model_file("cumsum.onnx"), "--report"}),
                ends(0, {"1 custom", "/CumSum (CumSum): the language has no operator for it yet"}));
    EXPECT_THAT(run_cli({"import", model_file("cumsum.onnx"), "--json"}),
                ends(0, {"\"blockscope\": \"import\"", "\"operator\": \"CumSum\"", "\"custom\": 1",
                         "\"tensor\": \"first.weight\"", "\"program\": "}));
    EXPECT_THAT(run_cli({"import", model_file("cumsum.onnx")}), ends(0, {"custom"}));
}

// Needs no protobuf.
TEST(ImportOfArchives, ReadsThemByWhatTheyAre) {
    EXPECT_THAT(run_cli({"import", model_file("export-bert.pt2"), "--report"}),
                ends(0, {"made by pytorch", ": 25 nodes",
                         "8 matrix products, 1 softmax, 2 norms, 1 activation; 0 custom"}));
    const Outcome program = run_cli({"import", model_file("export-dynamic.pt2"), "--set", "s27=64/32"});
    EXPECT_THAT(program, ends(0, {"dim s27 = 64 / 32", "= causal"}));
    EXPECT_THAT(run_cli({"check", "-"}, program.out), ends(0, {"OK: "}));
}

TEST(ImportOfArchives, DamagedOnesAreRefusedWithThePlace) {
    std::ifstream whole(model_file("export-bert.pt2"), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(whole), {}};
    const std::string cut = (std::filesystem::path(testing::TempDir()) / "cut.pt2").string();
    std::ofstream(cut, std::ios::binary) << bytes.substr(0, 3000);
    EXPECT_THAT(run_cli({"import", cut}),
                ends(3, {}, {"cut.pt2: found no directory at the end of the zip archive"}));
}

TEST_F(ImportCommand, WhatIsNoModelIsRefusedWithItsPlace) {
    EXPECT_THAT(run_cli({"import", model_file("none.onnx")}), ends(3, {}, {"none.onnx", "cannot be read"}));
    EXPECT_THAT(run_cli({"import", BLOCKSCOPE_SOURCE_DIR "/README.md"}), ends(3, {}, {"README.md: byte 1"}));
    std::ifstream whole(model_file("gpt2.onnx"), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(whole), {}};
    const std::string cut = (std::filesystem::path(testing::TempDir()) / "cut.onnx").string();
    std::ofstream(cut, std::ios::binary) << bytes.substr(0, 3000);
    const Outcome refused = run_cli({"import", cut});
    EXPECT_THAT(refused, ends(3, {}, {"byte 20, in the file", "cut short or damaged"}));
    EXPECT_EQ(refused.out, "");
}

}  // namespace
}  // namespace blockscope::test
