// Diagrams for LaTeX.
#pragma once

#include <string>

#include "core/circuit/layout/drawing.h"

namespace blockscope::circuit {

// A tikzpicture with the drawing's own geometry; one pixel is 0.75pt. It needs \usepackage{tikz} and
// \usepackage{amsmath}, and defines its colours and styles itself. `title` becomes a comment.
std::string tikz(const Drawing& drawing, const std::string& title);

}  // namespace blockscope::circuit
