// Diagrams for LaTeX.
#pragma once

#include <string>

#include "core/circuit/layout/drawing.h"

namespace blockscope::circuit {

// A tikzpicture with the drawing's own geometry; one pixel is 0.75pt. It needs \usepackage{tikz},
// \usepackage{amsmath} and \usetikzlibrary{arrows.meta}, and defines its colours and styles itself. `title`
// becomes a comment.
std::string tikz(const Drawing& drawing, const std::string& title);

// `picture` as a document of its own that LaTeX compiles as it is (class standalone, package amsmath, and the
// arrow tips that the pictures have). With \usepackage{standalone} another document can \input it.
std::string tikz_document(const std::string& picture);

}  // namespace blockscope::circuit
