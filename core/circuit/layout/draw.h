// From rows with their places to what is drawn. Internal to the layout.
#pragma once

#include "core/circuit/layout/lines.h"
#include "core/circuit/resources.h"

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

// Wires, dots and glyphs of a line (draw.cpp); separators, labels and frames (annotate.cpp).
void draw_wires(const Placed& placed, const LineOfStations& line, Drawing& drawing);
void annotate(const Placed& placed, const LineOfStations& line, Drawing& drawing);

// H and M under a line; returns how high they are (numbers.cpp).
double draw_numbers(const Placed& placed, const Resources& resources, const LineOfStations& line,
                    NumberStyle style, Drawing& drawing);
// Whether the formulas of all lines find room in a few rows.
NumberStyle fitting(const Placed& placed, const Resources& resources,
                    const std::vector<LineOfStations>& lines, NumberStyle wanted);

}  // namespace blockscope::circuit
