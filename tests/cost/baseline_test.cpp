// Baselines: real kernels of array programs, counted by hand.
#include "core/cost/models/baseline.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "core/cost/models/model.h"
#include "core/fusion/trace.h"
#include "core/json/device_files.h"
#include "core/state/state.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::ElementsAre;

std::vector<std::string> names(const Baseline& of) {
    std::vector<std::string> all;
    for (const BaselineKernel& kernel : of.kernels) all.push_back(kernel.name);
    return all;
}

Baseline of_text(const std::string& text, BaselineKind kind) {
    return baseline(parse_program(text, "test").value(), kind);
}

constexpr double kScores = 4096.0 * 4096 * 2;  // bytes of the scores of attention
constexpr double kRows = 4096.0 * 128 * 2;     // of Q, K, V and O

TEST(Baseline, OfAttentionAsLibrariesIsTwoProductsAndASoftmax) {
    const Baseline library = baseline(read_sample("attention"), BaselineKind::Library);
    EXPECT_THAT(names(library), ElementsAre("S = matmul, elementwise", "P = softmax", "O = matmul"));
    EXPECT_DOUBLE_EQ(library.bytes(), 4 * kScores + 4 * kRows);  // 134 MB and the arrays themselves
    EXPECT_DOUBLE_EQ(library.kernels[0].matrix, 2.0 * 4096 * 4096 * 128);
    EXPECT_DOUBLE_EQ(library.kernels[1].special, 4096.0 * 4096);
}

TEST(Baseline, OfAttentionByOperatorsMovesNineTimesTheScores) {
    const Baseline operators = baseline(read_sample("attention"), BaselineKind::Operators);
    EXPECT_EQ(operators.kernels.size(), 6U);
    const double sums = 4096.0 * 2;  // of the rows, stored and loaded
    EXPECT_DOUBLE_EQ(operators.bytes(), 9 * kScores + 4 * kRows + 2 * sums);  // 302 MB and the arrays
}

// A compiler puts the scale into the softmax instead of the product: as many bytes.
TEST(Baseline, OfAttentionByACompilerScalesInTheSoftmax) {
    const Baseline compiled = baseline(read_sample("attention"), BaselineKind::Compiler);
    EXPECT_THAT(names(compiled), ElementsAre("matmul", "P = elementwise, softmax", "O = matmul"));
    EXPECT_DOUBLE_EQ(compiled.bytes(), 4 * kScores + 4 * kRows);
}

// Two products read X, each with what follows it; the gate is in the second one's epilogue.
TEST(Baseline, OfAGatedMlpHasEpilogues) {
    const Baseline library = baseline(read_sample("gated-mlp"), BaselineKind::Library);
    EXPECT_EQ(library.kernels.size(), 3U) << testing::PrintToString(names(library));
    const double hidden = 4096.0 * 11008 * 2;
    const double rows = 4096.0 * 4096 * 2;
    EXPECT_DOUBLE_EQ(library.bytes(), 2 * (rows + hidden) + hidden /* of the first product, read */ +
                                          2 * hidden /* stored */ + 2 * hidden + rows);
    const Baseline compiled = baseline(read_sample("gated-mlp"), BaselineKind::Compiler);
    EXPECT_EQ(compiled.kernels.size(), 4U) << testing::PrintToString(names(compiled));
}

// What somebody else needs, too, is no epilogue; what is asked for is stored.
TEST(Baseline, KeepsWhatOthersRead) {
    const char* text =
        "dim M = 64 / 16\ndim N = 64 / 16\ninput A[M, N], B[N, N] : f32\n"
        "S = A @ B\noutput T = exp(S)\noutput U = S * T\n";
    EXPECT_THAT(names(of_text(text, BaselineKind::Library)),
                ElementsAre("S = matmul", "T = elementwise", "U = elementwise"));
    const Baseline compiled = of_text(text, BaselineKind::Compiler);
    EXPECT_THAT(names(compiled), ElementsAre("S = matmul", "U = elementwise, elementwise"));
    const double array = 64 * 64 * 4;
    EXPECT_DOUBLE_EQ(compiled.read(compiled.kernels[1]), array);
    EXPECT_DOUBLE_EQ(compiled.written(compiled.kernels[1]), 2 * array);
}

