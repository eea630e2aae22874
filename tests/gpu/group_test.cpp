// Generated CUDA for sm_90a, run by the emulator, equals the float64 reference: tiles that a thread of its
// own brings in boxes, products by groups of four warps. With BLOCKSCOPE_GPU_ALL set every step of every
// sample at all shapes.
#include <gmock/gmock.h>

#include <array>

#include "core/loops/built_loops.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "tests/gpu/cases.h"
#include "tests/gpu/shapes.h"
#include "tests/support/random_program.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;

// Lines that are multiples of 16 bytes; ragged ends, several panels and strips, blocks that are no multiple
// of 64. A causal mask leaves no row without a key: there are as many rows of its second dimension.
constexpr std::array<Shapes, 3> kShapes{{{{{48, 16}, {72, 32}, {88, 48}, {40, 40}}},
                                         {{{96, 64}, {136, 80}, {24, 24}, {64, 64}}},
                                         {{{40, 24}, {48, 32}, {38, 16}, {24, 24}}}}};  // some as for sm_80

// One group of four warps, unless there are to be more.
struct GroupBatch : Batched {
    explicit GroupBatch(int threads = 128) { options = {gpu::Target::Sm90a, threads, false}; }

    int kernels_with_rings() const {
        int kernels = 0;
        for (int i = 0; i < batch.size(); ++i)
            for (const gpu::Launch& launch : batch.set(i).launches) kernels += launch.maps.empty() ? 0 : 1;
        return kernels;
    }
};

class InGroups : public Emulated {
protected:
    // The last state and for some samples one of the others; or every step.
    static std::vector<int> steps_of(const Trace& trace, std::size_t turn) {
        const std::vector<int> all = chosen_steps(trace);
        if (everything()) return all;
        const int last = static_cast<int>(trace.steps.size());
        const int other = all.at(turn % all.size());
        return other == last || turn % 2 == 0 ? std::vector<int>{last} : std::vector<int>{last, other};
    }

    static void add_sample(GroupBatch& batch, const std::string& name, std::size_t turn) {
        const ElemType elem = turn % 4 < 2 ? ElemType::F16 : ElemType::BF16;
        const Trace trace = fuse(sample_of(elem, name));
        std::size_t shapes = turn;
        for (const int step : steps_of(trace, turn))
            for (std::size_t i = 0; i < (everything() ? kShapes.size() : 1); ++i, ++shapes)
                batch.add(make_case(name + ", step " + std::to_string(step) + ", shapes " +
                                        std::to_string(shapes % kShapes.size()),
                                    make_safe(*trace.state(step)).program,
                                    shaped(*trace.initial, kShapes.at(shapes % kShapes.size())), elem));
    }

    // A third of the samples: the tests of thirds run side by side. Where every step is asked for each sample
    // is a batch of its own, as compilers take more than twice as long for twice as much.
    static void check_samples(std::size_t third, int threads) {
        auto batch = std::make_unique<GroupBatch>(threads);
        int rings = 0;
        const auto check = [&](const std::string& name) {
            rings += batch->kernels_with_rings();
            if (!batch->cases.empty()) batch->check();
            if (!name.empty()) say_checked(name, batch->cases.size());
            batch = std::make_unique<GroupBatch>(threads);
        };
        std::size_t turn = 0;
        for (const std::string& name : chosen_samples()) {
            if (++turn % 3 != third) continue;
            add_sample(*batch, name, turn);
            if (everything()) check(name);
        }
        check("");
        EXPECT_GE(rings, 3);
    }
};

TEST_F(InGroups, SamplesFirstThird) {
    check_samples(0, 256);
}
TEST_F(InGroups, SamplesSecondThird) {
    check_samples(1, 128);
}
TEST_F(InGroups, SamplesLastThird) {
    check_samples(2, 128);
}

