// The outline and the Graphviz output.
#include <gmock/gmock.h>

#include <algorithm>

#include "core/fusion/trace.h"
#include "core/print/print.h"
#include "core/program/convert.h"
#include "core/state/state.h"
#include "tests/loops/hand_made.h"
#include "tests/support/paper_examples.h"

namespace blockscope::test {
namespace {

using Values = std::vector<ValueRef>;
using testing::HasSubstr;

// Y = row sums of exp(X), its first block peeled off.
BlockProgram peeled_sums(HandMade& made, const std::string& name = "X") {
    const ValueRef x = made.input(name, "N:MN");
    const auto sum = [](Builder& b, ValueRef block) {
        return b.functional(FunctionalOp::RowSum, {b.elementwise(call(Fn::Exp, arg(0)), {block})});
    };
    const ValueRef first = sum(made.top, first_of(x));
    const ValueRef y = made.map(
        made.top, 'N', {{x, kEach}, {first, continues(0)}}, {kSum},
        [&](Builder& b, const Values& in) { return Values{sum(b, in[0])}; }, 1)[0];
    made.output(y, "Y");
    return made.program();
}

TEST(Outline, HasIdsTypesAndEdges) {
    HandMade made;
    EXPECT_EQ(outline(peeled_sums(made)), R"(n1 input X -> (N) block[M,N] f32
n2 exp(a) <- n1[0]* -> block[M,N] f32
n3 row_sum <- n2 -> vector[M] f32
n8 for N from 1 <- n1* iterated, n3 continued by output 0 -> vector[M] f32 sum
  n4 input -> block[M,N] f32
  n5 exp(a) <- n4 -> block[M,N] f32
  n6 row_sum <- n5 -> vector[M] f32
  n7 output <- n6
n9 output Y <- n8*
)");
}

TEST(Dot, NestsClustersAndPaintsBufferedEdgesRed) {
    HandMade made;
    EXPECT_EQ(dot(peeled_sums(made)), R"dot(digraph blockscope {
  rankdir=TB;
  node [shape=box];
  n1 [label="X", shape=plaintext];
  n2 [label="exp(a)"];
  n3 [label="row_sum"];
  subgraph cluster_n8 {
    label="N=1:N"; labeljust=r; labelloc=b; style=dotted;
    n4 [label="", shape=circle, width=0.1];
    n5 [label="exp(a)"];
    n6 [label="row_sum"];
    n7 [label="", shape=circle, width=0.1];
    n4 -> n5 [tooltip="block[M,N] f32"];
    n5 -> n6 [tooltip="block[M,N] f32"];
    n6 -> n7 [tooltip="vector[M] f32"];
  }
  n9 [label="Y", shape=plaintext];
  n1 -> n2 [tooltip="block[M,N] f32", color=red, label="0"];
  n2 -> n3 [tooltip="block[M,N] f32"];
  n1 -> n4 [tooltip="(N) block[M,N] f32", color=red];
  n3 -> n7 [tooltip="vector[M] f32"];
  n7 -> n9 [tooltip="vector[M] f32", color=red];
}
)dot");
}

TEST(Dot, EscapesNames) {
    HandMade made;
    EXPECT_THAT(dot(peeled_sums(made, "a\"b\\c\nd")),
                HasSubstr(R"(n1 [label="a\"b\\c d", shape=plaintext];)"));
}

TEST(Dot, ShowsCarriedValuesAsDashedEdges) {
    HandMade made;
    const ValueRef x = made.input("X", "K:MN");
    const ValueRef y = made.map(made.top, 'K', {{x, kEach}}, {carried(0)}, [](Builder& b, const Values& in) {
        return Values{b.functional(FunctionalOp::Add, {in[0], in[1]})};
    })[0];
    made.output(y, "Y");
    EXPECT_THAT(dot(made.program()), HasSubstr("n5 -> n3 [style=dashed, constraint=false];"));
}

// As many red edges as there are buffered edges, at every step of an example.
// Every level's buffered edges: dot draws ports as nodes, so an edge through a port is two edges.
int drawn_buffered_edges(const Graph& graph, bool top_level) {
    const GraphIndex index(graph);
    int count = 0;
    for (const NodePtr& node : graph.nodes()) {
        for (std::size_t port = 0; port < node->inputs.size(); ++port)
            count +=
                is_buffered(*index.find(node->inputs[port].node), *node, static_cast<int>(port), top_level);
        if (const Map* map = node->as<Map>()) count += drawn_buffered_edges(*map->body, false);
    }
    return count;
}

TEST(Dot, RedEdgesAreTheBufferedEdges) {
    const Trace trace =
        fuse(std::make_shared<const BlockProgram>(to_block_program(paper_attention()).program));
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
        const std::string text = dot(*trace.state(step));
        int red = 0;
        for (std::size_t at = text.find("color=red"); at != std::string::npos;
             at = text.find("color=red", at + 1))
            ++red;
        EXPECT_EQ(red, drawn_buffered_edges(*trace.state(step)->graph, true));
    }
}

TEST(TextsOfAState, StandInTheOrderOfTheirNamesAndWriteAnyState) {
    const Trace trace =
        fuse(std::make_shared<const BlockProgram>(to_block_program(paper_attention()).program));
    std::vector<std::string> names;
    for (const StateFormat& format : state_text_formats()) {
        names.emplace_back(format.name);
        EXPECT_FALSE(std::string(format.title).empty());
        for (const int step : {0, static_cast<int>(trace.steps.size())})
            EXPECT_FALSE(format.write(*trace.state(step)).empty()) << format.name;
    }
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    EXPECT_THAT(names, testing::Contains("dot"));
}

TEST(Listing, LinesKnowTheirNodes) {
    HandMade made;
    const BlockProgram program = peeled_sums(made);
    std::vector<std::string> lines;
    for (const ListingLine& line : listing_lines(lower(program)))
        lines.push_back(to_string(line.node) + " " + line.text);
    EXPECT_THAT(lines, testing::ElementsAre("n1 t1 = load(X[0])", "n2 t2 = exp(t1)", "n3 t3 = row_sum(t2)",
                                            "n8 t4 = t3", "n8 for n in range(1,N):", "n4   t5 = load(X[n])",
                                            "n5   t6 = exp(t5)", "n6   t7 = row_sum(t6)", "n6   t4 = t4+t7",
                                            "n8 store(t4,Y)"));
}

TEST(Listing, IsStableFromRunToRun) {
    const auto print = [] {
        const Trace trace =
            fuse(std::make_shared<const BlockProgram>(to_block_program(paper_rmsnorm_swiglu()).program));
        return listing(*trace.state(9)) + outline(*trace.last()) + dot(*trace.last());
    };
    EXPECT_EQ(print(), print());
}

}  // namespace
}  // namespace blockscope::test
