// Reductions in parts: which loops can be, what is generated, the same results on the emulated card, defects
// that are noticed, and when the model wants them.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "core/json/device_files.h"
#include "core/loops/built_loops.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "gpu/codegen/splits.h"
#include "gpu/nvrtc/nvrtc.h"
#include "tests/gpu/cases.h"
#include "tests/gpu/compile_apart.h"
#include "tests/gpu/shapes.h"
#include "tests/support/random_program.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using gpu::Carried;
using gpu::KernelSet;
using gpu::Target;
using testing::HasSubstr;

ProgramPtr blocks_of(const std::string& text) {
    return std::make_shared<const BlockProgram>(to_block_program(*parse_program(text, "")).program);
}

constexpr const char* kAttention =
    "dim M = 40/32\ndim N = 160/24\ndim D = 24/24\ndim L = 32/32\n"
    "input Q[M,D], K[N,D], V[N,L] : f16\noutput O = softmax(Q @ K.T * D^-0.5) @ V\n";
constexpr const char* kNorm =
    "dim M = 40/32\ndim K = 152/24\ndim N = 40/24\n"
    "input X[M,K], Y[K,N] : f16\noutput Z = layernorm(X, form=paper) @ Y\n";

KernelSet in_parts(const LoopProgram& loops, int parts, Target target = Target::F32) {
    gpu::CodegenOptions options;
    options.target = target;
    options.parts = parts;
    return gpu::generate(loops, options).value();
}

// The first kernel's reduction.
gpu::Splittable first_of(const LoopProgram& loops) {
    return gpu::splittable(gpu::cut_into_kernels(loops).front(), loops);
}

std::string how_of(const gpu::Splittable& what) {
    std::string text;
    for (const Carried& one : what.carried)
        text += one.how == Carried::How::Sum ? "+" : one.how == Carried::How::Largest ? ">" : "*";
    std::sort(text.begin(), text.end());
    return text;
}

TEST(Parts, SumsAndOnlineSoftmaxAreRecognised) {
    const LoopProgram sums = built(lower(*fuse(blocks_of(kNorm)).last()));
    EXPECT_EQ(how_of(first_of(sums)), "++++") << first_of(sums).why_not;
    for (const SharedExponent sharing : {SharedExponent::PerRow, SharedExponent::PerBlock}) {
        const LoopProgram online =
            built(lower(make_safe(*fuse(blocks_of(kAttention)).last(), sharing).program));
        EXPECT_EQ(how_of(first_of(online)), "**>") << first_of(online).why_not;
    }
}

// A loop's line changed: what is then no sum any more is not taken for one.
std::string refusal_of(const std::function<void(Statement&)>& change) {
    LoopProgram loops = built(lower(make_safe(*fuse(blocks_of(kAttention)).last()).program));
    const std::function<Block(const Block&)> changed = [&](const Block& block) {
        Block copy = block;
        for (Statement& statement : copy) {
            change(statement);
            if (const auto* loop = std::get_if<LoopPtr>(&statement.what)) {
                Loop inner = **loop;
                inner.body = changed(inner.body);
                statement.what = std::make_shared<const Loop>(std::move(inner));
            }
        }
        return copy;
    };
    loops.body = changed(loops.body);
    return first_of(loops).why_not;
}

TEST(Parts, WhatIsNoSumIsNotTakenForOne) {
    EXPECT_EQ(refusal_of([](Statement&) {}), "");
    const DimTable dims = blocks_of(kAttention)->dims;
    const auto evaluated = [&](const std::string& text, const ExprPtr& other) {
        return [&dims, text, other](Statement& line) {
            auto* made = std::get_if<Evaluate>(&line.what);
            if (made && to_string(*made->expr, {"a", "b", "c"}, dims) == text) made->expr = other;
        };
    };
    // The new exponential is squared: no longer relative to the new maximum alone.
    EXPECT_THAT(refusal_of(evaluated("exp(a)", call(Fn::Exp, call(Fn::Mul, number(2), arg(0))))),
                HasSubstr("is no sum"));
    // The factor is not exp(before - now).
    EXPECT_THAT(refusal_of(evaluated("exp(a-b)", call(Fn::Exp, call(Fn::Sub, arg(1), arg(0))))),
                HasSubstr("is no sum"));
    EXPECT_THAT(refusal_of(evaluated("max(a,b)", call(Fn::Min, arg(0), arg(1)))), HasSubstr("is no sum"));
    EXPECT_THAT(refusal_of([](Statement& line) {
                    if (auto* first = std::get_if<Initialise>(&line.what)) first->value = 1;
                }),
                testing::AnyOf(HasSubstr("begin with 0"), HasSubstr("smallest number")));
    EXPECT_THAT(refusal_of([](Statement& line) {
                    auto* made = std::get_if<Compute>(&line.what);
                    if (made && made->op == FunctionalOp::Add) made->op = FunctionalOp::Mul;
                }),
                HasSubstr("is no sum"));
}

