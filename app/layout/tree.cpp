#include "app/layout/arrange.h"

#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "core/support/index.h"

namespace blockscope {

Tree::Tree(const Figure& figure) : containers_(figure.boxes.size() + 1) {
    containers_[0].children = figure.roots;
    for (std::size_t i = 0; i < figure.boxes.size(); ++i) {
        containers_[i + 1].box = static_cast<int>(i);
        containers_[i + 1].children = figure.boxes[i].children;
    }
    for (std::size_t i = 0; i < figure.edges.size(); ++i)
        containers_[static_cast<std::size_t>(figure.edges[i].container + 1)].edges.push_back(
            static_cast<int>(i));
}

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kOperandStep = 22;  // between pins of one operator
constexpr double kLeastStep = 12;    // and after shifting one
constexpr double kMostShift = 12;    // of a pin, to make an edge straight
constexpr double kSideEnd = 9;       // from an operator's corner to its first pin

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Side by side about the middle.
std::vector<double> slots(std::size_t count, double width) {
    std::vector<double> offsets;
    const double gaps = static_cast<double>(count) - 1;
    const double step =
        count > 1 ? std::min(kOperandStep, std::max(2.0, 2 * std::floor((width - 2 * kSideEnd) / gaps / 2)))
                  : 0;
    for (std::size_t i = 0; i < count; ++i)
        offsets.push_back(width / 2 + (static_cast<double>(i) - gaps / 2) * step);
    return offsets;
}

bool has_ports(const Box& box) {
    return box.kind == BoxKind::Frame || box.kind == BoxKind::Cloud;
}

}  // namespace

std::vector<double> spaced(const std::vector<double>& wanted, double step, double low, double high) {
    const auto count = static_cast<double>(wanted.size());
    if (wanted.empty()) return {};
    if (count > 1) step = std::min(step, (high - low) / (count - 1));
    // Pools of pins that touch, each about the mean of what its pins want.
    struct Pool {
        double sum = 0;
        int count = 0;
    };
    std::vector<Pool> pools;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        pools.push_back({wanted[i] - step * static_cast<double>(i), 1});
        while (pools.size() > 1) {
            const Pool& b = pools.back();
            Pool& a = pools[pools.size() - 2];
            if (a.sum / a.count <= b.sum / b.count) break;
            a = {a.sum + b.sum, a.count + b.count};
            pools.pop_back();
        }
    }
    std::vector<double> result;
    for (const Pool& pool : pools)
        for (int i = 0; i < pool.count; ++i) {
            const double shifted =
                std::clamp(pool.sum / pool.count, low, std::max(low, high - step * (count - 1)));
            result.push_back(std::floor(shifted + step * static_cast<double>(result.size()) + 0.5));
        }
    return result;
}

Pins::Pins(const Figure& figure, const Tree& tree, const std::vector<Rect>& boxes,
           const std::vector<double>& lanes)
    : figure_(figure),
      tree_(tree),
      in_(figure.boxes.size()),
      out_(figure.boxes.size()),
      from_(figure.boxes.size()),
      to_(figure.boxes.size()),
      start_pin_(figure.edges.size(), 0),
      end_pin_(figure.edges.size(), 0) {
    outside_first(boxes, lanes);
    order_operands(boxes, lanes);
    for (int box = tree.boxes() - 1; box >= 0; --box) {
        const Box& b = figure.boxes[at(box)];
        if (has_ports(b) && tree.childless(box)) place_ports(box, boxes, {});
    }
}

double Pins::origin(int edge, const std::vector<Rect>& boxes, const std::vector<double>& lanes) const {
    if (!std::isnan(lanes[at(edge)])) return lanes[at(edge)];
    const Edge& e = figure_.edges[at(edge)];
    if (e.from.box == e.container) return from_[at(e.from.box)][at(e.from.port)];
    return boxes[at(e.from.box)].center().x;
}

