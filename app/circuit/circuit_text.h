// Texts with lowered and raised parts.
#pragma once

#include <QPainter>

#include "core/circuit/layout/drawing.h"

namespace blockscope {

Size rich_size(const std::string& text, circuit::LabelRole role);

// In `box`, from its left. With `overline` the name has a line above it: the lowered part if there is one, as
// in g_q, else the first.
void paint_rich(QPainter& painter, const Rect& box, const std::string& text, circuit::LabelRole role,
                const QColor& colour, bool overline = false);

}  // namespace blockscope
