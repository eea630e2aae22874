#include "core/graph/graph.h"

#include <gmock/gmock.h>

#include "core/support/result.h"
#include "tests/support/graph_text.h"

namespace blockscope::test {
namespace {

const char* const kNested = R"(
X: MN|MN
c: M|M
u = map M i:X i:c {v = map N i:X b:c {t = row_scale X c; -> t}; -> v}
w = map M i:u {v = map N i:u {t = row_sum u; -> t}; s = sum N v; -> s}
O = out w
)";

TEST(Graph, FindsNodesAndPaths) {
    const NamedProgram named = graph_from_text(kNested);
    std::vector<NodeId> path;
    ASSERT_TRUE(find_path(*named.program, named.id("w/v/t"), path));
    EXPECT_THAT(path, testing::ElementsAre(named.id("w"), named.id("w/v")));
    EXPECT_TRUE(graph_at(*named.program, path)->find(named.id("w/v/t")));
    EXPECT_FALSE(find_path(*named.program, NodeId{9999}, path));
    EXPECT_EQ(graph_at(*named.program, {named.id("X")}), nullptr);
    EXPECT_EQ(named.program->graph->inputs().size(), 2u);
    EXPECT_EQ(named.program->graph->outputs().size(), 1u);
}

TEST(Graph, ReplacingAnInnerGraphSharesEverythingElse) {
    const NamedProgram named = graph_from_text(kNested);
    const std::vector<NodeId> path = {named.id("u"), named.id("u/v")};
    const BlockProgram changed =
        with_graph_at(*named.program, path, graph_at(*named.program, {named.id("w")}));
    EXPECT_EQ(graph_at(changed, path), graph_at(*named.program, {named.id("w")}));
    for (std::size_t i = 0; i < changed.graph->nodes().size(); ++i) {
        const NodePtr& old = named.program->graph->nodes()[i];
        EXPECT_EQ(changed.graph->nodes()[i] == old, old->id != named.id("u"));
    }
    EXPECT_FALSE(identical(*changed.graph, *named.program->graph));
    EXPECT_TRUE(identical(*named.program->graph, *graph_from_text(kNested).program->graph));
}

// An edge that goes through the ports of maps counts once: X, c, u -> w, the inner list and O.
TEST(Graph, CountsBufferedEdgesAsThePaperDrawsThem) {
    EXPECT_EQ(buffered_edges(*graph_from_text(kNested).program), 5);
    EXPECT_EQ(node_count(*graph_from_text(kNested).program), 20);
}

TEST(GraphIndex, KnowsUsesAndPaths) {
    const NamedProgram named =
        graph_from_text("X: |MN\na = exp X\nb = neg a\nc = mul2 a b\nd = exp X\nO = out c\nP = out d\n");
    const GraphIndex index(*named.program->graph);
    const auto at = [&](const char* name) { return index.position(named.id(name)); };
    EXPECT_EQ(index.uses(at("a")).size(), 2);
    EXPECT_EQ(index.uses_of(at("a"), 0).size(), 2u);
    EXPECT_TRUE(index.uses_of(at("a"), 1).empty());
    EXPECT_TRUE(index.indirect_path(at("a"), at("c")));
    EXPECT_FALSE(index.indirect_path(at("a"), at("b")));
    EXPECT_TRUE(index.reaches(at("a"), at("b")));
    EXPECT_FALSE(index.reaches(at("a"), at("d")));
    EXPECT_FALSE(index.reaches(at("c"), at("a")));
    EXPECT_EQ(index.position(NodeId{9999}), -1);
    EXPECT_EQ(index.find(NodeId{0}), nullptr);
}

TEST(GraphIndex, TakesAnEmptyGraph) {
    const Graph empty;
    const GraphIndex index(empty);
    EXPECT_EQ(index.size(), 0);
    EXPECT_EQ(index.position(NodeId{1}), -1);
}

TEST(Topological, KeepsTheGivenOrderWhereItCan) {
    const NamedProgram named =
        graph_from_text("X: |MN\na = exp X\nb = neg a\nc = exp X\nO = out b\nP = out c\n");
    std::vector<NodePtr> nodes = named.program->graph->nodes().vector();
    EXPECT_EQ(topological(nodes), nodes);
    std::vector<NodePtr> swapped = nodes;
    std::swap(swapped[1], swapped[2]);  // b before a
    const std::vector<NodePtr> sorted = topological(swapped);
    EXPECT_THAT(sorted, testing::ElementsAre(nodes[0], nodes[1], nodes[2], nodes[3], nodes[4], nodes[5]));
}

TEST(Topological, RefusesCyclesAndMissingProducers) {
    const auto node = [](std::uint32_t id, std::uint32_t from) {
        return std::make_shared<const Node>(
            Node{{id}, Elementwise{call(Fn::Exp, arg(0))}, {{{from}}}, {Type{}}});
    };
    EXPECT_THROW(topological({node(1, 2), node(2, 1)}), InternalError);
    EXPECT_THROW(topological({node(1, 7)}), InternalError);
}

TEST(Type, WrapsAndUnwrapsLists) {
    const Type block(Item::block({0}, {1}), ElemType::BF16);
    const Type list = block.list_over({1}).list_over({0});
    EXPECT_EQ(list.rank(), 2);
    EXPECT_EQ(list.dim(0), DimId{0});
    EXPECT_EQ(list.element(2), block);
    EXPECT_EQ(list.element().list_over({0}), list);
    EXPECT_THROW(block.element(), InternalError);
    Type deep = block;
    for (int i = 0; i < kMaxRank; ++i) deep = deep.list_over({0});
    EXPECT_THROW(deep.list_over({0}), InternalError);
    const DimTable dims = {{"M", 4, 2, DimKind::Blocked}, {"N", 4, 2, DimKind::Blocked}};
    EXPECT_EQ(to_string(list, dims), "(M,N) block[M,N] bf16");
    EXPECT_EQ(to_string(Type(Item::vector({0}), ElemType::E4M3), dims), "vector[M] e4m3");
    EXPECT_EQ(to_string(Type(Item::scalar(), ElemType::F32), dims), "scalar f32");
}

TEST(Dim, HasARaggedLastBlock) {
    const Dim dim{"M", 10, 4, DimKind::Blocked};
    EXPECT_EQ(dim.blocks(), 3);
    EXPECT_EQ(dim.block_size(0), 4);
    EXPECT_EQ(dim.block_size(2), 2);
}

}  // namespace
}  // namespace blockscope::test
