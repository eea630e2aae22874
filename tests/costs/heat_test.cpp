// The heat map: what is spread over lines, operators and edges is all that there is.
#include "app/costs/heat.h"

#include <gmock/gmock.h>

#include <numeric>

#include "app/costs/heat_lights.h"
#include "app/scene/painting.h"
#include "core/print/print.h"
#include "tests/panels/text_support.h"

namespace blockscope {
namespace {

double sum(const std::vector<double>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

class HeatOfSamples : public testing::TestWithParam<const char*> {};

TEST_P(HeatOfSamples, lines_add_up_to_the_counts) {
    const Content content = test::fused_sample(GetParam());
    for (const auto& [id, state] : content.history.states()) {
        const StateCostsPtr costs = state_costs(*state->program, {});
        const Heat moved = heat_of(*costs, HeatMetric::Moved);
        EXPECT_EQ(sum(moved.lines), static_cast<double>(costs->counts.bytes())) << "state " << id;
        double by_value = 0;
        for (const auto& [value, amount] : moved.values) by_value += amount;
        EXPECT_LE(by_value, sum(moved.lines));
        const Heat operations = heat_of(*costs, HeatMetric::Operations);
        EXPECT_EQ(sum(operations.lines), static_cast<double>(costs->counts.flops.total())) << "state " << id;
        double by_node = 0;
        for (const auto& [node, amount] : operations.nodes) by_node += amount;
        EXPECT_EQ(by_node, sum(operations.lines)) << "state " << id;
        const Heat alive = heat_of(*costs, HeatMetric::Alive);
        EXPECT_EQ(alive.lines.size(), listing_lines(costs->loops).size());
        EXPECT_EQ(alive.lines.at(static_cast<std::size_t>(std::max(0, costs->counts.local.line))),
                  static_cast<double>(costs->counts.local.bytes));
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, HeatOfSamples,
                         testing::Values("attention", "layernorm-matmul", "rmsnorm-swiglu", "softmax"));

TEST(FigureHeat, clouds_hold_what_their_maps_hold) {
    const Content content = test::fused_sample("attention");
    const ProgramPtr program = content.history.state(0).program;
    const StateCostsPtr costs = state_costs(*program, {});
    const Heat heat = heat_of(*costs, HeatMetric::Operations);
    const auto total = [&](const Folds& folds) {
        const Figure figure = make_figure(*program, folds, plain_measure);
        double all = 0;
        for (const auto& [box, amount] : figure_heat(heat, figure, *program).boxes) all += amount;
        return all;
    };
    Folds folded;
    for (const NodePtr& node : program->graph->nodes())
        if (node->is<Map>()) folded.insert(node->id);
    EXPECT_EQ(total(folded), sum(heat.lines));
    EXPECT_EQ(total({}), sum(heat.lines));
}

TEST(HeatLights, shares_are_of_the_largest_and_texts_say_the_amounts) {
    const Content content = test::fused_sample("attention");
    const ProgramPtr program = content.history.state(0).program;
    auto picture = std::make_shared<Picture>();
    picture->figure = make_figure(*program, {}, plain_measure);
    HeatLights heat;
    Lights lights;
    heat.add_to(lights, picture, program, state_costs(*program, {}), HeatMetric::Moved);
    EXPECT_TRUE(lights.heated);
    double most = 0;
    for (const auto& [edge, light] : lights.edge_heat) most = std::max(most, light.share);
    EXPECT_EQ(most, 1);
    EXPECT_FALSE(lights.edge_heat.begin()->second.text.empty());
    Lights none;
    heat.add_to(none, picture, program, nullptr, HeatMetric::Moved);
    EXPECT_FALSE(none.heated);
}

TEST(HeatColours, text_reads_on_every_share) {
    for (const Theme& theme : {Theme::light(), Theme::dark_theme()})
        for (int i = 0; i <= 20; ++i) {
            const QColor fill = mixed(theme.cold, theme.hot, i / 20.0);
            EXPECT_GE(contrast(ink_on(theme, fill), fill), 4.5) << i;
        }
}

}  // namespace
}  // namespace blockscope
