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
    void add_hosts_to_forget();
    void choose(int item);
    void add(const QString& host);
    void forget(const QString& host);
    // What became of the machine that was added last, where it does not answer.
    void say_of_added();
    void say(const QString& sentence, const QString& host);

    Measurements& measurements_;
    MeasurePlaces& places_;
    QString added_;  // until it has answered or not
};

// Names of other machines are settings.
void keep_hosts(MeasurePlaces& places, Settings& settings);

}  // namespace blockscope
