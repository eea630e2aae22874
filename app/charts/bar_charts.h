// Charts of bars: the bytes that states move, and what is alive in local memory line by line.
#pragma once

#include <QColor>
#include <QRectF>

#include "app/charts/chart.h"
#include "app/scene/theme.h"

// How the parts of a stack are told apart: a colour of Okabe and Ito's palette and a pattern.

class QPainter;

namespace blockscope {

constexpr int kSeriesLooks = 8;

QColor series_color(const Theme& theme, int index);
// Fills `rect` with the series' colour and its pattern (none, lines in four directions, dots), drawn as plain
// strokes so that every device and file has it.
void fill_series(QPainter& painter, const QRectF& rect, const Theme& theme, int index);

}  // namespace blockscope
namespace blockscope {

// Bytes that each state moves between global and local memory, one bar per state, one part per buffer.

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

// What is alive in one processor's local memory, line by line of the listing.

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
