// Charts of points: the roofline, and predicted against measured times.
#pragma once

#include <optional>

#include "app/charts/chart.h"

namespace blockscope {

// The roofline: attainable operations per second against operations per byte, both logarithmic, with the
// device's ceilings and the states as points.

struct RooflineCeiling {
    QString name;       // "DRAM 4.8 TB/s", "matrix f16 989 TFLOP/s"
    double rate = 0;    // bytes per second of a memory level, operations per second of a unit
    bool level = true;  // a memory level: a diagonal; else a unit: a horizontal line
    QString tip = {};   // what is said where its line or its name is pointed at
    QString title = {};
    QString derivation = {};  // where the rate comes from
};

// The key of the spots that ceilings are; their part is the ceiling's index.
constexpr int kCeilingKey = -3;

struct RooflinePoint {
    QString label;                   // "S3": snapshots; states by their step
    int key = -1;                    // of the state
    double intensity = 0;            // operations per byte
    double predicted = 0;            // operations per second; 0: no prediction
    std::optional<double> measured;  // operations per second
    QString tip;
};

struct Roofline {
    std::vector<RooflineCeiling> ceilings;
    std::vector<RooflinePoint> points;  // in the order of the line that joins them
    QString missing;                    // instead of a chart: what is missing
};

// Predicted points are hollow, measured ones filled.
std::vector<ChartSpot> paint_roofline(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                      const Roofline& chart);

// Predicted against measured times, both logarithmic, with the diagonal on which they are equal.

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
