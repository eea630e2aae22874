#include "app/layout/inherit.h"

#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "app/layout/rough.h"
#include "app/layout/route.h"

namespace blockscope {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

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

}  // namespace blockscope
