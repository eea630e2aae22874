// Paints a neural circuit diagram: a free function of the drawing, the theme and what is lit.
#pragma once

#include <QPainter>
#include <functional>
#include <set>

#include "app/circuit/circuit_look.h"

namespace blockscope {

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
