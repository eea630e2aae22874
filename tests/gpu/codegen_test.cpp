// The text of generated CUDA: lines, nodes, launches, and what is refused.
#include <gmock/gmock.h>

#include <sstream>

#include "core/fusion/trace.h"
#include "core/loops/built_loops.h"
#include "core/print/print.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/codegen/library.h"
#include "gpu/driver/for_card.h"
#include "tests/gpu/cases.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using gpu::DeviceArray;
using gpu::KernelSet;
using testing::HasSubstr;
using testing::Not;

BlockProgram program_of(const std::string& text) {
    return to_block_program(*parse_program(text, "")).program;
}

KernelSet generated(const BlockProgram& program) {
    return gpu::generate(built(lower(program))).value();
}

std::string refusal(const BlockProgram& program) {
    const Result<KernelSet> set = gpu::generate(built(lower(program)));
    return set ? "" : set.problems().at(0).message.str();
}

std::string line_with(const KernelSet& set, const std::string& part) {
    for (const gpu::SourceLine& line : set.lines)
        if (line.text.find(part) != std::string::npos) return line.text;
    return "";
}

TEST(Codegen, EveryFunctionalOperatorIsAFunctionOfTheLibraries) {
    const std::string device = std::string(gpu::kOperatorLibrary) + gpu::kPanelLibrary;
    for (const FunctionalOperator& row : kFunctionalOperators) {
        const std::string function = " " + std::string(row.name) + "(";
        EXPECT_THAT(device, HasSubstr(function));
        EXPECT_THAT(gpu::kReference, HasSubstr(function));
    }
}

TEST(Codegen, EveryLineOfTheListingIsACommentWithItsNode) {
    const Trace trace = fuse(block_sample("attention"));
    const LoopProgram loops = built(lower(*trace.last()));
    const KernelSet set = gpu::generate(loops).value();
    std::size_t at = 0;
    for (const ListingLine& expected : listing_lines(loops)) {
        const std::string comment = "// " + expected.text.substr(expected.text.find_first_not_of(' '));
        while (at < set.lines.size() && set.lines[at].text.find(comment) == std::string::npos) ++at;
        ASSERT_LT(at, set.lines.size()) << comment;
        EXPECT_EQ(set.lines[at].node, expected.node) << comment;
    }
}

TEST(Codegen, TheFirstLineIsWhereItIsSaidToBe) {
    const KernelSet set = generated(*block_sample("gemm-relu"));
    std::istringstream text(source(set));
    std::string line;
    for (int i = 0; i < first_line(set); ++i) std::getline(text, line);
    EXPECT_EQ(line, set.lines.at(0).text);
}

TEST(Codegen, FusedAttentionIsOneLaunchOfAGrid) {
    const KernelSet set = generated(*fuse(block_sample("multihead-attention")).last());
    ASSERT_EQ(set.launches.size(), 1U);
    const Dim rows = block_sample("multihead-attention")->dims.at(0);
    EXPECT_GT(set.launches[0].tiles, rows.blocks());
    EXPECT_EQ(set.launches[0].arrays.size(), 4U);
    for (const DeviceArray& array : set.arrays) EXPECT_NE(array.kind, DeviceArray::Kind::Intermediate);
}

// Registers hold float32: a cast to fewer bits is written as one, one to float32 is nothing.
TEST(Codegen, CastsRoundWhereTheyAre) {
    const auto kernels = [](const std::string& map) {
        const std::string text =
            "dim M = 64 / 32\ndim N = 64 / 32\ninput A[M, N] : f32\noutput B = exp(" + map + ")\n";
        return source(generated(
            *fuse(std::make_shared<const BlockProgram>(to_block_program(*parse_program(text, "")).program))
                 .last()));
    };
    EXPECT_THAT(kernels("cast(A, bf16)"), HasSubstr("to_float(FromFloat<bf16>::of("));
    EXPECT_THAT(kernels("cast(A, f16)"), HasSubstr("to_float(FromFloat<f16>::of("));
    EXPECT_THAT(kernels("cast(A, f32)"), Not(HasSubstr("to_float(FromFloat<float>")));
}

