// Colours, pens and fonts of neural circuit diagrams. A level is told by its dashes and its width as well as
// by its colour.
#pragma once

#include <QFont>
#include <QPen>

#include "app/scene/theme.h"
#include "core/circuit/layout/layout.h"

namespace blockscope {

struct CircuitLook {
    Theme theme;
    QColor levels[5];    // global memory, shared memory, registers, tensor cores; caches
    QColor mask, shade;  // a mask's square, and its upper triangle
    QColor tints[5];     // of named blocks, by depth
    QColor separator;
    QColor glyph;    // fill of boxes
    QColor learned;  // and of learned maps

    // Level 0 solid and thin, 1 solid, 2 in long dashes, 3 in short ones; caches (4) in dashes and dots.
    QPen level_pen(int level) const;
    QColor level_colour(int level) const { return levels[std::min(std::max(level, 0), 4)]; }
};

CircuitLook circuit_look(const Theme& theme);

// The font of a text's unshifted part.
QFont circuit_font(circuit::LabelRole role);
// Measures with these fonts.
circuit::LabelMeasure circuit_measure();

}  // namespace blockscope
