#include "core/circuit/layout/wires.h"

#include <cmath>

namespace blockscope::circuit {

namespace {

constexpr double kLevel = 0.01;    // heights closer than this are one
constexpr double kControl = 0.45;  // of a curve's width

// Whether the last piece is a horizontal line, which can be made longer.
bool ends_level(const Curve& points) {
    const std::size_t n = points.size();
    return n >= 4 && points[n - 4].y == points[n - 1].y && points[n - 3].y == points[n - 1].y;
}

}  // namespace

int Wires::begin(Point at, AxisId axis, int level, WireEnd from) {
    wires_.push_back({{at}, level, axis, from, WireEnd::Edge});
    return static_cast<int>(wires_.size()) - 1;
}

void Wires::line_to(int wire, double x) {
    Curve& points = wires_.at(static_cast<std::size_t>(wire)).points;
    const double y = points.back().y;
    if (x <= points.back().x) return;
    if (ends_level(points)) points.resize(points.size() - 3);
    const double x0 = points.back().x;
    points.push_back({x0 + (x - x0) / 3, y});
    points.push_back({x0 + (x - x0) * 2 / 3, y});
    points.push_back({x, y});
}

void Wires::curve_to(int wire, Point to) {
    Curve& points = wires_.at(static_cast<std::size_t>(wire)).points;
    const Point from = points.back();
    if (std::abs(to.y - from.y) < kLevel) return line_to(wire, to.x);
    const double reach = (to.x - from.x) * kControl;
    points.push_back({from.x + reach, from.y});
    points.push_back({to.x - reach, to.y});
    points.push_back(to);
}

std::vector<DrawnWire> Wires::finished() && {
    std::vector<DrawnWire> result;
    for (DrawnWire& wire : wires_)
        if (wire.points.size() > 1) result.push_back(std::move(wire));
    return result;
}

}  // namespace blockscope::circuit