TEST(Codegen, ProductsReadTheirOperandsFromGlobalMemoryOnly) {
    const KernelSet set = generated(*fuse(block_sample("gemm-relu")).last());
    EXPECT_THAT(line_with(set, "add_dot("), HasSubstr("+= dot("));
    EXPECT_THAT(line_with(set, "view<"), HasSubstr("const auto t"));
    EXPECT_EQ(line_with(set, "= load(view"), "");
}

KernelSet for_tensor_cores(const BlockProgram& program) {
    gpu::CodegenOptions options;
    options.target = gpu::Target::Sm80;
    return gpu::generate(built(lower(program)), options).value();
}

// t7 = t6*DD^-0.5, a maximum of it, a shift and exp: a multiply-add and an exponential an element. Host and
// float32 keep the lines of the listing.
TEST(Codegen, ExponentialsTakeInScaleAndShift) {
    for (const std::string name : {"attention", "causal-attention"}) {
        const BlockProgram state = make_safe(*fuse(sample_of(ElemType::BF16, name)).last()).program;
        const KernelSet set = for_tensor_cores(state);
        EXPECT_THAT(line_with(set, "= scaled(row_max<4>("), HasSubstr("0.0883883476f); ")) << name;
        EXPECT_THAT(line_with(set, "= row_exponential("), HasSubstr("0.0883883476f); ")) << name;
        EXPECT_THAT(line_with(set, "= row_rescale("), HasSubstr("= row_scale(")) << name;
        EXPECT_THAT(line_with(set, "= row_sum<4>("), HasSubstr("= row_sum(")) << name;
        EXPECT_THAT(line_with(set, "= lagging_max("), HasSubstr("= max(")) << name;
        EXPECT_THAT(line_with(set, "// with the exponential:"), HasSubstr("= row_shift(")) << name;
        EXPECT_THAT(line_with(set, "const auto& t"), HasSubstr("*(DD**-0.5)")) << name;
        EXPECT_EQ(line_with(set, "x0 * 0.0883883476f"), "") << name;
        gpu::CodegenOptions options;
        const KernelSet plain = gpu::generate(built(lower(state)), options).value();
        EXPECT_EQ(line_with(plain, "= row_exponential("), "") << name;
        EXPECT_THAT(line_with(plain, "x0 * 0.0883883476f"), HasSubstr("*(DD**-0.5)")) << name;
    }
    // Of scores that something else reads, too, nothing is put off.
    const auto kept = parse_program(
        "dim M = 64/32\ndim N = 64/32\ndim D = 32/32\ninput Q[M,D], K[N,D], V[N,D] : bf16\n"
        "S = Q @ K.T * D^-0.5\noutput O = softmax(S) @ V\noutput P = relu(S)\n",
        "");
    const auto initial = std::make_shared<const BlockProgram>(to_block_program(*kept).program);
    const KernelSet both = for_tensor_cores(make_safe(*fuse(initial).last()).program);
    EXPECT_EQ(line_with(both, "const auto& t"), "");
    // Nor does a maximum lag behind that somebody else reads.
    const Trace alone = fuse(sample_of(ElemType::BF16, "softmax"));
    const KernelSet maxima = for_tensor_cores(make_safe(*alone.last()).program);
    EXPECT_EQ(line_with(maxima, "= lagging_max("), "");
}

TEST(Codegen, ForTensorCoresToEveryLineOfTheListingIsACommentWithItsNode) {
    for (const std::string name : {"attention", "rmsnorm-swiglu", "decoder-block"}) {
        const Trace trace = fuse(block_sample(name));
        const LoopProgram loops = built(lower(*trace.last()));
        gpu::CodegenOptions options;
        options.target = gpu::Target::Sm80;
        const KernelSet set = gpu::generate(loops, options).value();
        std::size_t at = 0;
        for (const ListingLine& expected : listing_lines(loops)) {
            const std::string comment = "// " + expected.text.substr(expected.text.find_first_not_of(' '));
            while (at < set.lines.size() && set.lines[at].text.find(comment) == std::string::npos) ++at;
            ASSERT_LT(at, set.lines.size()) << comment;
            EXPECT_EQ(set.lines[at].node, expected.node) << comment;
        }
    }
}

