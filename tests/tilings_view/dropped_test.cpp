// Lists of dropped candidates: each is dropped by the rule that is named, and none is missing.
#include "app/tilings/dropped.h"

#include <gmock/gmock.h>

#include "core/tilings/workloads.h"

namespace blockscope::tilings {
namespace {

Space small_space() {
    TargetDevice device{.title = "small", .processors = 4, .bandwidth = 1e9, .peak = 1e9, .shared = 8000};
    const ArrayProgram program = parse_program(
                                     "dim M = 80\ndim N = 48\ndim K = 32\ndim H = 32\n"
                                     "input A[M, K], B[K, N], D[N, H] : f16\n"
                                     "C = A @ B\noutput E = C @ D\n",
                                     "t.bp")
                                     .value();
    return make_space(read_chain(program).value(), device).value();
}

// All candidates of the whole space, by a walk of our own.
std::vector<Candidate> whole(const Space& space) {
    std::vector<Candidate> all;
    for (std::size_t expression = 0; expression < space.expressions.size(); ++expression)
        for (const TileSize& m : space.sizes[0])
            for (const TileSize& n : space.sizes[1])
                for (const TileSize& k : space.sizes[2])
                    for (const TileSize& h : space.sizes[3])
                        all.push_back({static_cast<int>(expression), {m.size, n.size, k.size, h.size}});
    return all;
}

TEST(DroppedTilings, AreThoseThatTheRuleDrops) {
    const Space space = small_space();
    const std::vector<Candidate> all = whole(space);
    ASSERT_EQ(static_cast<std::int64_t>(all.size()), space.funnel.front().left);
    const CandidateFilter any = parse_filter(space, "").value();
    for (int rule = 1; rule <= 4; ++rule) {
        const auto step = static_cast<std::size_t>(rule);
        const DroppedList list = dropped_by(space, rule, any, 100'000);
        EXPECT_FALSE(list.more);
        std::int64_t count = 0;
        for (const DroppedTiling& row : list.rows) {
            count += row.count;
            EXPECT_FALSE(row.why.empty());
            if (row.tiles.empty()) continue;
            EXPECT_EQ(judge(space, {row.expression, row.tiles}).rule, rule);
        }
        EXPECT_EQ(count, space.funnel[step - 1].left - space.funnel[step].left) << "rule " << rule;
        EXPECT_GT(count, 0) << "rule " << rule;
    }
}

TEST(DroppedTilings, AreBoundedAndFiltered) {
    const Space space = small_space();
    const DroppedList few = dropped_by(space, 3, parse_filter(space, "").value(), 10);
    EXPECT_EQ(few.rows.size(), 10U);
    EXPECT_TRUE(few.more);
    const CandidateFilter filter = parse_filter(space, "mhnk m=48").value();
    const std::string name = "mhnk";
    int expected = 0;
    for (const Candidate& one : whole(space))
        if (one.tiles[0] == 48 && judge(space, one).rule == 3 &&
            to_string(space.judged(one).expression.roots, space.chain) == name)
            ++expected;
    const DroppedList list = dropped_by(space, 3, filter, 100'000);
    EXPECT_EQ(static_cast<int>(list.rows.size()), expected);
    EXPECT_GT(expected, 0);
    for (const DroppedTiling& row : list.rows) EXPECT_EQ(row.tiles[0], 48);
    EXPECT_TRUE(dropped_by(space, 3, parse_filter(space, "nosuch").value(), 10).rows.empty());
}

TEST(DroppedTilings, AFilterSaysWhatIsWrongWithIt) {
    const Space space = small_space();
    EXPECT_EQ(parse_filter(space, "z=16").problems().front().message.str(), "there is no loop z");
    for (const char* text : {"m=17", "m=", "m=-16", "m=96", "m=16x"})
        EXPECT_EQ(parse_filter(space, text).problems().front().message.str(),
                  "tiles of m are multiples of 16 up to 80")
            << text;
}

// The paper's example: of 109 million candidates the first are there at once.
TEST(DroppedTilings, OfTheLargestSpaceAreListedAtOnce) {
    const Workload example{"X", "", false, 1, 1024, 1024, 512, 512};
    TargetDevice device{
        .title = "A100", .processors = 108, .bandwidth = 1.555e12, .peak = 3.12e14, .shared = 166'912};
    const Space space = make_space(read_chain(workload_program(example)).value(), device).value();
    EXPECT_EQ(space.funnel.front().left, 109'051'904);
    const DroppedList list = dropped_by(space, 3, parse_filter(space, "m=48 h=512").value(), 500);
    EXPECT_EQ(list.rows.size(), 500U);
    EXPECT_TRUE(list.more);
}

}  // namespace
}  // namespace blockscope::tilings
