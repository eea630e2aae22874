// The heat map: what is spread over lines, operators and edges is all that there is.
#include "app/costs/heat.h"

#include <gmock/gmock.h>

#include <numeric>
#include <set>

#include "app/costs/step_cost.h"
#include "app/layout/shape.h"
#include "app/scene/painting.h"
#include "core/json/device_files.h"
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
        const StateCostsPtr costs = state_costs(state->program, {});
        const Heat moved = heat_of(*costs, HeatMetric::Moved);
        EXPECT_EQ(sum(moved.lines), static_cast<double>(costs->state.counts().bytes())) << "state " << id;
        double by_value = 0;
        for (const auto& [value, amount] : moved.values) by_value += amount;
        EXPECT_LE(by_value, sum(moved.lines));
        const Heat operations = heat_of(*costs, HeatMetric::Operations);
        EXPECT_EQ(sum(operations.lines), static_cast<double>(costs->state.counts().flops.total()))
            << "state " << id;
        double by_node = 0;
        for (const auto& [node, amount] : operations.nodes) by_node += amount;
        EXPECT_EQ(by_node, sum(operations.lines)) << "state " << id;
        const Heat alive = heat_of(*costs, HeatMetric::Alive);
        double by_kind = 0;
        for (const HeatMetric kind : {HeatMetric::Inputs, HeatMetric::Outputs, HeatMetric::Intermediates})
            by_kind += sum(heat_of(*costs, kind).lines);
        EXPECT_EQ(by_kind, sum(moved.lines)) << "state " << id;
        EXPECT_EQ(sum(heat_of(*costs, HeatMetric::Intermediates).lines),
                  static_cast<double>(costs->state.counts().intermediates.bytes));
        EXPECT_EQ(alive.lines.size(), listing_lines(costs->state.loops()).size());
        EXPECT_EQ(alive.lines.at(static_cast<std::size_t>(std::max(0, costs->state.counts().local.line))),
                  static_cast<double>(costs->state.counts().local.bytes));
    }
}

// Every model's time of every kernel is on its lines, and on operators and edges.
TEST_P(HeatOfSamples, predicted_seconds_add_up_to_the_kernels) {
    const Content content = test::fused_sample(GetParam());
    for (const char* name : {"h100-sxm5", "xeon-8480"})
        for (const auto& [id, state] : content.history.states()) {
            const Device& device = *find_device(builtin_devices(), name);
            const StateCostsPtr costs = state_costs(state->program, {}, device.kind == DeviceKind::Cpu);
            for (const TimeModel& model : time_models()) {
                HeatSource source;
                source.predicted = std::make_shared<const Prediction>(predict(model, costs->work(), device));
                double kernels = 0;
                for (const KernelTime& kernel : source.predicted->kernels)
                    if (kernel.kernel >= 0) kernels += kernel.seconds;
                const Heat heat = heat_of(*costs, HeatMetric::Predicted, source);
                ASSERT_NEAR(sum(heat.lines), kernels, 1e-9 * kernels) << model.name << ", state " << id;
                ASSERT_EQ(heat.unit, "s");
                double shown = 0;
                for (const auto& [node, amount] : heat.nodes) shown += amount;
                for (const auto& [value, amount] : heat.values) shown += amount;
                EXPECT_GE(shown, kernels * (1 - 1e-9)) << model.name << ", state " << id;
            }
        }
}

// With twice the bandwidth a line that only moves gets less of the time.
TEST(Heat, predicted_seconds_follow_what_the_model_says) {
    const Content content = test::fused_sample("softmax");
    const StateCostsPtr costs = state_costs(content.history.state(0).program, {});
    Device device = *find_device(builtin_devices(), "h100-sxm5");
    const TimeModel& model = *find_time_model("fusion-benefit");
    const auto hottest = [&] {
        HeatSource source;
        source.predicted = std::make_shared<const Prediction>(predict(model, costs->work(), device));
        return hottest_line(heat_of(*costs, HeatMetric::Predicted, source));
    };
    const double before = hottest();
    device.memory.back().bandwidth.value *= 2;
    EXPECT_LT(hottest(), 0.7 * before);
    EXPECT_EQ(hottest_line(heat_of(*costs, HeatMetric::Predicted)), 0);
}

INSTANTIATE_TEST_SUITE_P(Samples, HeatOfSamples,
                         testing::Values("attention", "layernorm-matmul", "rmsnorm-swiglu", "softmax"));

