// Generated CUDA compiles for real cards where NVRTC is there; what is said where it is not.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/fusion/trace.h"
#include "core/loops/built_loops.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/driver/for_card.h"
#include "gpu/driver/microbenchmarks.h"
#include "gpu/nvrtc/nvrtc.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

namespace fs = std::filesystem;
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

// A folder that $BLOCKSCOPE_NVRTC names, with copies of a library that says its version by its name.
class NvrtcFolder : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "blockscope-nvrtc-XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
        use(folder_);
    }
    void TearDown() override {
        unsetenv("BLOCKSCOPE_NVRTC");
        fs::remove_all(folder_);
    }
    static void use(const fs::path& path) { setenv("BLOCKSCOPE_NVRTC", path.c_str(), 1); }
    void add(const std::string& name) const { fs::copy(BLOCKSCOPE_FAKE_NVRTC_LIBRARY, folder_ / name); }

    fs::path folder_;
};

// The library looks for them by bare name only.
TEST_F(NvrtcFolder, BuiltInsOfTheSameVersionAreOpenedFirst) {
    for (const std::string name :
         {"libnvrtc.so.13.0.88", "libnvrtc-builtins.so.13.0", "libnvrtc-builtins.so.13.1.5", "libnvrtc.so.12",
          "libnvrtc-builtins.so.12.8"})
        std::ofstream(folder_ / name) << "x";
    fs::create_symlink("libnvrtc.so.13.0.88", folder_ / "libnvrtc.so.13");
    for (const char* file : {"libnvrtc.so.13", "libnvrtc.so.13.0.88"}) {
        use(folder_ / file);
        const std::vector<gpu::Candidate> found = gpu::nvrtc_candidates();
        ASSERT_EQ(found.size(), 1U) << "a file is named";
        EXPECT_EQ(found[0].library, folder_ / file);
        EXPECT_EQ(found[0].builtins, folder_ / "libnvrtc-builtins.so.13.0");
    }
    use(folder_ / "libnvrtc.so.12");
    EXPECT_EQ(gpu::nvrtc_candidates().at(0).builtins, folder_ / "libnvrtc-builtins.so.12.8");
}

// A driver loads what compilers of its own major version make.
TEST_F(NvrtcFolder, ACompilerThatIsNewerThanTheDriverIsTheLastResort) {
    add("libnvrtc.so.13");
    EXPECT_EQ(Nvrtc::open(12040).version(), "13.1");
    add("libnvrtc.so.12");
    const Nvrtc older = Nvrtc::open(12040);
    EXPECT_EQ(older.version(), "12.1");
    EXPECT_EQ(older.search().found, folder_ / "libnvrtc.so.12");
    EXPECT_THAT(older.search().lines(), HasSubstr("13.1, newer than what the driver runs, CUDA 12.4"));
    EXPECT_EQ(Nvrtc::open(13000).version(), "13.1");
    EXPECT_EQ(Nvrtc::open().version(), "13.1") << "where there is no driver";
}

// Libraries that come with the program are taken before others.
TEST(NvrtcSearch, BeginsWhereTheProgramLies) {
    const fs::path own = fs::read_symlink("/proc/self/exe").parent_path() / "libnvrtc.so.99";
    std::ofstream(own) << "x";
    const std::vector<gpu::Candidate> found = gpu::nvrtc_candidates();
    fs::remove(own);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].library, own);
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
    EXPECT_GT(first.seconds, 0);
    EXPECT_NEAR(second.seconds, first.seconds, 1e-3 * first.seconds) << "that compiling took then";
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
        gpu::generate(built(lower(make_safe(*fuse(block_sample("attention")).last()).program)), options)
            .value());
    const std::string commit = "    wgmma_commit();\n    wgmma_wait<0>();\n";
    const auto at = text.find(commit);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, commit.size(), "    to.v[0][0] += 1.0f;\n" + commit);
    const Result<gpu::Compiled> compiled = nvrtc_.compile(text, "sm_90a");
    ASSERT_FALSE(compiled);
    EXPECT_THAT(compiled.problems().at(0).message, HasSubstr("run one by one"));
}

// What a card is calibrated by keeps the tensor cores busy: no spills, and no product that waits for the one
// before.
TEST_F(NvrtcCompiler, CompilesTheKernelsOfACalibration) {
    const std::vector<int> known = nvrtc_.architectures();
    for (const gpu::Target target :
         {gpu::Target::F32, gpu::Target::Sm80, gpu::Target::Sm90a, gpu::Target::Sm120}) {
        const std::string card = gpu::architecture_of(target);
        if (std::find(known.begin(), known.end(), std::stoi(card.substr(3))) == known.end()) continue;
        for (const std::string& text : {gpu::microbenchmark_source(target), gpu::clock_source()}) {
            const Result<gpu::Compiled> compiled = nvrtc_.compile(text, card);
            ASSERT_TRUE(compiled) << card << ": " << compiled.problems().at(0).message;
            EXPECT_TRUE(compiled->warnings.empty()) << card << ": " << compiled->warnings.at(0);
            for (const gpu::KernelReport& kernel : compiled->kernels)
                EXPECT_EQ(kernel.spill_stores, 0) << card << ", " << kernel.kernel;
        }
        const std::string text = gpu::microbenchmark_source(target);
        EXPECT_EQ(text.find("micro_groups") != std::string::npos, target == gpu::Target::Sm90a);
        EXPECT_EQ(text.find("m64n256k16.f32.f16.f16") != std::string::npos, target == gpu::Target::Sm90a);
    }
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
            const State state(fuse(block_sample("mcfuser-s1")).last(), safe_form().kept_in(elem));
            const std::string text = source(gpu::generate(state.loops(), options).value());
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
        const gpu::KernelSet set = gpu::generate(built(lower(*fuse(initial).last())), options).value();
        EXPECT_TRUE(set.notes.empty()) << set.notes.at(0);
        EXPECT_THAT(source(set), HasSubstr("k32.f32." + elem + "." + elem));
        const Result<gpu::Compiled> compiled = nvrtc_.compile(source(set), "sm_90a");
        ASSERT_TRUE(compiled) << compiled.problems().at(0).message;
        EXPECT_TRUE(compiled->warnings.empty()) << compiled->warnings.at(0);
        EXPECT_EQ(compiled->kernels.at(0).spill_stores, 0);
    }
}

// Without tensor cores, for cards that have none of sm_80. (cards_test.cpp has the others.)
TEST_F(NvrtcCompiler, CompilesThePapersExamplesForOlderCards) {
    for (const std::string name : {"attention", "layernorm-matmul", "rmsnorm-swiglu"}) {
        const BlockProgram state = make_safe(*fuse(block_sample(name)).last()).program;
        const gpu::KernelSet set = gpu::generate(built(lower(state))).value();
        const Result<gpu::Compiled> compiled = nvrtc_.compile(source(set), "sm_75");
        ASSERT_TRUE(compiled) << name << ": " << compiled.problems().at(0).message;
        EXPECT_TRUE(compiled->warnings.empty()) << name << ": " << compiled->warnings.at(0);
        EXPECT_EQ(compiled->kernels.size(), set.launches.size());
    }
}

}  // namespace
}  // namespace blockscope::test
