// Sideways: children and the lanes of edges beside each other, straight where they can be.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "app/layout/arrange.h"
#include "app/layout/separations.h"
#include "core/support/index.h"

namespace blockscope {

// Room beside boxes for edges that pass them.

// A strip that one or several edges of one value run down side by side with the boxes that they pass.
struct Lane {
    std::vector<int> edges;
    double top = 0, bottom = 0;
    double wish = 0;  // x
};

// Lanes of the edges of `container` that pass other children, whose final y `boxes` has. Wishes are where the
// wishes say, or the least detour.
std::vector<Lane> lanes_of(const Figure& figure, const Container& container, const Wishes& wishes,
                           const Pins& pins, const std::vector<Rect>& boxes);

namespace {

constexpr double kBendRoom = 22;             // at both ends of an edge, for its bends
constexpr double kShared = 60;               // edges of one value closer than this share a lane
constexpr double kBlocked = 1e5;             // what a lane in a box costs, in pixels of way
constexpr double kLongWayRound = 120;        // more than the least detour
constexpr double kOtherSide = 360;           // the same for edges that keep to a side
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
        const double most = least + (wishes_.sided.count(edge) > 0 ? kOtherSide : kLongWayRound);
        return std::isnan(known) || cost(known) > most ? best : known;
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

namespace {

constexpr double kNewBoxWeight = 0.05, kFrameSideWeight = 1e-4,
                 kLaneWeight = 1e-3;  // against 1 of a kept box
constexpr double kReach = 8;          // how far above and below itself a box keeps others off its sides
constexpr double kFarthest = 39;      // what a kept box moves at most, up and down and sideways together
constexpr double kLeastSideways = 10;
constexpr double kAnywhere = std::numeric_limits<double>::infinity();

// One child or lane of a container.
struct Entity {
    int box = -1;   // -1 for a lane
    int lane = -1;  // index in the level's lanes
    int variable = 0;
    double wish = 0;   // centre
    double width = 0;  // tidy
    double place = 0;  // tidy, of its left, from the left of the container's content
};

struct LaneLevel {
    std::vector<Lane> lanes;
    std::vector<Entity> entities;
    std::vector<std::pair<int, int>> besides;  // left and right entity
    std::map<int, int> entity_of;              // by box
    double width = 0;                          // tidy, of the content
};

class Horizontal {
public:
    Horizontal(const Figure& figure, const Tree& tree, const Wishes& wishes, std::vector<Rect>& boxes)
        : figure_(figure),
          tree_(tree),
          wishes_(wishes),
          boxes_(boxes),
          pins_(figure, tree, wishes.boxes, wishes.lanes),
          levels_(figure.boxes.size() + 1),
          right_(figure.boxes.size(), -1) {
        pins_.place_all_ports(wishes.boxes, {});
    }

    std::vector<double> run() {
        collect();
        separations_ = std::make_unique<Separations>(variables_);
        for (int box = -1; box < tree_.boxes(); ++box) constrain(box);
        separations_->finish();
        for (int box = tree_.boxes() - 1; box >= -1; --box)
            if (!tree_.of(box).children.empty()) tidy(box);
        return place();
    }

private:
    void collect() {
        variables_ = tree_.boxes();
        for (int box = 0; box < tree_.boxes(); ++box)
            if (!tree_.childless(box)) right_[at(box)] = variables_++;
        for (int box = -1; box < tree_.boxes(); ++box) {
            const Container& container = tree_.of(box);
            if (container.children.empty()) continue;
            LaneLevel& level = levels_[at(box + 1)];
            level.lanes = lanes_of(figure_, container, wishes_, pins_, boxes_);
            for (const int child : container.children) {
                level.entity_of[child] = static_cast<int>(level.entities.size());
                level.entities.push_back(
                    {.box = child, .variable = child, .wish = wishes_.boxes[at(child)].center().x});
            }
            for (int lane = 0; lane < static_cast<int>(level.lanes.size()); ++lane)
                level.entities.push_back(
                    {.lane = lane, .variable = variables_++, .wish = level.lanes[at(lane)].wish});
            std::vector<Strip> strips;
            for (const Entity& entity : level.entities) {
                if (entity.box < 0) {
                    strips.push_back(
                        {level.lanes[at(entity.lane)].top, level.lanes[at(entity.lane)].bottom, entity.wish});
                } else {
                    const Rect& rect = boxes_[at(entity.box)];
                    strips.push_back({rect.top() - kReach, rect.bottom() + kReach, entity.wish});
                }
            }
            level.besides = neighbours(strips);
        }
    }

