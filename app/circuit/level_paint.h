// Paints a hierarchy (Figures 7 and 25), and writes it as a file.
#pragma once

#include <QByteArray>
#include <QPainter>
#include <string>

#include "app/circuit/circuit_file.h"
#include "core/circuit/layout/level_drawing.h"

namespace blockscope {

// Does not fill the background.
void paint_levels(QPainter& painter, const circuit::LevelDrawing& drawing, const Theme& theme);

// "svg", "pdf", "png" or "tex" (TikZ); empty for others, and for an image that would be too large.
QByteArray level_bytes(const std::string& format, const circuit::LevelDrawing& drawing,
                       const CircuitFile& file);

}  // namespace blockscope
