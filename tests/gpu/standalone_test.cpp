// Stand-alone files: the host's computation in double precision that they check a card with is right itself,
// and nvcc builds them where it is present.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/loops/built_loops.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "gpu/codegen/kernel_set.h"
#include "tests/gpu/cases.h"
#include "tests/gpu/elements.h"

namespace blockscope::test {
namespace {

namespace fs = std::filesystem;

class StandAlone : public testing::Test {
protected:
    StandAlone() {
        std::string pattern = (fs::temp_directory_path() / "blockscope-standalone-XXXXXX").string();
        if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder: " + pattern);
        folder_ = pattern;
    }
    ~StandAlone() override { fs::remove_all(folder_); }

    static int run(const std::string& command) { return std::system(command.c_str()); }

    // All thread blocks of all launches, by the host.
    Tensors<double> by_the_host(const gpu::KernelSet& set, const Tensors<double>& inputs) {
        std::string text = "constexpr int THREADS = 1;\nconstexpr bool FAST_MATH = false;\n" + reference(set);
        text += "extern \"C\" void run(void** arrays) {\n";
        for (const gpu::Launch& launch : set.launches)
            text += "    for (long long tile = 0; tile < " + std::to_string(launch.tiles) +
                    "; ++tile) reference::run_" + launch.kernel + "(tile, arrays);\n";
        const std::string source = folder_ + "/reference" + std::to_string(++libraries_) + ".cpp";
        const std::string library = source + ".so";
        std::ofstream(source) << text << "}\n";
        if (run(BLOCKSCOPE_COMPILER " -std=c++17 -w -O1 -fPIC -shared -o " + library + " " + source) != 0)
            throw std::runtime_error("the reference does not compile");
        void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) throw std::runtime_error(dlerror());
        std::vector<std::vector<unsigned char>> memory;
        std::vector<void*> arrays;
        for (const gpu::DeviceArray& array : set.arrays) {
            const auto given = inputs.find(array.name);
            const bool input = array.kind == gpu::DeviceArray::Kind::Input && given != inputs.end();
            memory.push_back(input ? encode(array.elem, given->second.data)
                                   : nan_bytes(array.elem, array.elements));
            if (array.zeroed) memory.back().assign(memory.back().size(), 0);
        }
        for (std::vector<unsigned char>& bytes : memory) arrays.push_back(bytes.data());
        reinterpret_cast<void (*)(void**)>(dlsym(handle, "run"))(arrays.data());
        Tensors<double> outputs;
        for (std::size_t i = 0; i < memory.size(); ++i)
            if (set.arrays[i].kind == gpu::DeviceArray::Kind::Output)
                outputs[set.arrays[i].name] = {set.arrays[i].shape, decode(set.arrays[i].elem, memory[i])};
        dlclose(handle);
        return outputs;
    }

