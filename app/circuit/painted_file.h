// Pictures that are painted the same way on whatever they are written to.
#pragma once

#include <QByteArray>
#include <QPainter>
#include <functional>
#include <string>

#include "app/circuit/circuit_file.h"

namespace blockscope {

// "svg", "pdf" or "png"; empty for others, and for an image that would be too large. `paint` paints what lies
// in `size` over the background; `kind` is the class of the SVG's parts. Needs a QGuiApplication.
QByteArray painted_bytes(const std::string& format, const QSizeF& size, const std::string& kind,
                         const CircuitFile& file, const std::function<void(QPainter&)>& paint);

}  // namespace blockscope
