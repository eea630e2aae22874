// A search for block sizes as it runs: every choice with what the model, the compiler and the device say.
#pragma once

#include <QTreeWidget>

#include "app/costs/measurements.h"

namespace blockscope {

class TuneView : public QTreeWidget {
    Q_OBJECT

public:
    TuneView(Measurements& measurements, QWidget* parent);

private:
    void fill();
    void add_row(const TunedRow& tuned, bool fastest);

    Measurements& measurements_;
};

}  // namespace blockscope
