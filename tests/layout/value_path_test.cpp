#include <gmock/gmock.h>

#include "app/figure/figure.h"
#include "core/fusion/trace.h"
#include "tests/support/samples.h"

namespace blockscope {
namespace {

std::vector<std::string> labels(const Figure& figure, const std::vector<int>& boxes) {
    std::vector<std::string> texts;
    for (const int box : boxes) {
        const Box& b = figure.boxes[static_cast<std::size_t>(box)];
        texts.push_back(b.kind == BoxKind::Frame ? "[" + b.corner + "]" : b.label);
    }
    return texts;
}

int edge_into(const Figure& figure, const std::string& label) {
    for (std::size_t i = 0; i < figure.edges.size(); ++i)
        if (figure.boxes[static_cast<std::size_t>(figure.edges[i].to.box)].label == label)
            return static_cast<int>(i);
    return -1;
}

TEST(ValuePath, GoesThroughAllNestingLevels) {
    const Figure figure = make_figure(*fuse(test::block_sample("attention")).last(), {}, plain_measure);
    const int from_q = 0;
    const ValuePath path = value_path(figure, from_q);
    EXPECT_THAT(labels(figure, path.boxes),
                testing::UnorderedElementsAre("Q(M,D)", "[M,L]", "[N]", "[D]", "dot"));
    EXPECT_EQ(path.edges.size(), 4u);
    for (const int edge : path.edges) EXPECT_EQ(value_path(figure, edge).edges, path.edges);
}

TEST(ValuePath, TakesAllConsumersOfAValue) {
    const Figure figure = make_figure(*fuse(test::block_sample("attention")).last(), {}, plain_measure);
    const ValuePath path = value_path(figure, edge_into(figure, "row_sum"));
    EXPECT_THAT(labels(figure, path.boxes),
                testing::UnorderedElementsAre("exp(x*(DD**-0.5))", "row_sum", "dot"));
}

TEST(ValuePath, OfNoEdgeIsEmpty) {
    const Figure figure = make_figure(*test::block_sample("attention"), {}, plain_measure);
    EXPECT_TRUE(value_path(figure, -1).edges.empty());
    EXPECT_TRUE(value_path(figure, 1000000).edges.empty());
}

}  // namespace
}  // namespace blockscope
