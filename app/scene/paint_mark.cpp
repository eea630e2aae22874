// What is lit: outlines, glows and corner marks. Each mark has a dash pattern and a sign of its own, so that
// none is told by colour alone.
#include <algorithm>
#include <cmath>

#include "app/scene/hit.h"
#include "app/scene/painting.h"

namespace blockscope {

namespace {

constexpr double kBadgeAway = 3;  // of its middle from the corner, of a radius of 6.5

struct MarkLook {
    QColor color;
    double width = 0;   // of the outline
    QList<qreal> dash;  // empty: solid
    double glow = 0;    // opacity
};

MarkLook mark_look(const Painting& p, Mark mark) {
    const Theme& t = p.theme;
    const double strength = p.lights.strength;
    switch (mark) {
        case Mark::None:
            break;
        case Mark::Selected:
            return {t.selected, 2.4, {}, 0.22};
        case Mark::Hovered:
            return {t.hovered, 1.4, {}, 0};
        case Mark::Match:
            return {t.match, 2, {4, 2}, 0.45 * strength};
        case Mark::Culprit:
            return {t.culprit, 2.2, {1.2, 1.6}, 0.4};
        case Mark::Made:
            return {t.made, 2, {}, 0.5 * strength};
        case Mark::Search:
            return {t.search, 2, {6, 2, 1.5, 2}, 0.3};
        case Mark::Removed:
            return {t.removed, 2, {3, 3}, 0.25};
        case Mark::Added:
            return {t.added, 2, {}, 0.25};
        case Mark::Moved:
            return {t.moved, 2, {8, 3}, 0.2};
        case Mark::Changed:
            return {t.changed, 2, {2, 2}, 0.25};
    }
    return {};
}

double corner_of(const Painting& p, int box) {
    switch (p.box(box).kind) {
        case BoxKind::Frame:
        case BoxKind::Cloud:
            return kFrameCorner;
        case BoxKind::Elementwise:
        case BoxKind::Reduction:
            return p.rect(box).height / 2;
        case BoxKind::Input:
        case BoxKind::Output:
        case BoxKind::Misc:
            return 2;
        case BoxKind::Functional:
            break;
    }
    return kBoxCorner;
}

bool fades(Mark mark) {
    return mark == Mark::Match || mark == Mark::Made;
}

void draw_line(QPainter& painter, double x1, double y1, double x2, double y2) {
    painter.drawLine(QPointF(x1, y1), QPointF(x2, y2));
}

// The sign of a mark, drawn around the origin within a radius of 4.
void paint_sign(QPainter& painter, Mark mark) {
    switch (mark) {
        case Mark::Match:  // a ring with its middle: here
            painter.drawEllipse(QPointF(0, 0), 3.2, 3.2);
            painter.drawEllipse(QPointF(0, 0), 0.5, 0.5);
            break;
        case Mark::Culprit:
            draw_line(painter, 0, -3.6, 0, 0.8);
            draw_line(painter, 0, 3.3, 0, 3.4);
            break;
        case Mark::Made:  // a star
            for (int i = 0; i < 3; ++i) {
                const double angle = M_PI / 2 + i * M_PI / 3;
                draw_line(painter, 3.4 * std::cos(angle), 3.4 * std::sin(angle), -3.4 * std::cos(angle),
                          -3.4 * std::sin(angle));
            }
            break;
        case Mark::Search:
            painter.drawEllipse(QPointF(-0.8, -0.8), 2.4, 2.4);
            draw_line(painter, 1.1, 1.1, 3.4, 3.4);
            break;
        case Mark::Removed:
            draw_line(painter, -3, 0, 3, 0);
            break;
        case Mark::Added:
            draw_line(painter, -3, 0, 3, 0);
            draw_line(painter, 0, -3, 0, 3);
            break;
        case Mark::Moved:
            draw_line(painter, -3.2, -1.5, 3.2, -1.5), draw_line(painter, 3.2, -1.5, 1.2, -3.4);
            draw_line(painter, 3.2, 1.5, -3.2, 1.5), draw_line(painter, -3.2, 1.5, -1.2, 3.4);
            break;
        case Mark::Changed: {
            QPainterPath wave(QPointF(-3.4, 0.8));
            wave.cubicTo(-1.8, -3.2, 1.8, 3.2, 3.4, -0.8);
            painter.drawPath(wave);
            break;
        }
        case Mark::None:
        case Mark::Selected:
        case Mark::Hovered:
            break;
    }
}

bool has_sign(Mark mark) {
    return mark != Mark::None && mark != Mark::Selected && mark != Mark::Hovered;
}

// Not smaller than ten pixels, but in a far picture it must not cover what it marks.
double badge_size(const Painting& p) {
    return std::clamp(1 / p.scale, 0.9, 2.2);
}

void paint_badge(Painting& p, QPointF center, Mark mark, const QColor& color) {
    const double size = badge_size(p);
    p.painter.save();
    p.painter.translate(center);
    p.painter.scale(size, size);
    p.painter.setPen(QPen(p.theme.canvas, 1));
    p.painter.setBrush(color);
    p.painter.drawEllipse(QPointF(0, 0), 6.5, 6.5);
    p.painter.setPen(QPen(p.theme.dark ? p.theme.canvas : QColor(Qt::white), 1.5, Qt::SolidLine, Qt::RoundCap,
                          Qt::RoundJoin));
    p.painter.setBrush(Qt::NoBrush);
    paint_sign(p.painter, mark);
    p.painter.restore();
}

// The outline and sign of `mark`, `out` units outside the box; the sign at the top left or right.
void paint_outline(Painting& p, int box, Mark mark, double out, bool left) {
    const MarkLook look = mark_look(p, mark);
    if (look.width <= 0) return;
    const double strength = fades(mark) ? p.lights.strength : 1;
    if (strength <= 0) return;
    const double opacity = p.painter.opacity();
    p.painter.setOpacity(opacity * strength);
    QPen pen(look.color, p.width(look.width, 1.2));
    pen.setCapStyle(Qt::FlatCap);
    if (!look.dash.empty()) pen.setDashPattern(look.dash);
    p.painter.setPen(pen);
    p.painter.setBrush(Qt::NoBrush);
    const QRectF rect = q(p.rect(box)).adjusted(-out, -out, out, out);
    const double corner = corner_of(p, box) + out;
    p.painter.drawRoundedRect(rect, corner, corner);
    // At the corner of the box; outside of it where it has one, as its text reaches close to its edges.
    const double away = corner_of(p, box) < p.rect(box).height / 2 ? kBadgeAway * badge_size(p) - 2 : -2;
    const QPointF badge =
        left ? rect.topLeft() + QPointF(-away, -away) : rect.topRight() + QPointF(away, -away);
    if (has_sign(mark)) paint_badge(p, badge, mark, look.color);
    p.painter.setOpacity(opacity);
}

}  // namespace

void paint_glow(Painting& p, int box) {
    const MarkLook look = mark_look(p, p.mark(box));
    if (look.glow <= 0) return;
    // Two translucent bands that get weaker outwards.
    const double corner = corner_of(p, box);
    p.painter.setBrush(Qt::NoBrush);
    for (const double reach : {4.0, 8.0}) {
        QColor color = look.color;
        color.setAlphaF(static_cast<float>(look.glow / 2));
        p.painter.setPen(QPen(color, p.width(reach, reach / 2)));
        const double half = reach / 2 + 1;
        p.painter.drawRoundedRect(q(p.rect(box)).adjusted(-half, -half, half, half), corner + half,
                                  corner + half);
    }
}

void paint_mark(Painting& p, int box) {
    const Mark mark = p.mark(box);
    paint_outline(p, box, mark, mark == Mark::Hovered ? 1.5 : 2, false);
    const auto second = p.lights.around.find(box);
    if (second != p.lights.around.end()) paint_outline(p, box, second->second, 6, true);
}

// The heat map: how much of a quantity each operator and each edge causes, as colour, width and number.

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

// Where a plate in this place is above or below a block that the edge leads to, or comes from, and whose name
// it would else cover: at the side that is nearer to the edge.
QPointF beside_block(const Picture& picture, const End& end, Point port, QPointF center,
                     const QRectF& plate) {
    if (end.box < 0) return center;
    const auto index = static_cast<std::size_t>(end.box);
    if (picture.figure.boxes.at(index).kind == BoxKind::Frame) return center;
    const Rect& block = picture.geometry.boxes.at(index);
    const QRectF there = plate.translated(center);
    if (!there.intersects(QRectF(block.x, block.y, block.width, block.height))) return center;
    constexpr double kGap = 2;
    const bool above = port.y <= block.center().y;
    center.ry() += above ? block.top() - kGap - there.bottom() : block.bottom() + kGap - there.top();
    return center;
}

// In the middle of the edge, and not over the border of the map that it is in, if that has room for two of
// them side by side; over no name of a block at its ends.
QPointF edge_plate(const Picture& picture, int edge, const std::string& text, const Lights& lights,
                   double scale) {
    constexpr double kInside = 3;
    const auto index = static_cast<std::size_t>(edge);
    const double size = plate_size(scale);
    const double below = lights.edge_labels && scale >= kLabelScale ? 15 * size : 0;  // the edge's type
    QPointF center = q(picture.geometry.labels.at(index)) + QPointF(0, below);
    const Edge& line = picture.figure.edges.at(index);
    const QRectF plate = plate_rect({}, size, text);
    if (line.container >= 0) {
        const Rect& around = picture.geometry.boxes.at(static_cast<std::size_t>(line.container));
        const double half = plate.width() / 2 + kInside;
        if (around.width >= 4 * half)
            center.setX(std::clamp(center.x(), around.left() + half, around.right() - half));
    }
    const Curve& way = picture.geometry.edges.at(index);
    if (way.empty()) return center;
    center = beside_block(picture, line.from, way.front(), center, plate);
    return beside_block(picture, line.to, way.back(), center, plate);
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
