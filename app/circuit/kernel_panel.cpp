#include "app/circuit/kernel_panel.h"

#include <QVBoxLayout>

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
      steps_(CircuitSteps::of(document)),
      tables_(new KernelTables(services.appearance, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(tables_);
    setMinimumHeight(kLeastHeight);
    connect(&steps_, &CircuitSteps::changed, this, &KernelPanel::refresh);
}

void KernelPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    steps_.want();
    refresh();
}

void KernelPanel::refresh() {
    if (!isVisible()) return;
    if (!steps_.session()) return tables_->show_message(steps_.why_not());
    const circuit::CircuitState& state = steps_.session()->current();
    tables_->show_algorithm({state.flow,
                             first_axis(state, circuit::PartitionKind::Group),
                             first_axis(state, circuit::PartitionKind::Stream),
                             {}});
}

}  // namespace blockscope