// Queries once, keys and values one iteration ahead of their use.
TEST(Codegen, TilesAreCopiedAheadOfTheLoopThatReadsThem) {
    const KernelSet set = for_tensor_cores(*fuse(block_sample("attention")).last());
    std::vector<std::string> steps;
    for (const gpu::SourceLine& line : set.lines)
        for (const char* step : {"fetch<16>(", "for (int i_n", "arrive<", " = dot(", "add_dot("})
            if (line.text.find(step) != std::string::npos) steps.emplace_back(step);
    EXPECT_THAT(steps, testing::ElementsAre("fetch<16>(", "fetch<16>(", "fetch<16>(", "for (int i_n",
                                            "arrive<", " = dot(", "add_dot("));
    EXPECT_EQ(set.threads, 256);
    EXPECT_LE(set.launches.at(0).shared_bytes, gpu::shared_limit(gpu::Target::Sm80));
}

// Float32 stays float32 unless told otherwise.
TEST(Codegen, ProductsOfFloat32AreForTensorCoresOnRequestOnly) {
    const BlockProgram program = program_of("dim M = 64/32\ninput X[M,M], Y[M,M] : f32\noutput Z = X @ Y\n");
    gpu::CodegenOptions options;
    options.target = gpu::Target::Sm80;
    EXPECT_FALSE(gpu::generate(built(lower(program)), options)->tensor_cores);
    options.tf32 = true;
    EXPECT_TRUE(gpu::generate(built(lower(program)), options)->tensor_cores);
}

TEST(Codegen, WhatDoesNotFitSharedMemoryIsRefusedWithItsLine) {
    gpu::CodegenOptions options;
    options.target = gpu::Target::Sm86;
    const Result<KernelSet> set =
        gpu::generate(built(lower(*fuse(block_sample("rmsnorm-swiglu")).last())), options);
    ASSERT_FALSE(set);
    EXPECT_THAT(set.problems().at(0).message, HasSubstr("load("));
    EXPECT_THAT(set.problems().at(0).message, HasSubstr("sm_86 has 99 KiB"));
}

// Each function is visited once: visiting the argument of a function of one twice would take 2^100 visits
// here.
TEST(Codegen, AHundredNestedFunctionsAreOneExpression) {
    std::string text = "X";
    std::string code;
    for (int i = 0; i < 100; ++i) {
        text = "exp(" + text + ")";
        code += "exponential(";
    }
    const BlockProgram program = program_of("dim M = 8/4\ninput X[M,M]\noutput Y = " + text + "\n");
    const Trace trace = fuse(std::make_shared<const BlockProgram>(program));
    EXPECT_THAT(line_with(generated(*trace.last()), code), HasSubstr(")"));
}

TEST(Codegen, AnOperatorThatNobodyKnowsIsRefusedByName) {
    const std::string why =
        refusal(program_of("dim M = 8/4\ninput X[M,M]\noutput Y = custom(\"sort\", X)\n"));
    EXPECT_THAT(why, HasSubstr("sort("));
    EXPECT_THAT(why, HasSubstr("nobody knows what it computes"));
}

TEST(Codegen, ABlockThatDoesNotFitIsRefusedWithItsSize) {
    const std::string why =
        refusal(program_of("dim M = 4096/1024\ndim N = 4096/1024\ninput X[M,N]\noutput Y = exp(X)\n"));
    EXPECT_THAT(why, HasSubstr("1024 x 1024"));
    EXPECT_THAT(why, HasSubstr("smaller blocks"));
}

// Names come from files that anybody may have written.
TEST(Codegen, NamesFromTheFileCannotBecomeCode) {
    BlockProgram program = program_of("dim M = 8/4\ninput X[M,M]\noutput Y = exp(X)\n");
    LoopProgram loops = built(lower(program));
    loops.buffers.at(0).name = "X)\n{ __trap(); } //\\";
    loops.dims.at(0).name = "M; */ asm(\"trap;\")";
    const KernelSet set = gpu::generate(loops).value();
    for (const gpu::SourceLine& line : set.lines) {
        const std::string code = line.text.substr(0, line.text.find("//"));
        EXPECT_THAT(code, Not(HasSubstr("trap()")));
        EXPECT_THAT(code, Not(HasSubstr("asm(")));
        EXPECT_THAT(line.text, Not(HasSubstr("\n")));
        EXPECT_THAT(line.text, Not(HasSubstr("\\")));
    }
}

