#include "app/layout/lanes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace blockscope {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

constexpr double kBendRoom = 22;             // at both ends of an edge, for its bends
constexpr double kShared = 60;               // edges of one value closer than this share a lane
constexpr double kBlocked = 1e5;             // what a lane in a box costs, in pixels of way
constexpr double kLongWayRound = 120;        // more than the least detour
constexpr std::size_t kMostCompared = 1600;  // pairs of boxes passed, of places beside one with another

class LaneFinder {
public:
    LaneFinder(const Figure& figure, const Container& container, const Wishes& wishes, const Pins& pins,
               const std::vector<Rect>& boxes)
        : figure_(figure), container_(container), wishes_(wishes), pins_(pins), boxes_(boxes) {
        by_top_ = container.children;
        std::sort(by_top_.begin(), by_top_.end(), [&](int a, int b) {
            return std::pair(boxes[at(a)].top(), a) < std::pair(boxes[at(b)].top(), b);
        });
    }

    std::vector<Lane> run() {
        std::map<std::tuple<int, int, int>, std::vector<Lane>> by_value;
        for (const int edge : container_.edges) {
            const Edge& e = figure_.edges[at(edge)];
            const std::vector<int> passed = passed_by(e);
            if (passed.empty()) continue;
            Lane lane{{edge}, top(e) + kBendRoom, bottom(e) - kBendRoom, wished(edge, passed)};
            by_value[{e.from.box, e.from.port, e.from.port < 0 ? e.value.port : 0}].push_back(
                std::move(lane));
        }
        std::vector<Lane> lanes;
        for (auto& [value, own] : by_value) share(own, lanes);
        return lanes;
    }

private:
    double top(const Edge& e) const {
        const Rect& box = boxes_[at(e.from.box)];
        return e.from.box == container_.box ? box.top() : box.bottom();
    }
    double bottom(const Edge& e) const {
        const Rect& box = boxes_[at(e.to.box)];
        return e.to.box == container_.box ? box.bottom() : box.top();
    }

    std::vector<int> passed_by(const Edge& e) const {
        std::vector<int> passed;
        const double high = top(e) + kBendRoom, low = bottom(e) - kBendRoom;
        for (const int child : by_top_) {
            const Rect& box = boxes_[at(child)];
            if (box.top() >= low) break;
            if (child != e.from.box && child != e.to.box && box.bottom() > high) passed.push_back(child);
        }
        return passed;
    }

    // Where the wishes say, unless that has become a long way round.
    double wished(int edge, const std::vector<int>& passed) const {
        const double from = pins_.start(edge, wishes_.boxes), to = pins_.end(edge, wishes_.boxes);
        std::vector<double> tried = {to, from};
        const std::size_t sides = std::min(passed.size(), kMostCompared / passed.size());
        for (std::size_t i = 0; i < sides; ++i) {
            const Rect& box = wishes_.boxes[at(passed[i])];
            tried.insert(tried.end(), {box.left() - Measures::kLaneGap, box.right() + Measures::kLaneGap});
        }
        const auto cost = [&](double x) {
            const bool blocked = std::any_of(passed.begin(), passed.end(), [&](int child) {
                const Rect& box = wishes_.boxes[at(child)];
                return x > box.left() - 4 && x < box.right() + 4;
            });
            return std::abs(x - from) + std::abs(x - to) + (blocked ? kBlocked : 0);
        };
        double best = to, least = cost(to);
        for (const double x : tried) {
            const double detour = cost(x);
            if (detour >= least) continue;
            least = detour;
            best = x;
        }
        const double known = wishes_.lanes[at(edge)];
        return std::isnan(known) || cost(known) > least + kLongWayRound ? best : known;
    }

    static void share(std::vector<Lane>& own, std::vector<Lane>& lanes) {
        std::stable_sort(own.begin(), own.end(),
                         [](const Lane& a, const Lane& b) { return a.wish < b.wish; });
        for (Lane& lane : own) {
            const bool joins = &lane != &own.front() && lane.wish - lanes.back().wish < kShared;
            if (!joins) {
                lanes.push_back(std::move(lane));
                continue;
            }
            Lane& shared = lanes.back();
            shared.edges.insert(shared.edges.end(), lane.edges.begin(), lane.edges.end());
            shared.bottom = std::max(shared.bottom, lane.bottom);
        }
    }

    const Figure& figure_;
    const Container& container_;
    const Wishes& wishes_;
    const Pins& pins_;
    const std::vector<Rect>& boxes_;
    std::vector<int> by_top_;
};

}  // namespace

std::vector<Lane> lanes_of(const Figure& figure, const Container& container, const Wishes& wishes,
                           const Pins& pins, const std::vector<Rect>& boxes) {
    return LaneFinder(figure, container, wishes, pins, boxes).run();
}

}  // namespace blockscope
