// Edges that cross, on the other side of the boxes that they pass.
#include <algorithm>
#include <set>
#include <utility>

#include "app/layout/arrange.h"
#include "core/support/index.h"

namespace blockscope {

namespace {

constexpr std::size_t kMostSidesTried = 3;
constexpr double kSideBend = 22;                   // from an end of an edge to where boxes are that it passes
constexpr double kFirstBend = 32, kLastBend = 56;  // about where it runs straight down
constexpr double kBesideBox = 6;  // from a box: closer than the edges that run along it already

class Sides {
public:
    Sides(const Figure& figure, const Tree& tree, const Geometry& geometry)
        : figure_(figure), tree_(tree), geometry_(geometry) {}

    std::vector<Wishes> run(const Wishes& wishes, const std::vector<Crossing>& crossings) {
        std::set<std::pair<int, int>> edges;  // with their containers
        for (const Crossing& crossing : crossings)
            for (const int edge : {crossing.a, crossing.b}) edges.insert({crossing.container, edge});
        for (const auto& [container, edge] : edges) consider(tree_.of(container), edge, wishes);
        std::stable_sort(changes_.begin(), changes_.end(),
                         [](const Change& a, const Change& b) { return a.saved > b.saved; });
        if (changes_.size() > kMostSidesTried) changes_.resize(kMostSidesTried);
        std::vector<Wishes> others(changes_.size(), wishes);
        for (std::size_t i = 0; i < changes_.size(); ++i) {
            others[i].lanes[at(changes_[i].edge)] = changes_[i].x;
            others[i].sided.insert(changes_[i].edge);
        }
        return others;
    }

private:
    struct Change {
        int saved;  // crossings
        int edge;
        double x;
    };

    void consider(const Container& container, int edge, const Wishes& wishes) {
        const Curve& curve = geometry_.edges[at(edge)];
        const double x = point_on(curve, 0.5).x;
        const int as_is = crossed_by(figure_, container, geometry_, edge, curve);
        for (const bool left : {true, false}) {
            const int box = passed_last(container, edge, x, left);
            if (box < 0) continue;
            const Curve way = way_at(edge, beside(geometry_.boxes[at(box)], left));
            const int saved = as_is - crossed_by(figure_, container, geometry_, edge, way);
            if (saved > 0) changes_.push_back({saved, edge, beside(wishes.boxes[at(box)], left)});
        }
    }

    static double beside(const Rect& box, bool left) {
        return left ? box.left() - kBesideBox : box.right() + kBesideBox;
    }

    // The box that it has to pass on its left, or right, to run on the other side of the next one and of all
    // that stand in the way there. -1 if it passes none on that side.
    int passed_last(const Container& container, int edge, double x, bool left) const {
        const auto near = [&](int box) {
            const Rect& rect = geometry_.boxes[at(box)];
            return left ? -rect.right() : rect.left();
        };
        const auto far = [&](int box) {
            const Rect& rect = geometry_.boxes[at(box)];
            return left ? -rect.left() : rect.right();
        };
        std::vector<int> passed;
        for (const int child : container.children)
            if (runs_beside(edge, child) && far(child) > (left ? -x : x)) passed.push_back(child);
        std::sort(passed.begin(), passed.end(),
                  [&](int a, int b) { return std::pair(near(a), a) < std::pair(near(b), b); });
        int last = -1;
        for (const int box : passed) {
            if (last >= 0 && near(box) > far(last) + 2 * kBesideBox) break;
            if (last < 0 || far(box) > far(last)) last = box;
        }
        return last;
    }

    bool runs_beside(int edge, int child) const {
        const Edge& e = figure_.edges[at(edge)];
        const Curve& curve = geometry_.edges[at(edge)];
        const Rect& box = geometry_.boxes[at(child)];
        return child != e.from.box && child != e.to.box && box.bottom() > curve.front().y + kSideBend &&
               box.top() < curve.back().y - kSideBend;
    }

    Curve way_at(int edge, double x) const {
        const Point begin = geometry_.edges[at(edge)].front(), end = geometry_.edges[at(edge)].back();
        const double most = (end.y - begin.y) / 3;
        Curve way = {begin};
        go_along(way,
                 {{x, begin.y + std::min(kFirstBend, most)}, {x, end.y - std::min(kLastBend, most)}, end});
        return way;
    }

    const Figure& figure_;
    const Tree& tree_;
    const Geometry& geometry_;
    std::vector<Change> changes_;
};

}  // namespace

std::vector<Wishes> other_sides(const Figure& figure, const Tree& tree, const Geometry& geometry,
                                const Wishes& wishes, const std::vector<Crossing>& crossings) {
    return Sides(figure, tree, geometry).run(wishes, crossings);
}

}  // namespace blockscope