TEST(Codegen, StatisticsOfRowsStayInFloat32) {
    const KernelSet set = generated(*block_sample("softmax"));
    bool vector = false;
    for (const DeviceArray& array : set.arrays)
        if (array.kind == DeviceArray::Kind::Intermediate && array.shape.size() == 2) {
            vector = true;
            EXPECT_EQ(array.elem, ElemType::F32) << array.name;
        }
    EXPECT_TRUE(vector);
}

TEST(Codegen, ASmallProgramHasSmallThreadBlocks) {
    EXPECT_EQ(generated(program_of("dim M = 64/16\ninput X[M,M]\noutput Y = exp(X)\n")).threads, 64);
    EXPECT_EQ(generated(program_of("dim M = 512/128\ninput X[M,M]\noutput Y = exp(X)\n")).threads, 256);
}

// Sums of warpgroups' products stay in registers, whatever the compiler does.
TEST(Codegen, RefusesSumsThatLeaveAThreadNoRegister) {
    const auto refusal_of = [](const std::string& block) {
        const std::string text = "dim M = 512/" + block + "\ndim N = 512/" + block +
                                 "\ndim K = 512/64\ninput A[M,K], B[K,N] : bf16\noutput C = A @ B\n";
        const Trace trace = fuse(std::make_shared<const BlockProgram>(program_of(text)));
        const Result<KernelSet> set =
            gpu::generate(built(lower(*trace.last())), {.target = gpu::Target::Sm90a});
        return set ? std::string() : set.problems().at(0).message.str();
    };
    EXPECT_EQ(refusal_of("128"), "");
    EXPECT_THAT(refusal_of("256"), HasSubstr("take 152 registers of each of 512 threads, and one has 112"));
    EXPECT_THAT(refusal_of("256"), HasSubstr("no CUDA for `forall m in range(M):` (n"));
}

// Cards with 99 KiB of shared memory for a thread block: as few halvings as need be, and every sample has
// blocks.
TEST(FittingBlocks, EverySampleHasSomeForEveryTarget) {
    int smaller = 0;
    for (const std::string& name : sample_names()) {
        const BlockProgram last = make_safe(*fuse(block_sample(name)).last()).program;
        for (const gpu::Target target : gpu::all_targets()) {
            gpu::CodegenOptions options;
            options.target = target;
            const auto fits = [&](const BlockProgram& program) {
                return static_cast<bool>(gpu::generate(built(lower(program)), options));
            };
            if (fits(last)) continue;
            ++smaller;
            const std::optional<DimTable> dims = gpu::fitting_blocks(last, fits);
            ASSERT_TRUE(dims) << name << ", " << to_string(target);
            BlockProgram changed = last;
            changed.dims = *dims;
            EXPECT_TRUE(fits(changed)) << name;
            EXPECT_THAT(gpu::set_words(last.dims, *dims), testing::StartsWith("--set "));
        }
    }
    EXPECT_GT(smaller, 0);
}

TEST(FittingBlocks, AreAsLargeAsTheyCanBe) {
    BlockProgram program = program_of("dim M = 512/128\ndim N = 512/64\ninput X[M,N]\noutput Y = exp(X)\n");
    const auto numbers = [](const BlockProgram& one) { return one.dims.at(0).block * one.dims.at(1).block; };
    const auto found =
        gpu::fitting_blocks(program, [&](const auto& one) { return numbers(one) <= 128 * 64 / 4; });
    ASSERT_TRUE(found);
    EXPECT_EQ(gpu::set_words(program.dims, *found), "--set M=512/32");
    EXPECT_FALSE(gpu::fitting_blocks(program, [](const auto&) { return false; }))
        << "something else is the matter";
}

TEST(Codegen, TheStandAloneFileRunsAllLaunchesAndPrintsAllOutputs) {
    const KernelSet set = generated(*block_sample("layernorm-matmul"));
    const std::string text = standalone_source(set);
    for (const gpu::Launch& launch : set.launches) EXPECT_THAT(text, HasSubstr(launch.kernel + "<<<"));
    EXPECT_THAT(text, HasSubstr("print(\"Z\""));
    EXPECT_THAT(text, HasSubstr("int main() {"));
}

}  // namespace
}  // namespace blockscope::test
