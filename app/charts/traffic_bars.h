// Bytes that each state moves between global and local memory, one bar per state, one part per buffer.
#pragma once

#include "app/charts/chart.h"

namespace blockscope {

// The part of the spot that a bar's total is.
constexpr int kTotalPart = -1;

struct TrafficBar {
    QString label;
    int key = -1;
    std::vector<double> parts;                          // bytes by series; as many as there are series
    std::vector<QString> tips;                          // of the parts
    std::vector<std::vector<std::string>> arrays = {};  // of the parts: names of buffers
};

struct TrafficBars {
    std::vector<QString> series;  // names of buffers, the last may stand for all others
    std::vector<TrafficBar> bars;
    QString missing;
};

std::vector<ChartSpot> paint_traffic_bars(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                          const TrafficBars& chart);

}  // namespace blockscope
