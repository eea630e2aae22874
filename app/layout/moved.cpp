#include "app/layout/moved.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/layout/layout.h"
#include "core/support/index.h"

namespace blockscope {

namespace {

constexpr double kInsideFrame = 6;  // between a block and the rim of its map
constexpr double kOutside = 24;     // between the outermost blocks and the end of the picture

Point sum(Point a, Point b) {
    return {a.x + b.x, a.y + b.y};
}

// How far a box may go along one axis, so that it stays between the rims.
double held(double by, double low, double high, double rim_low, double rim_high) {
    const double least = std::min(0.0, rim_low + kInsideFrame - low);
    const double most = std::max(0.0, rim_high - kInsideFrame - high);
    return std::clamp(by, least, most);
}

Point own_shift(const Picture& picture, std::size_t box, const Shifts& shifts) {
    const Box& moved_box = picture.figure.boxes[box];
    for (const NodeId node : moved_box.nodes) {
        const auto found = shifts.find(node);
        if (found == shifts.end()) continue;
        Point by{static_cast<double>(found->second.x), static_cast<double>(found->second.y)};
        if (moved_box.parent < 0) return by;
        const Rect& rect = picture.geometry.boxes[box];
        const Rect& frame = picture.geometry.boxes[at(moved_box.parent)];
        by.x = held(by.x, rect.left(), rect.right(), frame.left(), frame.right());
        by.y = held(by.y, rect.top(), rect.bottom(), frame.top(), frame.bottom());
        return by;
    }
    return {};
}

void move_ends(Curve& curve, Point start, Point end) {
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const double t = static_cast<double>(i) / static_cast<double>(curve.size() - 1);
        curve[i] = sum(curve[i], {std::lerp(start.x, end.x, t), std::lerp(start.y, end.y, t)});
    }
}

}  // namespace

void shift_boxes(Picture& picture, const Shifts& shifts) {
    if (shifts.empty()) return;
    const Figure& figure = picture.figure;
    Geometry& geometry = picture.geometry;
    std::vector<Point> by(figure.boxes.size());
    for (std::size_t i = 0; i < by.size(); ++i) {  // parents come before children
        by[i] = own_shift(picture, i, shifts);
        if (const int parent = figure.boxes[i].parent; parent >= 0) by[i] = sum(by[i], by[at(parent)]);
    }
    for (std::size_t i = 0; i < figure.edges.size(); ++i) {
        const Edge& edge = figure.edges[i];
        const Point start = by[at(edge.from.box)], end = by[at(edge.to.box)];
        if (geometry.edges[i].size() > 1) move_ends(geometry.edges[i], start, end);
        geometry.labels[i] = sum(geometry.labels[i], {(start.x + end.x) / 2, (start.y + end.y) / 2});
    }
    Rect& bounds = geometry.bounds;
    for (std::size_t i = 0; i < by.size(); ++i) {
        Rect& rect = geometry.boxes[i];
        rect = rect.moved(by[i].x, by[i].y);
        for (auto* ports : {&geometry.in[i], &geometry.out[i]})
            for (Point& port : *ports) port = sum(port, by[i]);
        if (by[i] == Point{}) continue;
        const Rect room = rect.grown(kOutside);
        const double left = std::min(bounds.left(), room.left()), top = std::min(bounds.top(), room.top());
        bounds = {left, top, std::max(bounds.right(), room.right()) - left,
                  std::max(bounds.bottom(), room.bottom()) - top};
    }
}

}  // namespace blockscope
