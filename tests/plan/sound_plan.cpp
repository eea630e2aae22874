#include <gtest/gtest.h>

#include "tests/plan/random_graph.h"

namespace blockscope::test {

using plan::PlainGraph;
using plan::Plan;

void expect_sound(const PlainGraph& graph, const Plan& plan) {
    if (plan.value == plan::kNever) {
        EXPECT_TRUE(plan.kernels.empty());
        return;
    }
    std::vector<int> when(static_cast<std::size_t>(graph.nodes()), -1);
    double value = 0;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
        EXPECT_TRUE(plan::is_candidate(graph, plan.kernels[i]));
        value += plan::cost_of(graph, plan.kernels[i]);
        for (const int node : plan.kernels[i]) {
            EXPECT_EQ(when[static_cast<std::size_t>(node)], -1) << node << " stands in two kernels";
            when[static_cast<std::size_t>(node)] = static_cast<int>(i);
        }
    }
    EXPECT_DOUBLE_EQ(plan.value, value);
    EXPECT_LE(plan.bound, plan.value);
    for (int node = 0; node < graph.nodes(); ++node) {
        EXPECT_NE(when[static_cast<std::size_t>(node)], -1) << node << " stands in no kernel";
        for (const int reader : graph.after[static_cast<std::size_t>(node)])
            EXPECT_LE(when[static_cast<std::size_t>(node)], when[static_cast<std::size_t>(reader)]);
    }
}

}  // namespace blockscope::test
