// The ways of deciding beside the exact one, on graphs where they go wrong.
#include <gmock/gmock.h>

#include "core/plan/ways.h"

namespace blockscope::test {
namespace {

using plan::Kernel;
using plan::PlainGraph;
using testing::ElementsAre;

PlainGraph read(const char* text) {
    return plan::read_plain_graph(text, "g.json").value();
}

// The pair in the middle saves most, and leaves both ends alone: two pairs would have saved more.
TEST(GreedyPlans, TakeTheLargestSavingThoughTwoOthersSaveMore) {
    const PlainGraph graph = read(
        R"({"n": 4, "edges": [[0,1],[1,2],[2,3]], "out_bytes": [10,12,10,1], "local": [4,4,4,4], "cap": 8})");
    EXPECT_THAT(plan::greedy_plan(graph).kernels, ElementsAre(Kernel{0}, Kernel{1, 2}, Kernel{3}));
    EXPECT_THAT(plan::exact_plan(graph).kernels, ElementsAre(Kernel{0, 1}, Kernel{2, 3}));
    EXPECT_LT(plan::exact_plan(graph).value, plan::greedy_plan(graph).value);
}

TEST(GreedyPlans, TakeTheLowestNodesOfEqualSavings) {
    const PlainGraph graph =
        read(R"({"n": 3, "edges": [[0,1],[1,2]], "out_bytes": [10,10,1], "local": [4,4,4], "cap": 8})");
    EXPECT_THAT(plan::greedy_plan(graph).kernels, ElementsAre(Kernel{0, 1}, Kernel{2}));
}

// 0 and 2 as one kernel would read 1, which reads 0.
TEST(GreedyPlans, CloseNoCycle) {
    const PlainGraph graph =
        read(R"({"n": 3, "edges": [[0,1],[0,2],[1,2]], "out_bytes": [10,1,1], "local": [4,8,4], "cap": 8})");
    EXPECT_THAT(plan::greedy_plan(graph).kernels, ElementsAre(Kernel{0}, Kernel{1}, Kernel{2}));
    EXPECT_THAT(plan::edge_greedy_plan(graph).kernels, ElementsAre(Kernel{0}, Kernel{1}, Kernel{2}));
}

// Whatever it costs: together the two are bound by work that each had beside its bytes.
TEST(EdgeGreedyPlans, FuseEveryEdgeThatIsAllowed) {
    const PlainGraph graph =
        read(R"({"n": 2, "edges": [[0,1]], "out_bytes": [0,100], "in_bytes": [0,0], "work": [100,0]})");
    EXPECT_THAT(plan::edge_greedy_plan(graph).kernels, ElementsAre(Kernel{0, 1}));
}

// Three kernels are fewest in several ways; of these the one that keeps the most bytes.
TEST(FewestKernels, HaveTheLeastTrafficAmongEquals) {
    const PlainGraph graph =
        read(R"({"n": 3, "edges": [[0,1],[1,2]], "out_bytes": [1,9,1], "local": [4,4,4], "cap": 8})");
    EXPECT_THAT(plan::fewest_kernels_plan(graph).kernels, ElementsAre(Kernel{0}, Kernel{1, 2}));
}

TEST(OneKernel, IsOneOfEveryPart) {
    const PlainGraph graph = read(R"({"n": 3, "edges": [[0,2]], "out_bytes": [1,9,1]})");
    EXPECT_THAT(plan::one_kernel(graph).kernels, testing::UnorderedElementsAre(Kernel{0, 2}, Kernel{1}));
}

}  // namespace
}  // namespace blockscope::test
