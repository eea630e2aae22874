// Chooses the element type of everything that is counted, predicted and generated.
#pragma once

#include <QComboBox>

#include "app/costs/costs.h"

namespace blockscope {

class TypeChooser : public QComboBox {
    Q_OBJECT

public:
    // Processors do not have all types: where counts are of one, the others cannot be chosen, unless it is
    // kernels for cards that the choice is for.
    enum class For : std::uint8_t { Counts, Kernels };
    TypeChooser(Costs& costs, For purpose, QWidget* parent);

private:
    void follow();

    Costs& costs_;
    For purpose_;
};

}  // namespace blockscope
