// The files of a folder: which there are, what they hold, and that nvcc takes the CUDA.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "gpu/handover/folder.h"
#include "gpu/handover/torch_reference.h"
#include "tests/gpu/shapes.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::map<std::string, std::string> files_of(const gpu::Handover& handover) {
    std::map<std::string, std::string> files;
    const auto made = gpu::handover_files(handover);
    for (const gpu::HandedFile& file : made.value()) files[file.name] = file.text;
    return files;
}

std::map<std::string, std::string> files_of_sample(const std::string& name, gpu::Target target) {
    const ArrayProgram program = read_sample(name);
    const State state(sample_trace(name).last(), safe_form());
    return files_of({.file = name + ".bp",
                     .state = "step 17",
                     .program = &program,
                     .kernels = state,
                     .cuda = gpu::generate(state.loops(), {.target = target})});
}

std::string reference_of(const std::string& text) {
    return gpu::torch_reference(parse_program(text, "p.bp").value()).value();
}

// Neither Python's own modules nor names of the module are hidden, and no name breaks a text.
TEST(Folder, NamesHideNothingOfPython) {
    EXPECT_EQ(gpu::handed_name("attention.bp"), "attention");
    for (const char* name : {"copy", "random", "select", "CXX", "build", "len", "torch"})
        EXPECT_EQ(gpu::handed_name(std::string(name) + ".bp"), std::string(name) + "_fused");
    const ArrayProgram program =
        parse_program("dim M = 32\ndim N = 32\ninput len[M, N], len_[M, N] : f32\noutput O = len + len_\n",
                      "p.bp")
            .value();
    const State state(std::make_shared<const BlockProgram>(to_block_program(program).program), safe_form());
    const auto files = files_of({.file = "it's \xff.bp",
                                 .state = "step 0",
                                 .program = &program,
                                 .kernels = state,
                                 .cuda = Problem{{}, Text("it is not asked for")}});
    EXPECT_THAT(files.at("it_s__.py"), HasSubstr("def it_s__(len__, len_):"));
    EXPECT_THAT(files.at("README.md"), HasSubstr("codegen 'it'\\''s ?.bp' --pytorch"));
    EXPECT_THAT(files.at("README.md"), Not(HasSubstr("CUDA was never run")));
}

// Nobody's own files are replaced; a folder that was written here is written again.
TEST(Folder, ReplacesNoFilesOfOthers) {
    const fs::path folder = fs::path(testing::TempDir()) / "handed_over";
    fs::remove_all(folder);
    const std::vector<gpu::HandedFile> files = {{"check.py", ""}, {"README.md", ""}};
    EXPECT_FALSE(gpu::not_to_overwrite(folder, files));
    fs::create_directories(folder);
    EXPECT_FALSE(gpu::not_to_overwrite(folder, files));
    std::ofstream(folder / "check.py") << "mine";
    const auto problem = gpu::not_to_overwrite(folder, files);
    ASSERT_TRUE(problem);
    EXPECT_THAT(problem->message.str(), HasSubstr("has a file check.py that was not written here"));
    std::ofstream(folder / "README.md") << "`blockscope-cli codegen a.bp --pytorch FOLDER`";
    EXPECT_FALSE(gpu::not_to_overwrite(folder, files));
    fs::remove_all(folder);
}

TEST(Folder, HasAllFilesByTheNameOfTheProgram) {
    const auto files = files_of_sample("causal-attention", gpu::Target::Sm80);
    std::vector<std::string> names;
    for (const auto& [name, text] : files) names.push_back(name);
    EXPECT_THAT(names, testing::ElementsAre("README.md", "bench.py", "blocks.h", "causal_attention.cpp",
                                            "causal_attention.cu", "causal_attention.py", "check.py",
                                            "operators.py", "reference.py"));
    for (const auto& [name, text] : files)
        EXPECT_THAT(text, Not(testing::ContainsRegex("@[A-Z_]+@")))
            << name << " has a place that nothing took";
    const std::string& module = files.at("causal_attention.py");
    EXPECT_THAT(module, HasSubstr("def causal_attention(Q, K, V):"));
    EXPECT_THAT(module, HasSubstr("    (\"Q\", \"bfloat16\", (32, 4096, 128)),\n"));
    EXPECT_THAT(module, HasSubstr("CPU_ARRAYS = [\"Q\", \"K\", \"V\", \"O\"]"));
    EXPECT_THAT(module, HasSubstr("CUDA_TARGET = \"sm_80\""));
    EXPECT_THAT(files.at("README.md"), HasSubstr("never run on a card"));
    EXPECT_THAT(files.at("README.md"), HasSubstr("row_max("));
}

