#include "app/layout/arrange.h"

#include <cmath>
#include <limits>

#include "core/support/index.h"

namespace blockscope {

namespace {

constexpr double kClear = 9;              // between an edge and a box that it passes
constexpr double kBend = 30;              // what a bend costs, in pixels of way
constexpr double kThroughBox = 4000;      // what running through a box costs
constexpr double kKept = 400;             // what another side than an edge's own costs, if it keeps to it
constexpr double kOnAnother = 120;        // what running on another value's edge costs
constexpr std::size_t kManyNear = 300;    // boxes beside a way, from which on no other ways are sought
constexpr std::size_t kRemembered = 200;  // edges that later ones keep off
constexpr int kSidesTried = 12;           // boxes beside which a way is sought

void append_straight(Curve& curve, Point to) {
    const Point from = curve.back();
    curve.push_back({from.x + (to.x - from.x) / 3, from.y + (to.y - from.y) / 3});
    curve.push_back({from.x + (to.x - from.x) * 2 / 3, from.y + (to.y - from.y) * 2 / 3});
    curve.push_back(to);
}

// Vertical at both ends.
void append_bend(Curve& curve, Point to) {
    const Point from = curve.back();
    if (from.x == to.x) return append_straight(curve, to);
    const double middle = (from.y + to.y) / 2;
    curve.push_back({from.x, middle});
    curve.push_back({to.x, middle});
    curve.push_back(to);
}

// From `from` in a bend to x between `high` and `low`, and in a bend to `to`.
struct Way {
    Point from, to;
    double x = 0, high = 0, low = 0;
    double cost = 0;
};

// A vertical part of an edge that has been routed.
struct Run {
    double x, top, bottom;
    End source;
    int output;
};

// Routes the edges of one container.
class Router {
public:
    Router(const Figure& figure, const Container& container, const Geometry& geometry) : figure_(figure) {
        for (const int child : container.children)
            obstacles_.push_back(geometry.boxes[at(child)].grown(kClear));
        std::sort(obstacles_.begin(), obstacles_.end(),
                  [](const Rect& a, const Rect& b) { return a.y < b.y; });
    }

    Curve route(int edge, Point from, Point to, double lane, bool keeps) {
        const Edge& e = figure_.edges[at(edge)];
        source_ = {e.from, e.from.port < 0 ? e.value.port : 0};
        near_.clear();
        for (const Rect& box : obstacles_) {
            if (box.y >= to.y) break;
            // The boxes at both ends reach into the way by their clearance.
            if (box.bottom() > from.y + kClear + 1 && box.y < to.y - kClear - 1) near_.push_back(box);
        }
        Way best = direct(from, to);
        if (best.cost > 0) best = around(best, from, to, lane, keeps);
        if (runs_.size() >= kRemembered) runs_.erase(runs_.begin(), runs_.begin() + kRemembered / 2);
        runs_.push_back({.x = best.x,
                         .top = best.high,
                         .bottom = best.low,
                         .source = source_.first,
                         .output = source_.second});
        return curve(best);
    }

private:
    static Curve curve(const Way& way) {
        Curve curve = {way.from};
        if (way.low - way.high < 1) {
            append_bend(curve, way.to);
            return curve;
        }
        if (way.high > way.from.y) append_bend(curve, {way.x, way.high});
        append_straight(curve, {way.x, way.low});
        if (way.low < way.to.y) append_bend(curve, way.to);
        return curve;
    }

    bool blocked(double left, double right, double top, double bottom) const {
        for (const Rect& box : near_)
            if (box.left() < right && box.right() > left && box.top() < bottom && box.bottom() > top)
                return true;
        return false;
    }

    // How far down (up) from y the strip between two x is free.
    double free_down(double left, double right, double y, double limit) const {
        for (const Rect& box : near_)
            if (box.left() < right && box.right() > left && box.bottom() > y)
                limit = std::min(limit, box.top());
        return std::max(limit, y);
    }
    double free_up(double left, double right, double y, double limit) const {
        for (const Rect& box : near_)
            if (box.left() < right && box.right() > left && box.top() < y)
                limit = std::max(limit, box.bottom());
        return std::min(limit, y);
    }

    static double bend_height(double across) {
        return across == 0 ? 0 : std::clamp(across * 0.6, 26.0, 70.0);
    }

    // One bend over the whole way, or none.
    Way direct(Point from, Point to) const {
        Way way{.from = from, .to = to, .x = to.x, .high = to.y, .low = to.y, .cost = 0};
        const double left = std::min(from.x, to.x) - 0.5, right = std::max(from.x, to.x) + 0.5;
        if (blocked(left, right, from.y, to.y)) {
            way.cost = kThroughBox + 1;
        } else if (from.x == to.x) {
            way.high = from.y;
        } else if (to.y - from.y > 3 * bend_height(right - left)) {
            way.cost = 1;  // a way with a vertical part looks better than a long slope
        }
        return way;
    }

