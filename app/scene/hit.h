// What is where in a picture: the curves of edges, what lies under a point, and the way from box to box.
#pragma once

#include "app/layout/layout.h"
#include "app/scene/paint.h"
#include "core/support/geometry.h"

namespace blockscope {

// Cutting and joining curves of cubic Bézier pieces.

Point mixed(Point a, Point b, double share);
double distance(Point a, Point b);

// `curve` without its end (start) inside the circle. At least the far half of the last piece stays.
Curve cut_end(Curve curve, Point center, double radius);
Curve cut_start(Curve curve, Point center, double radius);

// `curve` as `pieces` pieces of the same shape; the longest pieces are halved. Not fewer than it has.
Curve with_pieces(Curve curve, std::size_t pieces);

// The distance of `p` from the curve, by sampling; good to a tenth of `reach`.
double distance_to(const Curve& curve, Point p, double reach);

// What is where in a picture, with a grid so that thousands of boxes are no slower than ten.

// Of a picture that outlives it. Answers as box_at and edge_at do.
class HitIndex {
public:
    HitIndex() = default;
    explicit HitIndex(PicturePtr picture);

    int box_at(Point p) const;
    int edge_at(Point p, double reach) const;
    // Leaf boxes and clouds that lie in `rect` entirely, and frames too if `rect` holds them entirely.
    std::vector<int> boxes_in(const Rect& rect) const;

private:
    struct Cell {
        std::vector<int> boxes, edges;
    };
    int column(double x) const;
    int row(double y) const;
    template <class Add>
    void spread(const Rect& rect, Add add);

    PicturePtr picture_;
    Point origin_;
    double cell_ = 1;
    int columns_ = 0, rows_ = 0;
    std::vector<Cell> cells_;
};

// Moving from box to box with the arrow keys.

enum class Direction : std::uint8_t { Left, Right, Up, Down };

// The box to go to from `box`; -1 if there is none. Down follows an edge to a consumer and Up one to a
// producer, into and out of maps, if there is one; else, and to the sides, it is the nearest box that way,
// first among those in the same frame. From -1: the first box of the picture.
int neighbour(const Picture& picture, int box, Direction direction);

// Into a frame (its first child) and out of it (its parent); -1 if there is none.
int first_child(const Picture& picture, int box);
int parent_of(const Picture& picture, int box);

}  // namespace blockscope
