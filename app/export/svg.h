// Pictures as SVG whose parts can be told apart: every node is a group with its id, its kind as class and a
// title; every edge says which value it carries.
#pragma once

#include <functional>
#include <string>

#include "app/export/vector_device.h"
#include "app/scene/paint.h"

namespace blockscope {

// Draws `picture` on a painter whose device is a VectorDevice, one group for each part. `ids`: groups of
// boxes have ids; right for one picture in a file.
void paint_parts(QPainter& painter, VectorDevice& device, const Picture& picture, const Theme& theme,
                 const Lights& lights, const Rect& visible, double detail, bool ids);

// DejaVu Sans, which everything is measured with, and what is about as wide.
inline constexpr const char* kSvgFonts = "DejaVu Sans,Bitstream Vera Sans,Verdana,sans-serif";

// How a colour is written: "#1d2430", "var(--c3)", ...
using ColourText = std::function<std::string(const QColor&)>;
// "#1d2430"; svg_element writes the opacity of translucent colours beside it.
std::string plain_colour(const QColor& colour);

// One element; `fill` and `stroke` say how its colours are written.
std::string svg_element(const VectorElement& element, const std::string& fill, const std::string& stroke);
// All items as SVG text, each in its group.
std::string svg_items(const std::vector<VectorItem>& items, const ColourText& colour);

// A whole file around `body`. `title` and `description` are for screen readers.
std::string svg_file(const Rect& view, const std::string& title, const std::string& description,
                     const std::string& body);

}  // namespace blockscope