TEST(FigureHeat, clouds_hold_what_their_maps_hold) {
    const Content content = test::fused_sample("attention");
    const ProgramPtr program = content.history.state(0).program;
    const StateCostsPtr costs = state_costs(program, {});
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
    heat.add_to(lights, picture, program, state_costs(program, {}), HeatMetric::Moved);
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

TEST(HeatColours, the_hottest_reads_at_ease_and_in_the_colour_of_other_text) {
    EXPECT_GE(contrast(Theme::light().ink, Theme::light().hot), 6);
    EXPECT_GE(contrast(Theme::dark_theme().canvas, Theme::dark_theme().hot), 6);
}

// From left to right an edge between blocks is shorter than its number is wide.
TEST(HeatPlates, of_edges_cover_no_name_of_a_block) {
    const Content content = test::fused_sample("attention");
    Picture picture;
    picture.figure = make_figure(*content.history.state(0).program, {}, plain_measure);
    lay_on_side(picture.figure);
    Layouter layouter;
    picture.geometry = layouter.fresh(picture.figure);
    picture = shaped(picture, Flow::Right, {});
    Lights lights;
    lights.heated = true;
    int seen = 0;
    for (std::size_t i = 0; i < picture.figure.edges.size(); ++i) {
        const Edge& edge = picture.figure.edges[i];
        lights.edge_heat = {{static_cast<int>(i), {1, "33.6 MB"}}};
        for (const int end : {edge.from.box, edge.to.box}) {
            if (end < 0 || picture.figure.boxes[static_cast<std::size_t>(end)].kind == BoxKind::Frame)
                continue;
            ++seen;
            const Rect& block = picture.geometry.boxes[static_cast<std::size_t>(end)];
            for (double x = block.left(); x <= block.right(); x += 2)
                EXPECT_FALSE(heat_number_at(picture, lights, 1, {x, block.center().y}).found())
                    << edge.label << " over " << picture.figure.boxes[static_cast<std::size_t>(end)].label;
        }
    }
    EXPECT_GT(seen, 10);
    // Of two that lead to one block each has a side.
    const auto dot = std::find_if(picture.figure.boxes.begin(), picture.figure.boxes.end(),
                                  [](const Box& box) { return box.label == "dot"; });
    ASSERT_NE(dot, picture.figure.boxes.end());
    lights.edge_heat.clear();
    for (std::size_t i = 0; i < picture.figure.edges.size(); ++i)
        if (picture.figure.edges[i].to.box == dot - picture.figure.boxes.begin())
            lights.edge_heat[static_cast<int>(i)] = {1, "33.6 MB"};
    ASSERT_EQ(lights.edge_heat.size(), 2U);
    std::set<int> hit;
    const Rect& block = picture.geometry.boxes[static_cast<std::size_t>(dot - picture.figure.boxes.begin())];
    for (double y = block.top() - 30; y < block.bottom() + 30; ++y)
        hit.insert(heat_number_at(picture, lights, 1, {block.left() + 1, y}).edge);
    hit.erase(-1);
    EXPECT_EQ(hit.size(), 2U) << "neither hides the other";
}

// Numbers lie in the map that their edge or frame is in, wherever that is wide enough for them.
TEST(HeatPlates, do_not_hang_over_the_border_of_a_map) {
    const Content content = test::fused_sample("attention");
    Picture picture;
    picture.figure = make_figure(*content.program(), {}, plain_measure);
    Layouter layouter;
    picture.geometry = layouter.fresh(picture.figure);
    const std::string text = "1.05 MB";
    constexpr double kRoomy = 125;
    int seen = 0;
    const auto outside = [&](const Lights& lights, const Rect& frame, const char* what) {
        ++seen;
        for (double y = frame.top(); y < frame.bottom(); y += 2)
            for (const double x : {frame.left() - 1, frame.right() + 1}) {
                const HeatNumber hit = heat_number_at(picture, lights, 1, {x, y});
                EXPECT_TRUE(hit.box < 0 && hit.edge < 0) << what << " at " << x << ", " << y;
            }
    };
    Lights lights;
    lights.heated = true;
    for (std::size_t i = 0; i < picture.figure.edges.size(); ++i) {
        const int map = picture.figure.edges[i].container;
        if (map < 0 || picture.geometry.boxes[static_cast<std::size_t>(map)].width < kRoomy) continue;
        lights.edge_heat = {{static_cast<int>(i), {1, text}}};
        outside(lights, picture.geometry.boxes[static_cast<std::size_t>(map)], "edge");
    }
    lights.edge_heat.clear();
    for (std::size_t i = 0; i < picture.figure.boxes.size(); ++i) {
        if (picture.figure.boxes[i].kind != BoxKind::Frame || picture.geometry.boxes[i].width < kRoomy)
            continue;
        lights.heat = {{static_cast<int>(i), {1, text}}};
        outside(lights, picture.geometry.boxes[i], "frame");
    }
    EXPECT_GT(seen, 3);
}

}  // namespace
}  // namespace blockscope
