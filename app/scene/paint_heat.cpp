// The heat map: how much of a quantity each operator and each edge causes, as colour, width and number.
#include <algorithm>
#include <cmath>

#include "app/scene/curve.h"
#include "app/scene/painting.h"

namespace blockscope {

namespace {

constexpr double kTextScale = 0.55;  // numbers are written from this scale on

QColor heat_color(const Theme& theme, double share) {
    return mixed(theme.cold, theme.hot, share);
}

// The middle of the plate of a number: at the lower edge of a box; of a frame inside its lower left corner,
// where no port is.
QPointF box_plate(const Box& box, const Rect& rect, double size, const std::string& text) {
    constexpr double kInside = 5;
    constexpr double kOver = 6;  // out of a frame that is too narrow for the plate beside its ports and name
    constexpr double kRest = 70;
    constexpr double kAbove = 11;
    if (box.kind != BoxKind::Frame) return {rect.x + rect.width / 2, rect.y + rect.height + 1};
    const double width = plate_rect({}, size, text).width();
    const double left = rect.width >= width + kRest ? rect.x + kInside : rect.x - kOver;
    return {left + width / 2, rect.y + rect.height - kAbove * size};
}

// In the middle of the edge, and not over the border of the map that it is in, if that has room for two of
// them side by side.
QPointF edge_plate(const Picture& picture, int edge, const std::string& text, const Lights& lights,
                   double scale) {
    constexpr double kInside = 3;
    const auto index = static_cast<std::size_t>(edge);
    const double size = plate_size(scale);
    const double below = lights.edge_labels && scale >= kLabelScale ? 15 * size : 0;  // the edge's type
    QPointF center = q(picture.geometry.labels.at(index)) + QPointF(0, below);
    const int map = picture.figure.edges.at(index).container;
    if (map < 0) return center;
    const Rect& around = picture.geometry.boxes.at(static_cast<std::size_t>(map));
    const double half = plate_rect(center, size, text).width() / 2 + kInside;
    if (around.width < 4 * half) return center;
    center.setX(std::clamp(center.x(), around.left() + half, around.right() - half));
    return center;
}

}  // namespace

// The theme's ink or canvas where they read well, else black or white: one of them always does.
QColor ink_on(const Theme& theme, const QColor& fill) {
    constexpr double kReadable = 4.5;
    for (const QColor& ink : {theme.ink, theme.canvas})
        if (contrast(ink, fill) >= kReadable) return ink;
    const QColor black(Qt::black);
    const QColor white(Qt::white);
    return contrast(black, fill) >= contrast(white, fill) ? black : white;
}

std::optional<QColor> heat_fill(const Painting& p, int box) {
    if (!p.lights.heated) return {};
    const auto found = p.lights.heat.find(box);
    if (found == p.lights.heat.end()) return background(p, p.box(box).parent);
    return heat_color(p.theme, found->second.share);
}

void paint_heat_text(Painting& p, int box) {
    const auto found = p.lights.heat.find(box);
    if (found == p.lights.heat.end() || p.scale < kTextScale) return;
    const QColor fill = heat_color(p.theme, found->second.share);
    const double size = plate_size(p.scale);
    paint_plate(p, box_plate(p.box(box), p.rect(box), size, found->second.text), size, found->second.text,
                ink_on(p.theme, fill), fill, p.theme.faint);
}

void paint_edge_heat(Painting& p, int edge) {
    const auto found = p.lights.edge_heat.find(edge);
    if (found == p.lights.edge_heat.end()) return;
    QColor halo = heat_color(p.theme, found->second.share);
    halo.setAlphaF(0.85F);
    p.painter.setBrush(Qt::NoBrush);
    p.painter.strokePath(
        curve_path(p.geometry().edges[static_cast<std::size_t>(edge)]),
        QPen(halo, p.width(4 + 10 * found->second.share, 2), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
}

void paint_edge_heat_text(Painting& p, int edge) {
    const auto found = p.lights.edge_heat.find(edge);
    if (found == p.lights.edge_heat.end() || p.scale < kTextScale) return;
    const QColor fill = heat_color(p.theme, found->second.share);
    paint_plate(p, edge_plate(p.picture, edge, found->second.text, p.lights, p.scale), plate_size(p.scale),
                found->second.text, ink_on(p.theme, fill), fill, p.theme.faint);
}

// Edges' numbers are painted over those of boxes.
HeatNumber heat_number_at(const Picture& picture, const Lights& lights, double scale, Point p) {
    if (!lights.heated || scale < kTextScale) return {};
    constexpr double kNear = 24;  // half the height of any plate, and more
    const auto hits = [&](QPointF center, const HeatLight& light) {
        return std::abs(center.y() - p.y) < kNear &&
               plate_rect(center, plate_size(scale), light.text).contains(q(p));
    };
    for (const auto& [edge, light] : lights.edge_heat)
        if (hits(edge_plate(picture, edge, light.text, lights, scale), light)) return {-1, edge};
    for (const auto& [box, light] : lights.heat) {
        const auto index = static_cast<std::size_t>(box);
        const QPointF center = box_plate(picture.figure.boxes.at(index), picture.geometry.boxes.at(index),
                                         plate_size(scale), light.text);
        if (hits(center, light)) return {box, -1};
    }
    return {};
}

}  // namespace blockscope
