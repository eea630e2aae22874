#include "app/layout/crossings.h"

#include <algorithm>
#include <cmath>

#include "app/layout/route.h"

namespace blockscope {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

constexpr std::size_t kMostEdges = 300;
constexpr int kSamples = 24;  // points of a way
constexpr double kApart = 1;  // pixels between edges that run side by side

// Whether one is left of the other at one height and right of it at another.
bool cross(const Way& a, const Way& b) {
    const double top = std::max(a.top(), b.top()), bottom = std::min(a.bottom(), b.bottom());
    if (bottom <= top || a.beside(b)) return false;
    int side = 0;
    for (int i = 0; i <= kSamples; ++i) {
        const double y = top + (bottom - top) * i / kSamples;
        const double apart = b.x(y) - a.x(y);
        if (std::abs(apart) < kApart) continue;
        const int now = apart > 0 ? 1 : -1;
        if (side != 0 && now != side) return true;
        side = now;
    }
    return false;
}

}  // namespace

Way::Way(const Curve& curve) {
    for (int i = 0; i <= kSamples; ++i) points_.push_back(point_on(curve, static_cast<double>(i) / kSamples));
    const auto by_x = [](const Point& a, const Point& b) { return a.x < b.x; };
    const auto [left, right] = std::minmax_element(points_.begin(), points_.end(), by_x);
    left_ = left->x;
    right_ = right->x;
}

double Way::x(double y) const {
    for (std::size_t i = 1; i < points_.size(); ++i) {
        const Point &a = points_[i - 1], &b = points_[i];
        if (y > b.y) continue;
        return b.y - a.y < 1e-9 ? b.x : a.x + (b.x - a.x) * std::max(0.0, y - a.y) / (b.y - a.y);
    }
    return points_.back().x;
}

std::vector<Crossing> crossings(const Figure& figure, const Container& container, const Geometry& geometry) {
    if (container.edges.size() > kMostEdges) return {};
    std::vector<Way> ways;
    for (const int edge : container.edges) ways.emplace_back(geometry.edges[at(edge)]);
    std::vector<Crossing> found;
    for (std::size_t i = 0; i < ways.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const int a = container.edges[j], b = container.edges[i];
            const bool same = figure.edges[at(a)].value == figure.edges[at(b)].value;
            if (!same && cross(ways[j], ways[i])) found.push_back({container.box, a, b});
        }
    return found;
}

std::vector<Crossing> crossings(const Figure& figure, const Tree& tree, const Geometry& geometry) {
    std::vector<Crossing> all;
    for (int box = -1; box < tree.boxes(); ++box) {
        const std::vector<Crossing> found = crossings(figure, tree.of(box), geometry);
        all.insert(all.end(), found.begin(), found.end());
    }
    return all;
}

}  // namespace blockscope
