// Plans painted: the operators as boxes with the letters and colours of their kernels, and each way as a bar
// as long as it takes, with its kernels as parts.
#pragma once

#include <QPainter>
#include <QRectF>
#include <QSizeF>
#include <vector>

#include "app/charts/chart.h"
#include "app/plan/plan_search.h"

namespace blockscope {

// Where the boxes stand: what reads a result is below what makes it.
struct PlacedOperators {
    std::vector<QRectF> boxes;  // by node
    QSizeF size;                // of all
};
PlacedOperators place_operators(const FoundPlans& plans, const ChartStyle& style);

// Which operators stand together: the kernels of a way, or the groups after a step of one.
struct OperatorGroups {
    std::vector<int> group;     // by node: its letter and colour; -1: not decided yet
    std::vector<QString> tips;  // by group
};
OperatorGroups groups_of(const FoundPlans& plans, const PlannedWay& way);
OperatorGroups groups_of(const FoundPlans& plans, const plan::DecisionStep& step);

// The key of a spot is its node. `marked` have a frame.
std::vector<ChartSpot> paint_operators(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                       const FoundPlans& plans, const OperatorGroups& groups,
                                       const PlacedOperators& placed, const std::vector<int>& marked);

// The key of a spot is the index of its way, its part that of the kernel. `shown` is the way whose kernels
// are listed.
std::vector<ChartSpot> paint_timelines(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                       const FoundPlans& plans, std::size_t shown);
double timelines_height(const FoundPlans& plans, const ChartStyle& style);

// The colour and the pattern of a kernel, as a small picture beside its letter.
QPixmap kernel_swatch(const Theme& theme, std::size_t kernel, int size);

}  // namespace blockscope
