// What of a drawing is where, and what it says.
#include <cmath>

#include "app/circuit/circuit_paint.h"
#include "app/circuit/circuit_text.h"

namespace blockscope {

namespace {

using namespace circuit;

constexpr int kPieces = 12;  // of a curve, to measure how far away it is

Point on(const Curve& points, std::size_t piece, double t) {
    const double s = 1 - t;
    const double a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    const Point& p0 = points[piece];
    const Point& p1 = points[piece + 1];
    const Point& p2 = points[piece + 2];
    const Point& p3 = points[piece + 3];
    return {a * p0.x + b * p1.x + c * p2.x + d * p3.x, a * p0.y + b * p1.y + c * p2.y + d * p3.y};
}

double distance(Point p, Point a, Point b) {
    const double dx = b.x - a.x, dy = b.y - a.y;
    const double length = dx * dx + dy * dy;
    const double t = length <= 0 ? 0 : std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0);
    return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

double distance(Point p, const Curve& points) {
    double least = 1e9;
    for (std::size_t piece = 0; piece + 3 < points.size(); piece += 3) {
        Point before = points[piece];
        for (int k = 1; k <= kPieces; ++k) {
            const Point now = on(points, piece, static_cast<double>(k) / kPieces);
            least = std::min(least, distance(p, before, now));
            before = now;
        }
    }
    return least;
}

template <class T, class Box>
int first_at(const std::vector<T>& all, Point place, double around, const Box& box) {
    for (std::size_t i = 0; i < all.size(); ++i)
        if (box(all[i]).grown(around).contains(place)) return static_cast<int>(i);
    return -1;
}

int wire_at(const Drawing& drawing, Point place, double reach) {
    int best = -1;
    double least = reach;
    for (std::size_t i = 0; i < drawing.wires.size(); ++i) {
        const double away = distance(place, drawing.wires[i].points);
        if (away > least) continue;
        least = away;
        best = static_cast<int>(i);
    }
    return best;
}

// The nearest wire of the axis that a label names.
int named_wire(const Drawing& drawing, const DrawnLabel& label) {
    int best = -1;
    double least = 1e9;
    const Point middle = label.box.center();
    for (std::size_t i = 0; i < drawing.wires.size(); ++i) {
        if (drawing.wires[i].axis != label.axis) continue;
        const double away = distance(middle, drawing.wires[i].points);
        if (away > least) continue;
        least = away;
        best = static_cast<int>(i);
    }
    return best;
}

int label_at(const Drawing& drawing, Point place) {
    for (const DrawnLabel& label : drawing.labels)
        if (label.axis.value >= 0 && label.box.grown(2).contains(place)) return named_wire(drawing, label);
    return -1;
}

int frame_at(const Drawing& drawing, Point place) {
    int best = -1;
    for (std::size_t i = 0; i < drawing.frames.size(); ++i) {
        if (!drawing.frames[i].rect.contains(place)) continue;
        if (best < 0 || drawing.frames[i].depth >= drawing.frames[static_cast<std::size_t>(best)].depth)
            best = static_cast<int>(i);
    }
    return best;
}

std::string wire_text(const Drawing& drawing, const DrawnWire& wire) {
    const std::string level = wire.level > 0 ? ", level " + std::to_string(wire.level) : "";
    if (wire.axis.value < 0) return "one value" + level;
    const Axis& axis = axis_of(drawing.axes, wire.axis);
    const std::string size = std::to_string(axis.size);
    return "axis " + (axis.name.empty() ? size : axis.name + " = " + size) + level;
}

std::string number_text_of(const DrawnNumber& number) {
    const std::string name = number.kind == NumberKind::Transfer ? "H" : "M";
    std::string text = name + " = " + number.formula + " = " + number.value;
    for (const std::string& line : number.sum) text += "\n" + line;
    return text;
}

}  // namespace

CircuitPart part_at(const Drawing& drawing, Point place, double reach) {
    using PartKind = CircuitPart::Kind;
    if (const int i = first_at(drawing.numbers, place, 2, [](const auto& n) { return n.box; }); i >= 0)
        return {PartKind::Number, i};
    if (const int i = first_at(drawing.frames, place, 2, [](const auto& f) { return f.title_box; }); i >= 0)
        return {PartKind::Frame, i};
    if (const int i = first_at(drawing.glyphs, place, 1, [](const auto& g) { return g.box; }); i >= 0)
        return {PartKind::Glyph, i};
    if (const int i = label_at(drawing, place); i >= 0) return {PartKind::Wire, i};
    if (const int i = wire_at(drawing, place, reach); i >= 0) return {PartKind::Wire, i};
    if (const int i = frame_at(drawing, place); i >= 0) return {PartKind::Frame, i};
    return {};
}

std::string part_text(const Drawing& drawing, const CircuitPart& part) {
    const auto i = static_cast<std::size_t>(std::max(part.index, 0));
    switch (part.kind) {
        case CircuitPart::Kind::None:
            return {};
        case CircuitPart::Kind::Frame:
            return drawing.frames.at(i).title;
        case CircuitPart::Kind::Wire:
            return wire_text(drawing, drawing.wires.at(i));
        case CircuitPart::Kind::Glyph:
            return drawing.glyphs.at(i).detail;
        case CircuitPart::Kind::Number:
            return number_text_of(drawing.numbers.at(i));
    }
    return {};
}

}  // namespace blockscope
