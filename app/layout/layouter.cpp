#include <cmath>

#include "app/layout/arrange.h"
#include "app/layout/inherit.h"
#include "app/layout/inputs.h"
#include "app/layout/layout.h"
#include "app/layout/rough.h"
#include "app/layout/route.h"
#include "app/layout/siblings.h"

namespace blockscope {

struct Layouter::Graphviz {
    explicit Graphviz(StopSign stop) : sign(stop), dot(std::move(stop)) {}
    StopSign sign;
    Dot dot;
};

Layouter::Layouter(StopSign sign) : graphviz_(std::make_unique<Graphviz>(std::move(sign))) {}
Layouter::~Layouter() = default;

namespace {

constexpr double kCalm = 36;  // pixels up or down that a box moves for tidiness in one step
constexpr double kFar = 40;
constexpr double kMostFar = 0.05;         // share of boxes that may go farther for the sake of crossings
constexpr int kMostTries = 8;             // at undoing crossings in one step
constexpr std::size_t kManyBoxes = 1500;  // where laying out once more would be felt

Rect bounds_of(const Geometry& geometry, const std::vector<Rect>& labels) {
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

Geometry finished(const Figure& figure, const Tree& tree, std::vector<Rect> boxes,
                  const std::vector<double>& lanes) {
    Geometry geometry;
    Pins pins(figure, tree, boxes, lanes);
    pins.place_all_ports(boxes, lanes);
    pins.straighten(boxes);
    geometry.boxes = std::move(boxes);
    geometry.in.resize(figure.boxes.size());
    geometry.out.resize(figure.boxes.size());
    for (std::size_t i = 0; i < figure.boxes.size(); ++i) {
        const Rect& rect = geometry.boxes[i];
        const int box = static_cast<int>(i);
        for (std::size_t port = 0; port < figure.boxes[i].in.size(); ++port)
            geometry.in[i].push_back({rect.left() + pins.in(box)[port], rect.top()});
        for (std::size_t port = 0; port < figure.boxes[i].out.size(); ++port)
            geometry.out[i].push_back({rect.left() + pins.out(box)[port], rect.bottom()});
    }
    route_edges(figure, tree, pins, lanes, geometry);
    const std::vector<Rect> labels = place_labels(figure, tree, geometry);
    geometry.bounds = bounds_of(geometry, labels);
    return geometry;
}

Geometry arranged(const StopSign& sign, const Figure& figure, const Tree& tree, Wishes wishes) {
    sign.check();
    enclose(figure, tree, wishes.boxes);
    std::vector<Rect> boxes = wishes.boxes;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (tree.childless(static_cast<int>(i))) {
            boxes[i].width = figure.boxes[i].size.width;
            boxes[i].height = figure.boxes[i].size.height;
        }
    arrange_vertically(figure, tree, wishes, boxes);
    sign.check();
    const std::vector<double> lanes = arrange_horizontally(figure, tree, wishes, boxes);
    sign.check();
    return finished(figure, tree, std::move(boxes), lanes);
}

// Boxes other than inputs that were there before, and how many of them are farther away than the eye follows.
struct Moved {
    int known = 0, far = 0;
};
Moved moved(const Figure& figure, const Wishes& before, const Geometry& after) {
    Moved moved;
    for (std::size_t i = 0; i < figure.boxes.size(); ++i) {
        if (!before.kept[i] || figure.boxes[i].kind == BoxKind::Input) continue;
        const Point a = before.boxes[i].center(), b = after.boxes[i].center();
        ++moved.known;
        moved.far += std::hypot(a.x - b.x, a.y - b.y) > kFar;
    }
    return moved;
}

// Ways in which edges that cross might not: first those that move no box, then those that move inputs alone.
std::vector<Wishes> other_wishes(const Figure& figure, const Tree& tree, const Geometry& geometry,
                                 const Wishes& wishes, const std::vector<Crossing>& found) {
    std::vector<Wishes> others = {other_ways(wishes, found)};
    for (Wishes& other : other_orders(figure, geometry, wishes)) others.push_back(std::move(other));
    for (Wishes& other : other_neighbours(figure, tree, geometry, wishes, found))
        others.push_back(std::move(other));
    return others;
}

// Boxes change places where that undoes crossings, as long as few others move far.
Geometry uncrossed(const StopSign& sign, const Figure& figure, const Tree& tree, const Wishes& wishes,
                   Geometry geometry) {
    if (figure.boxes.size() > kManyBoxes) return geometry;
    const Moved as_is = moved(figure, wishes, geometry);
    const int most_far = std::max(as_is.far, static_cast<int>(kMostFar * as_is.known));
    std::vector<Crossing> found = crossings(figure, tree, geometry);
    Wishes now = wishes;
    for (int tries = 0; !found.empty() && tries < kMostTries;) {
        bool better = false;
        for (const Wishes& other : other_wishes(figure, tree, geometry, now, found)) {
            if (better || ++tries > kMostTries) break;
            Geometry tried = arranged(sign, figure, tree, other);
            std::vector<Crossing> left = crossings(figure, tree, tried);
            if (left.size() >= found.size() || moved(figure, wishes, tried).far > most_far) continue;
            better = true;
            found = std::move(left);
            now = other;
            geometry = std::move(tried);
        }
        if (!better) break;
    }
    return geometry;
}

}  // namespace

Geometry Layouter::fresh(const Figure& figure) {
    const Tree tree(figure);
    Rough rough = rough_places(graphviz_->dot, figure, tree);
    Wishes wishes{std::move(rough.boxes), std::vector<bool>(figure.boxes.size(), false),
                  std::move(rough.lanes)};
    return arranged(graphviz_->sign, figure, tree, wishes);
}

Geometry Layouter::follow(const Figure& figure, const Picture& before, const std::vector<Lineage>& made) {
    const Tree tree(figure);
    Wishes wishes = inherited(graphviz_->dot, figure, tree, before, made);
    wishes.most = kCalm;
    Geometry geometry = arranged(graphviz_->sign, figure, tree, wishes);
    return uncrossed(graphviz_->sign, figure, tree, wishes, std::move(geometry));
}

Geometry Layouter::fold(const Figure& figure, const Picture& unfolded) {
    const Tree tree(figure);
    Wishes wishes = inherited(graphviz_->dot, figure, tree, unfolded, {});
    return arranged(graphviz_->sign, figure, tree, wishes);
}

double moved_share(const Picture& before, const Picture& after, double distance) {
    int shared = 0, moved = 0;
    for (std::size_t i = 0; i < after.figure.boxes.size(); ++i) {
        const Box& box = after.figure.boxes[i];
        if (box.kind == BoxKind::Frame || box.kind == BoxKind::Cloud) continue;
        const int old = before.figure.find(box.id());
        if (old < 0 || before.figure.boxes[static_cast<std::size_t>(old)].nodes != box.nodes) continue;
        const Point a = before.geometry.boxes[static_cast<std::size_t>(old)].center();
        const Point b = after.geometry.boxes[i].center();
        ++shared;
        moved += std::hypot(a.x - b.x, a.y - b.y) > distance;
    }
    return shared == 0 ? 0 : static_cast<double>(moved) / shared;
}

}  // namespace blockscope
