// Circuit diagrams as files. The same drawing and options give the same bytes.
#pragma once

#include <QByteArray>
#include <string>

#include "app/circuit/circuit_paint.h"

namespace blockscope {

struct CircuitFile {
    Theme theme = Theme::light();
    bool background = true;  // else transparent (white paper in PDF)
    double scale = 2;        // of PNG: pixels per unit
    std::string title;       // what the file calls itself
    std::string caption;     // one line under the picture; may be empty
};

// An image of `size` units on nothing. Empty if it would have more than 500 million pixels.
QByteArray picture_png(QSizeF size, double scale, const std::function<void(QPainter&)>& paint);

QByteArray circuit_svg(const circuit::Drawing& drawing, const CircuitFile& file);
QByteArray circuit_pdf(const circuit::Drawing& drawing, const CircuitFile& file);
// Empty if the image would have more than 500 million pixels.
QByteArray circuit_png(const circuit::Drawing& drawing, const CircuitFile& file);
// "svg", "pdf", "png" or "tex" (TikZ); empty for others.
QByteArray circuit_bytes(const std::string& format, const circuit::Drawing& drawing, const CircuitFile& file);

}  // namespace blockscope
