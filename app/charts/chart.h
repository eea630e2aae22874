// What all charts share: each is a value with its data, and a free function that paints it on any device, so
// that the window, files and tests see the same chart.
#pragma once

#include <QByteArray>
#include <QPainterPath>
#include <QSizeF>
#include <QString>
#include <functional>
#include <string>
#include <vector>

#include "app/scene/theme.h"

class QPainter;

namespace blockscope {

// Around a chart, in the window and in files, so that both show the same.
constexpr double kChartMargin = 12;

struct ChartStyle {
    Theme theme = Theme::light();
    double text = 12;      // height of labels in units
    int highlighted = -1;  // key of what is emphasised: the state that is current or pointed at
};

// A part of a chart that says something when it is pointed at.
struct ChartSpot {
    QPainterPath area;
    QString tip;   // plain text, also for screen readers
    int key = -1;  // of the state it is about; -1: of none
    int part = 0;  // which of the state's: the array of a bar; 0: the predicted point, 1: the measured one
};

// Paints a chart that fills `all` and returns its spots, the uppermost last.
using PaintChart = std::function<std::vector<ChartSpot>(QPainter&, const QRectF& all, const ChartStyle&)>;

}  // namespace blockscope
namespace blockscope {

// Charts as files. The same chart, style and size give the same bytes.

struct ChartFile {
    std::string title;        // for screen readers and PDF viewers
    std::string description;  // one sentence
    QSizeF size{760, 480};    // units
    double scale = 2;         // of PNG: pixels per unit
};

// In a format that is painted (app/files/file_formats.h); empty for others.
QByteArray chart_bytes(const std::string& format, const PaintChart& paint, const ChartStyle& style,
                       const ChartFile& file);

}  // namespace blockscope
