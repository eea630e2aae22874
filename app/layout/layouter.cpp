// Where things wish to be after a rewrite: where they or their ancestors were.
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "app/layout/arrange.h"
#include "app/layout/layout.h"
#include "core/support/index.h"

namespace blockscope {

// Boxes that both pictures show are kept where they are. What was made appears in the middle of its
// ancestors; frames that hold nothing old are laid out by themselves first. Edges run where those that they
// stand for ran.
Wishes inherited(Dot& dot, const Figure& figure, const Tree& tree, const Picture& before,
                 const std::vector<Lineage>& made);

namespace {

class Heir {
public:
    Heir(Dot& dot, const Figure& figure, const Tree& tree, const Picture& before,
         const std::vector<Lineage>& made)
        : dot_(dot), figure_(figure), tree_(tree), before_(before), old_(before.figure) {
        for (const Lineage& lineage : made) ancestors_[lineage.made.value] = &lineage.from;
        wishes_.boxes.resize(figure.boxes.size());
        wishes_.kept.assign(figure.boxes.size(), false);
        placed_.assign(figure.boxes.size(), false);
    }

    Wishes run() {
        find_remembered();
        place_children(-1, {});
        enclose(figure_, tree_, wishes_.boxes);
        inherit_lanes();
        return std::move(wishes_);
    }

private:
    Size size(int box) const { return figure_.boxes[at(box)].size; }

    void put(int box, Point center, Size extent) {
        wishes_.boxes[at(box)] = {center.x - extent.width / 2, center.y - extent.height / 2, extent.width,
                                  extent.height};
        placed_[at(box)] = true;
    }

    // Where the nodes of `box`, or their ancestors, were.
    std::optional<Point> remembered(int box) const {
        const Box& b = figure_.boxes[at(box)];
        std::vector<NodeId> nodes = b.nodes;
        const auto from = ancestors_.find(b.id().value);
        if (from != ancestors_.end()) nodes = *from->second;
        Point sum;
        int count = 0;
        for (const NodeId node : nodes) {
            const int old = before_.figure.find(node);
            if (old < 0) continue;
            const Point center = before_.geometry.boxes[at(old)].center();
            sum = {sum.x + center.x, sum.y + center.y};
            ++count;
        }
        if (count == 0) return std::nullopt;
        return Point{sum.x / count, sum.y / count};
    }

    // Which frames hold something old, and which childless boxes are kept.
    void find_remembered() {
        holds_old_.assign(figure_.boxes.size(), false);
        for (int box = tree_.boxes() - 1; box >= 0; --box) {
            const Box& b = figure_.boxes[at(box)];
            if (tree_.childless(box)) {
                const int old = before_.figure.find(b.id());
                wishes_.kept[at(box)] =
                    old >= 0 && before_.figure.boxes[at(old)].id() == b.id() && old_.childless(old);
                holds_old_[at(box)] = remembered(box).has_value();
            }
            if (holds_old_[at(box)] && b.parent >= 0) holds_old_[at(b.parent)] = true;
        }
    }

    void place_children(int container, std::optional<Point> around) {
        for (const int child : tree_.of(container).children) {
            const std::optional<Point> own = remembered(child);
            if (tree_.childless(child)) {
                if (own) put(child, *own, size(child));
            } else if (holds_old_[at(child)]) {
                place_children(child, own ? own : around);
            } else if (own) {
                place_new_frame(child, *own);
            }
        }
        for (const int child : tree_.of(container).children) {
            if (placed_[at(child)] || holds_old_[at(child)]) continue;
            const Point center = beside_sources(container, child, around);
            if (tree_.childless(child))
                put(child, center, size(child));
            else
                place_new_frame(child, center);
        }
    }