    static double gap(const Entity& a, const Entity& b) {
        if (a.box >= 0 && b.box >= 0) return Measures::kGapX;
        return a.box < 0 && b.box < 0 ? Measures::kLane : Measures::kLaneGap;
    }

    // At least `by` from the entity's right side to `variable`.
    void add_right_of(const Entity& entity, int variable, double by) {
        if (entity.box >= 0 && right_[at(entity.box)] >= 0)
            separations_->add(right_[at(entity.box)], variable, by);
        else
            separations_->add(entity.variable, variable,
                              by + (entity.box < 0 ? 0 : boxes_[at(entity.box)].width));
    }

    void constrain(int container) {
        const LaneLevel& level = levels_[at(container + 1)];
        for (const auto& [left, right] : level.besides) {
            const Entity& a = level.entities[at(left)];
            const Entity& b = level.entities[at(right)];
            add_right_of(a, b.variable, gap(a, b));
        }
        if (container < 0 || level.entities.empty()) return;
        separations_->add(container, right_[at(container)], figure_.boxes[at(container)].size.width);
        for (const Entity& entity : level.entities) {
            separations_->add(container, entity.variable, Measures::kPadX);
            add_right_of(entity, right_[at(container)], Measures::kPadX);
        }
    }

    void tidy(int container) {
        LaneLevel& level = levels_[at(container + 1)];
        Separations separations(static_cast<int>(level.entities.size()));
        std::vector<double> start;
        for (Entity& entity : level.entities) {
            if (entity.box >= 0) entity.width = tidy_width(entity.box);
            start.push_back(entity.wish - entity.width / 2);
        }
        for (const auto& [left, right] : level.besides) {
            const Entity& a = level.entities[at(left)];
            separations.add(left, right, a.width + gap(a, level.entities[at(right)]));
        }
        separations.finish();
        const std::vector<double> places = align(separations, links(container), start);
        double leftmost = places[0], rightmost = places[0];
        for (std::size_t i = 0; i < places.size(); ++i) {
            leftmost = std::min(leftmost, places[i]);
            rightmost = std::max(rightmost, places[i] + level.entities[i].width);
        }
        for (std::size_t i = 0; i < places.size(); ++i) level.entities[i].place = places[i] - leftmost;
        level.width = rightmost - leftmost;
        if (container >= 0) place_ports(container);
    }

    double tidy_width(int box) const {
        if (right_[at(box)] < 0) return boxes_[at(box)].width;
        return std::max(figure_.boxes[at(box)].size.width, levels_[at(box + 1)].width + 2 * Measures::kPadX);
    }

    // The frame's ports as they are when its inside is tidy: its parent lines them up.
    void place_ports(int container) {
        const LaneLevel& level = levels_[at(container + 1)];
        std::vector<double> lanes(figure_.edges.size(), std::numeric_limits<double>::quiet_NaN());
        const double width = tidy_width(container), left = (width - level.width) / 2;
        tidy_[at(container)] = {0, 0, width, 0};
        for (const Entity& entity : level.entities) {
            if (entity.box >= 0) {
                tidy_[at(entity.box)] = {left + entity.place, 0, entity.width, 0};
                continue;
            }
            for (const int edge : level.lanes[at(entity.lane)].edges) lanes[at(edge)] = left + entity.place;
        }
        pins_.place_ports(container, tidy_, lanes);
    }