    std::string folder_;
    int libraries_ = 0;
};

gpu::KernelSet set_for_target(gpu::Target target, const BlockProgram& program) {
    gpu::CodegenOptions options;
    options.target = target;
    return gpu::generate(built(lower(program)), options).value();
}

BlockProgram with_blocks(const BlockProgram& state, int size, int block) {
    BlockProgram program = state;
    for (Dim& dim : program.dims) {
        const bool blocked = dim.kind == DimKind::Blocked;
        dim.size = blocked ? size : 2;
        dim.block = blocked ? block : 1;
    }
    return program;
}

TEST_F(StandAlone, TheHostComputesWhatTheKernelsShould) {
    std::string why;
    if (!can_emulate(why)) GTEST_SKIP() << why;
    for (const std::string name : {"causal-attention", "layernorm-matmul", "rmsnorm-swiglu"})
        for (const bool fused : {false, true}) {
            const Trace trace = fuse(sample_of(ElemType::BF16, name));
            const BlockProgram state = make_safe(fused ? *trace.last() : *trace.initial).program;
            const Case one = make_case(name, state, with_blocks(state, 44, 20).dims, 2e-2);
            EXPECT_LE(difference(one.expected,
                                 by_the_host(set_for_target(gpu::Target::Sm80, one.program), one.inputs)),
                      one.tolerance)
                << name << (fused ? ", fused" : "");
        }
}

TEST_F(StandAlone, TheHostPutsPartsTogetherAsTheKernelsDo) {
    std::string why;
    if (!can_emulate(why)) GTEST_SKIP() << why;
    const BlockProgram state = *fuse(sample_of(ElemType::BF16, "layernorm-matmul")).last();
    const Case one = make_case("", state, with_blocks(state, 44, 20).dims, 2e-2);
    for (const gpu::Combine combine : {gpu::Combine::Workspace, gpu::Combine::Atomics}) {
        gpu::CodegenOptions options;
        options.target = gpu::Target::Sm80;
        options.parts = 3;
        options.combine = combine;
        const gpu::KernelSet set = gpu::generate(built(lower(one.program)), options).value();
        EXPECT_EQ(set.launches.at(0).adds, combine == gpu::Combine::Atomics);
        EXPECT_LE(difference(one.expected, by_the_host(set, one.inputs)), one.tolerance);
    }
}

// A launch that adds is checked with all that adds to the same place.
TEST_F(StandAlone, SumsOfAllPartsAreCheckedTogether) {
    const BlockProgram state = *fuse(sample_of(ElemType::BF16, "layernorm-matmul")).last();
    gpu::CodegenOptions options;
    options.parts = 3;
    options.combine = gpu::Combine::Atomics;
    const gpu::KernelSet set = gpu::generate(built(lower(with_blocks(state, 44, 20))), options).value();
    const std::string text = standalone_source(set);
    const std::string whole = std::to_string(set.launches.at(1).tiles);
    EXPECT_THAT(text, testing::HasSubstr("reference::run_kernel_1, " + whole + "LL, 3, all, "));
    EXPECT_THAT(text, testing::HasSubstr("reference::run_kernel_1_combine, " + whole + "LL, 1, all, "));
    EXPECT_THAT(text, testing::HasSubstr("CHECK(cudaMemset("));
}

class NvccBuilds : public StandAlone {
protected:
    void SetUp() override {
        StandAlone::SetUp();
        if (run(nvcc_ + " --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no nvcc";
    }
    void build(gpu::Target target, const BlockProgram& state) {
        build(target, standalone_source(set_for_target(target, state)));
    }
    void build(gpu::Target target, const std::string& source) {
        const std::string file = folder_ + "/kernels.cu";
        const std::string architecture =
            target == gpu::Target::Sm80 ? "-arch=sm_80" : "-gencode arch=compute_90a,code=sm_90a";
        std::ofstream(file) << source;
        EXPECT_EQ(run(nvcc_ + " -std=c++17 " + architecture + " -o " + folder_ + "/kernels " + file + " >" +
                      folder_ + "/log 2>&1"),
                  0);
        std::ifstream log(folder_ + "/log");
        EXPECT_EQ(std::string(std::istreambuf_iterator<char>(log), {}), "");
    }

    const std::string nvcc_ = fs::exists("/usr/local/cuda/bin/nvcc") ? "/usr/local/cuda/bin/nvcc" : "nvcc";
};

TEST_F(NvccBuilds, TheFile) {
    const BlockProgram state = make_safe(*fuse(sample_of(ElemType::BF16, "attention")).last()).program;
    for (const gpu::Target target : {gpu::Target::Sm80, gpu::Target::Sm90a})
        build(target, with_blocks(state, 104, 32));
}

// By hand and as the program itself runs kernels, arrays are described alike (gpu/driver/card_program.cpp).
TEST(StandAloneText, HasOneDescriptionOfArrays) {
    const BlockProgram state = make_safe(*fuse(sample_of(ElemType::BF16, "attention")).last()).program;
    const gpu::KernelSet set = set_for_target(gpu::Target::Sm90a, with_blocks(state, 128, 64));
    for (const std::string& text : {gpu::standalone_source(set), gpu::plan_source({set})})
        EXPECT_THAT(text, testing::HasSubstr("every.data(), 0, 3, 2, 0)"));
}

// Two kernels that hand an array over, in one file: products by warpgroups, then a norm without products.
TEST_F(NvccBuilds, APlanAsOneFile) {
    const auto kernels = [](gpu::Target target) {
        std::vector<gpu::KernelSet> sets;
        for (const char* text : {"dim M = 256 / 64\ndim K = 128 / 64\ninput X[M, K], W[K, K] : bf16\n"
                                 "output H = relu(X @ W)\n",
                                 "dim M = 256 / 64\ndim K = 128 / 64\ninput H[M, K] : bf16\n"
                                 "output Y = softmax(H)\n"}) {
            const ArrayProgram program = parse_program(text, "p.bp").value();
            const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(program).program));
            sets.push_back(set_for_target(target, make_safe(*trace.last()).program));
        }
        return sets;
    };
    for (const gpu::Target target : {gpu::Target::Sm80, gpu::Target::Sm90a}) {
        const std::string text = gpu::plan_source(kernels(target));
        EXPECT_THAT(text, testing::HasSubstr("plan_2::print(\"Y\""));
        EXPECT_THAT(text, testing::Not(testing::HasSubstr("print(\"H\""))) << "it is read by the second";
        EXPECT_THAT(text, testing::Not(testing::HasSubstr("plan_2::fill<<<1024")))
            << "the first writes what the second reads";
        build(target, text);
    }
}

// Where all kernels of a target give way to sm_80's, its own library has no products to call.
TEST_F(NvccBuilds, WhatGaveWayAltogether) {
    const Trace trace = fuse(sample_of(ElemType::BF16, "rmsnorm-swiglu"));
    const BlockProgram state = with_blocks(*trace.state(trace.snapshots.at(0)), 128, 64);
    const gpu::KernelSet set = set_for_target(gpu::Target::Sm90a, state);
    ASSERT_TRUE(set.warp_specialised);
    ASSERT_TRUE(set.wgmma.empty()) << "or nothing is shown";
    build(gpu::Target::Sm90a, state);
}

}  // namespace
}  // namespace blockscope::test
