#include "tests/diagram/drawing_checks.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace blockscope::test {

namespace {

using namespace circuit;

constexpr double kNear = 0.6;

std::string at(Point p) {
    return " at " + std::to_string(std::lround(p.x)) + "," + std::to_string(std::lround(p.y));
}

bool near(Point a, Point b) {
    return std::abs(a.x - b.x) < kNear && std::abs(a.y - b.y) < kNear;
}

Point on(const Curve& points, std::size_t piece, double t) {
    const double s = 1 - t;
    const double w[] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    Point p;
    for (std::size_t k = 0; k < 4; ++k) {
        p.x += w[k] * points[piece + k].x;
        p.y += w[k] * points[piece + k].y;
    }
    return p;
}

// Whether the smallest rectangle around the four points of a piece, in which all of the piece lies, meets the
// rectangle.
bool near_piece(const Curve& points, std::size_t piece, const Rect& rect) {
    double left = points[piece].x, right = left, top = points[piece].y, bottom = top;
    for (std::size_t k = 1; k < 4; ++k) {
        const Point& p = points[piece + k];
        left = std::min(left, p.x);
        right = std::max(right, p.x);
        top = std::min(top, p.y);
        bottom = std::max(bottom, p.y);
    }
    return left <= rect.right() && right >= rect.left() && top <= rect.bottom() && bottom >= rect.top();
}

// A wire, and the smallest rectangle around its points, in which all of it lies: most wires are far from most
// boxes.
struct FoundWire {
    const Curve& points;
    double left, right, top, bottom;
};

std::vector<FoundWire> found_wires(const Drawing& drawing) {
    std::vector<FoundWire> wires;
    for (const DrawnWire& wire : drawing.wires) {
        const Point& first = wire.points.front();
        FoundWire found{
            .points = wire.points, .left = first.x, .right = first.x, .top = first.y, .bottom = first.y};
        for (const Point& p : wire.points) {
            found.left = std::min(found.left, p.x);
            found.right = std::max(found.right, p.x);
            found.top = std::min(found.top, p.y);
            found.bottom = std::max(found.bottom, p.y);
        }
        wires.push_back(found);
    }
    return wires;
}

// Whether the wire has a point inside the rectangle (its rim does not count).
bool meets(const FoundWire& wire, const Rect& rect) {
    const Rect inside = rect.grown(-0.5);
    if (wire.left > inside.right() || wire.right < inside.left() || wire.top > inside.bottom() ||
        wire.bottom < inside.top())
        return false;
    const Curve& points = wire.points;
    for (std::size_t piece = 0; piece + 3 < points.size(); piece += 3) {
        if (!near_piece(points, piece, inside)) continue;
        const bool level = points[piece].y == points[piece + 3].y;
        if (level) {
            const double y = points[piece].y;
            if (y > inside.top() && y < inside.bottom() && points[piece].x < inside.right() &&
                points[piece + 3].x > inside.left())
                return true;
            continue;
        }
        for (int k = 0; k <= 40; ++k)
            if (inside.contains(on(points, piece, k / 40.0))) return true;
    }
    return false;
}

// Where no wire may be: of a triangle what is right of the wires that end on its slope.
Rect inside_of(const DrawnGlyph& glyph) {
    const Rect& b = glyph.box;
    if (glyph.kind == GlyphKind::Norm && b.width == b.height) return {b.center().x - 3, b.top(), 6, b.height};
    if (glyph.kind != GlyphKind::Triangle) return b;
    const double left = b.left() + 0.85 * b.width;
    return {left, b.top(), b.right() - left, b.height};
}

// The curve's height at x, if it is there.
std::optional<double> height_at(const Curve& points, double x) {
    for (std::size_t piece = 0; piece + 3 < points.size(); piece += 3) {
        if (x < points[piece].x || x > points[piece + 3].x) continue;
        double low = 0, high = 1;
        for (int k = 0; k < 30; ++k) {
            const double middle = (low + high) / 2;
            (on(points, piece, middle).x < x ? low : high) = middle;
        }
        return on(points, piece, low).y;
    }
    return {};
}

template <class T>
void pairwise(const std::vector<T>& all, const std::string& what, std::vector<std::string>& found) {
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size(); ++j)
            if (all[i].box.grown(-0.5).intersects(all[j].box.grown(-0.5)))
                found.push_back(what + " overlap" + at(all[i].box.center()) + " and" +
                                at(all[j].box.center()));
}