// E needs C through a product: they cannot share a kernel.
TEST(Baseline, ByACompilerHasNoCycles) {
    const char* text =
        "dim M = 64 / 16\ninput A[M, M], B[M, M] : f32\n"
        "C = exp(A)\nD = C @ B\noutput E = C + D\n";
    EXPECT_THAT(names(of_text(text, BaselineKind::Compiler)),
                ElementsAre("C = elementwise", "D = matmul", "E = elementwise"));
}

// Every operator is in a kernel, products are counted once, and no baseline moves more than the next.
TEST(Baseline, OfEverySampleIsWhole) {
    for (const std::string& sample : sample_names()) {
        const ArrayProgram program = read_sample(sample);
        const Baseline library = baseline(program, BaselineKind::Library);
        const Baseline compiled = baseline(program, BaselineKind::Compiler);
        const Baseline operators = baseline(program, BaselineKind::Operators);
        EXPECT_LE(library.bytes(), operators.bytes()) << sample;
        EXPECT_LE(compiled.bytes(), operators.bytes()) << sample;
        const State unfused(block_sample(sample));
        const auto products = static_cast<double>(unfused.counts().flops.matrix);
        for (const Baseline* made : {&library, &compiled, &operators}) {
            double matrix = 0;
            for (const BaselineKernel& kernel : made->kernels) {
                matrix += kernel.matrix;
                EXPECT_FALSE(kernel.writes.empty()) << sample << ": " << kernel.name;
            }
            EXPECT_DOUBLE_EQ(matrix, products) << sample;
            for (const Device& device : builtin_devices()) {
                const Prediction p = predict_baseline(*made, device);
                EXPECT_GT(p.seconds, 0) << sample;
                EXPECT_FALSE(p.binding.empty());
            }
        }
    }
}

// 137 GFLOP at 80% of 989 TFLOP/s, and a launch.
TEST(Baseline, OfAProductTakesWhatLibrariesTake) {
    const Device& h100 = *find_device(builtin_devices(), "h100-sxm5");
    const Baseline library = baseline(read_sample("matmul"), BaselineKind::Library);
    EXPECT_EQ(library.kernels.size(), 1U);
    const double seconds = 2 * 4096.0 * 4096 * 4096 / (0.8 * 989.4e12) + 2.5e-6;
    EXPECT_NEAR(predict_baseline(library, h100).seconds / seconds, 1, 0.01);
}

TEST(Baseline, TakesSizesOfDimensionsByName) {
    DimTable dims = block_sample("attention")->dims;
    for (Dim& dim : dims)
        if (dim.name == "M") dim.size = 128;
    const Baseline small = baseline(at_sizes(read_sample("attention"), dims), BaselineKind::Library);
    EXPECT_DOUBLE_EQ(small.bytes(), 4 * kScores / 32 + 2 * kRows + 2 * kRows / 32);
}

TEST(Verdict, NamesTheFastestBaseline) {
    const std::vector<BaselineSeconds> baselines = {{BaselineKind::Library, 2e-3},
                                                    {BaselineKind::Operators, 5e-3}};
    const Verdict good = verdict(1e-3, baselines);
    EXPECT_TRUE(good.fuse);
    EXPECT_EQ(good.sentence, "The best state is 2 times faster than library kernels.");
    const Verdict bad = verdict(3e-3, baselines);
    EXPECT_FALSE(bad.fuse);
    EXPECT_EQ(bad.against, BaselineKind::Library);
    EXPECT_EQ(
        bad.sentence,
        "Do not fuse this at these block sizes: the best state is 1.5 times slower than library kernels.");
    EXPECT_EQ(compared_with(2e-3, baselines[0]), "as fast as library kernels");
    EXPECT_EQ(compared_with(2.08 * 1e-3, baselines[0]), "4% slower than library kernels") << "not 1 times";
    EXPECT_EQ(compared_with(1.94 * 1e-3, baselines[0]), "3% faster than library kernels");
    EXPECT_EQ(compared_with(1.8e-3, baselines[0]), "1.1 times faster than library kernels");
}

