#include "app/costs/step_cost.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

#include "app/charts/chart.h"
#include "app/costs/best.h"
#include "app/costs/cost_table.h"
#include "app/costs/forecast.h"
#include "app/costs/measurements.h"
#include "app/shell/timeline_model.h"

namespace blockscope {

HeatSource heat_source(Document& document, StateId state) {
    const Costs& costs = Costs::of(document);
    HeatSource source;
    switch (costs.heat()) {
        case HeatMetric::Predicted:
            source.predicted = Forecast::of(document).listed(costs.of(state));
            break;
        case HeatMetric::Measured:
            source.measured = Measurements::of(document).kernels_of(state);
            break;
        case HeatMetric::Replication:
            source.replicated = costs.replicated(state);
            break;
        default:
            break;
    }
    return source;
}

namespace {

std::map<int, HeatLight> lights_of(const std::map<int, double>& amounts, double largest,
                                   const std::string& unit) {
    std::map<int, HeatLight> lights;
    for (const auto& [index, amount] : amounts)
        lights[index] = {amount / largest, heat_text(amount, unit).toStdString()};
    return lights;
}

}  // namespace

QString heat_text(double amount, const std::string& unit) {
    if (unit.empty()) return QLocale().toString(amount, 'f', 0);
    if (unit == "\u00d7")
        return QLocale().toString(amount, 'f',
                                  amount < 10    ? 2
                                  : amount < 100 ? 1
                                                 : 0) +
               QStringLiteral("\u00d7");
    const QString text = QString::fromStdString(unit);
    if (unit == "FLOP/B" && amount < 1)  // no thousandths of an operation
        return QLocale().toString(amount, 'g', 2) + QChar(0xa0) + text;
    return with_unit(amount, text);
}

void HeatLights::add_to(Lights& lights, const PicturePtr& picture, const ProgramPtr& program,
                        const StateCostsPtr& costs, HeatMetric metric, const HeatSource& source) {
    if (metric == HeatMetric::None || !picture || !program || !costs) return;
    if (picture != picture_ || costs != costs_ || metric != metric_ || source != source_) {
        picture_ = picture, costs_ = costs, metric_ = metric, source_ = source;
        const Heat heat = heat_of(*costs, metric, source);
        const FigureHeat figure = figure_heat(heat, picture->figure, *program);
        boxes_ = lights_of(figure.boxes, figure.largest_box, heat.unit);
        edges_ = lights_of(figure.edges, figure.largest_edge, heat.unit);
    }
    lights.heated = true;
    lights.heat = boxes_;
    lights.edge_heat = edges_;
}

namespace {

struct StepCostWords {
    Q_DECLARE_TR_FUNCTIONS(blockscope::StepCost)
};

// What is not known - not measured, not yet predicted, the unfused program still being counted - is 0.
double amount_of(Document& document, StateId state, const StateCostsPtr& costs, HeatMetric metric) {
    const Counts& counts = costs->state.counts();
    switch (metric) {
        case HeatMetric::Measured: {
            const auto result = Measurements::of(document).of(state);
            const bool known = result && result->stale.isEmpty() && result->record.warm;
            return known ? result->record.warm->summary.median : 0;
        }
        case HeatMetric::Replication: {
            const StateCostsPtr unfused = Costs::of(document).of(StateId{0});
            return unfused ? counts.replication(unfused->state.counts()) : 0;
        }
        case HeatMetric::Intensity:
            return counts.intensity();
        case HeatMetric::Launches:
            return static_cast<double>(counts.launches);
        case HeatMetric::Tasks:
            return static_cast<double>(counts.tasks);
        case HeatMetric::Inputs:
            return static_cast<double>(counts.inputs.bytes);
        case HeatMetric::Outputs:
            return static_cast<double>(counts.outputs.bytes);
        case HeatMetric::Intermediates:
            return static_cast<double>(counts.intermediates.bytes);
        case HeatMetric::Operations:
            return static_cast<double>(counts.flops.total());
        case HeatMetric::Alive:
            return static_cast<double>(counts.local.bytes);
        case HeatMetric::Predicted: {
            const PredictionPtr prediction = Forecast::of(document).of(costs);
            return prediction ? prediction->seconds : 0;
        }
        case HeatMetric::None:
        case HeatMetric::Moved:
            break;
    }
    return static_cast<double>(counts.bytes());
}

QString statement_of(HeatMetric metric, const QString& amount) {
    switch (metric) {
        case HeatMetric::Inputs:
            return StepCostWords::tr("Loads %1 of inputs").arg(amount);
        case HeatMetric::Outputs:
            return StepCostWords::tr("Moves %1 of outputs").arg(amount);
        case HeatMetric::Intermediates:
            return StepCostWords::tr("Moves %1 of intermediates").arg(amount);
        case HeatMetric::Operations:
            return StepCostWords::tr("Takes %1").arg(amount);
        case HeatMetric::Alive:
            return StepCostWords::tr("Keeps at most %1 in local memory").arg(amount);
        case HeatMetric::Predicted:
            return StepCostWords::tr("Takes %1, as predicted").arg(amount);
        case HeatMetric::Measured:
            return StepCostWords::tr("Took %1").arg(amount);
        case HeatMetric::Replication:
            return StepCostWords::tr("Does %1 the unfused program's operations").arg(amount);
        case HeatMetric::Intensity:
            return StepCostWords::tr("Has an intensity of %1").arg(amount);
        case HeatMetric::Launches:
            return StepCostWords::tr("Kernels launched: %1").arg(amount);
        case HeatMetric::Tasks:
            return StepCostWords::tr("Parallel tasks at least: %1").arg(amount);
        case HeatMetric::None:
        case HeatMetric::Moved:
            break;
    }
    return StepCostWords::tr("Moves %1 between global and local memory").arg(amount);
}

// One digit where it is small; empty if it would be 0.
QString percent_text(double change) {
    const double percent = std::abs(change) * 100;
    if (percent < 0.05) return {};
    return QLocale().toString(percent, 'f', percent < 9.95 ? 1 : 0) + QStringLiteral("\u00a0%");
}

bool is_told_in_times(double change) {
    return 1 + change >= kTimesFrom;
}

QString sentence_of(HeatMetric metric, const QString& amount, double change) {
    const QString text = statement_of(metric, amount);
    if (is_told_in_times(change))
        return StepCostWords::tr("%1, %2 times as much as before.")
            .arg(text, QString::fromStdString(times_text(1 + change)));
    const QString percent = percent_text(change);
    if (percent.isEmpty()) return text + QLatin1Char('.');
    return change < 0 ? StepCostWords::tr("%1, %2 less than before.").arg(text, percent)
                      : StepCostWords::tr("%1, %2 more than before.").arg(text, percent);
}

// "\u25bc 31 %", "\u25b2 4 %", "\u25b2 21\u00d7"; empty if nothing changed.
QString change_text(double change) {
    const QString amount = is_told_in_times(change)
                               ? QString::fromStdString(times_text(1 + change)) + QChar(0xd7)
                               : percent_text(change);
    if (amount.isEmpty()) return {};
    return (change < 0 ? QStringLiteral("\u25bc\u00a0") : QStringLiteral("\u25b2\u00a0")) + amount;
}

}  // namespace

int heat_column(HeatMetric metric) {
    switch (metric) {
        case HeatMetric::Inputs:
            return CostTable::Inputs;
        case HeatMetric::Outputs:
            return CostTable::Outputs;
        case HeatMetric::Intermediates:
            return CostTable::Intermediates;
        case HeatMetric::Operations:
            return CostTable::Operations;
        case HeatMetric::Alive:
            return CostTable::Local;
        case HeatMetric::Predicted:
            return CostTable::Predicted;
        case HeatMetric::Measured:
            return CostTable::Measured;
        case HeatMetric::Replication:
            return CostTable::Replication;
        case HeatMetric::Intensity:
            return CostTable::Intensity;
        case HeatMetric::Launches:
            return CostTable::Launches;
        case HeatMetric::Tasks:
            return CostTable::Tasks;
        case HeatMetric::None:
        case HeatMetric::Moved:
            break;
    }
    return CostTable::Moved;
}

HeatMetric shown_metric(Document& document) {
    if (const HeatMetric chosen = Costs::of(document).heat(); chosen != HeatMetric::None) return chosen;
    switch (Best::of(document).objective()) {
        case ObjectiveKind::Time:
            return HeatMetric::Predicted;
        case ObjectiveKind::Measured:
            return HeatMetric::Measured;
        case ObjectiveKind::Traffic:
            break;
    }
    return HeatMetric::Moved;
}

std::optional<StepCost> step_cost(Document& document, const TimelineModel& model, int index) {
    const Costs& costs = Costs::of(document);
    const HeatMetric metric = shown_metric(document);
    const auto amount_at = [&](int i) {
        const auto& cell = model.cells().at(static_cast<std::size_t>(i));
        const StateCostsPtr counted = costs.of(cell.program());
        return counted ? std::optional(amount_of(document, cell.id, counted, metric)) : std::nullopt;
    };
    const std::optional<double> amount = amount_at(index);
    const bool is_time = metric == HeatMetric::Measured || metric == HeatMetric::Predicted;
    if (!amount || (*amount <= 0 && is_time)) return {};
    StepCost cost;
    cost.amount = heat_text(*amount, heat_unit(metric));
    const double was = index > 0 ? amount_at(index - 1).value_or(0) : 0;
    if (was > 0) cost.change = *amount / was - 1;
    cost.change_text = change_text(cost.change);
    cost.sentence = sentence_of(metric, cost.amount, cost.change);
    if (const QString form = counted_form(costs, heat_column(metric)); !form.isEmpty())
        cost.sentence = StepCostWords::tr("%1 (%2)").arg(cost.sentence, form);
    return cost;
}

}  // namespace blockscope
