#include "app/layout/siblings.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace blockscope {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

constexpr std::size_t kMostTried = 3;
constexpr double kApart = 1;  // pixels between ends of edges at different places
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

bool side_by_side(const Rect& a, const Rect& b) {
    return a.top() < b.bottom() && b.top() < a.bottom();
}

class Siblings {
public:
    Siblings(const Figure& figure, const Tree& tree, const Geometry& geometry)
        : figure_(figure), tree_(tree), geometry_(geometry) {}

    std::vector<Wishes> run(const Wishes& wishes, const std::vector<Crossing>& crossings) {
        std::map<int, std::set<int>> ends;  // by container: boxes at the ends of edges that cross
        for (const Crossing& crossing : crossings)
            for (const int edge : {crossing.a, crossing.b})
                for (const int box : {figure_.edges[at(edge)].from.box, figure_.edges[at(edge)].to.box})
                    if (box != crossing.container) ends[crossing.container].insert(box);
        for (const auto& [container, boxes] : ends)
            for (const int left : boxes)
                for (const int right : boxes) consider(tree_.of(container), left, right);
        std::stable_sort(swaps_.begin(), swaps_.end(),
                         [](const Swap& a, const Swap& b) { return a.saved > b.saved; });
        if (swaps_.size() > kMostTried) swaps_.resize(kMostTried);
        std::vector<Wishes> orders(swaps_.size(), wishes);
        for (std::size_t i = 0; i < swaps_.size(); ++i) swap(swaps_[i], orders[i]);
        return orders;
    }

private:
    struct Swap {
        int saved;  // crossings
        int container, left, right;
    };
    const Rect& rect(int box) const { return geometry_.boxes[at(box)]; }

    void consider(const Container& container, int left, int right) {
        if (left == right || !side_by_side(rect(left), rect(right)) || rect(left).x >= rect(right).x) return;
        const bool neighbours =
            std::none_of(container.children.begin(), container.children.end(), [&](int other) {
                const Rect& between = rect(other);
                return other != left && other != right && between.x > rect(left).x &&
                       between.x < rect(right).x &&
                       (side_by_side(between, rect(left)) || side_by_side(between, rect(right)));
            });
        if (!neighbours) return;
        const int saved = saved_by(container, left, right);
        if (saved > 0) swaps_.push_back({saved, container.box, left, right});
    }

    // Pairs of their edges that are in the wrong order, less those in the right one.
    int saved_by(const Container& container, int left, int right) const {
        struct Ends {
            std::vector<double> above, below;  // x where edges come from, and where they lead
        };
        const auto ends_of = [&](int box) {
            Ends ends;
            for (const int edge : container.edges) {
                const Edge& e = figure_.edges[at(edge)];
                if (e.to.box == box && e.from.box != box)
                    ends.above.push_back(geometry_.edges[at(edge)].front().x);
                if (e.from.box == box && e.to.box != box)
                    ends.below.push_back(geometry_.edges[at(edge)].back().x);
            }
            return ends;
        };
        const auto wrong = [](const std::vector<double>& a, const std::vector<double>& b) {
            int count = 0;
            for (const double x : a)
                for (const double y : b) count += x > y + kApart ? 1 : x < y - kApart ? -1 : 0;
            return count;
        };
        const Ends a = ends_of(left), b = ends_of(right);
        return wrong(a.above, b.above) + wrong(a.below, b.below);
    }

    void swap(const Swap& swap, Wishes& wishes) const {
        const double begin = rect(swap.left).x;
        move(swap.right, begin, wishes);
        move(swap.left, begin + rect(swap.right).width + Measures::kGapX, wishes);
        for (const int edge : tree_.of(swap.container).edges) {
            const Edge& e = figure_.edges[at(edge)];
            for (const int box : {swap.left, swap.right})
                if (e.from.box == box || e.to.box == box) wishes.lanes[at(edge)] = kUnknown;
        }
    }

    // With everything in it, so that what is in it keeps its own order.
    void move(int box, double x, Wishes& wishes) const {
        const double by = x - wishes.boxes[at(box)].x;
        std::vector<int> todo = {box};
        for (std::size_t i = 0; i < todo.size(); ++i) {
            const Container& inside = tree_.of(todo[i]);
            wishes.boxes[at(todo[i])].x += by;
            for (const int edge : inside.edges) wishes.lanes[at(edge)] += by;
            todo.insert(todo.end(), inside.children.begin(), inside.children.end());
        }
        wishes.kept[at(box)] = false;
    }

    const Figure& figure_;
    const Tree& tree_;
    const Geometry& geometry_;
    std::vector<Swap> swaps_;
};

}  // namespace

Wishes other_ways(const Wishes& wishes, const std::vector<Crossing>& crossings) {
    Wishes other = wishes;
    for (const Crossing& crossing : crossings)
        other.lanes[at(crossing.a)] = other.lanes[at(crossing.b)] = kUnknown;
    return other;
}

std::vector<Wishes> other_neighbours(const Figure& figure, const Tree& tree, const Geometry& geometry,
                                     const Wishes& wishes, const std::vector<Crossing>& crossings) {
    return Siblings(figure, tree, geometry).run(wishes, crossings);
}

}  // namespace blockscope