TEST(Parts, AreTwoLaunchesAndAWorkspace) {
    const LoopProgram loops = built(lower(make_safe(*fuse(blocks_of(kAttention)).last()).program));
    const KernelSet whole = in_parts(loops, 1), set = in_parts(loops, 3);
    ASSERT_EQ(whole.launches.size(), 1U);
    ASSERT_EQ(set.launches.size(), 2U);
    EXPECT_EQ(set.launches[0].tiles, 3 * whole.launches[0].tiles);
    EXPECT_EQ(set.launches[1].tiles, whole.launches[0].tiles);
    EXPECT_EQ(set.launches[0].parts, 3);
    EXPECT_TRUE(set.launches[1].combines);
    EXPECT_EQ(set.launches[0].part_bytes, 4 * (32 + 32 + 32 * 32)) << "sum, maximum and product of a block";
    EXPECT_EQ(set.arrays.size(), whole.arrays.size() + 3);
    ASSERT_EQ(set.notes.size(), 1U);
    EXPECT_THAT(set.notes[0], HasSubstr("in 3 parts side by side, and kernel_1_combine puts them together"));
    EXPECT_EQ(set.reference_launches.size(), 2U) << "the stand-alone file checks both";
}

TEST(Parts, ALoopOfFewIterationsHasNoMorePartsThanThose) {
    const LoopProgram loops = built(lower(*fuse(blocks_of(kNorm)).last()));  // 7 iterations
    EXPECT_EQ(in_parts(loops, 100).launches[0].parts, 7);
    EXPECT_EQ(in_parts(loops, 4).launches[0].parts, 4) << "2 + 2 + 2 + 1";
    EXPECT_EQ(in_parts(loops, 5).launches[0].parts, 4);
}

std::string text_of(const KernelSet& set, const std::string& kernel) {
    std::string all;
    for (const gpu::SourceLine& line : set.lines) all += line.text + "\n";
    const auto begin = all.find("KERNEL " + kernel + "(");
    return begin == std::string::npos ? "" : all.substr(begin, all.find("\n}\n", begin) - begin);
}

// Of several loops the one that loads most: what it needs of the others is done by every part, what follows
// once.
TEST(Parts, OfSeveralLoopsTheOneThatLoadsMost) {
    const auto loops_in = [](const std::string& text) {
        std::size_t count = 0;
        for (auto at = text.find("    for (int i_"); at != std::string::npos;
             at = text.find("for (int i_", at + 9))
            ++count;
        return count;
    };
    const KernelSet lora = in_parts(built(lower(*fuse(block_sample("lora")).last())), 4);
    ASSERT_EQ(lora.launches.size(), 2U);
    EXPECT_EQ(loops_in(text_of(lora, "kernel_1")), 1U) << "the product with W";
    EXPECT_EQ(loops_in(text_of(lora, "kernel_1_combine")), 1U) << "the product with A; B is one block";
    const KernelSet norm =
        in_parts(built(lower(*fuse(block_sample("rmsnorm-matmul"), {}, kPaperRules).last())), 4);
    ASSERT_EQ(norm.launches.size(), 2U);
    EXPECT_EQ(loops_in(text_of(norm, "kernel_1")), 2U)
        << "each part has the norm of its rows, and a part of the product";
    EXPECT_EQ(loops_in(text_of(norm, "kernel_1_combine")), 0U);
}

