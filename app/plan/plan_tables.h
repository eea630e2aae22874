// The tables of the page Plan: the ways of deciding, and the kernels of one of them.
#pragma once

#include <QTreeWidget>

#include "app/plan/plan_search.h"
#include "app/shell/appearance.h"

namespace blockscope {

// One row for each way; sorted by a column where its heading is clicked.
class WaysTable : public QTreeWidget {
    Q_OBJECT

public:
    enum Column { Way, Time, Times, Traffic, Kernels, Launches, Local, Columns };

    explicit WaysTable(QWidget* parent);

    void show_plans(const FoundPlans& plans);
    void choose(std::size_t way);
    int chosen_way() const;  // index in FoundPlans::ways; -1: none

Q_SIGNALS:
    void way_chosen(int way);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
};

// The kernels in the order in which they run, each with a bar as long as its share of the time.
class KernelsTable : public QTreeWidget {
    Q_OBJECT

public:
    enum Column { Kernel, Time, Launches, Traffic, Local, State, Blocks, Binds, Operators, Columns };

    KernelsTable(Appearance& appearance, QWidget* parent);

    // Kernels that are `kept` are ticked.
    void show_kernels(const FoundPlans& plans, const PlannedWay& way,
                      const std::vector<plan::FusionGroup>& kept = {});
    std::vector<std::size_t> ticked() const;
    void tick(std::size_t kernel, bool ticked);
    void choose(std::size_t kernel);
    int chosen_kernel() const;    // -1: none
    int least_operators() const;  // pixels that the column of operators has at least

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    Appearance& appearance_;
};

}  // namespace blockscope
