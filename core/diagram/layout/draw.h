// Turns rows with their places into curves, glyphs and labels. Internal to the layout.
#pragma once

#include <string>
#include <vector>

#include "core/diagram/layout/drawing.h"
#include "core/diagram/layout/sheet.h"
#include "core/diagram/layout/stations.h"
#include "core/diagram/resources.h"

namespace blockscope::circuit {

// Stations first .. last of one line.
struct LineOfStations {
    std::size_t first = 0, last = 0;
    double dy = 0;  // added to the heights of its chains
    double top = 0, bottom = 0;
    double left = 0, right = 0;
};

struct Placed {
    const Circuit& circuit;
    const Sheet& sheet;
    const Stations& stations;
    const std::vector<double>& heights;
    const LayoutOptions& options;

    double y(const Row& row, const LineOfStations& line) const { return height_of(row, heights) + line.dy; }
};

// The lines of the stations, not placed below each other yet: dy puts each one's top to 0.
std::vector<LineOfStations> lines_of(const Placed& placed);

// Wires, dots and glyphs of a line (draw.cpp); separators, labels and frames (labels.cpp).
void draw_wires(const Placed& placed, const LineOfStations& line, Drawing& drawing);
void annotate(const Placed& placed, const LineOfStations& line, Drawing& drawing);

// H and M under a line; returns how high they are.
double draw_numbers(const Placed& placed, const Resources& resources, const LineOfStations& line,
                    NumberStyle style, Drawing& drawing);
// Whether the formulas of all lines find room in a few rows.
NumberStyle fitting(const Placed& placed, const Resources& resources,
                    const std::vector<LineOfStations>& lines, NumberStyle wanted);

// Wires that grow from left to right. Internal to the layout.

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

// What labels say. Internal to the layout.

// "q", "g_q", "s_x^(8)" with the divisor of its size; a part that is all of its axis has the axis' name, an
// axis without one its size.
std::string axis_label(const Axes& axes, AxisId id);
// At a level that may call it otherwise: "w_q^(128)" at tensor cores.
std::string axis_label(const Axes& axes, AxisId id, int level);

// "groups g_q of q, g_h of h"
SheetFrame partition_frame(const Axes& axes, const std::vector<const Partition*>& parts);

// "q × g_x bf16", at its level
std::string array_shape(const Axes& axes, const ArrayType& type);
// "q × g_x bf16 at level 1"
std::string array_text(const Axes& axes, const ArrayType& type);

// One line about an operator: "softmax along x: q × x f16 → q × x f16".
std::string apply_detail(const Axes& axes, const Apply& apply, const std::vector<ArrayType>& inputs,
                         const std::vector<ArrayType>& outputs);

// "16,384"; what is not whole as number_text.
std::string long_count(double value);
// "16,384", "1.05M": at most six letters.
std::string short_count(double value);

// At most `most` characters (code points), the last one "…" if some are missing.
std::string shortened(const std::string& text, std::size_t most);

}  // namespace blockscope::circuit
