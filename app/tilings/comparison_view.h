// The best candidate beside Blockscope's own best state of the same program: which of them is faster, and
// why.
#pragma once

#include <QWidget>
#include <optional>

#include "app/document/work.h"
#include "app/tilings/tilings_study.h"
#include "app/worker/tiling_comparison.h"

class QLabel;
class QToolButton;
class QTreeWidget;

namespace blockscope {

class ComparisonView : public QWidget {
    Q_OBJECT

public:
    ComparisonView(TilingsStudy& study, QWidget* parent);

    // Of the space and the measured times as they are now; what was compared of others goes.
    void refresh();
    QToolButton& compare_button() { return *compare_; }
    QTreeWidget& table() { return *table_; }
    QString said() const;  // the verdict and its reasons, or why there are none
    QString text() const;  // as plain text; empty: nothing was compared
    bool busy() const { return work_.busy(); }

private:
    enum Column { Name, Paper, Own, Measured, Operations, Bytes, Tasks, Columns };

    void compare();
    std::vector<std::optional<double>> times() const;
    void show_rows();

    TilingsStudy& study_;
    QToolButton *compare_ = nullptr, *cancel_ = nullptr;
    QTreeWidget* table_ = nullptr;
    QLabel* said_ = nullptr;
    // What made_ is of: the space, and times of the device itself.
    RankedSpacePtr of_;
    std::vector<std::optional<double>> times_;
    std::optional<worker::TilingComparison> made_;
    QString problem_;  // why nothing was compared
    Work work_;        // the last member, so that its job has ended before the others go
};

}  // namespace blockscope
