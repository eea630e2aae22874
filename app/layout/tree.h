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

// Where edges meet boxes: pins along the top and bottom sides. A frame or cloud has one pin per port; any
// other box has one per operand above and one per result below.

class Pins {
public:
    // About where the boxes are, and x of each edge's way (NaN if unknown), for the order of operands.
    Pins(const Figure& figure, const Tree& tree, const std::vector<Rect>& boxes,
         const std::vector<double>& lanes);

    // Places the ports of the frame `box` for its children at `boxes`, whose pins are placed. `lanes`: x of
    // the vertical part of each edge, NaN if it has none.
    void place_ports(int box, const std::vector<Rect>& boxes, const std::vector<double>& lanes);
    void place_all_ports(const std::vector<Rect>& boxes, const std::vector<double>& lanes);

    // Shifts pins of operators by a few pixels where that makes an edge straight.
    void straighten(const std::vector<Rect>& boxes);

    // Offset of an edge's ends from the left of the box they are on.
    double start(int edge) const;
    double end(int edge) const;
    double start(int edge, const std::vector<Rect>& boxes) const;
    double end(int edge, const std::vector<Rect>& boxes) const;

    const std::vector<double>& in(int box) const { return in_[static_cast<std::size_t>(box)]; }
    const std::vector<double>& out(int box) const { return out_[static_cast<std::size_t>(box)]; }

private:
    void outside_first(const std::vector<Rect>& boxes, const std::vector<double>& lanes);
    void order_operands(const std::vector<Rect>& boxes, const std::vector<double>& lanes);
    double origin(int edge, const std::vector<Rect>& boxes, const std::vector<double>& lanes) const;
    double target(int edge, const std::vector<Rect>& boxes) const;
    void place_side(int box, const std::vector<Rect>& boxes, bool top,
                    const std::vector<std::vector<double>>& wanted);

    void shift(double& pin, const std::vector<double>& side, double width, double by) const;

    const Figure& figure_;
    const Tree& tree_;
    std::vector<std::vector<double>> in_, out_;   // offsets, by box and pin
    std::vector<std::vector<double>> from_, to_;  // by frame and port: x of what it is connected with outside
    std::vector<int> start_pin_, end_pin_;        // by edge
};

// Values closest to `wanted` (ascending), at least `step` apart and within [low, high]; evenly spread if they
// cannot be so far apart.
std::vector<double> spaced(const std::vector<double>& wanted, double step, double low, double high);

}  // namespace blockscope
