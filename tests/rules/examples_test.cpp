#include <gmock/gmock.h>

#include <algorithm>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/rules/examples.h"

namespace blockscope::test {
namespace {

// What only the right side of each rule has.
bool has_right_side(const Step& step) {
    const Graph& graph = *step.after->graph;
    const auto maps = [&](const Graph& level) {
        return std::count_if(level.nodes().begin(), level.nodes().end(),
                             [](const NodePtr& node) { return node->is<Map>(); });
    };
    const auto change = maps(graph) - maps(*step.before->graph);
    switch (step.match.rule.number) {
        case 1:
        case 2:
            return change == -1;  // one map of the two
        case 3:
            return graph.nodes()[1]->as<Map>()->outputs[0].mode == PortOut::ReducedSum;
        case 4:
            return change == 0 && graph.nodes()[4]->outputs[0].dim(0) == DimId{1};  // scales along N
        case 5:
            return change == 2;  // row sums, outer product and addition for the shift
        case 6:
            return maps(graph) == 1;
        case 7:
            return change >= 1;  // the first iteration's map stands beside the rest
        case 8:
            return change == 1;  // a copy
        case 10:
            return change == 0 && graph.nodes()[5]->outputs[0].dim(0) == DimId{1};  // scales B, along N
        case 11:
            return change == 2;  // scaled operand, its row sums and the shift of the product
        case 12:
            return graph.nodes()[2]->inputs.size() == 1;  // the cast is first
        case 14:
            return maps(graph) == 1 && graph.nodes().size() + 1 == step.before->graph->nodes().size();
        case 9:
        case 13:
            return graph.nodes().size() + 1 == step.before->graph->nodes().size();
        default:
            return false;
    }
}

TEST(RuleExamples, AreProvenForEveryRule) {
    for (const Rule& rule : rules()) {
        SCOPED_TRACE(to_string(rule.id));
        const RuleExample& example = rule_example(rule.id);
        EXPECT_TRUE(verify(*example.program).empty());
        EXPECT_EQ(example.match.rule, rule.id);
        EXPECT_THAT(all_matches(*example.program), testing::Contains(example.match));
        const Step step = checked_apply(example.program, example.match);
        EXPECT_TRUE(has_right_side(step));
        for (const std::uint64_t seed : {1u, 2u})
            EXPECT_FALSE(compare_exact(*step.before, *step.after, proof_dims(*step.before), seed));
    }
}

TEST(RuleExamples, AreSmall) {
    for (const Rule& rule : rules())
        EXPECT_LE(rule_example(rule.id).program->graph->nodes().size(), 9u) << to_string(rule.id);
}

}  // namespace
}  // namespace blockscope::test
