// What is wrong with a drawing, as sentences: none for a tidy one.
#pragma once

#include <string>
#include <vector>

#include "core/diagram/layout/drawing.h"

namespace blockscope::test {

// Labels on wires, glyphs or each other; glyphs on wires that do not end there, or on each other; numbers on
// each other.
std::vector<std::string> overlaps(const circuit::Drawing& drawing);

// Wires that end where nothing is that they could end at.
std::vector<std::string> loose_ends(const circuit::Drawing& drawing);

// Wires that bend over a frame's rim although they go past the frame.
std::vector<std::string> cut_corners(const circuit::Drawing& drawing);

// What lies outside the drawing's bounds.
std::vector<std::string> outside(const circuit::Drawing& drawing);

}  // namespace blockscope::test