    void place_new_frame(int frame, Point center) {
        const std::vector<Rect> inside = rough_inside(dot_, figure_, tree_, frame);
        const Point middle = inside[at(frame)].center();
        std::vector<int> todo = {frame};
        for (std::size_t i = 0; i < todo.size(); ++i) {
            wishes_.boxes[at(todo[i])] = inside[at(todo[i])].moved(center.x - middle.x, center.y - middle.y);
            placed_[at(todo[i])] = true;
            const std::vector<int>& children = tree_.of(todo[i]).children;
            todo.insert(todo.end(), children.begin(), children.end());
        }
    }

    // Under what it reads, if that has a place already.
    Point beside_sources(int container, int child, std::optional<Point> around) const {
        double x = 0, y = -std::numeric_limits<double>::infinity();
        int count = 0;
        for (const int edge : tree_.of(container).edges) {
            const Edge& e = figure_.edges[at(edge)];
            if (e.to.box != child || e.from.box == container || !placed_[at(e.from.box)]) continue;
            const Rect& source = wishes_.boxes[at(e.from.box)];
            x += source.center().x;
            y = std::max(y, source.bottom());
            ++count;
        }
        if (count > 0) return {x / count, y + Measures::kGapY + size(child).height / 2};
        return around ? *around : before_.geometry.bounds.center();
    }

    // By consumer, and by value and consumer for consumers that became another.
    void inherit_lanes() {
        using Use = std::tuple<std::uint32_t, int>;
        using Flow = std::tuple<std::uint32_t, std::uint16_t, std::uint32_t>;
        std::map<Use, int> by_use;
        std::map<Flow, int> by_flow;
        const Figure& old = before_.figure;
        for (int edge = 0; edge < static_cast<int>(old.edges.size()); ++edge) {
            const Edge& e = old.edges[at(edge)];
            by_use.emplace(Use{e.consumer.value, e.input}, edge);
            by_flow.emplace(Flow{e.value.node.value, e.value.port, e.consumer.value}, edge);
        }
        for (const Edge& e : figure_.edges) {
            int found = -1;
            if (const auto use = by_use.find({e.consumer.value, e.input}); use != by_use.end())
                found = use->second;
            const auto from = ancestors_.find(e.consumer.value);
            if (found < 0 && from != ancestors_.end())
                for (const NodeId consumer : *from->second) {
                    const auto flow = by_flow.find({e.value.node.value, e.value.port, consumer.value});
                    if (flow != by_flow.end()) found = flow->second;
                }
            wishes_.lanes.push_back(found < 0 ? std::numeric_limits<double>::quiet_NaN()
                                              : point_on(before_.geometry.edges[at(found)], 0.5).x);
        }
    }

    Dot& dot_;
    const Figure& figure_;
    const Tree& tree_;
    const Picture& before_;
    const Tree old_;
    std::unordered_map<std::uint32_t, const std::vector<NodeId>*> ancestors_;
    std::vector<bool> holds_old_, placed_;
    Wishes wishes_;
};

}  // namespace

Wishes inherited(Dot& dot, const Figure& figure, const Tree& tree, const Picture& before,
                 const std::vector<Lineage>& made) {
    return Heir(dot, figure, tree, before, made).run();
}

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

Geometry finished(const Figure& figure, const Tree& tree, std::vector<Rect> boxes,
                  const std::vector<double>& lanes, const std::set<int>& sided) {
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
    route_edges(figure, tree, pins, lanes, sided, geometry);
    const std::vector<Rect> labels = place_labels(figure, tree, geometry);
    geometry.bounds = extent_of(geometry, labels);
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
    return finished(figure, tree, std::move(boxes), lanes, wishes.sided);
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
    for (Wishes& other : other_sides(figure, tree, geometry, wishes, found))
        others.push_back(std::move(other));
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
            const Moved by = moved(figure, wishes, tried);
            // To go round another side of a box is worth less than that others stay.
            const bool sided = other.sided.size() > now.sided.size();
            if (left.size() >= found.size() || by.far > (sided ? as_is.far : most_far)) continue;
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
    Wishes wishes;
    wishes.boxes = std::move(rough.boxes);
    wishes.kept.assign(figure.boxes.size(), false);
    wishes.lanes = std::move(rough.lanes);
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
