#include "app/scene/neighbour.h"

#include <cmath>

namespace blockscope {

namespace {

const Rect& rect_of(const Picture& picture, int box) {
    return picture.geometry.boxes[static_cast<std::size_t>(box)];
}

const Box& box_of(const Picture& picture, int box) {
    return picture.figure.boxes[static_cast<std::size_t>(box)];
}

// How far `to` lies from `from` in `direction`; infinite if it lies elsewhere. Sideways counts twice.
double cost(const Rect& from, const Rect& to, Direction direction) {
    const double dx = to.center().x - from.center().x;
    const double dy = to.center().y - from.center().y;
    const bool across = direction == Direction::Left || direction == Direction::Right;
    const bool backwards = direction == Direction::Left || direction == Direction::Up;
    const double along = (across ? dx : dy) * (backwards ? -1 : 1);
    const double sideways = std::abs(across ? dy : dx);
    if (along < 1 || sideways > 2 * along + (across ? from.height : from.width)) return INFINITY;
    return along + 2 * sideways;
}

// The box at the other end of an edge of `box` (forwards: that it leads to). Ends at the rim of the enclosing
// frame lead on to that frame. Of several the one that is nearest to straight below or above.
int along_edge(const Picture& picture, int box, bool forwards) {
    int best = -1;
    double least = INFINITY;
    for (const Edge& edge : picture.figure.edges) {
        const End& here = forwards ? edge.from : edge.to;
        const End& there = forwards ? edge.to : edge.from;
        if (here.box != box || there.box == box) continue;
        if (edge.container == box) continue;  // the inner side of the frame's own ports
        const double sideways =
            std::abs(rect_of(picture, there.box).center().x - rect_of(picture, box).center().x);
        const double price = sideways + (there.box == edge.container ? 1e6 : 0);
        if (price < least) least = price, best = there.box;
    }
    return best;
}

int nearest(const Picture& picture, int box, Direction direction, bool siblings_only) {
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < static_cast<int>(picture.figure.boxes.size()); ++i) {
        if (i == box) continue;
        if (siblings_only && box_of(picture, i).parent != box_of(picture, box).parent) continue;
        const double price = cost(rect_of(picture, box), rect_of(picture, i), direction);
        if (price < least) least = price, best = i;
    }
    return best;
}

}  // namespace

int neighbour(const Picture& picture, int box, Direction direction) {
    if (picture.figure.boxes.empty()) return -1;
    if (box < 0 || box >= static_cast<int>(picture.figure.boxes.size()))
        return picture.figure.roots.empty() ? 0 : picture.figure.roots.front();
    if (direction == Direction::Down || direction == Direction::Up) {
        const int next = along_edge(picture, box, direction == Direction::Down);
        if (next >= 0) return next;
    }
    const int sibling = nearest(picture, box, direction, true);
    return sibling >= 0 ? sibling : nearest(picture, box, direction, false);
}

int first_child(const Picture& picture, int box) {
    if (box < 0) return -1;
    const std::vector<int>& children = box_of(picture, box).children;
    return children.empty() ? -1 : children.front();
}

int parent_of(const Picture& picture, int box) {
    return box < 0 ? -1 : box_of(picture, box).parent;
}

}  // namespace blockscope
