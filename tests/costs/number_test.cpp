// Numbers of heat maps and charts open what they sum: the formula's result is the number that is shown.

#include <gmock/gmock.h>

#include <QTableView>
#include <set>

#include "app/costs/cost_page.h"
#include "app/costs/step_cost.h"
#include "core/cost/derivation.h"
#include "core/print/print.h"
#include "tests/costs/page_desk.h"
#include "tests/support/samples.h"

namespace blockscope {
namespace {

constexpr HeatMetric kCounted[] = {HeatMetric::Moved,         HeatMetric::Inputs,     HeatMetric::Outputs,
                                   HeatMetric::Intermediates, HeatMetric::Operations, HeatMetric::Alive,
                                   HeatMetric::Replication,   HeatMetric::Intensity,  HeatMetric::Launches,
                                   HeatMetric::Tasks};

// The state's counts and the unfused program's, and what a place's number is by its formula.
struct Derived {
    Derived(const Content& content, StateId state, StateCostsPtr unfused_costs)
        : costs(state_costs(content.history.state(state).program, {})),
          unfused(std::move(unfused_costs)),
          replicated(std::make_shared<const Replicated>(*costs, *unfused, content.history, state)) {}

    double number(HeatMetric metric, const CostPlace& place) const {
        const int column = heat_column(metric);
        const CountedLoops initial = unfused->state.counted();
        return derive(costs->state.counted(), *quantity_of(column),
                      derived_part(*costs, *unfused, *replicated, column, place), &initial)
            .result();
    }
    Heat heat(HeatMetric metric) const { return heat_of(*costs, metric, {nullptr, {}, replicated}); }

