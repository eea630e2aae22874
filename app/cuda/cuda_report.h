// What the compiler made of a state's kernels: a row each, and what it said.
#pragma once

#include <QTreeWidget>
#include <QWidget>

#include "app/costs/measurements.h"
#include "app/cuda/cuda_source.h"

class QLabel;
class QTreeWidget;
class QPlainTextEdit;
class QToolButton;

namespace blockscope {

class CudaReportView : public QWidget {
    Q_OBJECT

public:
    explicit CudaReportView(QWidget* parent);

    void show_nothing(const QString& sentence);
    void show_report(const CudaReport& report);
    QTreeWidget& table() { return *table_; }
    QLabel& sentence() { return *sentence_; }
    QPlainTextEdit& log() { return *log_; }

Q_SIGNALS:
    void kernel_chosen(NodeId node);
    void help_wanted();  // there is no compiler

private:
    void add_row(const CudaKernel& kernel);

    QLabel* sentence_;
    QTreeWidget* table_;
    QPlainTextEdit* log_;
    QToolButton* help_;
};

}  // namespace blockscope
namespace blockscope {

// A search for block sizes as it runs: every choice with what the model, the compiler and the device say.

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
