// What is alive in one processor's local memory, line by line of the listing.
#pragma once

#include "app/charts/chart.h"

namespace blockscope {

// The keys of the spots that are no moment's: the largest amount, and the device's limit.
constexpr int kPeakKey = -4;
constexpr int kLimitKey = -5;

struct MemoryMoment {
    double bytes = 0;
    QString tip;    // the line, and what is alive there
    int line = -1;  // of the listing; the key of the moment's spot
};

struct MemoryStrip {
    std::vector<MemoryMoment> moments;  // in the order of the listing
    double limit = 0;                   // of the device's local memory; 0: unknown
    QString limit_name;                 // "227 kB shared memory of a thread block"
    QString tip = {};                   // what is said where one of these two is pointed at
    QString missing;
};

std::vector<ChartSpot> paint_memory_strip(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                          const MemoryStrip& chart);

}  // namespace blockscope