    std::vector<Link> links(int container) const {
        const LaneLevel& level = levels_[at(container + 1)];
        std::map<int, int> lane_of;
        for (std::size_t i = 0; i < level.entities.size(); ++i)
            if (level.entities[i].lane >= 0)
                for (const int edge : level.lanes[at(level.entities[i].lane)].edges)
                    lane_of[edge] = static_cast<int>(i);
        std::map<int, int> above, below;
        for (const int edge : tree_.of(container).edges) {
            ++above[figure_.edges[at(edge)].to.box];
            ++below[figure_.edges[at(edge)].from.box];
        }
        std::vector<Link> links;
        std::set<int> lanes_begun;
        for (const int edge : tree_.of(container).edges) {
            const Edge& e = figure_.edges[at(edge)];
            const bool from_rim = e.from.box == container, to_rim = e.to.box == container;
            const auto lane = lane_of.find(edge);
            const int priority = 2 * (above[e.to.box] + below[e.from.box] - 2);
            if (lane == lane_of.end()) {
                if (!from_rim && !to_rim)
                    links.push_back({.a = level.entity_of.at(e.from.box),
                                     .b = level.entity_of.at(e.to.box),
                                     .from = pins_.start(edge),
                                     .to = pins_.end(edge),
                                     .priority = priority});
                continue;
            }
            if (!from_rim && lanes_begun.insert(lane->second).second)
                links.push_back({.a = level.entity_of.at(e.from.box),
                                 .b = lane->second,
                                 .from = pins_.start(edge),
                                 .to = 0,
                                 .priority = priority + 3});
            if (!to_rim)
                links.push_back({.a = lane->second,
                                 .b = level.entity_of.at(e.to.box),
                                 .from = 0,
                                 .to = pins_.end(edge),
                                 .priority = priority + 1});
        }
        return links;
    }

    std::vector<double> tidy_places() const {
        std::vector<double> places(at(variables_), 0);
        for (int box = -1; box < tree_.boxes(); ++box) {
            const LaneLevel& level = levels_[at(box + 1)];
            const double left = box < 0 ? 0 : places[at(box)] + (tidy_width(box) - level.width) / 2;
            for (const Entity& entity : level.entities) {
                places[at(entity.variable)] = left + entity.place;
                if (entity.box >= 0 && right_[at(entity.box)] >= 0)
                    places[at(right_[at(entity.box)])] = left + entity.place + entity.width;
            }
        }
        return places;
    }

    Axis axis() const {
        Axis axis{std::vector<double>(at(variables_)), std::vector<double>(at(variables_), kFrameSideWeight),
                  std::vector<double>(at(variables_), kAnywhere)};
        for (int box = 0; box < tree_.boxes(); ++box) {
            const Rect& wish = wishes_.boxes[at(box)];
            axis.wish[at(box)] = wish.left();
            if (right_[at(box)] >= 0) {
                axis.wish[at(right_[at(box)])] = wish.right();
                continue;
            }
            axis.weight[at(box)] = wishes_.kept[at(box)] ? 1 : kNewBoxWeight;
            if (!wishes_.kept[at(box)] || std::isinf(wishes_.most)) continue;
            const double dy = boxes_[at(box)].top() - wish.top();
            axis.most[at(box)] =
                std::max(kLeastSideways, std::sqrt(std::max(0.0, kFarthest * kFarthest - dy * dy)));
        }
        for (const LaneLevel& level : levels_)
            for (const Entity& entity : level.entities)
                if (entity.lane >= 0) {
                    axis.wish[at(entity.variable)] = entity.wish;
                    axis.weight[at(entity.variable)] = kLaneWeight;
                }
        return axis;
    }

    // From the inside out, so that the ports of frames are known where lanes go.
    std::vector<double> place() {
        std::vector<double> places = approach(*separations_, axis(), tidy_places());
        for (double& place : places) place = snapped(place);
        std::vector<double> lanes(figure_.edges.size(), std::numeric_limits<double>::quiet_NaN());
        for (int box = tree_.boxes() - 1; box >= 0; --box) {
            if (right_[at(box)] < 0) {
                boxes_[at(box)].x = places[at(box)];
                continue;
            }
            place_lanes(box, places, lanes);
            fit(box, places, lanes);
            pins_.place_ports(box, boxes_, lanes);
        }
        place_lanes(-1, places, lanes);
        return lanes;
    }

