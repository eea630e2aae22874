// Generated CUDA compiles for real cards where NVRTC is there; what is said where it is not.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/driver/for_card.h"
#include "gpu/nvrtc/nvrtc.h"
#include "gpu/nvrtc/search.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using gpu::Nvrtc;
using testing::HasSubstr;

constexpr const char* kLog = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'kernel_1' for 'sm_80'
ptxas info    : Function properties for kernel_1
    200 bytes stack frame, 400 bytes spill stores, 396 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 1024 bytes smem, 384 bytes cmem[0]
kernels.cu(7): warning #177-D: variable "x" was declared but never referenced
ptxas info    : Compiling entry function 'kernel_2' for 'sm_80'
ptxas info    : Function properties for kernel_2
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers, 384 bytes cmem[0]
)";

TEST(NvrtcLog, TellsRegistersSpillsAndWarnings) {
    const std::vector<gpu::KernelReport> kernels = gpu::read_report(kLog);
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_EQ(kernels[0].kernel, "kernel_1");
    EXPECT_EQ(kernels[0].registers, 255);
    EXPECT_EQ(kernels[0].spill_stores, 400);
    EXPECT_EQ(kernels[0].spill_loads, 396);
    EXPECT_EQ(kernels[0].stack, 200);
    EXPECT_EQ(kernels[0].shared_bytes, 1024);
    EXPECT_EQ(kernels[1].registers, 40);
    EXPECT_EQ(gpu::read_warnings(kLog).size(), 1U);
}

// ptxas says "info" of what costs speed.
TEST(NvrtcLog, ALossOfSpeedIsAWarningAndSerialisedProductsAreAnError) {
    const std::string registers =
        "ptxas info    : (C7506) Potential Performance Loss: 'setmaxnreg' ignored to maintain minimum "
        "register "
        "requirements.\n";
    const std::string products =
        "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due "
        "to "
        "insufficient register resources for the wgmma pipeline in function 'kernel_1'\n";
    EXPECT_EQ(gpu::read_warnings(kLog + registers).size(), 2U);
    EXPECT_EQ(gpu::serialised(gpu::read_warnings(kLog + registers)), "");
    EXPECT_THAT(gpu::serialised(gpu::read_warnings(kLog + registers + products)), HasSubstr("C7510"));
}

TEST(NvrtcSearch, SaysWhatWasLookedForAndHowToInstallIt) {
    gpu::Search search;
    search.attempts = {{"libnvrtc.so.13", "cannot open shared object file"}};
    EXPECT_THAT(search.lines(), HasSubstr("libnvrtc.so.13: cannot open"));
    EXPECT_THAT(gpu::Nvrtc().report(), HasSubstr("pip install"));
}

TEST(NvrtcSearch, LooksNowhereElseThanWhereTheUserSays) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "blockscope-no-nvrtc";
    setenv("BLOCKSCOPE_NVRTC", (folder / "libnvrtc.so.99").c_str(), 1);
    const Nvrtc nvrtc = Nvrtc::open();
    unsetenv("BLOCKSCOPE_NVRTC");
    EXPECT_FALSE(nvrtc);
    ASSERT_EQ(nvrtc.search().attempts.size(), 1U) << nvrtc.search().lines();
    EXPECT_EQ(nvrtc.search().attempts[0].path, (folder / "libnvrtc.so.99").string());
    EXPECT_THAT(nvrtc.search().attempts[0].outcome, HasSubstr("No such file"));
    EXPECT_THAT(nvrtc.search().attempts[0].outcome, testing::Not(HasSubstr("libnvrtc.so.99")))
        << "said twice";
    EXPECT_GT(gpu::nvrtc_candidates().size(), 1U) << "without a word of the user";
}

class NvrtcCompiler : public testing::Test {
protected:
    void SetUp() override {
        if (!nvrtc_) GTEST_SKIP() << nvrtc_.report();
    }
    const Nvrtc nvrtc_ = Nvrtc::open();
};

TEST_F(NvrtcCompiler, GivesTheCompilersWordsForABrokenSource) {
    const Result<gpu::Compiled> compiled = nvrtc_.compile("__global__ void f() { oops; }", "sm_80");
    ASSERT_FALSE(compiled);
    EXPECT_THAT(compiled.problems().at(0).message, HasSubstr("oops"));
}

TEST_F(NvrtcCompiler, CompilesTheSameOnceOnly) {
    std::string folder = (std::filesystem::temp_directory_path() / "blockscope-cubin-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    const gpu::CubinCache cache(folder);
    const std::string source = "extern \"C\" __global__ void f(float* x) { x[threadIdx.x] *= 2; }";
    const gpu::Compiled first = cache.compile(nvrtc_, source, "sm_80").value();
    const gpu::Compiled second = cache.compile(nvrtc_, source, "sm_80").value();
    const gpu::Compiled other = cache.compile(nvrtc_, source, "sm_90").value();
    EXPECT_FALSE(first.from_cache);
    EXPECT_TRUE(second.from_cache);
    EXPECT_FALSE(other.from_cache);
    EXPECT_EQ(first.cubin, second.cubin);
    EXPECT_EQ(second.kernels.at(0).registers, first.kernels.at(0).registers);
    // An entry begins with what it is kept by.
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream in(entry.path());
        const std::string text(std::istreambuf_iterator<char>(in), {});
        EXPECT_THAT(text, HasSubstr("\n" + nvrtc_.version() + "\n")) << "behind the sizes";
        for (const char* option : {"-arch=sm_", "-std=c++17\n", "--ptxas-options=-v\n"})
            EXPECT_LT(text.find(option), text.find(source)) << option;
    }
    std::filesystem::remove_all(folder);
}