std::vector<DrawnGlyph> solid(const std::vector<DrawnGlyph>& glyphs) {
    std::vector<DrawnGlyph> result;
    for (const DrawnGlyph& glyph : glyphs)
        if (glyph.kind != GlyphKind::Transfer) result.push_back(glyph);
    return result;
}

bool ends_at(const Drawing& drawing, WireEnd end, Point p) {
    switch (end) {
        case WireEnd::Glyph:
            return std::any_of(drawing.glyphs.begin(), drawing.glyphs.end(), [&](const DrawnGlyph& glyph) {
                const Rect& b = glyph.box;
                const bool rim = std::abs(p.x - left_rim(glyph.kind, b, p.y)) < kNear ||
                                 std::abs(p.x - right_rim(glyph.kind, b, p.y)) < kNear;
                return rim && p.y > b.top() - kNear && p.y < b.bottom() + kNear;
            });
        case WireEnd::Dot:
            return std::any_of(drawing.dots.begin(), drawing.dots.end(),
                               [&](const DrawnDot& dot) { return near(dot.at, p); });
        case WireEnd::Frame:
            return std::any_of(drawing.frames.begin(), drawing.frames.end(),
                               [&](const DrawnFrame& frame) {
                                   const double left = std::abs(p.x - frame.rect.left());
                                   const double right = std::abs(p.x - frame.rect.right());
                                   return std::min(left, right) < 60;  // beyond what bends through it
                               }) ||
                   std::count_if(drawing.wires.begin(), drawing.wires.end(), [&](const DrawnWire& wire) {
                       return near(wire.points.front(), p) || near(wire.points.back(), p);
                   }) > 1;
        case WireEnd::Level:
            return std::count_if(drawing.wires.begin(), drawing.wires.end(), [&](const DrawnWire& wire) {
                       return near(wire.points.front(), p) || near(wire.points.back(), p);
                   }) == 2;
        case WireEnd::Edge:
            return std::any_of(drawing.lines.begin(), drawing.lines.end(),
                               [&](const Rect& line) {
                                   return std::abs(p.x - line.left()) < kNear ||
                                          std::abs(p.x - line.right()) < kNear;
                               }) ||
                   std::any_of(drawing.labels.begin(), drawing.labels.end(), [&](const DrawnLabel& label) {
                       return label.role == LabelRole::Name && label.box.right() <= p.x &&
                              p.x - label.box.right() < 60;
                   });
    }
    return false;
}

}  // namespace

