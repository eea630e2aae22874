// What is alive in one processor's local memory, line by line of the listing.
#pragma once

#include "app/charts/chart.h"

namespace blockscope {

struct MemoryMoment {
    double bytes = 0;
    QString tip;    // the line, and what is alive there
    int line = -1;  // of the listing; the key of the moment's spot
};

struct MemoryStrip {
    std::vector<MemoryMoment> moments;  // in the order of the listing
    double limit = 0;                   // of the device's local memory; 0: unknown
    QString limit_name;                 // "227 kB shared memory of a thread block"
    QString missing;
};

std::vector<ChartSpot> paint_memory_strip(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                          const MemoryStrip& chart);

}  // namespace blockscope
