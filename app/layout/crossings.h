// Edges that cross in a picture, as it draws them.
#pragma once

#include <vector>

#include "app/layout/arrange.h"
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

// Other ways for edges that cross: around the other side of a box, or with two boxes in each other's place.

// `wishes` without those about where the edges run that cross.
Wishes other_ways(const Wishes& wishes, const std::vector<Crossing>& crossings);

// `wishes` with two boxes of a container swapped that stand side by side at the ends of edges that cross:
// those first that promise most. Frames take along what they hold.
std::vector<Wishes> other_neighbours(const Figure& figure, const Tree& tree, const Geometry& geometry,
                                     const Wishes& wishes, const std::vector<Crossing>& crossings);

// The order of a program's inputs. It stays from step to step, until a rewrite has made it wrong.

// Other places in their row for inputs whose edges cross those of other inputs: `wishes` with one input
// elsewhere each, those that promise fewest crossings first. None if the order is as good as it gets, or the
// program has too many inputs for it to be seen.
std::vector<Wishes> other_orders(const Figure& figure, const Geometry& geometry, const Wishes& wishes);

}  // namespace blockscope
