// The kernel tables of the circuit step by step: what its groups and streams say is shared and streamed.
#pragma once

#include <QWidget>

#include "app/circuit/circuit_steps.h"
#include "app/circuit/kernel_tables.h"
#include "app/panels/services.h"

namespace blockscope {

class KernelPanel : public QWidget {
    Q_OBJECT

public:
    KernelPanel(Document& document, Services& services, QWidget* parent = nullptr);

    KernelTables& tables() { return *tables_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();

    CircuitSteps& steps_;
    KernelTables* tables_;
};

}  // namespace blockscope
