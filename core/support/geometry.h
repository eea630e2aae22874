// Plain geometry, in pixels at scale 1; y grows downwards.
#pragma once

#include <algorithm>
#include <vector>

namespace blockscope {

struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

struct Size {
    double width = 0, height = 0;
    bool operator==(const Size&) const = default;
};

struct Rect {
    double x = 0, y = 0, width = 0, height = 0;  // top left corner and extent
    bool operator==(const Rect&) const = default;

    double left() const { return x; }
    double right() const { return x + width; }
    double top() const { return y; }
    double bottom() const { return y + height; }
    Point center() const { return {x + width / 2, y + height / 2}; }
    bool contains(Point p) const {
        return p.x >= left() && p.x <= right() && p.y >= top() && p.y <= bottom();
    }
    bool intersects(const Rect& other) const {
        return left() < other.right() && other.left() < right() && top() < other.bottom() &&
               other.top() < bottom();
    }
    Rect grown(double by) const { return {x - by, y - by, width + 2 * by, height + 2 * by}; }
    Rect moved(double dx, double dy) const { return {x + dx, y + dy, width, height}; }
};

// A curve of cubic Bézier pieces: 1 + 3k points.
using Curve = std::vector<Point>;

}  // namespace blockscope
