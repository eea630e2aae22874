#include "app/costs/step_cost.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

#include "app/charts/range.h"
#include "app/panels/timeline_model.h"

namespace blockscope {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("StepCost", text);
}

double amount_of(const Counts& counts, HeatMetric metric) {
    switch (metric) {
        case HeatMetric::Operations:
            return static_cast<double>(counts.flops.total());
        case HeatMetric::Alive:
            return static_cast<double>(counts.local.bytes);
        case HeatMetric::None:
        case HeatMetric::Moved:
            break;
    }
    return static_cast<double>(counts.bytes());
}

QString sentence_of(HeatMetric metric, const QString& amount, double change, const QString& percent) {
    QString text = tr("Moves %1 between global and local memory").arg(amount);
    if (metric == HeatMetric::Operations) text = tr("Takes %1").arg(amount);
    if (metric == HeatMetric::Alive) text = tr("Keeps at most %1 in local memory").arg(amount);
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

std::optional<StepCost> step_cost(const Costs& costs, const TimelineModel& model, int index) {
    const auto at = [&](int i) { return costs.of(model.cells().at(static_cast<std::size_t>(i)).program()); };
    const StateCostsPtr now = at(index);
    if (!now) return {};
    const HeatMetric metric = costs.heat();
    const double amount = amount_of(now->counts, metric);
    StepCost cost;
    cost.amount =
        with_unit(amount, metric == HeatMetric::Operations ? QStringLiteral("FLOP") : QStringLiteral("B"));
    const StateCostsPtr before = index > 0 ? at(index - 1) : nullptr;
    const double was = before ? amount_of(before->counts, metric) : 0;
    if (was > 0) cost.change = amount / was - 1;
    const QString percent = percent_text(cost.change);
    if (!percent.isEmpty())
        cost.change_text =
            (cost.change < 0 ? QStringLiteral("\u25bc\u00a0") : QStringLiteral("\u25b2\u00a0")) + percent;
    cost.sentence = sentence_of(metric, cost.amount, cost.change, percent);
    return cost;
}

}  // namespace blockscope
