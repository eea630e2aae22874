// MCFuser's pruning of tile sizes, section III-C, on its example: M = N = 1024, K = H = 512, multiples of 16.
#include <gmock/gmock.h>

#include "core/cost/tiling_space.h"

namespace blockscope::test {
namespace {

using testing::ElementsAre;

TEST(TilingPruning, Rule3LeavesTilesWithoutPadding) {
    EXPECT_THAT(unpadded_tiles(1024, 16), ElementsAre(16, 32, 64, 128, 256, 512, 1024));
    // 96 is no power of two: a tile may pad it by less than 5%, which no other multiple of 16 does.
    EXPECT_THAT(unpadded_tiles(96, 16), ElementsAre(16, 32, 48, 96));
    // 1000 in tiles of 16: 1,008, 0.8% more.
    EXPECT_THAT(unpadded_tiles(1000, 16), testing::Contains(16));
    EXPECT_THAT(unpadded_tiles(1000, 16), testing::Not(testing::Contains(96)));  // 1,056: 5.6% more
}

TEST(TilingPruning, Equation1SumsTheTiles) {
    EXPECT_EQ(chain_shared_bytes({128, 64, 32, 16}, 2),
              2 * (128 * 32 + 32 * 64 + 128 * 64 + 64 * 16 + 128 * 16));
}

TEST(TilingPruning, OfTheExample) {
    // 163 KB of shared memory in a thread block of the A100, FP16.
    const ChainPruning left = pruned_tiles({1024, 1024, 512, 512}, 16, 2, 166912);
    EXPECT_EQ(left.all, 64 * 64 * 32 * 32);
    EXPECT_EQ(left.unpadded, 7 * 7 * 6 * 6);
    EXPECT_LT(static_cast<double>(left.unpadded) / static_cast<double>(left.all), 0.01)
        << "99% are discarded";
    EXPECT_EQ(left.fitting, 751);
    // With the 3 tiling expressions that rules 1 and 2 leave: the order of magnitude of the paper's 10^4.
    EXPECT_GT(3 * left.fitting, 1000);
    EXPECT_LT(3 * left.unpadded, 10000);
}

}  // namespace
}  // namespace blockscope::test
