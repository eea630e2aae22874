// The kernel tables of the circuit step by step: what its groups and streams say is shared and streamed. What
// the costs page says of the same state stands beside.
#pragma once

#include <QWidget>

#include "app/circuit/circuit_steps.h"
#include "app/circuit/kernel_tables.h"
#include "app/shell/services.h"

namespace blockscope {

class Costs;
class Forecast;

class KernelPanel : public QWidget {
    Q_OBJECT

public:
    KernelPanel(Document& document, Services& services, QWidget* parent = nullptr);

    KernelTables& tables() { return *tables_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void compare_with_costs();

    Document& document_;
    Costs& costs_;
    Forecast& forecast_;
    CircuitSteps& steps_;
    KernelTables* tables_;
};

}  // namespace blockscope
