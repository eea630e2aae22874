// Edges: dark and thin in local memory, red and wide through global memory (Blockbuster section 2.1).
#include <utility>

#include "app/scene/curve.h"
#include "app/scene/painting.h"

namespace blockscope {

namespace {

constexpr double kHeadsFrom = 0.22;  // arrows have heads from this scale on

// Cuts what the port at `end` covers. `inside`: the edge comes from inside the map that the port belongs to.
Curve cut_under_port(const Painting& p, Curve curve, const End& end, bool at_end, bool inside) {
    if (end.port < 0) return curve;
    const Box& box = p.box(end.box);
    const auto& ports = at_end == inside ? box.out : box.in;
    const auto port = static_cast<std::size_t>(end.port);
    const bool circled = inside && port < ports.size() && ports[port].mark != PortMark::Plain;
    Point center = at_end ? curve.back() : curve.front();
    double radius = kPortRadius + 0.6;
    // An edge that passes the circled sign by ends at the port.
    const Point sign{center.x, center.y + (at_end ? -kSumDistance : kSumDistance)};
    if (circled && distance_to(curve, sign, 2) < kSumRadius) {
        center = mixed(center, sign, 0.5);
        radius = kSumDistance / 2 + kSumRadius + 0.6;
    }
    return at_end ? cut_end(std::move(curve), center, radius) : cut_start(std::move(curve), center, radius);
}

void paint_head(Painting& p, Point from, Point tip, double size, const QColor& color) {
    const double length = std::max(distance(from, tip), 1e-6);
    const QPointF along((tip.x - from.x) / length, (tip.y - from.y) / length);
    const QPointF across(-along.y(), along.x());
    const QPointF end = q(tip);
    p.painter.setPen(Qt::NoPen);
    p.painter.setBrush(color);
    p.painter.drawPolygon(QPolygonF{{end, end - along * size + across * size * 0.42,
                                     end - along * size * 0.75, end - along * size - across * size * 0.42}});
}

}  // namespace

QPainterPath curve_path(const Curve& curve) {
    QPainterPath path(q(curve.front()));
    for (std::size_t i = 1; i + 2 < curve.size(); i += 3)
        path.cubicTo(q(curve[i]), q(curve[i + 1]), q(curve[i + 2]));
    return path;
}

Rect curve_bounds(const Curve& curve, double by) {
    double left = curve.front().x, right = left, top = curve.front().y, bottom = top;
    for (const Point& point : curve) {
        left = std::min(left, point.x), right = std::max(right, point.x);
        top = std::min(top, point.y), bottom = std::max(bottom, point.y);
    }
    return Rect{left, top, right - left, bottom - top}.grown(by);
}

void paint_edge(Painting& p, int index) {
    const Edge& edge = p.figure().edges[static_cast<std::size_t>(index)];
    const Curve& whole = p.geometry().edges[static_cast<std::size_t>(index)];
    const bool hovered = index == p.lights.hovered_edge;
    paint_edge_heat(p, index);
    if (p.lights.edges.count(index) > 0) {
        QColor halo = p.theme.value;
        halo.setAlphaF(0.55F);
        p.painter.setBrush(Qt::NoBrush);
        p.painter.strokePath(curve_path(whole),
                             QPen(halo, p.width(8, 4), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    }
    const QColor color = edge.buffered ? p.theme.buffered : p.theme.ink;
    const double width = p.width(edge.buffered ? 2.2 : 1.1, edge.buffered ? 1.0 : 0.5) * (hovered ? 1.6 : 1);
    p.painter.setBrush(Qt::NoBrush);
    const QPen pen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (p.scale < kHeadsFrom) return p.painter.strokePath(curve_path(whole), pen);

    Curve curve = cut_under_port(p, whole, edge.from, false, edge.from.box == edge.container);
    curve = cut_under_port(p, std::move(curve), edge.to, true, edge.to.box == edge.container);
    const Point tip = curve.back();
    const double size = edge.buffered ? 9 : 7.5;
    const Curve line = cut_end(curve, tip, size * 0.75);
    p.painter.strokePath(curve_path(line), pen);
    paint_head(p, line.back(), tip, size, color);
}

void paint_edge_label(Painting& p, int index) {
    const Edge& edge = p.figure().edges[static_cast<std::size_t>(index)];
    if (edge.label.empty()) return;
    const bool hovered = index == p.lights.hovered_edge;
    QColor plate = background(p, edge.container);
    plate.setAlphaF(hovered ? 0.97F : 0.8F);
    // A hovered label is readable from afar, too.
    const double size = plate_size(p.scale) * (hovered ? std::max(1.0, 1.1 / p.scale) : 1);
    paint_plate(p, q(p.geometry().labels[static_cast<std::size_t>(index)]), size, edge.label, p.theme.ink,
                plate, hovered ? p.theme.faint : QColor(0, 0, 0, 0));
}

}  // namespace blockscope
