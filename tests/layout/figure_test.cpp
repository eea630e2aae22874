#include "app/figure/figure.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "core/fusion/trace.h"
#include "core/graph/graph.h"
#include "core/program/array_program.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "tests/support/samples.h"

namespace blockscope {
namespace {

using test::block_sample;
using testing::Contains;

Figure figure_of(const BlockProgram& program) {
    return make_figure(program, {}, plain_measure);
}

const Box& box(const Figure& figure, int index) {
    return figure.boxes[static_cast<std::size_t>(index)];
}
const Box& box_of(const Figure& figure, NodeId id) {
    return box(figure, figure.find(id));
}

void expect_boxes(const Figure& figure, const Graph& graph) {
    for (const NodePtr& node : graph.nodes()) {
        EXPECT_GE(figure.find(node->id), 0) << to_string(node->id);
        if (const Map* map = node->as<Map>()) expect_boxes(figure, *map->body);
    }
}

// As the paper counts: an edge that goes on through a port counts once.
int red_edges(const Figure& figure) {
    int count = 0;
    for (const Edge& edge : figure.edges)
        count += edge.buffered && edge.from.box != edge.container && edge.to.box != edge.container;
    return count;
}

class Samples : public testing::TestWithParam<std::string> {};

TEST_P(Samples, AreDrawnInFull) {
    const Trace trace = fuse(block_sample(GetParam()));
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
        const BlockProgram& program = *trace.state(step);
        const Figure figure = figure_of(program);
        expect_boxes(figure, *program.graph);
        EXPECT_EQ(red_edges(figure), buffered_edges(program)) << "step " << step;
        for (std::size_t i = 0; i < figure.boxes.size(); ++i)
            EXPECT_LT(figure.boxes[i].parent, static_cast<int>(i)) << "parents come first";
    }
}

INSTANTIATE_TEST_SUITE_P(All, Samples, testing::ValuesIn(test::sample_names()),
                         [](const auto& sample) { return test::test_name(sample.param); });

TEST(Figures, OfAttention) {
    const Figure figure = figure_of(*block_sample("attention"));
    std::vector<std::string> labels;
    for (const int root : figure.roots) labels.push_back(box(figure, root).label + box(figure, root).corner);
    EXPECT_THAT(labels, testing::ElementsAre("Q(M,D)", "K(N,D)", "VT(L,N)", "M,N", "M,N", "M,N", "M", "M",
                                             "M,N", "M,L", "O(M,L)"));
    const Box& product = box_of(figure, NodeId{17});
    EXPECT_EQ(product.nodes, (std::vector<NodeId>{{17}, {15}}));
    EXPECT_EQ(product.in.size(), 2u);
    EXPECT_EQ(product.in[0].mode, PortIn::Iterated);
    EXPECT_EQ(product.in[1].mode, PortIn::Broadcast);
    EXPECT_EQ(box_of(figure, NodeId{20}).label, "x*(DD**-0.5)");
    EXPECT_EQ(box_of(figure, NodeId{20}).detail, "elementwise n20: x*(DD**-0.5), block[M,N] bf16");
    EXPECT_EQ(box_of(figure, NodeId{13}).kind, BoxKind::Reduction);
    EXPECT_EQ(figure.edges[0].label, "(M,D) block");
    EXPECT_TRUE(figure.edges[0].buffered);
}

TEST(Figures, ReducedOutputsAreMarked) {
    const Figure figure = figure_of(*fuse(block_sample("attention")).last());
    const Box& loop = box_of(figure, NodeId{90});
    EXPECT_EQ(loop.corner, "N");
    ASSERT_EQ(loop.out.size(), 2u);
    EXPECT_EQ(loop.out[0].mark, PortMark::Sum);
    EXPECT_EQ(loop.out[1].mark, PortMark::Sum);
    EXPECT_EQ(box(figure, loop.parent).corner, "M,L");
}

// The M-map n66 reads what the N-loop makes; peeling by hand gives x=0 copies and a map from 1.
TEST(Figures, PeeledPartsAreLabelled) {
    ProgramPtr program = block_sample("attention");
    Step step;
    bool found = false;
    for (int turn = 0; turn < 40 && !found; ++turn) {
        const std::vector<Match> matches = all_matches(*program);
        for (const Match& match : matches) {
            if (match.rule.number != 7) continue;
            step = checked_apply(program, match);
            found = true;
            break;
        }
        if (!found) program = fuse(block_sample("attention")).state(turn + 1);
    }
    ASSERT_TRUE(found);
    const Figure figure = figure_of(*step.after);
    std::vector<std::string> corners, peeled, edges;
    for (const Box& b : figure.boxes) {
        corners.push_back(b.corner);
        peeled.push_back(b.peeled);
        if (b.corner.find("=1:") == std::string::npos) continue;
        EXPECT_EQ(b.in.back().mode, PortIn::Continued);
        for (const Edge& edge : figure.edges)
            EXPECT_FALSE(edge.from.box == figure.find(b.id()) && edge.container == edge.from.box &&
                         edge.from.port == static_cast<int>(b.in.size()) - 1)
                << "nothing inside reads a continued input";
    }
    for (const Edge& edge : figure.edges) edges.push_back(edge.label.substr(0, 4));
    const std::string dim = step.after->dims[step.match.dim.value].name;
    const std::string variable(1, static_cast<char>(dim[0] + ('a' - 'A')));
    EXPECT_THAT(corners, Contains(variable + "=1:" + dim));
    EXPECT_THAT(peeled, Contains(variable + "=0"));
    EXPECT_THAT(edges, Contains(variable + "=0:"));
    EXPECT_EQ(red_edges(figure), buffered_edges(*step.after));
}

// Rule 7 wherever it applies, in every state of the run: what it copied is marked, all of it and nothing
// else.
TEST(Figures, AllOfAPeeledCopyIsMarked) {
    int peelings = 0;
    for (const std::string& name : {std::string("attention"), std::string("layernorm-matmul")}) {
        const Trace trace = fuse(block_sample(name));
        for (std::size_t state = 0; state <= trace.steps.size(); ++state)
            for (const Match& match :
                 all_matches(*trace.state(static_cast<int>(state)), {{{7, 0}}, {}, {}})) {
                const Step step = checked_apply(trace.state(static_cast<int>(state)), match);
                const GraphPtr level = graph_at(*step.after, match.path);
                std::set<NodeId> copied, marked;
                for (const Lineage& lineage : step.made) {
                    const Node* node = level->find(lineage.made);
                    if (node && !(node->is<Map>() && node->as<Map>()->start == 1)) copied.insert(node->id);
                }
                for (const auto& [node, dims] : first_iterations(GraphIndex(*level))) {
                    marked.insert(node);
                    EXPECT_THAT(dims, testing::ElementsAre(match.dim));
                }
                EXPECT_EQ(marked, copied) << name << ", state " << state;
                ++peelings;
            }
    }
    EXPECT_GT(peelings, 5);
}

// Programs of one block: inputs and outputs are in global memory all the same.
TEST(Figures, EdgesOfInputsAndOutputsAreRed) {
    BlockProgram program;
    program.dims = {{"M", 4, 4}, {"N", 4, 4}};
    IdSource ids(1);
    Builder builder(program.dims, ids);
    const ValueRef a = builder.input(Type(Item::block(DimId{0}, DimId{1}), ElemType::F32), {"A"});
    const ValueRef sum = builder.functional(FunctionalOp::RowSum, {a});
    const ValueRef square = builder.functional(FunctionalOp::Mul, {sum, sum});
    builder.output(square, "B");
    program.graph = builder.finish();
    const Figure figure = figure_of(program);
    std::vector<bool> red;
    for (const Edge& edge : figure.edges) red.push_back(edge.buffered);
    EXPECT_THAT(red, testing::ElementsAre(true, false, false, true));
    EXPECT_EQ(figure.boxes[0].label, "A");
    EXPECT_EQ(figure.edges[0].label, "block");
    EXPECT_EQ(red_edges(figure), buffered_edges(program));
}

TEST(Figures, CarriedValuesHaveAnEntry) {
    const SafeProgram safe = make_safe(*fuse(block_sample("attention")).last());
    const Figure figure = figure_of(safe.program);
    int entries = 0;
    for (std::size_t i = 0; i < figure.boxes.size(); ++i) {
        const Box& b = figure.boxes[i];
        const auto carried = [](const Port& port) { return port.mark == PortMark::Carried; };
        EXPECT_EQ(std::count_if(b.in.begin(), b.in.end(), carried),
                  std::count_if(b.out.begin(), b.out.end(), carried));
        for (std::size_t port = 0; port < b.in.size(); ++port) {
            if (!carried(b.in[port])) continue;
            ++entries;
            EXPECT_EQ(b.in[port].slot, -1);
            EXPECT_TRUE(std::any_of(figure.edges.begin(), figure.edges.end(), [&](const Edge& edge) {
                return edge.container == static_cast<int>(i) &&
                       edge.from == End{static_cast<int>(i), static_cast<int>(port)};
            })) << "the body reads the last value";
        }
    }
    EXPECT_GT(entries, 0);
    EXPECT_EQ(red_edges(figure), buffered_edges(safe.program));
}

TEST(Figures, LongFormulasAreShortened) {
    const Result<ArrayProgram> parsed = parse_program(
        "dim M = 4\ndim N = 4\ninput A[M, N] : f32\n"
        "output B = exp(tanh(sqrt(A * 3 + 4) / 7 - 2) * 5 + 12) - 3\n",
        "a");
    ASSERT_TRUE(parsed);
    const auto program = std::make_shared<const BlockProgram>(to_block_program(parsed.value()).program);
    const Figure figure = figure_of(*fuse(program).last());
    int formulas = 0;
    for (const Box& b : figure.boxes) {
        if (b.kind != BoxKind::Elementwise) continue;
        ++formulas;
        EXPECT_EQ(b.label.size(), 27 + std::string("…").size());
        EXPECT_GT(b.detail.str().size(), b.label.size());
    }
    EXPECT_EQ(formulas, 1);
}

TEST(PlainMeasure, CountsCharacters) {
    EXPECT_EQ(plain_measure("abc", TextRole::Label).width, 21);
    EXPECT_EQ(plain_measure("a…", TextRole::Label).width, 14);
}

}  // namespace
}  // namespace blockscope