// Another instruction changes accumulators while a product adds to them: the compiler's own words.
TEST_F(NvrtcCompiler, TakesSerialisedProductsForAnError) {
    const std::vector<int> known = nvrtc_.architectures();
    if (std::find(known.begin(), known.end(), 90) == known.end())
        GTEST_SKIP() << "NVRTC does not know sm_90a";
    gpu::CodegenOptions options;
    options.target = gpu::Target::Sm90a;
    std::string text = source(
        gpu::generate(lower(make_safe(*fuse(block_sample("attention")).last()).program), options).value());
    const std::string commit = "    wgmma_commit();\n    wgmma_wait<0>();\n";
    const auto at = text.find(commit);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, commit.size(), "    to.v[0][0] += 1.0f;\n" + commit);
    const Result<gpu::Compiled> compiled = nvrtc_.compile(text, "sm_90a");
    ASSERT_FALSE(compiled);
    EXPECT_THAT(compiled.problems().at(0).message, HasSubstr("run one by one"));
}

TEST_F(NvrtcCompiler, CompilesProductsOfEightBits) {
    const std::vector<int> known = nvrtc_.architectures();
    for (const ElemType elem : {ElemType::E4M3, ElemType::E5M2})
        for (const gpu::Target target : {gpu::Target::Sm89, gpu::Target::Sm90, gpu::Target::Sm90a,
                                         gpu::Target::Sm100, gpu::Target::Sm120}) {
            const std::string card = gpu::architecture_of(target);
            if (std::find(known.begin(), known.end(), std::stoi(card.substr(3))) == known.end()) continue;
            gpu::CodegenOptions options;
            options.target = target;
            const LoopProgram loops =
                gpu::with_elements(lower(make_safe(*fuse(block_sample("mcfuser-s1")).last()).program), elem);
            const std::string text = source(gpu::generate(loops, options).value());
            EXPECT_THAT(text, HasSubstr("SharedTile<" + to_string(elem) + ", "));
            const Result<gpu::Compiled> compiled = nvrtc_.compile(text, card);
            ASSERT_TRUE(compiled) << card << ": " << compiled.problems().at(0).message;
            EXPECT_TRUE(compiled->warnings.empty()) << card << ": " << compiled->warnings.at(0);
            EXPECT_EQ(compiled->kernels.at(0).spill_stores, 0) << card;
        }
}

TEST_F(NvrtcCompiler, CompilesProductsOfEightBitsByGroupsOfWarps) {
    for (const std::string elem : {"e4m3", "e5m2"}) {
        const auto initial = std::make_shared<const BlockProgram>(
            to_block_program(*parse_program("dim M = 4096/128\ndim K = 4096/128\ndim N = 4096/128\n"
                                            "input X[M,K], Y[N,K] : " +
                                                elem + "\noutput Z = X @ Y.T\n",
                                            ""))
                .program);
        gpu::CodegenOptions options;
        options.target = gpu::Target::Sm90a;
        const gpu::KernelSet set = gpu::generate(lower(*fuse(initial).last()), options).value();
        EXPECT_TRUE(set.notes.empty()) << set.notes.at(0);
        EXPECT_THAT(source(set), HasSubstr("k32.f32." + elem + "." + elem));
        const Result<gpu::Compiled> compiled = nvrtc_.compile(source(set), "sm_90a");
        ASSERT_TRUE(compiled) << compiled.problems().at(0).message;
        EXPECT_TRUE(compiled->warnings.empty()) << compiled->warnings.at(0);
        EXPECT_EQ(compiled->kernels.at(0).spill_stores, 0);
    }
}

// Default sizes, the last state in its safe form; with BLOCKSCOPE_GPU_ALL every sample, snapshot and card.
TEST_F(NvrtcCompiler, CompilesTheSamples) {
    const bool all = std::getenv("BLOCKSCOPE_GPU_ALL") != nullptr;
    std::vector<std::string> names = {"attention", "layernorm-matmul", "rmsnorm-swiglu"};
    std::vector<std::string> cards = {"sm_75", "sm_90"};
    if (all) names = sample_names();
    if (all) cards = {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"};
    for (const std::string& name : names) {
        const Trace trace = fuse(block_sample(name));
        std::vector<int> steps = {static_cast<int>(trace.steps.size())};
        if (all) steps = trace.snapshots;
        for (const int step : steps) {
            const gpu::KernelSet set = gpu::generate(lower(make_safe(*trace.state(step)).program)).value();
            for (const std::string& card : cards) {
                const Result<gpu::Compiled> compiled = nvrtc_.compile(source(set), card);
                ASSERT_TRUE(compiled) << name << ": " << compiled.problems().at(0).message;
                EXPECT_TRUE(compiled->warnings.empty()) << name << ": " << compiled->warnings.at(0);
                EXPECT_EQ(compiled->kernels.size(), set.launches.size());
                for (const gpu::KernelReport& kernel : compiled->kernels)
                    std::printf("%s, step %d, %s, %s: %d registers, %d bytes spilled\n", name.c_str(), step,
                                card.c_str(), kernel.kernel.c_str(), kernel.registers, kernel.spill_stores);
            }
        }
    }
}

}  // namespace
}  // namespace blockscope::test
