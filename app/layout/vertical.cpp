#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <queue>
#include <tuple>

#include "app/layout/arrange.h"
#include "app/layout/separations.h"
#include "core/support/index.h"

namespace blockscope {

namespace {

constexpr double kNewWeight = 0.05, kFrameWeight = 1e-4;  // against 1 of a kept box
constexpr double kStackGap = 26;            // between boxes above each other that are not connected
constexpr std::size_t kManyChildren = 400;  // beyond, ways for edges are left to the router
constexpr double kEasyPush = 36;            // overlaps up to here are undone up and down rather than sideways

// One child of a container.
struct Item {
    int box;
    int readers = 0, sources = 0;  // edges below and above
    double height = 0, y = 0;      // tidy, from the top of the container's inside
};

// Children u above v, by position in the container's order.
struct Above {
    std::size_t u, v;
    double gap;
};

// The children of one container in an order in which every edge goes onwards.
struct StackLevel {
    std::vector<Item> items;
    std::vector<Above> aboves;
    double height = 0;  // tidy
};

class Vertical {
public:
    Vertical(const Figure& figure, const Tree& tree, const Wishes& wishes, std::vector<Rect>& boxes)
        : figure_(figure), tree_(tree), wishes_(wishes), boxes_(boxes), levels_(figure.boxes.size() + 1) {
        int variables = 0, inputs = -1, outputs = -1;
        const auto in_row = [&](int& row) { return row = row < 0 ? variables++ : row; };
        bottom_.resize(figure.boxes.size(), -1);
        for (int box = 0; box < tree.boxes(); ++box) {
            const BoxKind kind = figure.boxes[at(box)].kind;
            top_.push_back(kind == BoxKind::Input    ? in_row(inputs)
                           : kind == BoxKind::Output ? in_row(outputs)
                                                     : variables++);
            if (!tree.childless(box)) bottom_[at(box)] = variables++;
        }
        separations_ = std::make_unique<Separations>(variables);
    }

    void run() {
        for (int box = -1; box < tree_.boxes(); ++box) {
            if (tree_.of(box).children.empty()) continue;
            order(box);
            constrain(box);
        }
        separations_->finish();
        for (int box = tree_.boxes() - 1; box >= -1; --box)
            if (!tree_.of(box).children.empty()) tidy(levels_[at(box + 1)]);
        place();
    }

private:
    // Producers before consumers, else from top to bottom.
    void order(int container) {
        const std::vector<int>& children = tree_.of(container).children;
        std::map<int, int> missing;
        std::map<int, std::vector<int>> readers;
        std::map<int, std::pair<int, int>> edges;  // by child: above, below
        for (const int edge : tree_.of(container).edges) {
            const Edge& e = figure_.edges[at(edge)];
            if (e.from.box != container) ++edges[e.from.box].second;
            if (e.to.box != container) ++edges[e.to.box].first;
            if (e.from.box == container || e.to.box == container) continue;
            readers[e.from.box].push_back(e.to.box);
            ++missing[e.to.box];
        }
        using Ready = std::pair<double, int>;
        std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
        const auto enter = [&](int box) {
            const bool first = figure_.boxes[at(box)].kind == BoxKind::Input;
            ready.emplace(
                first ? -std::numeric_limits<double>::infinity() : wishes_.boxes[at(box)].center().y, box);
        };
        for (const int child : children)
            if (missing[child] == 0) enter(child);
        StackLevel& level = levels_[at(container + 1)];
        while (!ready.empty()) {
            const int box = ready.top().second;
            ready.pop();
            position_[box] = level.items.size();
            level.items.push_back({.box = box, .readers = edges[box].second, .sources = edges[box].first});
            for (const int reader : readers[box])
                if (--missing[reader] == 0) enter(reader);
        }
    }

    void above(StackLevel& level, int upper, int lower, double gap) {
        level.aboves.push_back({position_.at(upper), position_.at(lower), gap});
        if (bottom_[at(upper)] >= 0)
            separations_->add(bottom_[at(upper)], top_[at(lower)], gap);
        else
            separations_->add(top_[at(upper)], top_[at(lower)], boxes_[at(upper)].height + gap);
    }

