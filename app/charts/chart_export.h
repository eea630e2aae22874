// Charts as files. The same chart, style and size give the same bytes.
#pragma once

#include <QByteArray>
#include <QSizeF>
#include <string>

#include "app/charts/chart.h"

namespace blockscope {

struct ChartFile {
    std::string title;        // for screen readers and PDF viewers
    std::string description;  // one sentence
    QSizeF size{760, 480};    // units
    double scale = 2;         // of PNG: pixels per unit
};

QByteArray chart_svg(const PaintChart& paint, const ChartStyle& style, const ChartFile& file);
QByteArray chart_pdf(const PaintChart& paint, const ChartStyle& style, const ChartFile& file);
QByteArray chart_png(const PaintChart& paint, const ChartStyle& style, const ChartFile& file);
// By the ending of a file's name: svg, pdf or png; empty for others.
QByteArray chart_bytes(const std::string& format, const PaintChart& paint, const ChartStyle& style,
                       const ChartFile& file);

}  // namespace blockscope