std::vector<std::string> overlaps(const Drawing& drawing) {
    std::vector<std::string> found;
    const std::vector<DrawnGlyph> glyphs = solid(drawing.glyphs);
    const std::vector<FoundWire> wires = found_wires(drawing);
    for (const DrawnLabel& label : drawing.labels) {
        for (const FoundWire& wire : wires)
            if (meets(wire, label.box))
                found.push_back(label.text + " is on a wire" + at(label.box.center()));
        for (const DrawnGlyph& glyph : glyphs)
            if (label.box.grown(-0.5).intersects(glyph.box))
                found.push_back(label.text + " is on a glyph" + at(label.box.center()));
        for (const DrawnNumber& number : drawing.numbers)
            if (label.box.intersects(number.box))
                found.push_back(label.text + " is on a number" + at(label.box.center()));
        for (const DrawnSeparator& line : drawing.separators)
            if (line.y > label.box.top() && line.y < label.box.bottom() && line.x0 < label.box.right() &&
                line.x1 > label.box.left())
                found.push_back(label.text + " is on a separator" + at(label.box.center()));
    }
    for (const DrawnFrame& frame : drawing.frames) {
        if (frame.title_box.width <= 0) continue;
        for (const FoundWire& wire : wires)
            if (meets(wire, frame.title_box))
                found.push_back(frame.title + " is on a wire" + at(frame.title_box.center()));
        for (const DrawnLabel& label : drawing.labels)
            if (label.box.intersects(frame.title_box))
                found.push_back(frame.title + " is on a label" + at(label.box.center()));
        for (const DrawnFrame& other : drawing.frames)
            if (&other != &frame && other.rect.left() < frame.title_box.right() &&
                other.rect.left() > frame.title_box.left() && other.rect.top() < frame.title_box.bottom() &&
                other.rect.bottom() > frame.title_box.top())
                found.push_back(frame.title + " is on a rim" + at(frame.title_box.center()));
    }
    for (const DrawnGlyph& glyph : glyphs)
        for (const FoundWire& wire : wires)
            if (meets(wire, inside_of(glyph)))
                found.push_back("a wire runs into a glyph" + at(glyph.box.center()));
    for (const DrawnNumber& number : drawing.numbers)
        for (const FoundWire& wire : wires)
            if (meets(wire, number.box)) found.push_back("a number is on a wire" + at(number.box.center()));
    pairwise(drawing.labels, "labels", found);
    pairwise(glyphs, "glyphs", found);
    pairwise(drawing.numbers, "numbers", found);
    return found;
}

std::vector<std::string> loose_ends(const Drawing& drawing) {
    std::vector<std::string> found;
    for (const DrawnWire& wire : drawing.wires) {
        if (!ends_at(drawing, wire.from, wire.points.front()))
            found.push_back("a wire begins at nothing" + at(wire.points.front()));
        if (!ends_at(drawing, wire.to, wire.points.back()))
            found.push_back("a wire ends at nothing" + at(wire.points.back()));
    }
    return found;
}

std::vector<std::string> cut_corners(const Drawing& drawing) {
    constexpr double kInside = 8;  // from the rim to what is in the frame
    std::vector<std::string> found;
    const std::vector<FoundWire> wires = found_wires(drawing);
    for (const DrawnFrame& frame : drawing.frames)
        for (const bool left : {true, false}) {
            if (left ? frame.open_left : frame.open_right) continue;
            const double rim = left ? frame.rect.left() : frame.rect.right();
            for (const FoundWire& wire : wires) {
                if (rim < wire.left || rim > wire.right) continue;
                const auto within = [&](double y) { return y > frame.rect.top() && y < frame.rect.bottom(); };
                const auto crossing = height_at(wire.points, rim);
                if (!crossing || !within(*crossing)) continue;
                const auto inside = height_at(wire.points, left ? rim + kInside : rim - kInside);
                if (inside && !within(*inside))
                    found.push_back("a wire cuts a corner of " + frame.title + at({rim, *crossing}));
            }
        }
    return found;
}

std::vector<std::string> outside(const Drawing& drawing) {
    std::vector<std::string> found;
    const auto check = [&](const Rect& rect, const std::string& what) {
        const Rect& all = drawing.bounds;
        if (rect.left() < all.left() || rect.right() > all.right() || rect.top() < all.top() ||
            rect.bottom() > all.bottom())
            found.push_back(what + " is outside" + at(rect.center()));
    };
    for (const DrawnGlyph& glyph : drawing.glyphs) check(glyph.box, "a glyph");
    for (const DrawnLabel& label : drawing.labels) check(label.box, label.text);
    for (const DrawnNumber& number : drawing.numbers) check(number.box, number.text);
    for (const DrawnWire& wire : drawing.wires)
        for (const Point& p : wire.points) check({p.x, p.y, 0, 0}, "a wire");
    return found;
}

}  // namespace blockscope::test