    void constrain(int container) {
        StackLevel& level = levels_[at(container + 1)];
        std::vector<std::pair<int, int>> pairs;
        for (const int edge : tree_.of(container).edges) {
            const Edge& e = figure_.edges[at(edge)];
            if (e.from.box != container && e.to.box != container) pairs.emplace_back(e.from.box, e.to.box);
        }
        std::sort(pairs.begin(), pairs.end());
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        for (const auto& [u, v] : pairs) above(level, u, v, Measures::kGapY);
        keep_stacks(level);
        if (level.items.size() <= kManyChildren)
            for (const auto& [u, v] : pairs) keep_way(level, u, v);
        if (container < 0) return;
        const int bottom = bottom_[at(container)];
        separations_->add(top_[at(container)], bottom, figure_.boxes[at(container)].size.height);
        for (const Item& item : level.items) {
            separations_->add(top_[at(container)], top_[at(item.box)], Measures::kPadTop);
            if (bottom_[at(item.box)] >= 0)
                separations_->add(bottom_[at(item.box)], bottom, Measures::kPadBottom);
            else
                separations_->add(top_[at(item.box)], bottom,
                                  boxes_[at(item.box)].height + Measures::kPadBottom);
        }
    }

    // What is above each other stays so.
    void keep_stacks(StackLevel& level) {
        std::vector<Strip> strips;
        for (const Item& item : level.items) {
            const Rect& box = wishes_.boxes[at(item.box)];
            strips.push_back({box.left(), box.right(), box.center().y});
        }
        for (const auto& [i, j] : neighbours(strips)) {
            if (i > j) continue;
            const int upper = level.items[at(i)].box, lower = level.items[at(j)].box;
            // The inputs are a row at the top, the outputs one at the bottom.
            if (figure_.boxes[at(lower)].kind == BoxKind::Input) continue;
            if (figure_.boxes[at(upper)].kind == BoxKind::Output) continue;
            const Rect& a = wishes_.boxes[at(upper)];
            const Rect& b = wishes_.boxes[at(lower)];
            const double deep = a.bottom() - b.top();
            const double wide = std::min(a.right(), b.right()) - std::max(a.left(), b.left());
            if (deep > 0 && (deep > kEasyPush || deep > wide)) continue;
            if (deep <= 0 && wide < kEasyPush / 2) continue;
            above(level, upper, lower, kStackGap);
        }
    }

    // An edge from u to v that goes sideways has room above v: what it passes over ends there too.
    void keep_way(StackLevel& level, int u, int v) {
        const Rect& from = wishes_.boxes[at(u)];
        const Rect& to = wishes_.boxes[at(v)];
        const double left = std::min(from.center().x, to.center().x),
                     right = std::max(from.center().x, to.center().x);
        for (std::size_t i = 0; i < position_.at(v); ++i) {
            const int passed = level.items[i].box;
            const Rect& box = wishes_.boxes[at(passed)];
            if (passed == u || box.right() <= left || box.left() >= right) continue;
            if (box.top() < to.top() && box.bottom() > from.bottom() && box.bottom() <= to.top() + kEasyPush)
                above(level, passed, v, kStackGap);
        }
    }

    // As high as possible; then what has more readers than sources goes down to them.
    void tidy(StackLevel& level) {
        for (Item& item : level.items) {
            item.height = boxes_[at(item.box)].height;
            if (bottom_[at(item.box)] >= 0)
                item.height =
                    std::max(figure_.boxes[at(item.box)].size.height,
                             levels_[at(item.box + 1)].height + Measures::kPadTop + Measures::kPadBottom);
        }
        std::vector<std::vector<const Above*>> up(level.items.size()), down(level.items.size());
        for (const Above& a : level.aboves) {
            down[a.u].push_back(&a);
            up[a.v].push_back(&a);
        }
        for (std::size_t v = 0; v < level.items.size(); ++v) {
            for (const Above* a : up[v])
                level.items[v].y =
                    std::max(level.items[v].y, level.items[a->u].y + level.items[a->u].height + a->gap);
            level.height = std::max(level.height, level.items[v].y + level.items[v].height);
        }
        for (std::size_t u = level.items.size(); u-- > 0;) {
            Item& item = level.items[u];
            const BoxKind kind = figure_.boxes[at(item.box)].kind;
            if (kind != BoxKind::Output && (kind == BoxKind::Input || item.readers <= item.sources)) continue;
            double lowest = level.height - item.height;
            for (const Above* a : down[u])
                lowest = std::min(lowest, level.items[a->v].y - a->gap - item.height);
            item.y = lowest;
        }
    }

