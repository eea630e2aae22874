#include "app/layout/arrange.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/support/index.h"

namespace blockscope {

namespace {

constexpr std::size_t kMostEdges = 300;
constexpr int kSamples = 24;  // points of a way
constexpr double kApart = 1;  // pixels between edges that run side by side

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

int crossed_by(const Figure& figure, const Container& container, const Geometry& geometry, int edge,
               const Curve& curve) {
    const Way way(curve);
    return static_cast<int>(std::count_if(container.edges.begin(), container.edges.end(), [&](int other) {
        const bool same = figure.edges[at(other)].value == figure.edges[at(edge)].value;
        return !same && cross(way, Way(geometry.edges[at(other)]));
    }));
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

namespace {

constexpr std::size_t kMostTried = 3;
constexpr double kEndsApart = 1;  // pixels between ends of edges at different places
constexpr double kUnknownPlace = std::numeric_limits<double>::quiet_NaN();

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
                for (const double y : b) count += x > y + kEndsApart ? 1 : x < y - kEndsApart ? -1 : 0;
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
                if (e.from.box == box || e.to.box == box) wishes.lanes[at(edge)] = kUnknownPlace;
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
        for (const int edge : {crossing.a, crossing.b}) {
            other.lanes[at(edge)] = kUnknownPlace;
            other.sided.erase(edge);
        }
    return other;
}

std::vector<Wishes> other_neighbours(const Figure& figure, const Tree& tree, const Geometry& geometry,
                                     const Wishes& wishes, const std::vector<Crossing>& crossings) {
    return Siblings(figure, tree, geometry).run(wishes, crossings);
}

namespace {

constexpr std::size_t kMostInputs = 40, kMostOrdersTried = 3;
constexpr double kInputEdgesApart = 1;  // pixels between edges that run side by side

struct Input {
    int box;
    double x;  // centre
    std::vector<int> edges;
};

class Row {
public:
    Row(const Figure& figure, const Geometry& geometry) : figure_(figure), geometry_(geometry) {
        for (const int box : figure.roots)
            if (figure.boxes[at(box)].kind == BoxKind::Input)
                inputs_.push_back({box, geometry.boxes[at(box)].center().x, {}});
        if (inputs_.size() > kMostInputs) inputs_.clear();
        std::sort(inputs_.begin(), inputs_.end(), [](const Input& a, const Input& b) {
            return std::pair(a.x, a.box) < std::pair(b.x, b.box);
        });
        for (int edge = 0; edge < static_cast<int>(figure.edges.size()); ++edge)
            for (Input& input : inputs_)
                if (figure.edges[at(edge)].from.box == input.box) input.edges.push_back(edge);
        compare();
    }

    std::vector<Wishes> orders(const Wishes& wishes) const {
        std::vector<Move> moves;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            Move best{0, i, i};
            for (std::size_t j = 0; j < inputs_.size(); ++j)
                if (saved_by(i, j) > best.saved) best = {saved_by(i, j), i, j};
            if (best.saved > 0) moves.push_back(best);
        }
        std::stable_sort(moves.begin(), moves.end(),
                         [](const Move& a, const Move& b) { return a.saved > b.saved; });
        if (moves.size() > kMostOrdersTried) moves.resize(kMostOrdersTried);
        std::vector<Wishes> orders(moves.size(), wishes);
        for (std::size_t i = 0; i < moves.size(); ++i) move(moves[i].from, moves[i].to, orders[i]);
        return orders;
    }

private:
    struct Move {
        int saved;  // crossings
        std::size_t from, to;
    };

    // crossings_[i][j]: pairs of edges of the two that cross if i is left of j.
    void compare() {
        std::vector<std::vector<Way>> ways;
        for (const Input& input : inputs_) {
            ways.emplace_back();
            for (const int edge : input.edges) ways.back().emplace_back(geometry_.edges[at(edge)]);
        }
        crossings_.assign(inputs_.size(), std::vector<int>(inputs_.size(), 0));
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            for (std::size_t j = 0; j < inputs_.size(); ++j)
                for (const Way& a : ways[i])
                    for (const Way& b : ways[j]) {
                        const double end = std::min(a.bottom(), b.bottom());
                        if (i != j) crossings_[i][j] += a.x(end) > b.x(end) + kInputEdgesApart;
                    }
    }

    // Fewer crossings with i in the place of j.
    int saved_by(std::size_t i, std::size_t j) const {
        int saved = 0;
        for (std::size_t k = std::min(i, j); k <= std::max(i, j); ++k)
            saved += i < j ? crossings_[i][k] - crossings_[k][i] : crossings_[k][i] - crossings_[i][k];
        return saved;
    }

    // Above where its edges go, between its new neighbours.
    void move(std::size_t i, std::size_t j, Wishes& wishes) const {
        const Input& input = inputs_[i];
        Rect& box = wishes.boxes[at(input.box)];
        const auto left = i < j ? j : j - 1;  // j - 1 wraps around below 0: no neighbour
        const auto right = i < j ? j + 1 : j;
        double low = -std::numeric_limits<double>::infinity(), high = -low, x = 0;
        if (left < inputs_.size())
            low = geometry_.boxes[at(inputs_[left].box)].right() + Measures::kGapX + box.width / 2;
        if (right < inputs_.size())
            high = geometry_.boxes[at(inputs_[right].box)].left() - Measures::kGapX - box.width / 2;
        for (const int edge : input.edges)
            x += geometry_.edges[at(edge)].back().x / static_cast<double>(input.edges.size());
        box.x = (low <= high ? std::clamp(x, low, high) : (low + high) / 2) - box.width / 2;
        wishes.kept[at(input.box)] = false;
        for (const int edge : input.edges) wishes.lanes[at(edge)] = std::numeric_limits<double>::quiet_NaN();
    }

    const Figure& figure_;
    const Geometry& geometry_;
    std::vector<Input> inputs_;  // from left to right
    std::vector<std::vector<int>> crossings_;
};

}  // namespace

std::vector<Wishes> other_orders(const Figure& figure, const Geometry& geometry, const Wishes& wishes) {
    return Row(figure, geometry).orders(wishes);
}

}  // namespace blockscope