class InParts : public Emulated {
protected:
    static void add(Batched& batch, const std::string& name, const BlockProgram& state, const DimTable& dims,
                    double tolerance) {
        batch.add(make_case(name, state, dims, tolerance));
    }
    static int kernels_in_parts(const Batched& batch) {
        int kernels = 0;
        for (int i = 0; i < batch.batch.size(); ++i)
            for (const gpu::Launch& launch : batch.batch.set(i).launches) kernels += launch.combines ? 1 : 0;
        return kernels;
    }
};

constexpr Shapes kRaggedParts{{{38, 20}, {90, 18}, {52, 12}, {70, 16}}};

TEST_F(InParts, SamplesInFloat32) {
    Batched batch;
    batch.options.parts = 3;
    for (const std::string& name : chosen_samples()) {
        const Trace trace = fuse(float_sample(name));
        const DimTable dims = shaped(*trace.initial, kRaggedParts);
        add(batch, name, *trace.last(), dims, 2e-5);
        for (const SharedExponent sharing : {SharedExponent::PerRow, SharedExponent::PerBlock})
            if (const SafeProgram safe = make_safe(*trace.last(), sharing); safe.exponentials > 0)
                add(batch, name + ", safe", safe.program, dims, 2e-5);
    }
    EXPECT_GE(kernels_in_parts(batch), 12);
    batch.check();
}

TEST_F(InParts, SamplesOnTensorCores) {
    TensorBatch batch;
    batch.options.parts = 2;
    for (const std::string& name : chosen_samples()) {
        const Trace trace = fuse(sample_of(ElemType::BF16, name));
        const BlockProgram state = make_safe(*trace.last()).program;
        add(batch, name, state, shaped(*trace.initial, kRaggedParts), tolerance_of(ElemType::BF16, state));
    }
    EXPECT_GE(kernels_in_parts(batch), 6);
    batch.check();
}

// Rings begin at the part's first iteration, too.
TEST_F(InParts, SamplesInGroups) {
    constexpr Shapes kLinesOfParts{{{48, 16}, {136, 32}, {88, 16}, {40, 40}}};
    Batched batch;
    batch.options = {Target::Sm90a, 128, false};
    batch.options.parts = 3;
    int rings = 0;
    for (const std::string name :
         {"attention", "layernorm-matmul", "rmsnorm-swiglu", "gemm-relu", "lora", "rmsnorm-matmul"}) {
        const Trace trace = fuse(sample_of(ElemType::BF16, name));
        const BlockProgram state = make_safe(*trace.last()).program;
        add(batch, name, state, shaped(*trace.initial, kLinesOfParts), tolerance_of(ElemType::BF16, state));
    }
    for (int i = 0; i < batch.batch.size(); ++i)
        for (const gpu::Launch& launch : batch.batch.set(i).launches)
            rings += launch.parts > 1 && !launch.maps.empty() ? 1 : 0;
    EXPECT_GE(rings, 3);
    batch.check();
}

TEST_F(InParts, RandomPrograms) {
    Batched batch;
    batch.options.parts = 2;
    for (std::uint64_t seed = 0; seed < (everything() ? 200 : 30); ++seed) {
        if (seed == 9) continue;  // 1 / a product of numbers in bf16 that nearly cancel
        const auto initial =
            std::make_shared<const BlockProgram>(to_block_program(random_array_program(seed)).program);
        const Trace trace = fuse(initial);
        Case one = make_case("seed " + std::to_string(seed), *trace.last(), initial->dims, 0.25);
        if (finite(one.expected)) batch.add(std::move(one));
    }
    EXPECT_GE(kernels_in_parts(batch), 5);
    batch.check();
}

bool parts_defect_noticed(Batched& batch, const std::string& text) {
    batch.batch.compile(text);
    for (std::size_t i = 0; i < batch.cases.size(); ++i) {
        const Batch::Outcome outcome = batch.batch.run(static_cast<int>(i), batch.cases[i].inputs);
        if (!outcome.error.empty()) return true;
        if (!(difference(batch.cases[i].expected, outcome.outputs) <= batch.cases[i].tolerance)) return true;
    }
    return false;
}

