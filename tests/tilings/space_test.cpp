// The funnel of the four rules, exactly as the paper's numbers want it, and counted again by plain loops.
#include <gmock/gmock.h>

#include <map>

#include "tests/tilings/chains.h"

namespace blockscope::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tilings::Padding;
using tilings::Rules;
using tilings::SameBlock;
using tilings::SharedTiles;
using tilings::Space;

std::vector<std::int64_t> left(const Space& space) {
    std::vector<std::int64_t> numbers;
    for (const tilings::FunnelStep& step : space.funnel) numbers.push_back(step.left);
    return numbers;
}

std::vector<std::int64_t> funnel(const tilings::Chain& chain, const Rules& rules = {}) {
    return left(tilings::make_space(chain, a100(), rules).value());
}

TEST(TilingSpace, OfThePapersExample) {
    const tilings::Chain chain = chain_of(two_products(1024, 1024, 512, 512));
    EXPECT_THAT(funnel(chain), ElementsAre(109'051'904, 20'971'520, 12'582'912, 5'292, 2'253));
    EXPECT_THAT(funnel(chain, {.same = SameBlock::SubTiling}),
                ElementsAre(109'051'904, 12'582'912, 8'388'608, 3'528, 1'502));
    // Only loaded tiles count: rule 4 drops 39%, the paper's 40%; with all tiles it drops 57%.
    const std::vector<std::int64_t> loaded = funnel(chain, {.tiles = SharedTiles::Loaded});
    EXPECT_NEAR(1 - static_cast<double>(loaded[4]) / static_cast<double>(loaded[3]), 0.39, 0.005);
    // Chimera's space: no flat expressions.
    EXPECT_THAT(funnel(chain, {.flat = false}),
                ElementsAre(100'663'296, 16'777'216, 8'388'608, 3'528, 1'502));
}

