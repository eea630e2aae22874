// The small pictures of the glossary, drawn by the program itself: signs of the legend, small programs and
// their circuits, rules' examples, listings, and sketches of memories, blocks and time.
//
// docs/glossary.md names them; the files that it shows are written by a test, and compiled in.
#pragma once

#include <string>
#include <vector>

namespace blockscope {

// "buffered-edge", "roofline": names of pictures, each once.
std::vector<std::string> term_picture_names();
// The picture as SVG, on paper; always the same bytes. Needs a QGuiApplication. Throws InternalError if there
// is none of this name.
std::string term_picture_svg(const std::string& name);

}  // namespace blockscope
