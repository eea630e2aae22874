// Choosers of what costs are of: the device and the objective of the whole window, element types, models,
// baselines, sizes.
#pragma once

#include <QComboBox>
#include <QWidget>
#include <vector>

#include "app/costs/baselines.h"
#include "app/costs/costs.h"
#include "app/costs/forecast.h"
#include "app/costs/measurements.h"
#include "app/document/document.h"
#include "app/shell/controls.h"

class QComboBox;
class QLayout;
class QGridLayout;
class QLabel;
class QSlider;

namespace blockscope {

// The device of the window: costs, timeline, CUDA and kernel panel are for it.
class DeviceChooser : public ElidedCombo {
    Q_OBJECT

public:
    DeviceChooser(Document& document, QWidget* parent);

private:
    void fill();

    Forecast& forecast_;
};

// What the best state has least of.
class ObjectiveChooser : public QComboBox {
    Q_OBJECT

public:
    ObjectiveChooser(Document& document, QWidget* parent);
};

// What times are compared with: kernels that people have, or a state of the run.
class BaselineChooser : public ElidedCombo {
    Q_OBJECT

public:
    BaselineChooser(Document& document, QWidget* parent);

private:
    void fill();

    Document& document_;
    Baselines& baselines_;
};

// Chooses the element type of everything that is counted, predicted and generated.
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

// What costs are shown for beside the window's device: the model of predictions, the element type, which
// states.
class ChoiceBar : public QWidget {
    Q_OBJECT

public:
    ChoiceBar(Document& document, QWidget* parent);

private:
    void add_models(QLayout& row);

    Costs& costs_;
    Forecast& forecast_;
};

// Chooses where programs are measured: processor, cards, other machines.

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

// A slider for the size and one for the block size of every dimension, in powers of two: what they change
// shows while they are dragged.
class SizeSliders : public QWidget {
    Q_OBJECT

public:
    explicit SizeSliders(Document& document, QWidget* parent = nullptr);

    // The sliders of a dimension by its name; null if it has none.
    QSlider* size_slider(const std::string& dim) const;
    QSlider* block_slider(const std::string& dim) const;

private:
    struct Row {
        DimId dim;
        std::string name;
        QSlider *size, *block;
        QLabel *size_text, *block_text;
    };
    void refresh();
    void build(const DimTable& dims);
    void show(const DimTable& dims);
    void change(const Row& row, bool size, int exponent);
    QSlider* add_slider(int row, int column, int most, const QString& name);

    Document& document_;
    QGridLayout* grid_;
    QLabel* none_;
    std::vector<Row> rows_;
    bool showing_ = false;  // the sliders move because the document has changed
};

}  // namespace blockscope