TEST_F(InParts, NoticesWhatIsPutTogetherWrongly) {
    struct PartsDefect {
        const char* what;
        const char* right;
        const char* wrong;
    };
    constexpr PartsDefect kDefects[] = {
        {"the last part is left out", "part < 3;", "part < 2;"},
        {"the first part counts twice", "int part = 1;", "int part = 0;"},
        {"parts are those of another thread block", "const long long place = tile_index() +",
         "const long long place = 0 * tile_index() +"},
        {"a part begins where the one before does", "_first = (int)(tile_index() / ",
         "_first = 0 * (int)(tile_index() / "},
        {"a part goes on to the end", "_end = i_n_first + 3 < 7", "_end = false"},
        {"sums are not rescaled to the common maximum", "x == most ? 1.0f : exponential(x - most)", "1.0f"},
        {"a part's sum is taken at its own maximum", "row_scale(t2_part, t3_new)", "t2_part"},
    };
    Batched batch;
    batch.options.parts = 3;
    const ProgramPtr attention = blocks_of(kAttention);
    Case one = make_case("", make_safe(*fuse(attention).last()).program, attention->dims, 1e-3);
    for (double& x : one.inputs.at("Q").data) x *= 16;  // maxima that differ from part to part
    one.inputs = rounded(one.inputs, one.program);
    one.expected = evaluate(one.program, one.inputs);
    batch.add(std::move(one));
    const std::string text = batch.batch.text();
    ASSERT_FALSE(parts_defect_noticed(batch, text));
    for (const PartsDefect& defect : kDefects) {
        std::string broken = text;
        const auto at = broken.find(defect.right);
        ASSERT_NE(at, std::string::npos) << defect.what << "\n"
                                         << text.substr(text.find("namespace program_0"));
        broken.replace(at, std::string(defect.right).size(), defect.wrong);
        EXPECT_TRUE(parts_defect_noticed(batch, broken)) << defect.what;
    }
}

// ---- The model's choice.

KernelSet set_for_rows(const std::string& sample, std::int64_t rows, const char* device) {
    BlockProgram program = *block_sample(sample);
    program.dims.at(0).size = rows;
    program.dims.at(0).block = std::min<std::int64_t>(rows, program.dims.at(0).block);
    const ProgramPtr last = fuse(std::make_shared<const BlockProgram>(program)).last();
    gpu::CodegenOptions options;
    options.target = Target::Sm80;
    options.parts = 0;
    options.device = find_device(builtin_devices(), device);
    return gpu::generate(built(lower(make_safe(*last).program)), options).value();
}

TEST(PartsByModel, FewThreadBlocksAreSplitAndManyAreNot) {
    const KernelSet few = set_for_rows("attention", 128, "h100-sxm5");
    ASSERT_GT(few.launches.at(0).parts, 1);
    EXPECT_THAT(few.notes.at(0), HasSubstr("would leave 132 processors without enough work"));
    EXPECT_THAT(few.notes.at(0), HasSubstr("predicted instead of"));
    const KernelSet many = set_for_rows("attention", 1 << 17, "h100-sxm5");
    EXPECT_EQ(many.launches.at(0).parts, 1);
    EXPECT_TRUE(many.notes.empty());
}

// As one token after the other is generated: few rows, long sums.
TEST(PartsByModel, FewRowsAreSplitWhereverItPays) {
    for (const std::string sample : {"attention", "multihead-attention", "gqa", "rmsnorm-swiglu", "gated-mlp",
                                     "layernorm-matmul", "rmsnorm-matmul", "lora"}) {
        BlockProgram program = *block_sample(sample);
        for (Dim& dim : program.dims) {
            if (dim.name == "B") dim.size = 1;
            if (dim.name == "M") dim.size = dim.block = 16;
            if (dim.name == "N" && sample.find("attention") != std::string::npos) dim.size = 16384;
        }
        gpu::CodegenOptions options;
        options.target = Target::Sm90;
        options.parts = 0;
        options.device = find_device(builtin_devices(), "h100-sxm5");
        const ProgramPtr last = fuse(std::make_shared<const BlockProgram>(program)).last();
        const KernelSet set = gpu::generate(built(lower(make_safe(*last).program)), options).value();
        EXPECT_GT(set.launches.at(0).parts, 1) << sample << (set.notes.empty() ? "" : ": " + set.notes.at(0));
    }
}

