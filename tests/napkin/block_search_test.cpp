// Block sizes found by trying, against counts and against the formula.
#include "core/napkin/optimum.h"

#include <gmock/gmock.h>

#include "core/cost/counts.h"
#include "core/fusion/trace.h"
#include "tests/support/samples.h"

namespace blockscope::napkin {
namespace {

LoopProgram fused_sample(const std::string& sample) {
    return lower(*fuse(test::block_sample(sample)).last());
}

BlockSearchOptions limit(std::int64_t bytes) {
    BlockSearchOptions options;
    options.memory_bytes = bytes;
    return options;
}

// As listed, what the search says is what the counter says at its block sizes.
TEST(BlockSearch, CountsAsTheCounterDoes) {
    for (const char* sample : {"matmul", "attention", "rmsnorm-swiglu", "gqa", "causal-attention"}) {
        SCOPED_TRACE(sample);
        BlockSearchOptions options = limit(100'000);
        options.placement = LoadPlacement::AsListed;
        LoopProgram program = fused_sample(sample);
        const std::optional<BestBlocks> best = search_blocks(program, options);
        ASSERT_TRUE(best);
        program.dims = best->dims;
        const Counts counts = count(program);
        EXPECT_EQ(best->moved_bytes, counts.bytes());
        EXPECT_EQ(best->local_bytes, counts.local.bytes);
        EXPECT_LE(best->local_bytes, 100'000);
    }
}

// The law leaves out what is small against tiles and streams blocks of 1; whole block sizes come within a few
// percent.
TEST(BlockSearch, ComesCloseToTheLaw) {
    for (const char* sample : {"matmul", "attention", "multihead-attention"}) {
        SCOPED_TRACE(sample);
        const LoopProgram program = fused_sample(sample);
        constexpr double kValues = 100'000;
        const double law = transfers(power_law(find_optimum(program).law, program.dims), kValues);
        const std::optional<BestBlocks> best = search_blocks(program, limit(2 * 100'000));
        ASSERT_TRUE(best);
        EXPECT_LE(best->local_values, kValues);
        EXPECT_GT(static_cast<double>(best->moved_values), 0.99 * law);
        EXPECT_LT(static_cast<double>(best->moved_values), 1.10 * law);
    }
}

TEST(BlockSearch, TriesAllOfTwoDimensions) {
    const std::optional<BestBlocks> best = search_blocks(fused_sample("attention"), limit(100'000));
    ASSERT_TRUE(best);
    EXPECT_TRUE(best->exhaustive);
    EXPECT_EQ(best->dims[2].block, 128);  // D stays whole
}

TEST(BlockSearch, KeepsToMultiplesAndTheLimit) {
    BlockSearchOptions options = limit(100'000);
    options.multiple = 16;
    const std::optional<BestBlocks> best = search_blocks(fused_sample("mcfuser-g3"), options);
    ASSERT_TRUE(best);
    for (const Dim& dim : best->dims) EXPECT_TRUE(dim.block % 16 == 0 || dim.block == dim.size) << dim.name;
    EXPECT_LE(best->local_bytes, 100'000);
    EXPECT_FALSE(search_blocks(fused_sample("attention"), limit(100)));
}

// More memory never moves more.
TEST(BlockSearch, UsesWhatMemoryThereIs) {
    const LoopProgram program = fused_sample("mcfuser-g5");
    std::int64_t before = kCountLimit;
    for (const std::int64_t bytes : {20'000, 50'000, 100'000, 200'000}) {
        const std::optional<BestBlocks> best = search_blocks(program, limit(bytes));
        ASSERT_TRUE(best);
        EXPECT_LT(best->moved_bytes, before);
        before = best->moved_bytes;
    }
}

}  // namespace
}  // namespace blockscope::napkin
