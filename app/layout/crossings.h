// Edges that cross in a picture, as it draws them.
#pragma once

#include <vector>

#include "app/layout/layout.h"
#include "app/layout/tree.h"

namespace blockscope {

// A curve that never turns upwards, as a function of y.
class Way {
public:
    explicit Way(const Curve& curve);
    double top() const { return points_.front().y; }
    double bottom() const { return points_.back().y; }
    double x(double y) const;
    // Whether all of it is left or right of the other.
    bool beside(const Way& other) const { return right_ < other.left_ || other.right_ < left_; }

private:
    std::vector<Point> points_;
    double left_ = 0, right_ = 0;
};

// Two edges of one container; edges of one value never count.
struct Crossing {
    int container = -1;
    int a = 0, b = 0;
};

// None of containers with so many edges that it would take long, and could not be seen.
std::vector<Crossing> crossings(const Figure& figure, const Container& container, const Geometry& geometry);
// Of all containers, outer ones first.
std::vector<Crossing> crossings(const Figure& figure, const Tree& tree, const Geometry& geometry);

}  // namespace blockscope
