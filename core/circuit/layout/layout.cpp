#include "core/circuit/layout/layout.h"

#include <algorithm>

#include "core/circuit/layout/draw.h"

namespace blockscope::circuit {

namespace {

constexpr double kBetweenLines = 26;
constexpr double kMargin = 10;

void add(Rect& bounds, const Rect& rect) {
    const double right = std::max(bounds.right(), rect.right());
    const double bottom = std::max(bounds.bottom(), rect.bottom());
    bounds.x = std::min(bounds.x, rect.x);
    bounds.y = std::min(bounds.y, rect.y);
    bounds.width = right - bounds.x;
    bounds.height = bottom - bounds.y;
}

Rect bounds_of(const Drawing& drawing) {
    if (drawing.lines.empty()) return {};
    Rect bounds = drawing.lines.front();
    for (const Rect& line : drawing.lines) add(bounds, line);
    for (const DrawnFrame& frame : drawing.frames) add(bounds, frame.rect);
    for (const DrawnGlyph& glyph : drawing.glyphs) add(bounds, glyph.box);
    for (const DrawnLabel& label : drawing.labels) add(bounds, label.box);
    for (const DrawnNumber& number : drawing.numbers) add(bounds, number.box);
    return bounds.grown(kMargin);
}

// Caches have a look of their own, so that shared memory, registers and tensor cores always look the same.
std::vector<int> looks_of(const Sheet& sheet, int lowest_level) {
    std::vector<int> looks(static_cast<std::size_t>(lowest_level) + 1, 0);
    for (const Strand& strand : sheet.strands)
        if (strand.type.cached) looks.at(static_cast<std::size_t>(strand.type.level)) = kCacheLook;
    int next = 0;
    for (int& look : looks)
        if (look != kCacheLook) look = std::min(next++, kCacheLook - 1);
    return looks;
}

}  // namespace

Drawing lay_out(const Circuit& circuit, const LayoutOptions& options) {
    const Sheet sheet = sheet_of(circuit, options.most_input_wires);
    Stations stations = stations_of(sheet, circuit.axes, options.measure);
    wrap(sheet, circuit.axes, stations, options);
    const int chains = straighten(stations);
    const std::vector<double> heights = chain_heights(stations, chains);
    spread(sheet, circuit.axes, stations, heights, options.measure);

    const Placed placed{circuit, sheet, stations, heights, options};
    const Resources costs = resources(circuit);
    std::vector<LineOfStations> lines = lines_of(placed);
    const NumberStyle style = fitting(placed, costs, lines, options.numbers);
    Drawing drawing;
    drawing.axes = circuit.axes;
    drawing.lowest_level = circuit.lowest_level;
    drawing.looks = looks_of(sheet, circuit.lowest_level);
    double y = 0;
    for (LineOfStations& line : lines) {
        line.dy += y;
        line.top += y;
        line.bottom += y;
        draw_wires(placed, line, drawing);
        annotate(placed, line, drawing);
        drawing.lines.push_back({line.left, line.top, line.right - line.left, line.bottom - line.top});
        y = line.bottom + draw_numbers(placed, costs, line, style, drawing) + kBetweenLines;
    }
    drawing.bounds = bounds_of(drawing);
    return drawing;
}

}  // namespace blockscope::circuit
