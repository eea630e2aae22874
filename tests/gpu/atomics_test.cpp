// Parts of reductions that atomics add up: which, what is generated, the same results on the emulated card,
// what a second run finds, defects that are noticed, and when the model wants them.
#include <gmock/gmock.h>

#include "core/json/device_files.h"
#include "core/loops/built_loops.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "gpu/codegen/splits.h"
#include "gpu/nvrtc/nvrtc.h"
#include "tests/gpu/cases.h"
#include "tests/gpu/shapes.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using gpu::Combine;
using gpu::KernelSet;
using gpu::Target;
using testing::HasSubstr;

ProgramPtr norm_of(std::int64_t rows, std::int64_t depth, std::int64_t cols) {
    const std::string text = "dim M = " + std::to_string(rows) + "/16\ndim K = " + std::to_string(depth) +
                             "/24\ndim N = " + std::to_string(cols) +
                             "/24\ninput X[M,K], Y[K,N] : f16\noutput Z = layernorm(X, form=paper) @ Y\n";
    return std::make_shared<const BlockProgram>(to_block_program(*parse_program(text, "")).program);
}

KernelSet added(const LoopProgram& loops, int parts, Target target = Target::F32) {
    gpu::CodegenOptions options;
    options.target = target;
    options.parts = parts;
    options.combine = Combine::Atomics;
    return gpu::generate(loops, options).value();
}

TEST(Atomics, AddUpInOnePlace) {
    const LoopProgram loops = built(lower(*fuse(norm_of(40, 152, 40)).last()));
    const KernelSet set = added(loops, 3);
    ASSERT_EQ(set.launches.size(), 2U);
    EXPECT_TRUE(set.launches[0].adds);
    EXPECT_FALSE(set.launches[1].adds);
    EXPECT_EQ(set.launches[0].tiles, 3 * set.launches[1].tiles);
    int places = 0;
    for (const gpu::DeviceArray& array : set.arrays) {
        if (!array.zeroed) continue;
        ++places;
        EXPECT_EQ(array.elements % set.launches[1].tiles, 0) << "one for all parts";
        EXPECT_EQ(array.name.find("in parts"), std::string::npos);
    }
    EXPECT_EQ(places, 4) << "two sums of rows, one of columns, the product";
    EXPECT_THAT(set.notes.at(0), HasSubstr("which atomics add up in any order"));
}

TEST(Atomics, MaximaAreNoSums) {
    const LoopProgram loops = built(lower(make_safe(*fuse(block_sample("attention")).last()).program));
    const KernelSet set = added(loops, 3);
    EXPECT_EQ(set.launches.at(0).parts, 3);
    EXPECT_FALSE(set.launches.at(0).adds);
    EXPECT_THAT(set.notes.at(0), HasSubstr("No atomics: more than sums is handed on."));
}

class AddedUp : public Emulated {};

constexpr Shapes kRagged{{{38, 20}, {90, 18}, {52, 12}, {70, 16}}};
constexpr Shapes kLines{{{48, 16}, {136, 32}, {88, 16}, {40, 40}}};

int launches_that_add(const Batched& batch) {
    int launches = 0;
    for (int i = 0; i < batch.batch.size(); ++i)
        for (const gpu::Launch& launch : batch.batch.set(i).launches) launches += launch.adds ? 1 : 0;
    return launches;
}

TEST_F(AddedUp, SamplesInFloat32) {
    Batched batch;
    batch.options.parts = 3;
    batch.options.combine = Combine::Atomics;
    for (const std::string& name : chosen_samples()) {
        const Trace trace = fuse(float_sample(name));
        batch.add(make_case(name, *trace.last(), shaped(*trace.initial, kRagged), 2e-5));
    }
    EXPECT_GE(launches_that_add(batch), 8);
    batch.check();
}

TEST_F(AddedUp, SamplesOnTensorCoresAndInGroups) {
    for (const Target target : {Target::Sm80, Target::Sm90a}) {
        Batched batch;
        batch.options = {target, 128, false};
        batch.options.parts = 2;
        batch.options.combine = Combine::Atomics;
        for (const std::string name : {"layernorm-matmul", "rmsnorm-swiglu", "gemm-relu"}) {
            const Trace trace = fuse(sample_of(ElemType::BF16, name));
            batch.add(make_case(name, make_safe(*trace.last()).program, shaped(*trace.initial, kLines),
                                ElemType::BF16));
        }
        EXPECT_GE(launches_that_add(batch), 3) << to_string(target);
        batch.check();
    }
}

bool noticed(Batched& batch, const std::string& text) {
    batch.batch.compile(text);
    const Batch::Outcome outcome = batch.batch.run(0, batch.cases[0].inputs);
    return !outcome.error.empty() ||
           !(difference(batch.cases[0].expected, outcome.outputs) <= batch.cases[0].tolerance);
}

