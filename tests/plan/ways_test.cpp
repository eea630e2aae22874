// The ways of deciding beside the exact one, on graphs where they go wrong.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "tests/plan/random_graph.h"

namespace blockscope::test {
namespace {

using plan::FusionGroup;
using plan::PlainGraph;
using testing::ElementsAre;

PlainGraph read(const char* text) {
    return plan::read_plain_graph(text, "g.json").value();
}

// The pair in the middle saves most, and leaves both ends alone: two pairs would have saved more.
TEST(GreedyPlans, TakeTheLargestSavingThoughTwoOthersSaveMore) {
    const PlainGraph graph = read(
        R"({"n": 4, "edges": [[0,1],[1,2],[2,3]], "out_bytes": [10,12,10,1], "local": [4,4,4,4], "cap": 8})");
    EXPECT_THAT(plan::greedy_plan(graph).kernels,
                ElementsAre(FusionGroup{0}, FusionGroup{1, 2}, FusionGroup{3}));
    EXPECT_THAT(plan::exact_plan(graph).kernels, ElementsAre(FusionGroup{0, 1}, FusionGroup{2, 3}));
    EXPECT_LT(plan::exact_plan(graph).value, plan::greedy_plan(graph).value);
}

TEST(GreedyPlans, TakeTheLowestNodesOfEqualSavings) {
    const PlainGraph graph =
        read(R"({"n": 3, "edges": [[0,1],[1,2]], "out_bytes": [10,10,1], "local": [4,4,4], "cap": 8})");
    EXPECT_THAT(plan::greedy_plan(graph).kernels, ElementsAre(FusionGroup{0, 1}, FusionGroup{2}));
}

// 4 saves 6 with 0 as with 1, but for what thirds are rounded by.
TEST(GreedyPlans, TakeTheLowestNodesOfSavingsThatAreRoundedDifferently) {
    const PlainGraph graph = read(
        R"({"n": 5, "edges": [[1,4],[0,3],[0,4]], "out_bytes": [2,10,7,23,15], "in_bytes": [3,0,6,0,18],
            "work": [35,18,33,40,30], "local": [0,0,3,4,3], "outputs": [], "cap": 5, "launch": 1,
            "bandwidth": 2, "peak": 3})");
    EXPECT_THAT(plan::greedy_plan(graph).kernels, testing::Contains(FusionGroup{0, 1, 4}));
}

// What cannot be built alone is joined with whatever makes it a kernel.
TEST(GreedyPlans, JoinWhatCannotBeBuiltAlone) {
    const PlainGraph graph = read(R"({"n": 3, "edges": [[0,1],[1,2]], "out_bytes": [1,1,1]})");
    plan::Problem problem(graph);
    problem.cost = [own = problem.cost](const FusionGroup& kernel) {
        return kernel == FusionGroup{1} ? plan::kNever : own(kernel) + static_cast<double>(kernel.size());
    };
    EXPECT_THAT(plan::greedy_plan(problem).kernels, testing::Contains(testing::Contains(1)));
}

// Rounding alone saves nothing: 0.1 + 0.2 is more than 0.3 in doubles.
TEST(GreedyPlans, JoinNothingForWhatIsRounded) {
    const PlainGraph graph =
        read(R"({"n": 2, "edges": [[0,1]], "out_bytes": [0,0], "work": [1,2], "peak": 10})");
    EXPECT_THAT(plan::greedy_plan(graph).kernels, ElementsAre(FusionGroup{0}, FusionGroup{1}));
}

// Told to stop they have what they had joined until then, and ask often.
TEST(QuickPlans, StopWhenTheyAreTold) {
    const PlainGraph graph = layered_graph(40, 3);
    for (const char* way : {"greedy", "edges"}) {
        int asked = 0;
        const StopSign stop([&asked] { return ++asked > 700; });
        plan::Problem problem(graph);
        problem.stop = &stop;
        const plan::Plan plan = plan::find_way(way)->decide(problem);
        EXPECT_EQ(asked, 701) << way;
        expect_sound(graph, plan);
        EXPECT_TRUE(plan.stopped) << way;
        EXPECT_EQ(plan.bounded.substr(0, 7), "stopped") << way;
        EXPECT_FALSE(plan::find_way(way)->decide(graph).stopped) << way;
    }
}

// 0 and 2 as one kernel would read 1, which reads 0.
TEST(GreedyPlans, CloseNoCycle) {
    const PlainGraph graph =
        read(R"({"n": 3, "edges": [[0,1],[0,2],[1,2]], "out_bytes": [10,1,1], "local": [4,8,4], "cap": 8})");
    EXPECT_THAT(plan::greedy_plan(graph).kernels,
                ElementsAre(FusionGroup{0}, FusionGroup{1}, FusionGroup{2}));
    EXPECT_THAT(plan::edge_greedy_plan(graph).kernels,
                ElementsAre(FusionGroup{0}, FusionGroup{1}, FusionGroup{2}));
}

TEST(GreedyPlans, JoinNothingForNothing) {
    const PlainGraph graph = read(R"({"n": 2, "edges": [[0,1]], "out_bytes": [0,1], "work": [5,5]})");
    EXPECT_THAT(plan::greedy_plan(graph).kernels, ElementsAre(FusionGroup{0}, FusionGroup{1}));
}

// The same written down plainly: every pair that an edge joins is looked at anew after every join.
std::set<FusionGroup> plainly_greedy(const PlainGraph& graph) {
    std::set<FusionGroup> kernels;
    for (int node = 0; node < graph.nodes(); ++node) kernels.insert({node});
    const auto reads = [&](const FusionGroup& reader, const FusionGroup& source) {
        return std::any_of(reader.begin(), reader.end(), [&](int node) {
            const auto& before = graph.before[static_cast<std::size_t>(node)];
            return std::any_of(before.begin(), before.end(), [&](int from) {
                return std::binary_search(source.begin(), source.end(), from);
            });
        });
    };
    const auto can_run = [&](std::set<FusionGroup> left) {
        while (!left.empty()) {
            const auto next = std::find_if(left.begin(), left.end(), [&](const FusionGroup& kernel) {
                return std::none_of(left.begin(), left.end(), [&](const FusionGroup& other) {
                    return other != kernel && reads(kernel, other);
                });
            });
            if (next == left.end()) return false;
            left.erase(next);
        }
        return true;
    };
    while (true) {
        double most = 0;
        std::set<FusionGroup> best;
        for (const FusionGroup& a : kernels)  // the lowest nodes first
            for (const FusionGroup& b : kernels) {
                if (!(a < b) || (!reads(a, b) && !reads(b, a))) continue;
                FusionGroup both;
                std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
                const double saving =
                    plan::cost_of(graph, a) + plan::cost_of(graph, b) - plan::cost_of(graph, both);
                std::set<FusionGroup> joined = kernels;
                joined.erase(a);
                joined.erase(b);
                joined.insert(both);
                if (!(saving > most) || !can_run(joined)) continue;
                most = saving;
                best = std::move(joined);
            }
        if (best.empty()) return kernels;
        kernels = std::move(best);
    }
}

TEST(GreedyPlans, AreWhatThePlainWayFinds) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const PlainGraph graph = random_graph(random, 12);
        const plan::Plan plan = plan::greedy_plan(graph);
        if (plan.value == plan::kNever) continue;
        EXPECT_EQ(std::set<FusionGroup>(plan.kernels.begin(), plan.kernels.end()), plainly_greedy(graph))
            << seed;
    }
}

