// What the functions that paint parts of a picture share. Internal to app/scene.
#pragma once

#include <QPainterPath>
#include <optional>

#include "app/scene/paint.h"

namespace blockscope {

// Widths and extents in picture units.
constexpr double kPortRadius = 4;
constexpr double kSumRadius = 8;     // of the circled plus inside a map's exit
constexpr double kSumDistance = 18;  // from the port to the middle of the circled plus
constexpr double kBoxCorner = 6;
constexpr double kFrameCorner = 10;
constexpr double kLabelScale = 1.3;  // edges carry their types from this scale on

inline QPointF q(Point p) {
    return {p.x, p.y};
}
inline QRectF q(const Rect& r) {
    return {r.x, r.y, r.width, r.height};
}

struct Painting {
    QPainter& painter;
    const Picture& picture;
    const Theme& theme;
    const Lights& lights;
    Rect visible;
    double scale;
    const std::vector<double>* box_opacity = nullptr;  // null: everything is opaque
    const std::vector<double>* edge_opacity = nullptr;
    std::vector<int> depth;                                  // of boxes: number of frames around
    const std::function<void(const Part&)>* part = nullptr;  // told before each part; null: nobody listens

    const Figure& figure() const { return picture.figure; }
    const Geometry& geometry() const { return picture.geometry; }
    const Box& box(int i) const { return picture.figure.boxes[static_cast<std::size_t>(i)]; }
    const Rect& rect(int i) const { return picture.geometry.boxes[static_cast<std::size_t>(i)]; }
    double opacity_of_box(int i) const {
        return box_opacity ? (*box_opacity)[static_cast<std::size_t>(i)] : 1;
    }
    double opacity_of_edge(int i) const {
        return edge_opacity ? (*edge_opacity)[static_cast<std::size_t>(i)] : 1;
    }
    Mark mark(int i) const {
        const auto it = lights.boxes.find(i);
        return it == lights.boxes.end() ? Mark::None : it->second;
    }
    void begin(Part::Kind kind, int index) const {
        if (part) (*part)({kind, index});
    }
    // A line is at least `pixels` wide on the device.
    double width(double units, double pixels) const { return std::max(units, pixels / scale); }
    // How visible text of `size` units is: it fades in between 4.5 and 5.7 pixels.
    double text_alpha(double size) const { return std::clamp((size * scale - 4.5) / 1.2, 0.0, 1.0); }
};

// The fill of the container of `box`: what is behind it.
QColor background(const Painting& p, int box);

void paint_frame(Painting& p, int box);
void paint_cloud(Painting& p, int box);
void paint_rim(Painting& p, int box);  // the ports and the dimension of a frame or cloud
void paint_leaf(Painting& p, int box);
void paint_edge(Painting& p, int edge);
void paint_edge_label(Painting& p, int edge);
// Whether another edge is drawn for this one, of whose bundle it is; and how many that one stands for.
bool stands_aside(const Painting& p, int edge);
void paint_bundle_count(Painting& p, int edge);
// The glow under a marked box, and its outline and corner mark above it.
void paint_glow(Painting& p, int box);
void paint_mark(Painting& p, int box);

// The circled plus or max, with `radius` around `center`.
void paint_reduction(Painting& p, QPointF center, double radius, bool maximum, const QColor& fill);

// The colour of a share of the heat map, and the ink that reads on it. Null for boxes without a heat map.
std::optional<QColor> heat_fill(const Painting& p, int box);
QColor ink_on(const Theme& theme, const QColor& fill);
// The amount of a heated box on a plate at its lower edge; of a heated edge in its middle.
void paint_heat_text(Painting& p, int box);
void paint_edge_heat(Painting& p, int edge);
void paint_edge_heat_text(Painting& p, int edge);

// A note on a plate over the upper rim of its box, with a folded corner.
void paint_pinned(Painting& p, int box, const PinnedNote& note);

// Of plates that must not cover more the closer one looks.
double plate_size(double scale);
// Where paint_plate() puts its plate.
QRectF plate_rect(QPointF center, double size, const std::string& text);

// One line of text, centred in `rect` and made smaller if it is wider.
void paint_text(Painting& p, const QRectF& rect, const std::string& text, TextRole role, const QColor& color,
                Qt::Alignment alignment = Qt::AlignCenter);
// Text on a small rounded plate around `center` (peeled labels, edge types, numbers), `size` times as large
// as usual.
void paint_plate(Painting& p, QPointF center, double size, const std::string& text, const QColor& color,
                 const QColor& fill, const QColor& rim);

// Where a curve's arrow stops and starts, with the parts under ports cut off.
QPainterPath curve_path(const Curve& curve);
// The rectangle around the control points, grown by `by`.
Rect curve_bounds(const Curve& curve, double by);
// A closed cloud that fills `rect`.
QPainterPath cloud_path(const QRectF& rect);

}  // namespace blockscope