// `from`, the first time behind `behind`, becomes `to`.
std::string with(std::string text, const std::string& behind, const std::string& from,
                 const std::string& to) {
    const auto begin = text.find(behind);
    const auto at = begin == std::string::npos ? begin : text.find(from, begin);
    if (at == std::string::npos) throw std::runtime_error("the kernels have no " + from);
    return text.replace(at, from.size(), to);
}

TEST_F(AddedUp, NoticesWhatIsAddedWrongly) {
    Batched batch;
    batch.options.parts = 3;
    batch.options.combine = Combine::Atomics;
    const ProgramPtr norm = norm_of(40, 152, 40);
    batch.add(make_case("", *fuse(norm).last(), norm->dims, 1e-3));
    const std::string text = batch.batch.text();
    ASSERT_FALSE(noticed(batch, text));
    EXPECT_TRUE(noticed(batch, with(text, "", "global_add(&to->value, x.value)", "to->value = x.value")))
        << "a part replaces the others";
    EXPECT_TRUE(noticed(batch, with(text, "store<Added>", "tile_index()", "0 * tile_index()")))
        << "sums go to another thread block's place";
    EXPECT_TRUE(noticed(batch, with(text, "kernel_1_combine(", "store<float>(filled", "(filled")))
        << "sums stay for the next run";
    EXPECT_TRUE(noticed(batch, with(text, "kernel_1_combine(", "sync();", "")))
        << "zeros come before all threads have the sums";
    EXPECT_TRUE(noticed(batch, with(text, "KERNEL kernel_1(", "_end = i_k_first + 3 < 7", "_end = false")))
        << "a part goes on to the end";
}

// ---- The model's choice.

KernelSet for_h100(std::int64_t rows, std::int64_t cols, std::int64_t depth, Combine combine) {
    BlockProgram program = *block_sample("layernorm-matmul");
    for (Dim& dim : program.dims) {
        dim.size = dim.name == "M" ? rows : dim.name == "N" ? cols : depth;
        dim.block = std::min<std::int64_t>(dim.size, dim.name == "M" || dim.name == "N" ? 128 : 64);
    }
    gpu::CodegenOptions options;
    options.target = Target::Sm80;
    options.parts = 0;
    options.combine = combine;
    options.device = find_device(builtin_devices(), "h100-sxm5");
    return gpu::generate(built(lower(*fuse(std::make_shared<const BlockProgram>(program)).last())), options)
        .value();
}

TEST(AtomicsByModel, OneResultThatManyPartsShareIsAddedUp) {
    const KernelSet set = for_h100(128, 128, 1 << 16, Combine::ByModel);
    ASSERT_GT(set.launches.at(0).parts, 1);
    EXPECT_TRUE(set.launches.at(0).adds) << set.notes.at(0);
    EXPECT_THAT(set.notes.at(0), HasSubstr("last bits may differ from run to run"));
    const KernelSet repeatable = for_h100(128, 128, 1 << 16, Combine::Workspace);
    ASSERT_GT(repeatable.launches.at(0).parts, 1);
    EXPECT_FALSE(repeatable.launches.at(0).adds);
    EXPECT_LT(repeatable.launches.at(0).parts, set.launches.at(0).parts)
        << "fewer, as one thread block reads all of them";
}

// A few parts of many results: a workspace costs hardly more, and gives the same from run to run.
TEST(AtomicsByModel, ResultsThatFewPartsShareAreNot) {
    const KernelSet set = for_h100(1024, 1024, 8192, Combine::ByModel);
    EXPECT_GT(set.launches.at(0).parts, 1);
    EXPECT_FALSE(set.launches.at(0).adds) << set.notes.at(0);
}

TEST(AtomicsByModel, PredictionsCountThem) {
    const KernelSet set = for_h100(128, 128, 1 << 16, Combine::ByModel);
    const auto parts = gpu::parts_for_model(set);
    ASSERT_EQ(parts.size(), 1U);
    EXPECT_TRUE(parts.begin()->second.added);
}

TEST(Atomics, CompileForRealCards) {
    const gpu::Nvrtc nvrtc = gpu::Nvrtc::open();
    if (!nvrtc) GTEST_SKIP() << nvrtc.report();
    const LoopProgram loops = built(lower(*fuse(block_sample("layernorm-matmul")).last()));
    for (const auto& [target, card] : {std::pair{Target::F32, "sm_75"}, std::pair{Target::Sm80, "sm_80"},
                                       std::pair{Target::Sm90a, "sm_90a"}}) {
        const Result<gpu::Compiled> compiled = nvrtc.compile(source(added(loops, 4, target)), card);
        ASSERT_TRUE(compiled) << card << ": " << compiled.problems().at(0).message;
        EXPECT_TRUE(compiled->warnings.empty()) << card << ": " << compiled->warnings.at(0);
    }
}

}  // namespace
}  // namespace blockscope::test
