// Paints a clock diagram (Figures 34 to 37), and writes it as a file.
#pragma once

#include <QByteArray>
#include <QPainter>
#include <string>

#include "app/circuit/circuit_file.h"
#include "core/circuit/layout/clock_drawing.h"

namespace blockscope {

// Clocks as they are written: two digits.
QString clocks_text(double clocks);

// Does not fill the background.
void paint_clocks(QPainter& painter, const circuit::ClockDrawing& drawing, const Theme& theme);

// "svg", "pdf", "png" or "tex" (TikZ); empty for others, and for an image that would be too large. Needs a
// QGuiApplication, but for "tex".
QByteArray clock_bytes(const std::string& format, const circuit::ClockDrawing& drawing,
                       const CircuitFile& file);

}  // namespace blockscope