double Pins::target(int edge, const std::vector<Rect>& boxes) const {
    const Edge& e = figure_.edges[at(edge)];
    if (e.to.box == e.container) return to_[at(e.to.box)][at(e.to.port)];
    return boxes[at(e.to.box)].center().x;
}

void Pins::outside_first(const std::vector<Rect>& boxes, const std::vector<double>& lanes) {
    for (std::size_t i = 0; i < figure_.boxes.size(); ++i) {
        from_[i].assign(figure_.boxes[i].in.size(), boxes[i].center().x);
        to_[i].assign(figure_.boxes[i].out.size(), boxes[i].center().x);
    }
    for (int box = -1; box < tree_.boxes(); ++box) {
        std::map<End, std::vector<double>, bool (*)(const End&, const End&)> leaving(
            [](const End& a, const End& b) { return std::pair(a.box, a.port) < std::pair(b.box, b.port); });
        for (const int edge : tree_.of(box).edges) {
            const Edge& e = figure_.edges[at(edge)];
            if (e.to.box != box && e.to.port >= 0)
                from_[at(e.to.box)][at(e.to.port)] = origin(edge, boxes, lanes);
            if (e.from.box != box && e.from.port >= 0) leaving[e.from].push_back(target(edge, boxes));
        }
        for (const auto& [end, targets] : leaving) to_[at(end.box)][at(end.port)] = mean(targets);
    }
}

void Pins::order_operands(const std::vector<Rect>& boxes, const std::vector<double>& lanes) {
    std::vector<std::vector<std::pair<double, int>>> operands(figure_.boxes.size());
    std::vector<std::map<int, std::vector<int>>> results(figure_.boxes.size());
    for (int edge = 0; edge < static_cast<int>(figure_.edges.size()); ++edge) {
        const Edge& e = figure_.edges[at(edge)];
        if (e.to.port < 0) operands[at(e.to.box)].emplace_back(origin(edge, boxes, lanes), edge);
        if (e.from.port < 0) results[at(e.from.box)][e.value.port].push_back(edge);
    }
    for (int box = 0; box < tree_.boxes(); ++box) {
        if (has_ports(figure_.boxes[at(box)])) continue;
        std::sort(operands[at(box)].begin(), operands[at(box)].end());
        int pin = 0;
        for (const auto& [x, edge] : operands[at(box)]) end_pin_[at(edge)] = pin++;
        in_[at(box)] = slots(at(pin), boxes[at(box)].width);
        pin = 0;
        for (const auto& [port, edges] : results[at(box)]) {
            for (const int edge : edges) start_pin_[at(edge)] = pin;
            ++pin;
        }
        out_[at(box)] = slots(at(pin), boxes[at(box)].width);
    }
}

void Pins::place_all_ports(const std::vector<Rect>& boxes, const std::vector<double>& lanes) {
    for (int box = tree_.boxes() - 1; box >= 0; --box)
        if (has_ports(figure_.boxes[at(box)])) place_ports(box, boxes, lanes);
}

void Pins::place_ports(int box, const std::vector<Rect>& boxes, const std::vector<double>& lanes) {
    const Box& b = figure_.boxes[at(box)];
    std::vector<std::vector<double>> above(b.in.size()), below(b.out.size());
    for (const int edge : tree_.of(box).edges) {
        const Edge& e = figure_.edges[at(edge)];
        const bool from_rim = e.from.box == box, to_rim = e.to.box == box;
        const double lane = lanes.empty() ? kUnknown : lanes[at(edge)];
        if (from_rim && to_rim) continue;
        if (from_rim) above[at(e.from.port)].push_back(std::isnan(lane) ? end(edge, boxes) : lane);
        if (to_rim) below[at(e.to.port)].push_back(std::isnan(lane) ? start(edge, boxes) : lane);
    }
    place_side(box, boxes, true, above);
    place_side(box, boxes, false, below);
}