TEST(Folder, WithoutCudaSaysWhy) {
    const ArrayProgram program = read_sample("attention");
    const auto files = files_of({.file = "attention.bp",
                                 .state = "step 17",
                                 .program = &program,
                                 .kernels = State(sample_trace("attention").last(), safe_form()),
                                 .cuda = Problem{{}, Text("blocks are too large for %1", std::string("T"))}});
    EXPECT_EQ(files.count("attention.cu"), 0U);
    EXPECT_THAT(files.at("attention.py"), HasSubstr("CUDA_TARGET = None"));
    EXPECT_THAT(files.at("README.md"), HasSubstr("no CUDA here: blocks are too large for T."));
}

TEST(Folder, TakesNamesThatPythonTakes) {
    EXPECT_EQ(gpu::handed_name("samples/causal-attention.bp"), "causal_attention");
    EXPECT_EQ(gpu::handed_name("2 layers.bp"), "program_2_layers");
    EXPECT_EQ(gpu::handed_name("check.bp"), "check_fused");
    EXPECT_EQ(gpu::handed_name("lambda.bp"), "lambda_fused");
    EXPECT_EQ(gpu::handed_name("<stdin>"), "_stdin_");
}

TEST(Reference, ReadsLikeTheProgram) {
    EXPECT_THAT(gpu::torch_reference(read_sample("causal-attention")).value(),
                HasSubstr("from operators import causal, softmax\n\nDD = 128\n\n\n"
                          "def reference(Q, K, V):\n"
                          "    C = causal(4096, 4096, window=0, like=Q)\n"
                          "    v1 = K.transpose(-1, -2)\n"
                          "    v2 = Q @ v1\n"
                          "    v3 = v2*(DD**-0.5)\n"
                          "    S = v3+C\n"
                          "    P = softmax(S)\n"
                          "    O = P @ V\n"
                          "    return O\n"));
}

TEST(Reference, AlignsBatchesAndVectors) {
    const std::string text = reference_of(
        "batch B = 2\nbatch H = 3\ngroup G = 4\ndim M = 8 / 4\ndim N = 8 / 4\n"
        "input Q[B, H, G, M, N], K[B, H, N, M], v[N], c[M], w[B, H, N], s[]\n"
        "output A = Q @ K\noutput C = (Q + v) * c\noutput D = Q * s\noutput E = sum(Q + w, H)\n");
    EXPECT_THAT(text, HasSubstr("A = Q @ K[:, :, None]\n"));
    EXPECT_THAT(text, HasSubstr("= Q+v\n"));
    EXPECT_THAT(text, HasSubstr("*c[:, None]\n"));
    EXPECT_THAT(text, HasSubstr("D = Q*s\n"));
    EXPECT_THAT(text, HasSubstr("Q+w[:, :, None, None]\n"));
    EXPECT_THAT(text, HasSubstr(".sum(1)\n"));
    EXPECT_THAT(text, HasSubstr("    return A, C, D, E\n"));
}

TEST(Reference, RefusesWhatNobodyKnows) {
    const auto made = gpu::torch_reference(
        parse_program("dim M = 64\ninput X[M, M]\noutput Y = custom(\"mystery\", X)\n", "p.bp").value());
    ASSERT_FALSE(made);
    EXPECT_THAT(to_string(made.problems().front()), HasSubstr("p.bp:3:"));
    EXPECT_THAT(to_string(made.problems().front()), HasSubstr("no PyTorch for custom(\"mystery\")"));
}

// Not on a card: that nvcc takes the library, and says nothing about it.
TEST(CudaLibrary, IsWhatNvccTakes) {
    const std::string nvcc = fs::exists("/usr/local/cuda/bin/nvcc") ? "/usr/local/cuda/bin/nvcc" : "nvcc";
    if (std::system((nvcc + " --version >/dev/null 2>&1").c_str()) != 0) GTEST_SKIP() << "there is no nvcc";
    std::string folder = (fs::temp_directory_path() / "blockscope-library-XXXXXX").string();
    ASSERT_TRUE(mkdtemp(folder.data()));
    std::ofstream(folder + "/a.cu") << files_of_sample("attention", gpu::Target::Sm90a).at("attention.cu");
    EXPECT_EQ(
        std::system((nvcc + " -std=c++17 -gencode arch=compute_90a,code=sm_90a -shared -Xcompiler -fPIC -o " +
                     folder + "/a.so " + folder + "/a.cu >" + folder + "/log 2>&1")
                        .c_str()),
        0);
    std::ifstream log(folder + "/log");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(log), {}), "");
    fs::remove_all(folder);
}

}  // namespace
}  // namespace blockscope::test
