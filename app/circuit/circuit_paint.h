// Colours, pens and fonts of neural circuit diagrams. A level is told by its dashes and its width as well as
// by its colour.
#pragma once

#include <QFont>
#include <QPainter>
#include <QPen>
#include <functional>
#include <set>

#include "app/scene/theme.h"
#include "core/diagram/layout/drawing.h"

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

// Texts with lowered and raised parts.

Size rich_size(const std::string& text, circuit::LabelRole role);

// In `box`, from its left. With `overline` the name has a line above it: the lowered part if there is one, as
// in g_q, else the first.
void paint_rich(QPainter& painter, const Rect& box, const std::string& text, circuit::LabelRole role,
                const QColor& colour, bool overline = false);

// Paints a neural circuit diagram: a free function of the drawing, the theme and what is lit.

// Part of a drawing, by index.
struct CircuitPart {
    enum class Kind : std::uint8_t { None, Frame, Wire, Glyph, Number } kind = Kind::None;
    int index = -1;
    bool operator==(const CircuitPart&) const = default;
    auto operator<=>(const CircuitPart&) const = default;
};

struct CircuitLights {
    std::set<int> axes;            // AxisId values: their wires are wide
    std::set<int> glyphs, frames;  // selected
    std::set<int> pointed_glyphs;  // meant by what another view points at
    CircuitPart hovered;
    bool operator==(const CircuitLights&) const = default;
};

// `announce` is called before each part that has a meaning of its own, for files that name their parts.
using AnnouncePart = std::function<void(const CircuitPart&)>;

// Does not fill the background.
void paint_circuit(QPainter& painter, const circuit::Drawing& drawing, const CircuitLook& look,
                   const CircuitLights& lights = {}, const AnnouncePart& announce = {});

// What is at this place, the smallest first: a number, a glyph, a wire within `reach`, the innermost frame.
CircuitPart part_at(const circuit::Drawing& drawing, Point place, double reach);

// One line for tooltips and screen readers; of numbers the sum that they are, a line each.
std::string part_text(const circuit::Drawing& drawing, const CircuitPart& part);

}  // namespace blockscope