// Products are rated in the type that the kernels compute them in: of 8 bits in 8 where both operands are
// loaded as they lie, in 16 where one was computed or lies across; without tensor cores in float32.
TEST(PartsByModel, PredictionsRateProductsAsTheyAreComputed) {
    const Device card = *find_device(builtin_devices(), "h100-sxm5");
    const LoopProgram loops = built(lower(*fuse(block_sample("fp8-attention")).last()));
    const auto set_for = [&](Target target) {
        gpu::CodegenOptions options;
        options.target = target;
        return gpu::generate(loops, options).value();
    };
    const auto matrix = [&](const std::map<NodeId, ElemType>& computed_in, std::set<NodeId> by_warps = {}) {
        ModelSetting setting;
        setting.computed_in = computed_in;
        setting.by_warps = std::move(by_warps);
        return seconds_of(predict(*find_time_model("blockscope"), state_work(loops), card, setting).terms,
                          "matrix");
    };
    const std::map<NodeId, ElemType> small = set_for(Target::Sm90a).computed_in;
    ASSERT_EQ(small.size(), 1U) << "the weights are computed";
    EXPECT_EQ(bytes_per_element(small.begin()->second), 2);
    const std::map<NodeId, ElemType> plain = set_for(Target::F32).computed_in;
    ASSERT_EQ(plain.size(), 2U);
    // Half the peak for one of two products that are as large as each other; a thirtieth for both.
    EXPECT_NEAR(matrix(small) / matrix({}), 1.5, 0.01);
    EXPECT_GT(matrix(plain), 20 * matrix({}));
    // Of 8 bits this card describes the instructions of warpgroups alone, which warps do not reach.
    EXPECT_GT(matrix({}, {loops.body.front().node}), 1.2 * matrix({}));
}

TEST(PartsByModel, PredictionsCountThem) {
    BlockProgram program = *block_sample("attention");
    program.dims.at(0).size = program.dims.at(0).block = 128;
    const LoopProgram loops =
        built(lower(make_safe(*fuse(std::make_shared<const BlockProgram>(program)).last()).program));
    const Device card = *find_device(builtin_devices(), "h100-sxm5");
    const KernelSet few = set_for_rows("attention", 128, "h100-sxm5");
    ModelSetting setting;
    const TimeModel& model = *find_time_model("blockscope");
    const Prediction whole = predict(model, state_work(loops), card, setting);
    setting.parts = gpu::parts_for_model(few);
    ASSERT_EQ(setting.parts.size(), 1U);
    const Prediction parts = predict(model, state_work(loops), card, setting);
    EXPECT_LT(parts.seconds, whole.seconds);
    EXPECT_GT(seconds_of(parts.terms, "combine"), 0);
    EXPECT_THAT(parts.kernels.at(0).sentence, HasSubstr("reductions are in"));
}

TEST(PartsByModel, CompileForRealCards) {
    const gpu::Nvrtc nvrtc = gpu::Nvrtc::open();
    if (!nvrtc) GTEST_SKIP() << nvrtc.report();
    const LoopProgram loops = built(lower(make_safe(*fuse(block_sample("attention")).last()).program));
    for (const auto& [target, card] : {std::pair{Target::F32, "sm_75"}, std::pair{Target::Sm80, "sm_80"},
                                       std::pair{Target::Sm90a, "sm_90a"}}) {
        const KernelSet set = in_parts(loops, 4, target);
        const Result<gpu::Compiled> compiled = compile_apart(source(set), card);
        ASSERT_TRUE(compiled) << card << ": " << compiled.problems().at(0).message;
        EXPECT_TRUE(compiled->warnings.empty()) << card << ": " << compiled->warnings.at(0);
        EXPECT_EQ(compiled->kernels.size(), 2U);
        for (const gpu::KernelReport& kernel : compiled->kernels)
            if (target != Target::F32) {
                EXPECT_EQ(kernel.spill_stores, 0) << card << ' ' << kernel.kernel;
            }
    }
}

}  // namespace
}  // namespace blockscope::test
