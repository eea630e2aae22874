// The taxonomy's five rules and the guide's checklist, on the article's own network and on pairs that break
// one rule each.
#include "core/plan/legality.h"

#include <gmock/gmock.h>

namespace blockscope::test {
namespace {

using plan::LegalityOptions;
using plan::NamedGraph;
using plan::Verdict;
using testing::ElementsAre;
using testing::IsEmpty;

NamedGraph read(const std::string& nodes, const std::string& edges) {
    const auto graph =
        plan::read_named_graph("{\"nodes\": [" + nodes + "], \"edges\": [" + edges + "]}", "g.json");
    if (!graph) throw std::runtime_error(to_string(graph.problems().front()));
    return *graph;
}

std::string node(const std::string& name, const std::string& kind, const std::string& shape,
                 const std::string& more = R"("bytes": 2048)") {
    return R"({"name": ")" + name + R"(", "kind": ")" + kind + R"(", "shape": )" + shape + ", " + more + "}";
}

// The article's: x @ W1, GELU, @ W2, dropout, + residual, LayerNorm.
NamedGraph feed_forward() {
    return read(node("x", "input", "[128, 768]") + ", " +
                    node("mm1", "matmul", "[128, 3072]", R"("bytes": 12288)") + ", " +
                    node("gelu", "elementwise", "[128, 3072]") + ", " +
                    node("mm2", "matmul", "[128, 768]", R"("bytes": 12288)") + ", " +
                    node("dropout", "dropout", "[128, 768]") + ", " +
                    node("add", "elementwise", "[128, 768]") + ", " + node("norm", "reduction", "[128, 768]"),
                R"(["x", "mm1"], ["mm1", "gelu"], ["gelu", "mm2"], ["mm2", "dropout"], ["dropout", "add"],)"
                R"( ["x", "add"], ["add", "norm"])");
}

std::vector<int> rules(const std::vector<Verdict>& verdicts) {
    std::vector<int> numbers;
    for (const Verdict& verdict : verdicts) numbers.push_back(verdict.rule);
    return numbers;
}

TEST(Legality, OfTheArticlesNetwork) {
    const NamedGraph graph = feed_forward();
    EXPECT_THAT(plan::violated_rules(graph, 1, 2), IsEmpty()) << "14 KB of 48";
    EXPECT_THAT(rules(plan::violated_rules(graph, 1, 3)), ElementsAre(1, 2))
        << "two products, GELU between them";
    EXPECT_THAT(plan::violated_rules(graph, 5, 6), IsEmpty());
    EXPECT_THAT(rules(plan::violated_rules(graph, 0, 5)), ElementsAre(2))
        << "the residual goes around the layer";
    EXPECT_EQ(plan::violated_rules(graph, 0, 5).front().why.str(),
              "x leads to add through mm1, too, which would have to run within the kernel");
}

TEST(Legality, DropoutHasAnEffectInTrainingOnly) {
    const NamedGraph graph = feed_forward();
    EXPECT_THAT(plan::violated_rules(graph, 3, 4), IsEmpty());
    EXPECT_THAT(rules(plan::violated_rules(graph, 3, 4, {.training = true})), ElementsAre(4));
}

TEST(Legality, ShapesOfTheEdgeAlign) {
    const auto pair = [](const std::string& first, const std::string& second) {
        return rules(plan::violated_rules(read(first + ", " + second, "[0, 1]"), 0, 1));
    };
    EXPECT_THAT(pair(node("mm", "matmul", "[256, 768]"), node("norm", "elementwise", "[2, 128, 768]")),
                ElementsAre(3))
        << "the article's: [M, N] against [B, S, D]";
    EXPECT_THAT(pair(node("a", "elementwise", "[128, 1]"), node("b", "broadcast", "[128, 768]")), IsEmpty());
    EXPECT_THAT(pair(node("a", "elementwise", "[128, 2]"), node("b", "elementwise", "[128, 768]")),
                ElementsAre(3));
    EXPECT_THAT(pair(node("a", "elementwise", "[128, 768]"), node("mm", "matmul", "[128, 3072]")), IsEmpty());
    EXPECT_THAT(pair(node("a", "elementwise", "[128, 768]"), node("sum", "reduction", "[128]")), IsEmpty())
        << "a reduction goes over what it reads";
}

TEST(Legality, LocalMemoryMayBeUsedUp) {
    const NamedGraph graph = read(node("a", "matmul", "[8]", R"("bytes": 32768)") + ", " +
                                      node("b", "reduction", "[8]", R"("bytes": 16384)"),
                                  "[0, 1]");
    EXPECT_THAT(plan::violated_rules(graph, 0, 1), IsEmpty()) << "48 KiB of 48";
    EXPECT_THAT(rules(plan::violated_rules(graph, 0, 1, {.local_bytes = 49151})), ElementsAre(5));
}

TEST(Legality, TwoProductsNeedTiles) {
    const NamedGraph graph =
        read(node("a", "matmul", "[8, 8]") + ", " + node("b", "matmul", "[8, 8]"), "[0, 1]");
    EXPECT_THAT(plan::violated_rules(graph, 0, 1), IsEmpty());
    EXPECT_EQ(plan::warnings(graph, 0, 1).size(), 1U);
    EXPECT_THAT(plan::warnings(feed_forward(), 1, 2), IsEmpty());
}

// All at once, in the order of the article and of the guide.
TEST(Legality, SaysEverythingThatStandsAgainstIt) {
    const NamedGraph graph =
        read(node("a", "elementwise", "[8, 8]", R"("bytes": 40000, "effect": true, "type": "f32")") + ", " +
                 node("b", "elementwise", "[4]", R"("bytes": 40000, "control_flow": true, "type": "f16")") +
                 ", " + node("c", "elementwise", "[8, 8]"),
             R"([0, 1], [0, 2], [2, 1])");
    EXPECT_THAT(rules(plan::violated_rules(graph, 0, 1)), ElementsAre(2, 3, 4, 5));
    EXPECT_THAT(rules(plan::violated_rules(graph, 1, 0)), ElementsAre(2, 3, 4, 5)) << "in either order";
    EXPECT_THAT(rules(plan::failed_checks(graph, 0, 1)), ElementsAre(2, 3, 4, 5));
    EXPECT_THAT(rules(plan::failed_checks(feed_forward(), 2, 4)), ElementsAre(1));
}

TEST(HostileNamedGraphs, AreRefusedWithThePlaceOfWhatIsWrong) {
    const std::string a = node("a", "elementwise", "[8]"), b = node("b", "elementwise", "[8]");
    const std::pair<std::string, std::string> all[] = {
        {R"({"nodes": [], "edges": []})", "/nodes"},
        {R"({"nodes": [{"name": "a"}], "edges": []})", "/nodes/0"},
        {R"({"nodes": [)" + node("a", "fusion", "[8]") + R"(], "edges": []})", "/nodes/0/kind"},
        {R"({"nodes": [)" + node("a", "matmul", "[0]") + R"(], "edges": []})", "/nodes/0/shape/0"},
        {R"({"nodes": [)" + node("a", "matmul", "[8]", R"("bytes": -1)") + R"(], "edges": []})",
         "/nodes/0/bytes"},
        {R"({"nodes": [)" + a + ", " + a + R"(], "edges": []})", "/nodes/1/name"},
        {R"({"nodes": [)" + a + ", " + b + R"(], "edges": [[0, 2]]})", "/edges/0/1"},
        {R"({"nodes": [)" + a + ", " + b + R"(], "edges": [["a", "c"]]})", "/edges/0/1"},
        {R"({"nodes": [)" + a + ", " + b + R"(], "edges": [[0, 1], ["b", "a"]]})", "/edges/1"},
        {R"({"nodes": [)" + a + ", " + b + R"(], "edges": [[0, 1], [0, 1]]})", "/edges/1"},
    };
    for (const auto& [text, place] : all) {
        const auto graph = plan::read_named_graph(text, "g.json");
        ASSERT_FALSE(graph) << text;
        EXPECT_EQ(graph.problems().front().place.pointer, place) << text;
    }
}

// A reduction of a program goes over what it reads, and what the rest is follows from what it does.
TEST(NamedGraphs, AreMadeOfPrograms) {
    const ArrayProgram program = parse_program(
                                     "dim M = 64 / 32\ndim N = 96 / 32\ninput X[M, N], W[N, M] : bf16\n"
                                     "C = X - row_mean(X)\nP = softmax(C)\noutput Y = relu(P @ W)\n",
                                     "p.bp")
                                     .value();
    const plan::OperatorGraph operators = plan::operator_graph(program);
    ASSERT_EQ(operators.nodes(), 5);
    const NamedGraph graph = plan::named_graph(program, operators, {1, 2, 3, 4, 5});
    std::vector<plan::OperatorKind> kinds;
    for (const plan::NamedOperator& one : graph.operators) kinds.push_back(one.kind);
    using enum plan::OperatorKind;
    EXPECT_THAT(kinds, testing::ElementsAre(Reduction, Broadcast, Reduction, Matmul, Elementwise));
    EXPECT_THAT(graph.operators[0].shape, testing::ElementsAre(64));
    EXPECT_THAT(graph.operators[3].shape, testing::ElementsAre(64, 64));
    EXPECT_EQ(graph.operators[4].bytes, 5);
    EXPECT_EQ(graph.operators[4].type, "bf16");
    for (int node = 0; node < 4; ++node)
        EXPECT_THAT(plan::violated_rules(graph, node, node + 1), testing::IsEmpty()) << node;
}

}  // namespace
}  // namespace blockscope::test
