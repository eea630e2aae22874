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
    // Where the numbers of the current row come from; empty without one.
    QString explanation() const;

Q_SIGNALS:
    void explained();  // explanation() is another one

private:
    void fill();
    void add_row(int index, bool fastest);
    void add_line(const QString& text);
    void hide_empty_columns();
    bool is_of_other_sizes(const TunedRow& tuned) const;

    Measurements& measurements_;
    DimTable now_;
};

// The view, and beside it where the numbers of its current row come from.
QWidget* make_tune_pane(TuneView* view, QWidget* parent);

}  // namespace blockscope
