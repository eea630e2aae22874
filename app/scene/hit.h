// What is where in a picture, with a grid so that thousands of boxes are no slower than ten.
#pragma once

#include "app/scene/paint.h"

namespace blockscope {

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

}  // namespace blockscope