// Loops behind each other whose tiles share memory, loops in loops, computed right operands, operands whose
// lines are columns, batches, and more columns than one instruction takes.
TEST_F(InGroups, LoopsAndLayouts) {
    constexpr std::array<const char*, 7> kPrograms{
        "dim M = 72/32\ndim N = 80/16\ndim D = 48/16\ndim L = 40/40\n"
        "input Q[M,D], K[N,D], V[N,L] : f16\noutput O = softmax(Q @ K.T * D^-0.5) @ V\n",
        "dim M = 40/24\ndim K = 80/16\ndim N = 48/16\ninput X[M,K], Y[N,K] : f16\noutput Z = exp(X) @ "
        "exp(Y).T\n",
        "dim M = 40/24\ndim K = 80/16\ndim N = 48/16\ninput X[K,M], Y[K,N] : f16\noutput Z = X.T @ Y\n",
        "batch H = 2\ndim M = 40/24\ndim K = 80/16\ndim N = 40/40\n"
        "input X[H,M,K], Y[H,K,N] : bf16\noutput Z = sum(X @ Y, H)\n",
        "dim M = 40/24\ndim K = 80/16\ndim N = 48/16\n"
        "input X[M,K], Y[K,N], W[M,K], V[K,N] : f16\noutput Z = (X @ Y) * (W @ V)\n",
        "dim M = 72/72\ndim K = 64/32\ndim N = 304/304\ninput X[M,K], Y[K,N] : f16\noutput Z = X @ Y\n",
        "dim M = 200/160\ndim K = 48/48\ndim N = 96/64\ninput X[M,K], Y[K,N] : bf16\noutput Z = relu(X @ "
        "Y)\n",
    };
    GroupBatch batch(256);
    for (const char* text : kPrograms) {
        const auto initial =
            std::make_shared<const BlockProgram>(to_block_program(*parse_program(text, "")).program);
        const Trace trace = fuse(initial);
        for (const int step : {0, static_cast<int>(trace.steps.size())})
            batch.add(make_case(text, make_safe(*trace.state(step)).program, initial->dims, 2e-2));
    }
    EXPECT_GE(batch.kernels_with_rings(), 12);
    batch.check();
}

// Three and four groups of rows: what setmaxnreg gives to each is there (the emulator waits for ever where it
// is not).
TEST_F(InGroups, HaveTheirRegistersHoweverManyTheyAre) {
    for (const int groups : {3, 4}) {
        const std::string rows = std::to_string(64 * groups);
        const auto initial = std::make_shared<const BlockProgram>(
            to_block_program(*parse_program("dim M = " + rows + "/" + rows +
                                                "\ndim N = 48/32\ndim D = 16/16\n"
                                                "input Q[M,D], K[N,D], V[N,D] : f16\n"
                                                "output O = softmax(Q @ K.T) @ V\n",
                                            ""))
                .program);
        GroupBatch batch(128 * groups);
        batch.add(make_case(rows + " rows", make_safe(*fuse(initial).last()).program, initial->dims, 1e-2));
        EXPECT_EQ(batch.kernels_with_rings(), 1);
        batch.check();
    }
}

// Operands of 8 bits that lie along what is summed over: twice as many columns in a step, and in a line.
TEST_F(InGroups, ProductsOfEightBits) {
    constexpr std::array<const char*, 4> kPrograms{
        "dim M = 72/64\ndim K = 320/160\ndim N = 48/32\ninput X[M,K], Y[N,K] : e4m3\noutput Z = X @ Y.T\n",
        "dim M = 40/24\ndim K = 96/32\ndim N = 40/16\ninput X[M,K], Y[N,K] : e5m2\noutput Z = X @ Y.T\n",
        "dim M = 40/24\ndim K = 80/64\ndim N = 40/40\ninput X[M,K], Y[N,K] : e4m3\noutput Z = layernorm(X) "
        "@ Y.T\n",
        "dim M = 40/40\ndim K = 48/48\ndim N = 208/208\ninput X[M,K], Y[N,K] : e4m3\noutput Z = relu(X @ "
        "Y.T)\n",
    };
    GroupBatch batch(128);
    for (const char* text : kPrograms) add_in_eight_bits(batch, text);
    EXPECT_EQ(batch.kernels_with_rings(), 4);
    EXPECT_THAT(batch.batch.text(), HasSubstr("SharedTile<e5m2"));
    batch.check();
}

TEST_F(InGroups, RandomPrograms) {
    constexpr std::uint64_t kPrograms = 200;
    GroupBatch batch;
    LeftOut left_out;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
        const ArrayProgram program = in_type(random_array_program(seed), ElemType::BF16);
        const auto initial = std::make_shared<const BlockProgram>(to_block_program(program).program);
        const Trace trace = fuse(initial);
        for (const int step : {0, static_cast<int>(trace.steps.size())}) {
            DimTable dims = initial->dims;
            for (Dim& dim : dims)
                if (dim.kind == DimKind::Blocked) dim.size *= 8, dim.block *= 8;
            Case one = make_case("seed " + std::to_string(seed) + ", step " + std::to_string(step),
                                 make_safe(*trace.state(step)).program, dims, 0.1);
            const auto has_result = [&] { return sensitivity(one, ElemType::BF16) <= kNoResult; };
            if (left_out.takes(one, has_result)) batch.add(std::move(one));
        }
    }
    EXPECT_GT(batch.kernels_with_rings(), static_cast<int>(kPrograms) / 4);
    left_out.say("random programs in groups", batch.cases.size());
    batch.check();
}

