// Chooses the element type of everything that is counted, predicted and generated.
#pragma once

#include <QComboBox>

#include "app/costs/costs.h"

namespace blockscope {

class TypeChooser : public QComboBox {
    Q_OBJECT

public:
    TypeChooser(Costs& costs, QWidget* parent);

private:
    void follow();

    Costs& costs_;
};

}  // namespace blockscope