    std::vector<double> tidy_places() const {
        std::vector<double> places(at(separations_->size()), 0);
        for (int box = -1; box < tree_.boxes(); ++box) {
            const double top = box < 0 ? 0 : places[at(top_[at(box)])] + Measures::kPadTop;
            for (const Item& item : levels_[at(box + 1)].items) {
                places[at(top_[at(item.box)])] = top + item.y;
                if (bottom_[at(item.box)] >= 0)
                    places[at(bottom_[at(item.box)])] = top + item.y + item.height;
            }
        }
        return places;
    }

    Axis axis() const {
        const auto count = at(separations_->size());
        Axis axis{std::vector<double>(count), std::vector<double>(count, kFrameWeight),
                  std::vector<double>(count, std::numeric_limits<double>::infinity())};
        for (int box = 0; box < tree_.boxes(); ++box) {
            const auto top = at(top_[at(box)]);
            if (bottom_[at(box)] >= 0) {
                axis.wish[top] = wishes_.boxes[at(box)].top();
                axis.wish[at(bottom_[at(box)])] = wishes_.boxes[at(box)].bottom();
                continue;
            }
            const double weight = wishes_.kept[at(box)] ? 1 : kNewWeight;
            const double before = axis.weight[top];
            axis.wish[top] =
                (axis.wish[top] * before + wishes_.boxes[at(box)].top() * weight) / (before + weight);
            axis.weight[top] = before + weight;
            if (wishes_.kept[at(box)]) axis.most[top] = wishes_.most;
        }
        return axis;
    }

    void place() {
        const std::vector<double> places = approach(*separations_, axis(), tidy_places());
        for (int box = tree_.boxes() - 1; box >= 0; --box) {
            if (bottom_[at(box)] < 0)
                boxes_[at(box)].y = snapped(places[at(top_[at(box)])]);
            else
                fit(box, places);
        }
    }

    // The frame around its children, within what the places allow.
    void fit(int box, const std::vector<double>& places) {
        const std::vector<int>& children = tree_.of(box).children;
        double top = boxes_[at(children[0])].top(), bottom = boxes_[at(children[0])].bottom();
        for (const int child : children) {
            top = std::min(top, boxes_[at(child)].top());
            bottom = std::max(bottom, boxes_[at(child)].bottom());
        }
        top -= Measures::kPadTop;
        bottom += Measures::kPadBottom;
        const double least = figure_.boxes[at(box)].size.height;
        if (bottom - top < least) {
            top = std::max(snapped(places[at(top_[at(box)])]), bottom - least);
            bottom = top + least;
        }
        boxes_[at(box)].y = top;
        boxes_[at(box)].height = bottom - top;
    }

    const Figure& figure_;
    const Tree& tree_;
    const Wishes& wishes_;
    std::vector<Rect>& boxes_;
    std::vector<StackLevel> levels_;  // by container
    std::vector<int> top_;            // variable of a box's top; all inputs share one, all outputs another
    std::vector<int> bottom_;         // variable of a frame's bottom; -1 for childless boxes
    std::map<int, std::size_t> position_;
    std::unique_ptr<Separations> separations_;
};

}  // namespace

void enclose(const Figure& figure, const Tree& tree, std::vector<Rect>& boxes) {
    for (int box = tree.boxes() - 1; box >= 0; --box) {
        const std::vector<int>& children = tree.of(box).children;
        if (children.empty()) continue;
        double left = boxes[at(children[0])].left(), right = left, top = boxes[at(children[0])].top(),
               bottom = top;
        for (const int child : children) {
            left = std::min(left, boxes[at(child)].left());
            right = std::max(right, boxes[at(child)].right());
            top = std::min(top, boxes[at(child)].top());
            bottom = std::max(bottom, boxes[at(child)].bottom());
        }
        const Size& least = figure.boxes[at(box)].size;
        const double more = std::max(0.0, least.width - (right - left) - 2 * Measures::kPadX) / 2;
        boxes[at(box)] = {left - Measures::kPadX - more, top - Measures::kPadTop,
                          right - left + 2 * (Measures::kPadX + more),
                          std::max(least.height, bottom - top + Measures::kPadTop + Measures::kPadBottom)};
    }
}

void arrange_vertically(const Figure& figure, const Tree& tree, const Wishes& wishes,
                        std::vector<Rect>& boxes) {
    Vertical(figure, tree, wishes, boxes).run();
}

}  // namespace blockscope
