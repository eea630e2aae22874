// What the compiler made of a state's kernels: a row each, and what it said.
#pragma once

#include <QWidget>

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
