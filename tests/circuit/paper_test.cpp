// The figures of "FlashAttention on a Napkin": what the diagrams say of transfers, memory and groups.
#include <gmock/gmock.h>

#include "core/circuit/check.h"
#include "core/circuit/place.h"
#include "core/circuit/power_law.h"
#include "core/circuit/print.h"
#include "core/circuit/resources.h"
#include "core/circuit/stream.h"
#include "tests/circuit/figures.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

// A figure: the program that it draws, what it groups and streams, and what it says.
struct Figure {
    std::string name;
    std::string program;
    std::vector<std::pair<std::string, int>> groups;
    std::vector<std::pair<std::string, int>> streams;
    std::string n_g, h_g, h, m, optimum;  // as printed by the paper, products in alphabetical order
};

Plan plan_of(const Flow& flow, const Figure& figure) {
    Plan plan;
    for (const auto& [name, size] : figure.groups)
        plan.push_back({axis(flow, name), PartitionKind::Group, size});
    for (const auto& [name, size] : figure.streams)
        plan.push_back({axis(flow, name), PartitionKind::Stream, size});
    return plan;
}

std::vector<Figure> figures() {
    return {
        {"Figure18",
         kMatmul,
         {{"a", 64}, {"c", 64}},
         {{"b", 1}},
         "a·c·g_a^-1·g_c^-1",
         "b·g_a + b·g_c + g_a·g_c",
         "a·b·c·g_a^-1 + a·b·c·g_c^-1 + a·c",
         "g_a·g_c + g_a·s_b + g_c·s_b",
         "2·a·b·c·M^-1/2 + a·c"},
        {"Figure21",
         kAttention,
         {{"q", 64}},
         {{"x", 1}},
         "q·g_q^-1",
         "2·d·g_q + 2·d·x",
         "2·d·q + 2·d·q·x·g_q^-1",
         "2·d·g_q + 2·d·s_x",
         "4·d²·q·x·M^-1 + 2·d·q"},
        {"Figure23",
         kGrouped,
         {{"g", 2}, {"q", 64}},
         {{"x", 1}},
         "g·q·g_g^-1·g_q^-1",
         "2·d·g_g·g_q + 2·d·x",
         "2·d·g·q + 2·d·g·q·x·g_g^-1·g_q^-1",
         "2·d·g_g·g_q + 2·d·s_x",
         "4·d²·g·q·x·M^-1 + 2·d·g·q"},
        // The paper prints 2·x·d per group and 2·s_x·d in memory: keys and values without the head axis,
        // which "is weaved over every operation". They have it here; H* is the paper's.
        {"Figure22",
         kHeads,
         {{"h", 2}, {"q", 64}},
         {{"x", 1}},
         "h·q·g_h^-1·g_q^-1",
         "2·d·g_h·g_q + 2·d·g_h·x",
         "2·d·h·q + 2·d·h·q·x·g_q^-1",
         "2·d·g_h·g_q + 2·d·g_h·s_x",
         "4·d²·h·q·x·M^-1 + 2·d·h·q"},
    };
}

class PaperFigure : public testing::TestWithParam<Figure> {};

TEST_P(PaperFigure, IsWhatTheDiagramSays) {
    const Figure& figure = GetParam();
    const Flow flow = flow_from(figure.program);
    const Result<Circuit> circuit = fused(flow, plan_of(flow, figure));
    ASSERT_TRUE(circuit) << circuit.problems().front().message;
    EXPECT_THAT(verify(*circuit), testing::IsEmpty()) << to_string(*circuit);
    const Resources costs = resources(*circuit);
    EXPECT_FORMULA(costs.groups, figure.n_g);
    EXPECT_FORMULA(costs.per_group, figure.h_g);
    EXPECT_FORMULA(costs.transferred, figure.h);
    EXPECT_FORMULA(costs.widest(1), figure.m) << to_string(*circuit);
    std::vector<std::string> groups;
    for (const auto& [name, size] : figure.groups) groups.push_back("g_" + name);
    const std::optional<PowerLaw> law = power_law(costs.transferred, costs.widest(1), groups);
    ASSERT_TRUE(law);
    EXPECT_FORMULA(law->formula(), figure.optimum);
}

INSTANTIATE_TEST_SUITE_P(Paper, PaperFigure, testing::ValuesIn(figures()),
                         [](const auto& figure) { return figure.param.name; });

}  // namespace
}  // namespace blockscope::test
