// Screen readers see a canvas as its boxes, named by their details and nested as they are drawn.
#pragma once

namespace blockscope {

class Canvas;

// Makes interfaces for canvases. Does nothing the second time.
void install_canvas_accessibility();
// Tells assistive programs that the keyboard is at `box`.
void announce_focus(Canvas& canvas, int box);

}  // namespace blockscope
