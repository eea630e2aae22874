#include "app/costs/step_cost.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

#include "app/charts/range.h"
#include "app/costs/cost_table.h"
#include "app/costs/forecast.h"
#include "app/panels/timeline_model.h"

namespace blockscope {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("StepCost", text);
}

double amount_of(Document& document, const StateCostsPtr& costs, HeatMetric metric) {
    const Counts& counts = costs->counts;
    switch (metric) {
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
        case HeatMetric::Predicted:
            return Forecast::of(document).of(costs)->seconds;
        case HeatMetric::None:
        case HeatMetric::Moved:
            break;
    }
    return static_cast<double>(counts.bytes());
}

QString statement_of(HeatMetric metric, const QString& amount) {
    switch (metric) {
        case HeatMetric::Inputs:
            return tr("Loads %1 of inputs").arg(amount);
        case HeatMetric::Outputs:
            return tr("Moves %1 of outputs").arg(amount);
        case HeatMetric::Intermediates:
            return tr("Moves %1 of intermediates").arg(amount);
        case HeatMetric::Operations:
            return tr("Takes %1").arg(amount);
        case HeatMetric::Alive:
            return tr("Keeps at most %1 in local memory").arg(amount);
        case HeatMetric::Predicted:
            return tr("Takes %1, as predicted").arg(amount);
        case HeatMetric::None:
        case HeatMetric::Moved:
            break;
    }
    return tr("Moves %1 between global and local memory").arg(amount);
}

QString unit_of(HeatMetric metric) {
    if (metric == HeatMetric::Operations) return QStringLiteral("FLOP");
    return metric == HeatMetric::Predicted ? QStringLiteral("s") : QStringLiteral("B");
}

QString sentence_of(HeatMetric metric, const QString& amount, double change, const QString& percent) {
    const QString text = statement_of(metric, amount);
    if (percent.isEmpty()) return text + QLatin1Char('.');
    return change < 0 ? tr("%1, %2 less than before.").arg(text, percent)
                      : tr("%1, %2 more than before.").arg(text, percent);
}

// One digit where it is small; empty if it would be 0.
QString percent_text(double change) {
    const double percent = std::abs(change) * 100;
    if (percent < 0.05) return {};
    return QLocale().toString(percent, 'f', percent < 9.95 ? 1 : 0) + QStringLiteral("\u00a0%");
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
        case HeatMetric::None:
        case HeatMetric::Moved:
            break;
    }
    return CostTable::Moved;
}

std::optional<StepCost> step_cost(Document& document, const TimelineModel& model, int index) {
    const Costs& costs = Costs::of(document);
    const auto at = [&](int i) { return costs.of(model.cells().at(static_cast<std::size_t>(i)).program()); };
    const StateCostsPtr now = at(index);
    if (!now) return {};
    const HeatMetric metric = costs.heat();
    const double amount = amount_of(document, now, metric);
    StepCost cost;
    cost.amount = with_unit(amount, unit_of(metric));
    const StateCostsPtr before = index > 0 ? at(index - 1) : nullptr;
    const double was = before ? amount_of(document, before, metric) : 0;
    if (was > 0) cost.change = amount / was - 1;
    const QString percent = percent_text(cost.change);
    if (!percent.isEmpty())
        cost.change_text =
            (cost.change < 0 ? QStringLiteral("\u25bc\u00a0") : QStringLiteral("\u25b2\u00a0")) + percent;
    cost.sentence = sentence_of(metric, cost.amount, cost.change, percent);
    return cost;
}

}  // namespace blockscope