    StateCostsPtr costs, unfused;
    ReplicatedPtr replicated;
};

StateCostsPtr unfused_costs(const Content& content) {
    return state_costs(content.history.state(0).program, {});
}

class NumbersOfSamples : public testing::TestWithParam<const char*> {};

TEST_P(NumbersOfSamples, what_the_picture_and_the_listing_show_is_what_its_derivation_sums) {
    const Content content = test::fused_sample(GetParam());
    const StateCostsPtr unfused = unfused_costs(content);
    std::set<HeatMetric> on_boxes, on_lines, on_edges;
    for (const auto& [id, state] : content.history.states()) {
        const Derived derived(content, id, unfused);
        const Figure figure = make_figure(*state->program, {}, plain_measure);
        Folds folds;
        for (const NodePtr& node : state->program->graph->nodes())
            if (node->is<Map>()) folds.insert(node->id);
        const Figure folded = make_figure(*state->program, folds, plain_measure);
        for (const HeatMetric metric : kCounted) {
            const Heat heat = derived.heat(metric);
            const auto said = [&, id = id] {
                return "state " + std::to_string(id) + ", column " + std::to_string(heat_column(metric));
            };
            for (const Figure* shown : {&figure, &folded}) {
                const FigureHeat amounts = figure_heat(heat, *shown, *state->program);
                for (const auto& [box, amount] : amounts.boxes) {
                    CostPlace place;
                    place.node = shown->boxes[static_cast<std::size_t>(box)].id();
                    EXPECT_DOUBLE_EQ(derived.number(metric, place), amount) << said() << ", box " << box;
                    on_boxes.insert(metric);
                }
                for (const auto& [edge, amount] : amounts.edges) {
                    CostPlace place;
                    place.value = shown->edges[static_cast<std::size_t>(edge)].value;
                    EXPECT_DOUBLE_EQ(derived.number(metric, place), amount) << said() << ", edge " << edge;
                    on_edges.insert(metric);
                }
            }
            for (std::size_t line = 0; line < heat.lines.size(); ++line) {
                if (heat.lines[line] <= 0) continue;
                CostPlace place;
                place.line = static_cast<int>(line);
                EXPECT_DOUBLE_EQ(derived.number(metric, place), heat.lines[line])
                    << said() << ", line " << line;
                on_lines.insert(metric);
            }
        }
    }
    for (const HeatMetric metric : kCounted) {
        const bool moved = metric == HeatMetric::Intermediates;  // a fused sample may have none
        EXPECT_TRUE(on_lines.count(metric) > 0 || moved) << heat_column(metric);
        EXPECT_TRUE(on_boxes.count(metric) > 0 || moved) << heat_column(metric);
    }
    EXPECT_TRUE(on_edges.count(HeatMetric::Moved) > 0);
}

INSTANTIATE_TEST_SUITE_P(Samples, NumbersOfSamples,
                         testing::Values("attention", "layernorm-matmul", "rmsnorm-swiglu", "softmax"));

// Ratios and parts of the peak compare, what is compulsory and what passes caches is of a whole state;
// everything else of the table has a heat map.
TEST(HeatMetrics, no_quantity_of_the_table_is_without_a_heat_map) {
    std::set<int> columns;
    for (int i = 1; i <= static_cast<int>(HeatMetric::Tasks); ++i)
        columns.insert(heat_column(static_cast<HeatMetric>(i)));
    for (int column = 0; column < CostTable::Columns; ++column)
        EXPECT_EQ(columns.count(column) == 1,
                  column != CostTable::State && column != CostTable::Ratio && column != CostTable::OfPeak &&
                      column != CostTable::Compulsory && column != CostTable::FromMemory)
            << column;
    std::set<std::string> actions;
    for (const ActionInfo& info : action_table())
        if (std::string(info.id).rfind("heat.", 0) == 0) actions.insert(info.id);
    EXPECT_EQ(actions.size(), columns.size() + 1) << "one each, and the one for derivations";
}

// All groups together do all of the work, and no operator of the unfused program is in none: their ratio is
// the table's. Without the sums that maps take over from reductions it was off.
TEST(Replicated, what_operators_repeat_adds_up_to_the_state) {
    for (const std::string& sample : test::sample_names()) {
        const Content content = test::fused_sample(sample);
        const StateCostsPtr initial = unfused_costs(content);
        double most = 0;
        for (const auto& [id, state] : content.history.states()) {
            const Derived derived(content, id, initial);
            std::set<NodeId> all, unfused;
            for (const NodeFlops& each : derived.costs->state.counts().operators) all.insert(each.node);
            for (const NodeFlops& each : derived.unfused->state.counts().operators) unfused.insert(each.node);
            const WorkGroup together = derived.replicated->group_of(all);
            EXPECT_EQ(together.unfused, unfused) << sample << ", state " << id;
            EXPECT_EQ(derived.replicated->ratio(together),
                      derived.costs->state.counts().replication(derived.unfused->state.counts()))
                << sample << ", state " << id;
            for (const auto& [node, ratio] : derived.heat(HeatMetric::Replication).nodes)
                most = std::max(most, ratio);
        }
        // The hidden layer, fully fused.
        const bool hidden_layer = sample == "rmsnorm-swiglu" || sample == "gated-mlp";
        EXPECT_TRUE(most > 2 || !hidden_layer) << sample;
        EXPECT_TRUE(most < 2 || sample != "attention");
    }
}

TEST(HeatMetrics, measured_times_stand_on_the_operators_of_the_top_level) {
    const Content content = test::fused_sample("attention");
    const StateCostsPtr costs = state_costs(content.history.state(0).program, {});
    HeatSource source;
    for (std::size_t i = 0; i < costs->state.loops().body.size(); ++i)
        source.measured.push_back(1e-3 * static_cast<double>(i + 1));
    const Heat heat = heat_of(*costs, HeatMetric::Measured, source);
    for (std::size_t i = 0; i < costs->state.loops().body.size(); ++i)
        EXPECT_DOUBLE_EQ(heat.nodes.at(costs->state.loops().body[i].node), source.measured[i]);
    source.measured.pop_back();
    EXPECT_EQ(hottest_line(heat_of(*costs, HeatMetric::Measured, source)), 0)
        << "times of another program are shown of none";
}

// ---- In the costs page

using test::wait_until;

struct NumberPage : test::PageDesk {
    DerivationView& view() { return page->derivation(); }
};

TEST(CostPlaces, a_place_opens_its_part_of_the_number) {
    NumberPage desk;
    Costs& costs = Costs::of(desk.document);
    const StateCostsPtr counted = costs.of(StateId{0});
    const Heat heat = heat_of(*counted, HeatMetric::Operations);
    const auto hottest = std::max_element(heat.nodes.begin(), heat.nodes.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
    CostPlace place;
    place.node = hottest->first;
    costs.ask_for_derivation(StateId{0}, CostTable::Operations, place);
    EXPECT_TRUE(desk.view().title().contains(QString::fromStdString(to_string(hottest->first))));
    const QString number = QLocale().toString(static_cast<qlonglong>(hottest->second));
    EXPECT_TRUE(desk.view().formula().contains(number)) << desk.view().formula().toStdString();
    const QString part = desk.view().formula();
    Q_EMIT costs.counted();
    QCoreApplication::processEvents();
    EXPECT_EQ(desk.view().formula(), part) << "it stays when counts arrive";
    desk.page->table_view().setCurrentIndex(desk.page->table().index(0, CostTable::Moved));
    desk.page->table_view().setCurrentIndex(desk.page->table().index(0, CostTable::Operations));
    EXPECT_FALSE(desk.view().formula().contains(number)) << "a cell is the whole number again";
}

TEST(CostPlaces, a_predicted_part_lists_its_share_of_every_term) {
    NumberPage desk;
    Costs& costs = Costs::of(desk.document);
    const StateCostsPtr counted = costs.of(StateId{0});
    HeatSource source;
    source.predicted = Forecast::of(desk.document).listed(counted);
    const Heat heat = heat_of(*counted, HeatMetric::Predicted, source);
    for (std::size_t line = 0; line < heat.lines.size(); ++line) {
        if (heat.lines[line] <= 0) continue;
        CostPlace place;
        place.line = static_cast<int>(line);
        costs.ask_for_derivation(StateId{0}, CostTable::Predicted, place);
        EXPECT_TRUE(desk.view().formula().startsWith(time_text(heat.lines[line]))) << line;
    }
    for (const auto& [node, amount] : heat.nodes) {
        CostPlace place;
        place.node = node;
        costs.ask_for_derivation(StateId{0}, CostTable::Predicted, place);
        EXPECT_TRUE(desk.view().formula().startsWith(time_text(amount))) << to_string(node);
    }
    for (const auto& [value, amount] : heat.values) {
        CostPlace place;
        place.value = value;
        costs.ask_for_derivation(StateId{0}, CostTable::Predicted, place);
        EXPECT_TRUE(desk.view().formula().startsWith(time_text(amount))) << to_string(value.node);
    }
}

class ChartNumbers : public testing::TestWithParam<int> {};

// Every bar and every point: by the mouse, and by the keys.
TEST_P(ChartNumbers, open_their_derivation) {
    NumberPage desk;
    desk.page->charts().setCurrentIndex(GetParam());
    ChartView& chart = desk.page->chart(GetParam());
    chart.grab();
    ASSERT_FALSE(chart.spots().empty());
    std::set<QString> opened;
    for (std::size_t i = 0; i < chart.spots().size(); ++i) {
        const ChartSpot spot = chart.spots()[i];
        desk.view().show_text({}, {});
        Q_EMIT chart.chosen(spot.key, spot.part);
        EXPECT_TRUE(desk.view().formula().contains(QStringLiteral(" = "))) << i;
        const bool whole = spot.part == kTotalPart || spot.key == kPeakKey;  // of the state
        EXPECT_TRUE(desk.view().title().contains(QStringLiteral(", ")) || whole)
            << desk.view().title().toStdString();
        opened.insert(desk.view().title());
        chart.grab();
    }
    EXPECT_GT(opened.size(), 1U);
    EXPECT_EQ(desk.document.content().current, StateId{0}) << "only a double click goes there";
}
INSTANTIATE_TEST_SUITE_P(Charts, ChartNumbers, testing::Values(0, 1, 2));

// Of the device that is chosen, also once it is another one.
TEST(CostPlaces, ceilings_and_the_limit_say_what_they_are_made_of) {
    NumberPage desk;
    Forecast& forecast = Forecast::of(desk.document);
    forecast.set_device("h100-sxm5");
    desk.page->charts().setCurrentIndex(0);
    ChartView& roofline = desk.page->chart(0);
    roofline.grab();
    std::set<int> ceilings;
    for (const ChartSpot& spot : std::vector<ChartSpot>(roofline.spots()))
        if (spot.key == kCeilingKey) {
            Q_EMIT roofline.chosen(spot.key, spot.part);
            const RooflineCeiling ceiling = forecast.ceilings().at(static_cast<std::size_t>(spot.part));
            EXPECT_EQ(desk.view().title(), ceiling.title);
            EXPECT_EQ(desk.view().formula(), ceiling.derivation);
            ceilings.insert(spot.part);
        }
    EXPECT_GE(ceilings.size(), 3U) << "memory, matrices, vectors";
    Q_EMIT desk.page->chart(2).chosen(kLimitKey, 0);
    EXPECT_TRUE(desk.view().formula().contains(QLocale().toString(227 * 1024)))
        << desk.view().formula().toStdString();
    forecast.set_device("a100-sxm-80gb");
    EXPECT_TRUE(wait_until([&] { return desk.view().title().contains(QStringLiteral("A100")); }))
        << desk.view().title().toStdString();
    EXPECT_TRUE(desk.view().formula().contains(QLocale().toString(163 * 1024)))
        << desk.view().formula().toStdString();
    desk.page->table_view().setCurrentIndex(desk.page->table().index(1, CostTable::Moved));
    EXPECT_FALSE(desk.view().title().contains(QStringLiteral("A100"))) << "a cell is another number";
}

TEST(CostPlaces, a_bar_is_the_traffic_of_its_array) {
    NumberPage desk;
    desk.page->charts().setCurrentIndex(1);
    CostPlace place;
    place.arrays = {"Q"};
    Costs& costs = Costs::of(desk.document);
    costs.ask_for_derivation(StateId{0}, CostTable::Moved, place);
    std::int64_t bytes = 0;
    const StateCostsPtr counted = costs.of(StateId{0});
    for (const BufferTraffic& traffic : counted->state.counts().buffers)
        if (counted->state.loops().buffers[static_cast<std::size_t>(traffic.buffer)].name == "Q")
            bytes += traffic.loads.bytes + traffic.stores.bytes;
    EXPECT_TRUE(desk.view().formula().contains(QLocale().toString(static_cast<qlonglong>(bytes))));
    Q_EMIT desk.page->chart(1).chosen(0, kTotalPart);
    EXPECT_TRUE(desk.view().formula().contains(
        QLocale().toString(static_cast<qlonglong>(counted->state.counts().bytes()))))
        << "behind the bar stands all of it";
}

}  // namespace
}  // namespace blockscope