    // Each lane as close to the pins at its ends as its neighbours let it.
    void place_lanes(int container, std::vector<double>& places, std::vector<double>& lanes) const {
        const LaneLevel& level = levels_[at(container + 1)];
        std::vector<double> low(level.entities.size(), -kAnywhere), high(level.entities.size(), kAnywhere);
        if (container >= 0) {
            low.assign(low.size(), places[at(container)] + Measures::kPadX);
            high.assign(high.size(), places[at(right_[at(container)])] - Measures::kPadX);
        }
        const auto limit = [&](int left, int right) {
            const Entity& a = level.entities[at(left)];
            const Entity& b = level.entities[at(right)];
            const double width = a.box < 0 ? 0 : boxes_[at(a.box)].width;
            const double end = a.box < 0 ? places[at(a.variable)] : boxes_[at(a.box)].x + width;
            const double begin = b.box < 0 ? places[at(b.variable)] : boxes_[at(b.box)].x;
            low[at(right)] = std::max(low[at(right)], end + gap(a, b));
            high[at(left)] = std::min(high[at(left)], begin - gap(a, b));
        };
        std::vector<std::vector<std::pair<int, int>>> beside(level.entities.size());
        for (const auto& pair : level.besides) {
            limit(pair.first, pair.second);
            beside[at(pair.first)].push_back(pair);
            beside[at(pair.second)].push_back(pair);
        }
        for (std::size_t i = 0; i < level.entities.size(); ++i) {
            const Entity& entity = level.entities[i];
            if (entity.lane < 0) continue;
            const Lane& lane = level.lanes[at(entity.lane)];
            double& x = places[at(entity.variable)];
            const auto [least, most] = wished_range(container, lane);
            if (low[i] <= high[i]) x = std::clamp(std::clamp(x, least, most), low[i], high[i]);
            for (const int edge : lane.edges) lanes[at(edge)] = x;
            for (const auto& [left, right] : beside[i]) limit(left, right);
        }
    }

    // Between the pins at a lane's ends there is no detour; the rim of the container is anywhere.
    std::pair<double, double> wished_range(int container, const Lane& lane) const {
        double least = kAnywhere, most = -kAnywhere;
        const auto take = [&](double x) {
            least = std::min(least, x);
            most = std::max(most, x);
        };
        for (const int edge : lane.edges) {
            const Edge& e = figure_.edges[at(edge)];
            if (e.from.box != container) take(pins_.start(edge, boxes_));
            if (e.to.box != container) take(pins_.end(edge, boxes_));
        }
        return least <= most ? std::pair(least, most) : std::pair(-kAnywhere, kAnywhere);
    }

    // The frame around its children and lanes, within what the places allow.
    void fit(int box, const std::vector<double>& places, const std::vector<double>& lanes) {
        double left = kAnywhere, right = -kAnywhere;
        const auto take = [&](double l, double r) {
            left = std::min(left, l - Measures::kPadX);
            right = std::max(right, r + Measures::kPadX);
        };
        for (const int child : tree_.of(box).children)
            take(boxes_[at(child)].left(), boxes_[at(child)].right());
        for (const int edge : tree_.of(box).edges)
            if (!std::isnan(lanes[at(edge)])) take(lanes[at(edge)], lanes[at(edge)]);
        const double least = figure_.boxes[at(box)].size.width;
        if (right - left < least) {
            const double middle = std::floor((left + right - least) / 2);
            left = std::clamp(middle, places[at(box)],
                              std::max(places[at(box)], places[at(right_[at(box)])] - least));
            right = left + least;
        }
        boxes_[at(box)].x = left;
        boxes_[at(box)].width = right - left;
    }

    const Figure& figure_;
    const Tree& tree_;
    const Wishes& wishes_;
    std::vector<Rect>& boxes_;
    Pins pins_;
    std::vector<LaneLevel> levels_;  // by container
    std::vector<int>
        right_;  // variable of a frame's right side; -1 for childless boxes. Left sides are by box.
    std::vector<Rect> tidy_ = std::vector<Rect>(figure_.boxes.size());
    int variables_ = 0;
    std::unique_ptr<Separations> separations_;
};

}  // namespace

std::vector<double> arrange_horizontally(const Figure& figure, const Tree& tree, const Wishes& wishes,
                                         std::vector<Rect>& boxes) {
    return Horizontal(figure, tree, wishes, boxes).run();
}

}  // namespace blockscope