// Whatever it costs: together the two are bound by work that each had beside its bytes.
TEST(EdgeGreedyPlans, FuseEveryEdgeThatIsAllowed) {
    const PlainGraph graph =
        read(R"({"n": 2, "edges": [[0,1]], "out_bytes": [0,100], "in_bytes": [0,0], "work": [100,0]})");
    EXPECT_THAT(plan::edge_greedy_plan(graph).kernels, ElementsAre(FusionGroup{0, 1}));
}

// Three kernels are fewest in several ways; of these the one that keeps the most bytes.
TEST(FewestKernels, HaveTheLeastTrafficAmongEquals) {
    const PlainGraph graph =
        read(R"({"n": 3, "edges": [[0,1],[1,2]], "out_bytes": [1,9,1], "local": [4,4,4], "cap": 8})");
    EXPECT_THAT(plan::fewest_kernels_plan(graph).kernels, ElementsAre(FusionGroup{0}, FusionGroup{1, 2}));
}

TEST(OneKernel, IsOneOfEveryPart) {
    const PlainGraph graph = read(R"({"n": 3, "edges": [[0,2]], "out_bytes": [1,9,1]})");
    EXPECT_THAT(plan::one_kernel(graph).kernels,
                testing::UnorderedElementsAre(FusionGroup{0, 2}, FusionGroup{1}));
}

}  // namespace
}  // namespace blockscope::test
