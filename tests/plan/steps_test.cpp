// The taxonomy's two ways one decision at a time, as they are meant and as they are printed.
#include "core/plan/steps.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "tests/plan/random_graph.h"

namespace blockscope::test {
namespace {

using plan::Decided;
using plan::FusionGroup;
using plan::PlainGraph;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> numbers(const PlainGraph& graph) {
    std::vector<std::string> names;
    for (int node = 0; node < graph.nodes(); ++node) names.push_back(std::to_string(node));
    return names;
}

Decided steps(const PlainGraph& graph, const char* way) {
    return plan::find_stepped(way)->decide(graph, numbers(graph));
}

PlainGraph chain_of_three() {
    return plan::read_plain_graph(R"({"n": 3, "edges": [[0,1],[1,2]], "out_bytes": [10,12,1]})", "g.json")
        .value();
}

TEST(Steps, AreOneForEachEdge) {
    const Decided made = steps(chain_of_three(), "edges");
    ASSERT_EQ(made.steps.size(), 2U);
    EXPECT_TRUE(made.steps[0].together);
    EXPECT_EQ(made.steps[0].why.str(), "0, 1 are one kernel from here on, which moves 20.0 B less");
    EXPECT_THAT(made.steps[0].groups, ElementsAre(FusionGroup{0, 1}, FusionGroup{0, 1}, FusionGroup{2}));
    EXPECT_THAT(made.groups, ElementsAre(FusionGroup{0, 1, 2}));
}

TEST(Steps, SayWhyAnEdgeIsNotFused) {
    const PlainGraph graph =
        plan::read_plain_graph(R"({"n": 3, "edges": [[0,1],[0,2],[1,2]], "out_bytes": [10,1,1],)"
                               R"( "local": [4,8,4], "cap": 8})",
                               "g.json")
            .value();
    const Decided made = steps(graph, "edges");
    ASSERT_EQ(made.steps.size(), 3U);
    EXPECT_THAT(made.steps[0].why.str(), HasSubstr("cannot be built as one kernel"));
    EXPECT_THAT(made.steps[1].why.str(), HasSubstr("would wait for another kernel"));
}

// groups[consumer] = groups[producer] | groups[consumer] leaves the producer's as it was.
TEST(StepsAsPrinted, UpdateTheReadersGroupAlone) {
    const PlainGraph fork =
        plan::read_plain_graph(R"({"n": 3, "edges": [[0,1],[0,2]], "out_bytes": [10,1,1]})", "g.json")
            .value();
    const Decided made = steps(fork, "edges-as-printed");
    EXPECT_THAT(made.steps.back().groups, ElementsAre(FusionGroup{0}, FusionGroup{0, 1}, FusionGroup{0, 2}));
    EXPECT_THAT(made.groups, ElementsAre(FusionGroup{0, 1}, FusionGroup{0, 2}));
    EXPECT_THAT(made.note.str(), HasSubstr("3 groups in the end, and 1 of 3 operators"));
    EXPECT_THAT(steps(fork, "edges").groups, ElementsAre(FusionGroup{0, 1, 2}));
}

TEST(StepsAsPrinted, ColoursNeverHoldThreeInARow) {
    const Decided made = steps(chain_of_three(), "fewest-as-printed");
    EXPECT_THAT(made.groups, ElementsAre(FusionGroup{0}, FusionGroup{1, 2}))
        << "of two colours, the less traffic";
    EXPECT_THAT(made.steps[1].why.str(), HasSubstr("a new one"));
    EXPECT_EQ(made.steps[2].why.str(), "2 takes colour 2, that of 1");
    EXPECT_THAT(made.note.str(), HasSubstr("no kernel has more than two operators"));
    EXPECT_THAT(steps(chain_of_three(), "fewest").groups, ElementsAre(FusionGroup{0, 1, 2}));
}

bool may_fuse(const PlainGraph& graph, int a, int b) {
    return plan::is_candidate(graph, {a, b}) && plan::cost_of(graph, {a, b}) < plan::kNever;
}

// Over all choices of a partner or none for the lowest node that is left.
std::pair<double, double> fewest(const PlainGraph& graph, std::set<int> left) {
    if (left.empty()) return {0, 0};
    const int node = *left.begin();
    left.erase(left.begin());
    const auto with = [&](const FusionGroup& kernel, std::set<int> rest) {
        const auto [colours, bytes] = fewest(graph, std::move(rest));
        return std::pair(colours + 1, bytes + plan::bytes_of(graph, kernel));
    };
    auto best = with({node}, left);
    for (const int other : left) {
        if (!may_fuse(graph, node, other)) continue;
        std::set<int> rest = left;
        rest.erase(other);
        best = std::min(best, with({node, other}, rest));
    }
    return best;
}

// No two operators of a colour are in conflict, and there are as few colours as there can be.
TEST(StepsAsPrinted, ColoursAreTheFewest) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const PlainGraph graph = random_graph(random, 8);
        const Decided made = steps(graph, "fewest-as-printed");
        std::set<int> all;
        double bytes = 0;
        for (const FusionGroup& group : made.groups) {
            bytes += plan::bytes_of(graph, group);
            all.insert(group.begin(), group.end());
            ASSERT_LE(group.size(), 2U);
            EXPECT_TRUE(group.size() == 1 || may_fuse(graph, group[0], group[1])) << seed;
        }
        EXPECT_EQ(static_cast<int>(all.size()), graph.nodes());
        EXPECT_EQ(std::pair(static_cast<double>(made.groups.size()), bytes), fewest(graph, all)) << seed;
    }
}

// Stepped, the ways come to what they come to at once.
TEST(Steps, EndAtThePlan) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Random random(seed);
        const PlainGraph graph = random_graph(random, 9);
        for (const char* way : {"edges", "fewest"}) {
            const plan::Plan plan = plan::find_way(way)->decide(graph);
            if (plan.value == plan::kNever) continue;
            EXPECT_EQ(steps(graph, way).groups, plan.kernels) << seed << ' ' << way;
        }
    }
}

}  // namespace
}  // namespace blockscope::test
