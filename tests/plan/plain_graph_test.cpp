// Plain graphs: what a kernel costs, by hand, and files that are wrong.
#include <gmock/gmock.h>

#include "core/plan/plain_graph.h"
#include "core/plan/ways.h"

namespace blockscope::test {
namespace {

using plan::PlainGraph;

const char* const kFourInARow =
    R"({"n": 4, "edges": [[0,1],[1,2],[2,3]], "out_bytes": [10,8,20,2], "in_bytes": [4,0,3,0],)"
    R"( "work": [5,1,1,90], "local": [4,4,4,4], "outputs": [3], "cap": 8, "launch": 10.0})";

PlainGraph four_in_a_row() {
    return plan::read_plain_graph(kFourInARow, "chain.json").value();
}

TEST(PlainGraphs, CostALaunchAndTheSlowerOfBytesAndWork) {
    const PlainGraph graph = four_in_a_row();
    EXPECT_EQ(plan::bytes_of(graph, {0, 1}), 4 + 8) << "an input, and the result that 2 reads";
    EXPECT_EQ(plan::cost_of(graph, {0, 1}), 10 + 12);
    EXPECT_EQ(plan::bytes_of(graph, {2, 3}), 8 + 3 + 2);
    EXPECT_EQ(plan::cost_of(graph, {2, 3}), 10 + 91) << "the work takes longer than the bytes";
    EXPECT_EQ(plan::cost_of(graph, {1, 2, 3}), plan::kNever) << "12 bytes of local memory where 8 are";
}

TEST(PlainGraphs, CountWhatSeveralNodesReadOnce) {
    const Result<PlainGraph> graph = plan::read_plain_graph(
        R"({"n": 4, "edges": [[0,1],[0,2],[1,3],[2,3]], "out_bytes": [10,1,1,2]})", "diamond.json");
    ASSERT_TRUE(graph);
    EXPECT_EQ(plan::bytes_of(*graph, {1, 2, 3}), 10 + 2);
    EXPECT_EQ(plan::bytes_of(*graph, {0, 1}), 10 + 1) << "2 reads 0's result, too";
    EXPECT_TRUE(plan::is_candidate(*graph, {1, 2, 3}));
    EXPECT_FALSE(plan::is_candidate(*graph, {0, 1, 3})) << "through 2 a path leaves it and comes back";
    EXPECT_FALSE(plan::is_candidate(*graph, {1, 2})) << "no edge joins them";
}

TEST(PlainGraphs, ArePlannedByEveryWay) {
    const PlainGraph graph = four_in_a_row();
    for (const plan::Way& way : plan::ways()) {
        const plan::Plan made = way.decide(graph);
        if (std::string(way.name) == "one") {
            EXPECT_EQ(made.value, plan::kNever) << "16 bytes of local memory where 8 are";
            continue;
        }
        // The last two cost 101 together, and 41 and 110 alone.
        const bool apart = std::string(way.name) == "each";
        EXPECT_EQ(made.value, apart ? 24 + 28 + 41 + 100 : 22 + 101) << way.name;
    }
}

struct Wrong {
    const char* text;
    const char* place;
};

TEST(HostilePlainGraphs, AreRefusedWithThePlaceOfWhatIsWrong) {
    const Wrong all[] = {
        {"", ""},
        {"[]", ""},
        {R"({"n": 0, "edges": [], "out_bytes": []})", "/n"},
        {R"({"n": 1e300, "edges": [], "out_bytes": []})", "/n"},
        {R"({"n": 2, "edges": [], "out_bytes": [1]})", "/out_bytes"},
        {R"({"n": 2, "edges": [], "out_bytes": [1, -1]})", "/out_bytes/1"},
        {R"({"n": 2, "edges": [], "out_bytes": [1, "1"]})", "/out_bytes/1"},
        {R"({"n": 2, "edges": [[0, 2]], "out_bytes": [1, 1]})", "/edges/0/1"},
        {R"({"n": 2, "edges": [[0]], "out_bytes": [1, 1]})", "/edges/0"},
        {R"({"n": 2, "edges": [[0, 1], [0, 1]], "out_bytes": [1, 1]})", "/edges/1"},
        {R"({"n": 2, "edges": [[0, 1], [1, 0]], "out_bytes": [1, 1]})", "/edges"},
        {R"({"n": 2, "edges": [[1, 1]], "out_bytes": [1, 1]})", "/edges"},
        {R"({"n": 2, "edges": [], "out_bytes": [1, 1], "outputs": [2]})", "/outputs/0"},
        {R"({"n": 2, "edges": [], "out_bytes": [1, 1], "outputs": [1, 1]})", "/outputs/1"},
        {R"({"n": 1, "edges": [], "out_bytes": [1], "cap": -1})", "/cap"},
        {R"({"n": 1, "edges": [], "out_bytes": [1], "bandwidth": 0})", "/bandwidth"},
        {R"({"n": 1, "edges": [], "out_bytes": [1], "launches": 1})", "/launches"},
        {R"({"n": 2, "edges": [[0, 1]], "out_bytes": [1e308, 1], "outputs": [0, 1]})", "/out_bytes"},
        {R"({"n": 2, "edges": [], "out_bytes": [1, 1], "work": [1e308, 1e308]})", "/work"},
        {R"({"n": 2, "edges": [], "out_bytes": [1, 1], "local": [1e308, 1e308]})", "/local"},
        {R"({"n": 2, "edges": [], "out_bytes": [1, 1], "launch": 1e308})", "/launch"},
        {R"({"n": 1, "edges": [], "out_bytes": [1e300], "bandwidth": 1e-300})", "/bandwidth"},
        {R"({"n": 1, "edges": [], "out_bytes": [1], "work": [1e300], "peak": 1e-300})", "/peak"},
        {R"({"n": 1, "edges": [], "out_bytes": [1e308], "launch": 1e308})", "/launch"},
    };
    for (const Wrong& wrong : all) {
        const Result<PlainGraph> graph = plan::read_plain_graph(wrong.text, "g.json");
        ASSERT_FALSE(graph) << wrong.text;
        EXPECT_EQ(graph.problems().front().place.pointer, wrong.place) << wrong.text;
        EXPECT_EQ(graph.problems().front().place.file, "g.json");
    }
}

}  // namespace
}  // namespace blockscope::test
