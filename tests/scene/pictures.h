// Pictures made by hand, so that what is painted does not depend on any layout.
#pragma once

#include "app/layout/layout.h"

namespace blockscope::test {

class PictureMaker {
public:
    // A leaf or cloud; `node` is its id.
    int box(BoxKind kind, std::uint32_t node, const std::string& label, Rect rect, int parent = -1);
    int frame(std::uint32_t node, const std::string& corner, Rect rect, int parent = -1);
    int port_in(int box, double x, PortIn mode = PortIn::Iterated, PortMark mark = PortMark::Plain);
    int port_out(int box, double x, PortMark mark = PortMark::Plain);
    // From the bottom of a leaf (or a port) to the top of another.
    int edge(int container, End from, End to, bool buffered, const std::string& label = "block");
    Box& at(int box) { return picture_.figure.boxes[static_cast<std::size_t>(box)]; }
    Picture done() const;

private:
    Point end_point(const End& end, bool source, int container) const;

    Picture picture_;
};

// Q and K into an M,N map with dot, a formula, and a sum; then the output. The map has node 10, what it holds
// 11 to 14.
Picture small_picture();
// The same after a rewrite: node 12 is gone, 15 was made from it, the map moved to the right.
Picture rewritten_picture();
std::vector<Lineage> rewritten_lineage();
// `columns` x `rows` boxes in frames of ten by ten, chained by edges.
Picture large_picture(int columns, int rows);
// Frames within frames, `depth` of them, around one operator.
Picture deep_picture(int depth);

}  // namespace blockscope::test