// What has no form for sm_90a is written as for sm_80, and the reason is said.
TEST(CodegenInGroups, SaysWhichOperatorIsWrittenAsForSm80AndWhy) {
    const auto notes = [](const std::string& text) {
        const auto initial =
            std::make_shared<const BlockProgram>(to_block_program(*parse_program(text, "")).program);
        gpu::CodegenOptions options{gpu::Target::Sm90a, 0, true};
        const gpu::KernelSet set = gpu::generate(built(lower(*fuse(initial).last())), options).value();
        EXPECT_TRUE(set.launches.at(0).maps.empty() != set.notes.empty());
        return set.notes.empty() ? "" : set.notes.at(0);
    };
    const std::string product = "output Z = X @ Y\n";
    const std::string sizes = "dim M = 64/32\ndim N = 64/32\ndim K = ";
    EXPECT_EQ(notes(sizes + "64/32\ninput X[M,K], Y[K,N] : f16\n" + product), "");
    EXPECT_THAT(
        notes(sizes + "36/36\ninput X[M,K], Y[N,K] : f16\noutput Z = X @ Y.T\n"),
        HasSubstr("kernel_1 is written as for sm_80, without TMA and wgmma, because of `t1 = load(X[m,"));
    EXPECT_THAT(notes(sizes + "36/36\ninput X[M,K], Y[N,K] : f16\noutput Z = X @ Y.T\n"),
                HasSubstr("72 bytes apart, which is no multiple of 16."));
    EXPECT_THAT(notes(sizes + "48/24\ninput X[M,K], Y[K,N] : f16\n" + product),
                HasSubstr("blocks of K have 24 elements, no multiple of 16."));
    EXPECT_THAT(notes(sizes + "64/32\ninput X[M,K], Y[K,N] : f32\n" + product),
                HasSubstr("numbers of 32 bits"));
    EXPECT_EQ(notes(sizes + "64/32\ninput X[M,K], Y[N,K] : e4m3\noutput Z = X @ Y.T\n"), "");
    EXPECT_THAT(notes(sizes + "96/48\ninput X[M,K], Y[N,K] : e4m3\noutput Z = X @ Y.T\n"),
                HasSubstr("blocks of K have 48 elements, no multiple of 32."));
    EXPECT_THAT(notes(sizes + "64/32\ninput X[M,K], Y[K,N] : e4m3\n" + product),
                HasSubstr("the array holds e4m3, and the product takes f16."));
}

TEST(CodegenInGroups, ACopyingThreadBringsTilesInTheOrderOfTheirUse) {
    gpu::CodegenOptions options{gpu::Target::Sm90a, 0, false};
    const Trace trace = fuse(sample_of(ElemType::BF16, "attention"));
    const gpu::KernelSet set = gpu::generate(built(lower(make_safe(*trace.last()).program)), options).value();
    ASSERT_EQ(set.launches.size(), 1U);
    EXPECT_EQ(set.threads, 256);
    EXPECT_EQ(set.launches[0].threads, 384);
    EXPECT_LE(set.launches[0].shared_bytes, gpu::shared_limit(gpu::Target::Sm90a));
    EXPECT_EQ(set.launches[0].maps.size(), 3U);
    EXPECT_EQ(set.launches[0].arrays.size(), 1U);  // O alone: the others are read by their maps
    std::vector<std::string> steps;
    for (const gpu::SourceLine& line : set.lines)
        for (const char* step : {"ring_1.acquire", "ring_2.acquire", "ring_3.acquire", "ring_1.await",
                                 "ring_2.await", "ring_3.await", " = group_dot(", "delayed_group_dot("})
            if (line.text.find(step) != std::string::npos) steps.emplace_back(step);
    EXPECT_THAT(steps,
                testing::ElementsAre("ring_1.acquire", "ring_2.acquire", "ring_3.acquire", "ring_1.await",
                                     "ring_2.await", " = group_dot(", "ring_3.await", "delayed_group_dot("));
}

// The producer may bring the next K while the present scores are on their way through the softmax.
TEST(GroupText, AStageIsFreeBehindItsLastReader) {
    const auto initial = std::make_shared<const BlockProgram>(
        to_block_program(
            *parse_program("dim M = 128/64\ndim N = 128/64\ndim D = 64/64\ndim L = 64/64\ninput Q[M,D], "
                           "K[N,D], V[N,L] : bf16\noutput O = softmax(Q @ K.T * D^-0.5) @ V\n",
                           ""))
            .program);
    gpu::CodegenOptions options;
    options.target = gpu::Target::Sm90a;
    options.parts = 1;
    const State state(make_safe(*fuse(initial).last()).program);
    const gpu::KernelSet set = gpu::generate(state.loops(), options).value();
    std::string text;
    for (const gpu::SourceLine& line : set.lines) text += line.text + "\n";
    const auto place = [&](const std::string& what) {
        const std::size_t found = text.find(what);
        EXPECT_NE(found, std::string::npos) << what;
        return found;
    };
    EXPECT_LT(place("= group_dot("), place("ring_2.release();"));
    EXPECT_LT(place("ring_2.release();"), place("= scaled(row_max"));
    EXPECT_LT(place("= add(t"), place("ring_3.release();")) << "where the product with V is computed";
}

}  // namespace
}  // namespace blockscope::test