// A percent is less than a model can tell.
TEST(Verdict, OfATieIsNotAgainstFusing) {
    const std::vector<BaselineSeconds> library = {{BaselineKind::Library, 2e-3}};
    for (const double seconds : {1.98e-3, 2e-3, 2.02e-3}) {
        const Verdict tie = verdict(seconds, library);
        EXPECT_TRUE(tie.fuse) << seconds;
        EXPECT_EQ(tie.sentence, "The best state is as fast as library kernels.") << seconds;
    }
    EXPECT_FALSE(verdict(2e-3 * (1 + kTie) * 1.001, library).fuse);
}

// Of what a search found there is nothing else to try.
TEST(Verdict, OnASearchNamesNoOtherBlockSizes) {
    const std::vector<BaselineSeconds> several = {{BaselineKind::Library, 2e-3, 3}};
    EXPECT_EQ(verdict_on_search(1e-3, several).sentence,
              "The best state is 2 times faster than library kernels.");
    const Verdict lost = verdict_on_search(3e-3, several);
    EXPECT_FALSE(lost.fuse);
    EXPECT_EQ(lost.sentence,
              "Do not fuse this as a whole: the best state is 1.5 times slower than library kernels, and no "
              "block sizes that were searched are better. Parts of it may be worth a kernel: its plan says "
              "which.");
}

// What is lost at the file's block sizes may be won at others.
TEST(Verdict, SaysWhatOtherBlockSizesMakeOfIt) {
    const std::vector<BaselineSeconds> library = {{BaselineKind::Library, 2e-3}};
    const auto with = [&](double seconds) {
        return verdict(3e-3, library, SearchedBlocks{seconds, "M = 64"});
    };
    const Verdict won = with(1e-3);
    EXPECT_TRUE(won.fuse);
    EXPECT_EQ(won.others.value().sizes, "M = 64");
    EXPECT_EQ(won.sentence,
              "At these block sizes the best state is 1.5 times slower than library kernels; with M = 64 it "
              "takes 1.00 ms and is 2 times faster.");
    EXPECT_THAT(with(2.01e-3).sentence.str(),
                testing::EndsWith("it takes 2.01 ms and is as fast as library kernels."));
    const Verdict lost = with(2.6e-3);
    EXPECT_FALSE(lost.fuse);
    EXPECT_FALSE(lost.others);
    EXPECT_EQ(lost.searched.value().seconds, 2.6e-3);
    EXPECT_EQ(
        lost.sentence,
        "Do not fuse this: the best state is 1.5 times slower than library kernels, and still 1.3 times "
        "slower with M = 64 (2.60 ms), the best that a search found.");
    // What a search finds is no better where a model cannot tell.
    for (const double tie : {2.98e-3, 3e-3, 3.1e-3})
        EXPECT_EQ(with(tie).sentence,
                  "Do not fuse this: the best state is 1.5 times slower than library kernels, and no block "
                  "sizes that were searched are better.")
            << tie;
    // What is several kernels to others may be worth some of ours.
    const std::vector<BaselineSeconds> several = {{BaselineKind::Library, 2e-3, 3}};
    const SearchedBlocks worse{2.6e-3, "M = 64"};
    EXPECT_THAT(
        verdict(3e-3, several, worse).sentence.str(),
        testing::AllOf(
            testing::StartsWith("Do not fuse this as a whole: the best state is 1.5 times slower"),
            testing::EndsWith(
                "the best that a search found. Parts of it may be worth a kernel: its plan says which.")));
    EXPECT_THAT(verdict(3e-3, several).sentence.str(), testing::Not(testing::HasSubstr("plan")));
    EXPECT_THAT(verdict(3e-3, several, SearchedBlocks{1e-3, "M = 64"}).sentence.str(),
                testing::Not(testing::HasSubstr("plan")));
    // A state that wins is not asked about others.
    EXPECT_EQ(verdict(1e-3, library, SearchedBlocks{0.5e-3, "M = 64"}).sentence,
              "The best state is 2 times faster than library kernels.");
}

TEST(BaselineNames, AreThoseOfTheOption) {
    for (const BaselineKind kind : all_baselines()) EXPECT_EQ(baseline_named(to_string(kind)), kind);
    EXPECT_EQ(baseline_named("torch"), std::nullopt);
}

}  // namespace
}  // namespace blockscope::test
