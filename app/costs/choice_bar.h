// What costs are shown for: the device and the model of predictions, the element type, which states.
#pragma once

#include <QWidget>

#include "app/costs/forecast.h"

class QComboBox;
class QLayout;

namespace blockscope {

class ChoiceBar : public QWidget {
    Q_OBJECT

public:
    ChoiceBar(Document& document, QWidget* parent);

private:
    void add_devices(QLayout& row);
    void add_models(QLayout& row);
    void fill_devices();

    Costs& costs_;
    Forecast& forecast_;
    QComboBox* device_ = nullptr;
};

}  // namespace blockscope