    Way around(Way best, Point from, Point to, double lane, bool keeps) const {
        best.cost = std::numeric_limits<double>::infinity();
        std::vector<double> tried = {from.x, to.x};
        if (!std::isnan(lane)) tried.insert(tried.begin(), lane);
        std::vector<Rect> sides;
        if (near_.size() < kManyNear) sides = near_;
        const auto distance = [&](const Rect& box) {
            return std::max({0.0, box.left() - std::max(from.x, to.x), std::min(from.x, to.x) - box.right()});
        };
        std::stable_sort(sides.begin(), sides.end(),
                         [&](const Rect& a, const Rect& b) { return distance(a) < distance(b); });
        for (std::size_t i = 0; i < std::min<std::size_t>(sides.size(), kSidesTried); ++i)
            for (const double off : {1.0, 1 + Measures::kLane})
                tried.insert(tried.end(), {sides[i].left() - off, sides[i].right() + off});
        for (const double x : tried) {
            Way way = way_at(from, to, x);
            if (keeps && x == lane) way.cost -= kKept;
            if (way.cost < best.cost) best = way;
        }
        return best;
    }

    Way way_at(Point from, Point to, double x) const {
        Way way{.from = from, .to = to, .x = x, .high = from.y, .low = to.y, .cost = 0};
        const double half = (to.y - from.y) / 2;
        const auto bend = [&](double end_x, double room) {
            const double across = std::abs(x - end_x);
            if (across == 0) return 0.0;
            const double height = std::min({bend_height(across), half, room});
            way.cost += across + kBend + std::max(0.0, 14 - height) * 40;
            return std::max(height, std::min(half, 8.0));
        };
        const double left = std::min(x, from.x) - 0.5, right = std::max(x, from.x) + 0.5;
        way.high = from.y + bend(from.x, free_down(left, right, from.y, to.y) - from.y);
        const double l = std::min(x, to.x) - 0.5, r = std::max(x, to.x) + 0.5;
        way.low = to.y - bend(to.x, to.y - free_up(l, r, to.y, from.y));
        if (blocked(x - 0.5, x + 0.5, way.high, way.low)) way.cost += kThroughBox;
        if (blocked(left, right, from.y, way.high)) way.cost += kThroughBox / 2;
        if (blocked(l, r, way.low, to.y)) way.cost += kThroughBox / 2;
        for (const Run& run : runs_) {
            if (run.source == source_.first && run.output == source_.second) continue;
            if (std::abs(run.x - x) < Measures::kLane * 0.6 && run.top < way.low && run.bottom > way.high)
                way.cost += kOnAnother;
        }
        return way;
    }

    const Figure& figure_;
    std::vector<Rect> obstacles_;  // by top
    std::vector<Rect> near_;       // of the edge being routed
    std::vector<Run> runs_;
    std::pair<End, int> source_;
};

}  // namespace

void route_edges(const Figure& figure, const Tree& tree, const Pins& pins, const std::vector<double>& lanes,
                 const std::set<int>& sided, Geometry& geometry) {
    geometry.edges.resize(figure.edges.size());
    for (int box = -1; box < tree.boxes(); ++box) {
        const Container& container = tree.of(box);
        if (container.edges.empty()) continue;
        Router router(figure, container, geometry);
        for (const int edge : container.edges) {
            const Edge& e = figure.edges[at(edge)];
            const Rect& from = geometry.boxes[at(e.from.box)];
            const Rect& to = geometry.boxes[at(e.to.box)];
            const Point start{pins.start(edge, geometry.boxes),
                              e.from.box == box ? from.top() : from.bottom()};
            const Point end{pins.end(edge, geometry.boxes), e.to.box == box ? to.bottom() : to.top()};
            geometry.edges[at(edge)] = router.route(edge, start, end, lanes[at(edge)], sided.count(edge) > 0);
        }
    }
}

namespace {

constexpr double kBeside = 6;       // between an edge and its label
constexpr double kCharacter = 6.2;  // width of a character of a label, about
constexpr double kLine = 13;
constexpr double kCornerCharacter = 7.5;
constexpr std::size_t kLabelsRemembered = 60;  // labels that a new one must not cover
constexpr std::size_t kManyNeighbours =
    150;                        // edges or boxes of a container from which on labels do not look out for them
constexpr double kOnEdge = 30;  // square pixels that a point of another edge under a label counts as

Rect beside(Point p, double width, bool right, Flow flow) {
    if (flow == Flow::Right)
        return {p.x - width / 2, right ? p.y - kBeside - kLine : p.y + kBeside, width, kLine};
    return {right ? p.x + kBeside : p.x - kBeside - width, p.y - kLine / 2, width, kLine};
}

double covered(const Rect& label, const Rect& other) {
    if (!label.intersects(other)) return 0;
    return (std::min(label.right(), other.right()) - std::max(label.left(), other.left())) *
           (std::min(label.bottom(), other.bottom()) - std::max(label.top(), other.top()));
}

// Labels of the edges of one container.
class Labels {
public:
    Labels(const Figure& figure, const Container& container, const Geometry& geometry)
        : figure_(figure), geometry_(geometry) {
        if (container.children.size() <= kManyNeighbours)
            for (const int child : container.children) boxes_.push_back(geometry.boxes[at(child)]);
        if (container.edges.size() <= kManyNeighbours)
            for (const int edge : container.edges) add_points(edge);
        if (container.box < 0) return;
        inside_ = &geometry.boxes[at(container.box)];
        const double width =
            kCornerCharacter * static_cast<double>(figure.boxes[at(container.box)].corner.size());
        boxes_.push_back({inside_->right() - width - 8, inside_->bottom() - kLine - 6, width, kLine});
    }

