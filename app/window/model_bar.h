// A bar at the top of the window while a program is open that was made of a model (core/import): what of the
// model is not understood, and which sizes nobody chose.
#pragma once

#include <QFrame>
#include <QString>
#include <vector>

#include "core/graph/type.h"
#include "core/import/import.h"

class QDialog;
class QLabel;
class QPushButton;

namespace blockscope {

struct ModelReport {
    bool of_model = false;  // else the program is of no model
    std::vector<model::ImportedCustom> customs;
    std::vector<Text> remarks;
    std::vector<model::BoundSymbol> symbols;  // and which of their sizes were chosen
};

ModelReport report_of(const model::ImportedModel& model);

class ModelBar : public QFrame {
    Q_OBJECT

public:
    explicit ModelBar(QWidget* parent = nullptr);

    // Stays until it is closed, or another program is open.
    void show_report(ModelReport report);
    // The sizes of the program that is open now: those that have changed are no longer assumed.
    void follow(const DimTable& dims);
    // Another program is open: no bar and no window says anything of the one before.
    void forget();
    // The operators that are not understood, each with its node and the reason, and the remarks, in a window.
    void show_details();

Q_SIGNALS:
    void sizes_asked();
    void layers_asked();

private:
    QDialog* details_shown() const;  // null: none is open

    ModelReport report_;
    QLabel* text_;
    QPushButton *details_, *sizes_, *layers_, *close_;
};

}  // namespace blockscope
