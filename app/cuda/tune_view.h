// A search for block sizes as it runs: every choice with what the model, the compiler and the device say.
#pragma once

#include <QTreeWidget>

#include "app/costs/measurements.h"

namespace blockscope {

class TuneView : public QTreeWidget {
    Q_OBJECT

public:
    TuneView(Measurements& measurements, QWidget* parent);
    // The sizes that the program has now: rows of a search at others are faint, and a line says so.
    void show_program(const DimTable& now);

private:
    void fill();
    void add_row(const TunedRow& tuned, bool fastest);
    void add_line(const QString& text);
    void hide_empty_columns();
    bool is_of_other_sizes(const TunedRow& tuned) const;

    Measurements& measurements_;
    DimTable now_;
};

}  // namespace blockscope
