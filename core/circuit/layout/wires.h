// Wires that grow from left to right. Internal to the layout.
#pragma once

#include <vector>

#include "core/circuit/layout/drawing.h"

namespace blockscope::circuit {

class Wires {
public:
    int begin(Point at, AxisId axis, int level, WireEnd from);
    void line_to(int wire, double x);
    // A curve with horizontal ends; a line if nothing climbs.
    void curve_to(int wire, Point to);
    void end(int wire, WireEnd to) { wires_.at(static_cast<std::size_t>(wire)).to = to; }
    Point tip(int wire) const { return wires_.at(static_cast<std::size_t>(wire)).points.back(); }
    AxisId axis(int wire) const { return wires_.at(static_cast<std::size_t>(wire)).axis; }
    int level(int wire) const { return wires_.at(static_cast<std::size_t>(wire)).level; }

    // Those that have an extent.
    std::vector<DrawnWire> finished() &&;

private:
    std::vector<DrawnWire> wires_;
};

}  // namespace blockscope::circuit