void Pins::place_side(int box, const std::vector<Rect>& boxes, bool top,
                      const std::vector<std::vector<double>>& wanted) {
    const Rect& rect = boxes[at(box)];
    std::vector<std::tuple<double, double, std::size_t>> order;  // wanted, outside, port
    const bool closed = tree_.childless(box);
    for (std::size_t port = 0; port < wanted.size(); ++port) {
        const double outside = (top ? from_ : to_)[at(box)][port];
        if (closed) {
            order.emplace_back(outside, outside, port);
            continue;
        }
        std::vector<double> inside = wanted[port];
        std::sort(inside.begin(), inside.end());
        const double x =
            inside.empty() ? std::clamp(outside, rect.left(), rect.right()) : inside[(inside.size() - 1) / 2];
        order.emplace_back(x - rect.left(), outside, port);
    }
    std::sort(order.begin(), order.end());
    std::vector<double> offsets;
    for (const auto& [offset, outside, port] : order) offsets.push_back(offset);
    // With nothing inside to line up with, ports stand about the middle.
    offsets = closed
                  ? slots(offsets.size(), rect.width)
                  : spaced(offsets, Measures::kPortStep, Measures::kPortEnd, rect.width - Measures::kPortEnd);
    std::vector<double>& pins = (top ? in_ : out_)[at(box)];
    pins.resize(wanted.size());
    for (std::size_t i = 0; i < order.size(); ++i) pins[std::get<2>(order[i])] = offsets[i];
}

// By `by`, unless that brings the pin to a corner or to the next pin.
void Pins::shift(double& pin, const std::vector<double>& side, double width, double by) const {
    const double to = pin + by;
    if (to < kSideEnd || to > width - kSideEnd) return;
    for (const double& other : side)
        if (&other != &pin && std::abs(other - to) < kLeastStep) return;
    pin = to;
}

void Pins::straighten(const std::vector<Rect>& boxes) {
    std::vector<std::vector<int>> leaving(figure_.boxes.size());
    for (int edge = 0; edge < static_cast<int>(figure_.edges.size()); ++edge)
        leaving[at(figure_.edges[at(edge)].from.box)].push_back(edge);
    for (int edge = 0; edge < static_cast<int>(figure_.edges.size()); ++edge) {
        const Edge& e = figure_.edges[at(edge)];
        const double by = start(edge, boxes) - end(edge, boxes);
        if (by == 0 || std::abs(by) > kMostShift) continue;
        if (e.to.port < 0) {
            std::vector<double>& side = in_[at(e.to.box)];
            shift(side[at(end_pin_[at(edge)])], side, boxes[at(e.to.box)].width, by);
        } else if (e.from.port < 0 && leaving[at(e.from.box)].size() == 1) {
            std::vector<double>& side = out_[at(e.from.box)];
            shift(side[at(start_pin_[at(edge)])], side, boxes[at(e.from.box)].width, -by);
        }
    }
}

double Pins::start(int edge) const {
    const Edge& e = figure_.edges[at(edge)];
    if (e.from.box == e.container) return in_[at(e.from.box)][at(e.from.port)];
    return out_[at(e.from.box)][at(e.from.port >= 0 ? e.from.port : start_pin_[at(edge)])];
}

double Pins::end(int edge) const {
    const Edge& e = figure_.edges[at(edge)];
    if (e.to.box == e.container) return out_[at(e.to.box)][at(e.to.port)];
    return in_[at(e.to.box)][at(e.to.port >= 0 ? e.to.port : end_pin_[at(edge)])];
}

double Pins::start(int edge, const std::vector<Rect>& boxes) const {
    return boxes[at(figure_.edges[at(edge)].from.box)].left() + start(edge);
}

double Pins::end(int edge, const std::vector<Rect>& boxes) const {
    return boxes[at(figure_.edges[at(edge)].to.box)].left() + end(edge);
}

}  // namespace blockscope