    Rect place(int edge) {
        const double width = kCharacter * static_cast<double>(figure_.edges[at(edge)].label.size());
        const Curve& curve = geometry_.edges[at(edge)];
        Rect best;
        double least = -1;
        for (const double t : {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8}) {
            for (const bool right : {true, false}) {
                const Rect label = beside(point_on(curve, t), width, right, geometry_.flow);
                const double cost = cost_of(label, edge);
                if (least >= 0 && cost >= least) continue;
                least = cost;
                best = label;
            }
            if (least == 0) break;
        }
        placed_.push_back(best);
        if (placed_.size() > kLabelsRemembered) placed_.erase(placed_.begin());
        return best;
    }

private:
    void add_points(int edge) {
        const Curve& curve = geometry_.edges[at(edge)];
        const double length =
            std::abs(curve.back().y - curve.front().y) + std::abs(curve.back().x - curve.front().x);
        const int count = std::clamp(static_cast<int>(length / 8), 6, 60);
        for (int i = 0; i <= count; ++i)
            points_.emplace_back(point_on(curve, static_cast<double>(i) / count), edge);
    }

    double cost_of(const Rect& label, int edge) const {
        double cost = 0;
        for (const Rect& box : boxes_) cost += covered(label, box);
        for (const Rect& other : placed_) cost += 3 * covered(label, other);
        if (inside_) cost += label.width * label.height - covered(label, *inside_);
        for (const auto& [point, other] : points_)
            if (other != edge && label.contains(point)) cost += kOnEdge;
        return cost;
    }

    const Figure& figure_;
    const Geometry& geometry_;
    const Rect* inside_ = nullptr;
    std::vector<Rect> boxes_, placed_;
    std::vector<std::pair<Point, int>> points_;  // on edges
};

}  // namespace

Point point_on(const Curve& curve, double t) {
    const std::size_t count = (curve.size() - 1) / 3;
    const auto pieces = static_cast<double>(count);
    const double piece = std::min(std::floor(t * pieces), pieces - 1);
    const double u = t * pieces - piece, v = 1 - u;
    const Point* p = &curve[3 * static_cast<std::size_t>(piece)];
    const double a = v * v * v, b = 3 * v * v * u, c = 3 * v * u * u, d = u * u * u;
    return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
            a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

std::vector<Rect> place_labels(const Figure& figure, const Tree& tree, Geometry& geometry) {
    geometry.labels.resize(figure.edges.size());
    std::vector<Rect> placed(figure.edges.size());
    for (int box = -1; box < tree.boxes(); ++box) {
        const Container& container = tree.of(box);
        if (container.edges.empty()) continue;
        Labels labels(figure, container, geometry);
        for (const int edge : container.edges) {
            placed[at(edge)] = labels.place(edge);
            geometry.labels[at(edge)] = placed[at(edge)].center();
        }
    }
    return placed;
}

Rect extent_of(const Geometry& geometry, const std::vector<Rect>& labels) {
    double left = 0, right = 0, top = 0, bottom = 0;
    bool first = true;
    const auto take = [&](double l, double r, double t, double b) {
        left = first ? l : std::min(left, l);
        right = first ? r : std::max(right, r);
        top = first ? t : std::min(top, t);
        bottom = first ? b : std::max(bottom, b);
        first = false;
    };
    for (const auto* rects : {&geometry.boxes, &labels})
        for (const Rect& r : *rects) take(r.left(), r.right(), r.top(), r.bottom());
    for (const Curve& curve : geometry.edges)
        for (const Point& p : curve) take(p.x, p.x, p.y, p.y);
    return Rect{left, top, right - left, bottom - top}.grown(Measures::kMargin);
}

}  // namespace blockscope
