// Where everything of a figure is. Plain geometry by index; no window, no Qt.
//
// The first picture of a program is laid out by Graphviz, container by container. Every later one follows
// from the picture before it and the step's lineage, so that what a rewrite does not touch stays where it is.
#pragma once

#include <memory>

#include "app/figure/figure.h"
#include "core/rules/rule.h"
#include "core/support/stop_sign.h"

namespace blockscope {

// Which way edges run.
enum class Flow : std::uint8_t { Down, Right };

// Parallel to the figure's boxes and edges; coordinates are absolute.
struct Geometry {
    std::vector<Rect> boxes;
    std::vector<std::vector<Point>> in, out;  // centres of the ports of frames and clouds, on the rim
    std::vector<Curve> edges;
    std::vector<Point> labels;  // centre of each edge's label
    Rect bounds;                // of everything, with a margin
    Flow flow = Flow::Down;
};

struct Picture {
    Figure figure;
    Geometry geometry;
};
using PicturePtr = std::shared_ptr<const Picture>;

// Owns a Graphviz context, which is not thread-safe: use one Layouter per process at a time, on one thread.
// While `sign` is up, layouts end with Stopped.
class Layouter {
public:
    explicit Layouter(StopSign sign = StopSign());
    ~Layouter();
    Layouter(const Layouter&) = delete;
    Layouter& operator=(const Layouter&) = delete;

    // From nothing: order and ranks by Graphviz in each container.
    Geometry fresh(const Figure& figure);

    // After one rewrite of the program that `before` shows: blocks with the same node stay where they are
    // unless they must make room; what was made appears where its ancestors (`made`) were.
    Geometry follow(const Figure& figure, const Picture& before, const std::vector<Lineage>& made);

    // `figure` is `unfolded`'s with some maps folded: clouds take their frames' places, the rest moves
    // together.
    Geometry fold(const Figure& figure, const Picture& unfolded);

private:
    struct Graphviz;
    std::unique_ptr<Graphviz> graphviz_;
};

// Share of leaf boxes (shown in both pictures by the same node) whose centre moves by more than `distance`.
double moved_share(const Picture& before, const Picture& after, double distance = 40);

}  // namespace blockscope
