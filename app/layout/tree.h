// A figure by containers, and the measures of a picture.
#pragma once

#include <vector>

#include "app/figure/figure.h"

namespace blockscope {

// Pixels at scale 1.
struct Measures {
    static constexpr double kGapX = 26;       // between boxes side by side
    static constexpr double kGapY = 34;       // between a box and one that reads from it
    static constexpr double kPadX = 22;       // from a frame's rim to its children
    static constexpr double kPadTop = 32;     // below the input ports
    static constexpr double kPadBottom = 34;  // above the output ports, beside the dimension's name
    static constexpr double kPortStep = 16;   // between ports of one rim
    static constexpr double kPortEnd = 12;    // from a frame's corner to its first port
    static constexpr double kLane = 12;       // between two edges that run side by side
    static constexpr double kLaneGap = 16;    // between an edge and a box that it passes
    static constexpr double kMargin = 24;     // around the picture
};

// The top level, or the inside of one frame.
struct Container {
    int box = -1;
    std::vector<int> children;
    std::vector<int> edges;
};

class Tree {
public:
    explicit Tree(const Figure& figure);

    const Container& of(int box) const { return containers_[static_cast<std::size_t>(box + 1)]; }
    int boxes() const { return static_cast<int>(containers_.size()) - 1; }
    // Leaf boxes, clouds, and frames without children.
    bool childless(int box) const { return of(box).children.empty(); }

private:
    std::vector<Container> containers_;
};

}  // namespace blockscope
