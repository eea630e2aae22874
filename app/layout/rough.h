// One container laid out alone, as a flat graph: ranks, order and rough places.
#pragma once

#include <memory>
#include <vector>

#include "app/layout/tree.h"
#include "core/support/stop_sign.h"

namespace blockscope {

// Extents of the boxes in a container, and where along their rims the ports are.
struct Extents {
    std::vector<Size> boxes;
    std::vector<std::vector<double>> in, out;  // from the left end of the box
};

// Centres from the container's top left corner, without padding; parallel to the container's lists.
struct Places {
    Size size;
    std::vector<Point> children;
    std::vector<double> edges;    // x in the middle of each edge's way
    std::vector<double> in, out;  // x of the container's own ports
};

// Owns a Graphviz context.
class Dot {
public:
    explicit Dot(StopSign sign);
    ~Dot();
    Dot(const Dot&) = delete;
    Dot& operator=(const Dot&) = delete;

    // Throws Stopped if its sign is up.
    Places place(const Figure& figure, const Container& container, const Extents& extents);

private:
    struct Context;
    StopSign sign_;
    std::unique_ptr<Context> context_;
};

// The same without Graphviz, for containers on which it would take long: ranks by longest path, order by
// barycentres.
Places place_in_layers(const Figure& figure, const Container& container, const Extents& extents);

// Rough places for everything of a figure, laid out from nothing: what the arrangement starts from.

struct Rough {
    std::vector<Rect> boxes;    // absolute
    std::vector<double> lanes;  // x about where each edge runs
};

Rough rough_places(Dot& dot, const Figure& figure, const Tree& tree);
// Only what is in the frame `box`, from its top left corner; boxes elsewhere and all lanes are left out.
std::vector<Rect> rough_inside(Dot& dot, const Figure& figure, const Tree& tree, int box);

}  // namespace blockscope
