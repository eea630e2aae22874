// Predicted against measured times, both logarithmic, with the diagonal on which they are equal.
#pragma once

#include "app/charts/chart.h"

namespace blockscope {

struct ScatterPoint {
    QString label;
    int key = -1;
    double predicted = 0;  // seconds
    double measured = 0;   // seconds
    bool stale = false;    // measured with another program or other sizes: drawn faint
    QString tip;
};

// The key of the spot that the statistics are.
constexpr int kStatisticsKey = -2;

struct Scatter {
    std::vector<ScatterPoint> points;
    std::vector<QString> statistics;  // above it: coefficients and errors
    QString statistics_tip;           // what is said where they are pointed at
    QString title, missing;           // instead of a chart: that and what is missing
};

std::vector<ChartSpot> paint_scatter(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                     const Scatter& chart);

}  // namespace blockscope
