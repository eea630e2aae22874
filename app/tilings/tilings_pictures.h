// The paper's figures as charts of the window: Fig. 11, estimates against measured times, and Fig. 8,
// speed-ups over the products one by one.
#pragma once

#include <QString>
#include <vector>

#include "app/charts/chart.h"
#include "app/tilings/speedups.h"

namespace blockscope {

// Both logarithmic, each with a range of its own: the model ranks, it does not predict another machine.
struct TilingDot {
    int candidate = -1;   // the key of its spot
    double estimate = 0;  // seconds
    double measured = 0;
    QString tip;
};
struct TilingDots {
    std::vector<TilingDot> dots;
    QString device, machine;  // what estimates and measured times are of
    QString missing;          // instead of a chart
};
std::vector<ChartSpot> paint_tiling_dots(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                         const TilingDots& chart);

// Two bars for each workload: of all expressions, and of deep ones only. The key of a spot is the workload's
// index, its part 1 for deep ones only.
struct SpeedupBars {
    std::vector<tilings::WorkloadTimes> rows;
    QString missing;
};
std::vector<ChartSpot> paint_speedups(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                      const SpeedupBars& chart);

}  // namespace blockscope
