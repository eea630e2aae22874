#include "app/circuit/kernel_panel.h"

#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <optional>

#include "app/circuit/model_view.h"
#include "app/costs/cost_table.h"
#include "app/costs/costs.h"
#include "app/costs/forecast.h"
#include "app/words/words.h"
#include "core/napkin/compared.h"

namespace blockscope {

namespace {

constexpr int kLeastHeight = 230;

// The outermost axis that the plan splits so; empty if there is none.
std::string first_axis(const circuit::CircuitState& state, circuit::PartitionKind kind) {
    for (const circuit::Part& part : state.analysis.plan)
        if (part.kind == kind) return circuit::axis_of(state.flow->axes, part.axis).name;
    return {};
}

}  // namespace

KernelPanel::KernelPanel(Document& document, Services& services, QWidget* parent)
    : QWidget(parent),
      document_(document),
      costs_(Costs::of(document)),
      forecast_(Forecast::of(document)),
      steps_(CircuitSteps::of(document)),
      tables_(new KernelTables(services.appearance, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(tables_);
    setMinimumHeight(kLeastHeight);
    setFocusProxy(tables_->tabs().tabBar());  // no field: the window's keys go on to work
    connect(&steps_, &CircuitSteps::changed, this, &KernelPanel::refresh);
    const auto follow = [this] { tables_->follow(forecast_.device()); };
    connect(&forecast_, &Forecast::changed, this, follow);
    follow();
    connect(tables_, &KernelTables::studied, this, &KernelPanel::compare_with_costs);
    connect(&forecast_, &Forecast::changed, this, &KernelPanel::compare_with_costs);
    connect(&costs_, &Costs::counted, this, &KernelPanel::compare_with_costs);
    connect(&document, &Document::current_changed, this, &KernelPanel::compare_with_costs);
}

constexpr double kMoreWork = 1.01;

// The schedule is ideal, the prediction is of what is built: where they differ it is said why. Both are of
// the state that is shown on the window's device, and of the same operations.
void KernelPanel::compare_with_costs() {
    if (!isVisible()) return;
    const auto study = tables_->study();
    const StateCostsPtr counted = document_.empty() ? nullptr : costs_.of(document_.content().current);
    tables_->show_kernels(counted ? std::optional(counted->state.counts().launches) : std::nullopt);
    const PredictionPtr predicted = forecast_.of(counted);
    const bool schedule = study && study->kernel && scheduled_rate(*study->kernel) > 0;
    const bool tensor_cores = counted && counted->state.counts().flops.matrix > 0;
    if (!schedule || !predicted || !tensor_cores || predicted->seconds <= 0)
        return tables_->busy() && !study ? tables_->await_prediction() : tables_->show_prediction({}, {});
    const auto products = static_cast<double>(counted->state.counts().flops.matrix);
    const double peak = device_rate(forecast_.device(), Unit::Matrix, forecast_.element_type());
    QStringList said;
    said << tr("The costs page predicts %1 for %2 on this device, by the model \"%3\", its products at %4 of "
               "the peak.")
                .arg(time_text(predicted->seconds),
                     row_name(document_.content(), document_.content().current),
                     translated(forecast_.model().title),
                     percent_text(peak > 0 ? products / (predicted->seconds * peak) : 0));
    const double rate = scheduled_rate(*study->kernel);
    const double scheduled = circuit::scheduled_operations(*study->kernel, study->flow);
    said << (scheduled > kMoreWork * products
                 ? tr("This schedule computes %1 times as many products, which alone take it %2.")
                       .arg(QString::fromStdString(times_text(scheduled / products)),
                            time_text(scheduled / rate))
                 : tr("At the rate of this schedule those products alone take %1.")
                       .arg(time_text(products / rate)));
    const bool own = forecast_.model().name == kUsualModel;
    if (!own)
        said << tr(
            "The schedule is of one kernel whose thread blocks never wait for each other: launches, "
            "transfers and idle processors come on top in the prediction.");
    said << (own ? tr("The last table below, \"This schedule and the costs page\", says where the two times "
                      "part.")
                 : translated(predicted->sentence));
    std::optional<circuit::ComparedTimes> compared;
    if (own)
        compared = circuit::compared_with_costs(*study->kernel, study->flow, *predicted, forecast_.device());
    tables_->show_prediction(said.join(QLatin1Char(' ')), compared);
}

void KernelPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    steps_.want();
    refresh();
    compare_with_costs();
}

void KernelPanel::refresh() {
    if (!isVisible()) return;
    if (!steps_.session()) return tables_->show_message(steps_.why_not());
    const circuit::CircuitState& state = steps_.session()->current();
    tables_->show_algorithm({.flow = state.flow,
                             .rows = first_axis(state, circuit::PartitionKind::Group),
                             .stream = first_axis(state, circuit::PartitionKind::Stream)});
}

}  // namespace blockscope
