// Chooses where programs are measured: processor, cards, other machines.
#pragma once

#include <QComboBox>

#include "app/costs/measurements.h"

namespace blockscope {

class Settings;

class PlaceChooser : public QComboBox {
    Q_OBJECT

public:
    PlaceChooser(Measurements& measurements, QWidget* parent);

    // Asks for the name of a machine that ssh reaches.
    void ask_for_host();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fill();
    void add_silent();
    void choose(int item);

    Measurements& measurements_;
    MeasurePlaces& places_;
};

// Names of other machines are settings.
void keep_hosts(MeasurePlaces& places, Settings& settings);

}  // namespace blockscope