TEST(TilingSpace, OfG1) {
    EXPECT_THAT(funnel(workload_chain("G1")), ElementsAre(212'992, 40'960, 24'576, 810, 747));
}

TEST(TilingSpace, OfAllWorkloads) {
    const std::map<std::string, std::int64_t> expected = {
        {"G1", 747},  {"G2", 966},  {"G3", 1140},  {"G4", 1833},  {"G5", 2007},  {"G6", 2091}, {"G7", 1356},
        {"G8", 1383}, {"G9", 1386}, {"G10", 1410}, {"G11", 1410}, {"G12", 1410}, {"S1", 834},  {"S2", 834},
        {"S3", 834},  {"S4", 660},  {"S5", 660},   {"S6", 291},   {"S7", 747},   {"S8", 3033}, {"S9", 861}};
    for (const auto& [name, count] : expected) EXPECT_EQ(funnel(workload_chain(name)).back(), count) << name;
}

// Rules 3 and 4 by plain loops over all tiles of two chained products in f16.
std::pair<std::int64_t, std::int64_t> plainly(const std::vector<int>& sizes, double shared, bool exact) {
    std::vector<std::vector<int>> kept(4);
    for (std::size_t i = 0; i < 4; ++i)
        for (int tile = 16; tile <= (sizes[i] + 15) / 16 * 16; tile += 16) {
            const int padded = (sizes[i] + tile - 1) / tile * tile;
            const bool power = exact && (sizes[i] & (sizes[i] - 1)) == 0;
            if (power ? padded == sizes[i] : padded < 1.05 * sizes[i]) kept[i].push_back(tile);
        }
    std::int64_t three = 0;
    std::int64_t four = 0;
    for (const int m : kept[0])
        for (const int n : kept[1])
            for (const int k : kept[2])
                for (const int h : kept[3]) {
                    ++three;
                    if (2 * (m * k + k * n + m * n + n * h + m * h) <= 1.2 * shared) ++four;
                }
    return {3 * three, 3 * four};
}

TEST(TilingSpace, IsCountedTheSameInAnotherWay) {
    const std::vector<int> cases[] = {{1024, 1024, 512, 512}, {768, 384, 64, 64}, {1000, 336, 80, 200}};
    for (const std::vector<int>& sizes : cases)
        for (const bool exact : {true, false})
            for (const char* device : {"a100-pcie-40gb", "rtx-3080", "h100-sxm5"}) {
                const Space space =
                    tilings::make_space(chain_of(two_products(sizes[0], sizes[1], sizes[2], sizes[3])),
                                        target(device), {.padding = exact ? Padding::Exact : Padding::Five})
                        .value();
                const auto [three, four] = plainly(sizes, static_cast<double>(target(device).shared), exact);
                EXPECT_EQ(space.funnel[3].left, three) << device << sizes[0] << exact;
                EXPECT_EQ(space.funnel[4].left, four) << device << sizes[0] << exact;
                EXPECT_EQ(static_cast<std::int64_t>(space.candidates.size()), four);
            }
}

TEST(TilingSpace, WhereNoSizeIsUnderFivePercentTheLeastPaddingStays) {
    std::vector<std::int64_t> kept;
    for (const tilings::TileSize& tile : tilings::tile_sizes(100, Padding::Exact))
        if (tile.kept) {
            EXPECT_TRUE(tile.fallback);
            EXPECT_DOUBLE_EQ(tile.padding, 0.12);
            kept.push_back(tile.size);
        }
    EXPECT_THAT(kept, ElementsAre(16, 112));
    EXPECT_EQ(tilings::tile_sizes(8, Padding::Exact).size(), 1u);
    EXPECT_FALSE(tilings::tile_sizes(512, Padding::Exact).front().fallback);
}

TEST(TilingSpace, NamesTheRuleThatDropsACandidate) {
    const Space space = tilings::make_space(workload_chain("G4"), a100()).value();
    const std::tuple<std::string, int, std::string> cases[] = {
        {"mhnk m=64 n=64 k=64 h=64", 0, ""},
        {"mnkh m=64 n=64 k=64 h=64", 1, "mnkh runs nk in each thread block, as mhnk does"},
        {"mhkn m=64 n=64 k=64 h=64", 2, "mhkn keeps partial tiles of C"},
        {"mhnk m=48 n=64 k=64 h=64", 3, "tiles of 48 pad m = 512 by 3.1%; the limit is 0%, a power of two"},
        {"mhnk m=512 n=512 k=16 h=16", 4,
         "its tiles take 589824 bytes; the limit is 200294 (1.2 times 166912)"},
    };
    for (const auto& [text, rule, why] : cases) {
        const tilings::Verdict verdict = judge(space, tilings::parse_candidate(space, text).value());
        EXPECT_EQ(verdict.rule, rule) << text;
        EXPECT_THAT(verdict.why.str(), HasSubstr(why));
    }
    for (const tilings::Candidate& candidate : space.candidates) EXPECT_EQ(judge(space, candidate).rule, 0);
}

// Where no size pads by less than 5%, the reason tells of what is kept instead; and rule 4 names the tiles
// that it adds up.
TEST(TilingSpace, GivesTheReasonsOfItsOwnRules) {
    const auto why = [](const Space& space, const std::string& text) {
        return judge(space, tilings::parse_candidate(space, text).value()).why.str();
    };
    const Space narrow = tilings::make_space(chain_of(two_products(100, 64, 64, 64, "f16")), a100()).value();
    EXPECT_EQ(why(narrow, "mhnk m=32 n=64 k=64 h=64"),
              "tiles of 32 pad m = 100 by 28.0%; none pads by less than 5%, and those that pad the least, by "
              "12.0%, are kept");
    const Space loaded =
        tilings::make_space(workload_chain("G4"), a100(), {.tiles = tilings::SharedTiles::Loaded}).value();
    EXPECT_THAT(why(loaded, "mhnk m=512 n=512 k=256 h=256"), HasSubstr("the tiles that it loads take "));
}

TEST(TilingSpace, CandidatesAreReadAsTheyAreWritten) {
    const Space space = tilings::make_space(workload_chain("G1"), a100()).value();
    for (const tilings::Candidate& candidate : space.candidates)
        EXPECT_EQ(tilings::parse_candidate(space, to_string(space, candidate)).value(), candidate);
    for (const char* text :
         {"mhnk", "mhnk m=32 n=32 k=32", "mhnk m=17 n=32 k=32 h=32", "xy m=32 n=32 k=32 h=32",
          "mhnk m=32 n=32 k=32 h=32 z=16", "mhnk m=x n=32 k=32 h=32", "mhnk m=528 n=32 k=32 h=32"})
        EXPECT_FALSE(tilings::parse_candidate(space, text)) << text;
}

TEST(TilingSpace, CanBeStopped) {
    const StopSign stop([] { return true; });
    EXPECT_THROW((void)tilings::make_space(workload_chain("G12"), a100(), {}, stop), Stopped);
}

TEST(TilingSpace, OfVeryLargeSizesIsRefused) {
    const std::string large = two_products(2'000'000, 64, 64, 64);
    const Result<Space> space = tilings::make_space(chain_of(large), a100());
    ASSERT_FALSE(space);
    EXPECT_THAT(to_string(space.problems().front()), HasSubstr("too many"));
}

TEST(TilingSpace, ReadsDevices) {
    EXPECT_EQ(a100().shared, 163 * 1024);
    EXPECT_EQ(a100().processors, 108);
    EXPECT_EQ(a100().bandwidth, 1555e9);
    EXPECT_EQ(a100().peak, 312e12);
    EXPECT_EQ(target("rtx-3080").shared, 99 * 1024);
    EXPECT_EQ(target("rtx-3080").processors, 68);
    EXPECT_EQ(target("rtx-3080").bandwidth, 760e9);
}

}  // namespace
}  // namespace blockscope::test
