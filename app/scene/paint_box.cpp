// Boxes: leaves of all kinds, and the frames of maps.
#include <QCoreApplication>
#include <array>
#include <cmath>
#include <map>

#include "app/scene/painting.h"

namespace blockscope {

// Leaf boxes: inputs and outputs, functional and elementwise operators, reductions, miscellaneous operators.

namespace {

struct BoxLook {
    QColor fill, rim;
    double corner;
    double rim_width = 1.2;
};

BoxLook box_look(const Painting& p, const Box& box, double height) {
    const Theme& t = p.theme;
    switch (box.kind) {
        case BoxKind::Input:
        case BoxKind::Output:
            return {t.array, t.array_rim, 1.5, 1};
        case BoxKind::Elementwise:
            return {t.formula, t.formula_rim, height / 2};
        case BoxKind::Misc:
            return {t.opaque, t.opaque_rim, 2};
        case BoxKind::Functional:
        case BoxKind::Reduction:
        case BoxKind::Frame:
        case BoxKind::Cloud:
            break;
    }
    return {t.box, t.box_rim, kBoxCorner};
}

// Diagonal lines over `rect`, six units apart.
void paint_hatching(Painting& p, const QRectF& rect, const QColor& color) {
    constexpr double kApart = 6;
    p.painter.setPen(QPen(color, p.width(0.8, 0.5)));
    QList<QLineF> lines;
    for (int line = 1; kApart * line < rect.width() + rect.height(); ++line) {
        const double sum = kApart * line;
        const double low = std::max(0.0, sum - rect.height());  // x where the line leaves by the bottom
        const double high = std::min(sum, rect.width());
        lines.push_back(
            {rect.left() + low, rect.top() + sum - low, rect.left() + high, rect.top() + sum - high});
    }
    p.painter.drawLines(lines);
}

void paint_opaque(Painting& p, const QRectF& rect, const Box& box, const BoxLook& look) {
    if (p.scale > 0.3) paint_hatching(p, rect, mixed(look.fill, look.rim, 0.45));
    const bool roomy = rect.height() >= 36;
    const QRectF middle = rect.adjusted(7, roomy ? 4 : 5, -7, roomy ? -4 : -5);
    p.painter.setPen(Qt::NoPen);
    p.painter.setBrush(look.fill);
    p.painter.drawRoundedRect(middle, 3, 3);
    if (!roomy) return paint_text(p, middle, box.label, TextRole::Label, ink_on(p.theme, look.fill));
    const QRectF above(middle.left(), middle.top(), middle.width(), middle.height() * 0.58);
    const QRectF below(middle.left(), above.bottom() - 1, middle.width(), middle.bottom() - above.bottom());
    const QColor ink = ink_on(p.theme, look.fill);
    paint_text(p, above, box.label, TextRole::Label, ink);
    paint_text(p, below, QCoreApplication::translate("Picture", "opaque").toStdString(), TextRole::Edge, ink);
}

// How much larger than at 100 % the label of a leaf is drawn, so that it can be read from afar.
double label_growth(const Painting& p) {
    constexpr double kReadableBox = 6.5;  // pixels of letters
    constexpr double kMost = 1.45;
    static const int size = picture_font(TextRole::Label).pixelSize();
    return std::clamp(kReadableBox / (size * p.scale), 1.0, kMost);
}

// A whole program has words where its boxes are a few pixels high.
void paint_label(Painting& p, const QRectF& box, const std::string& text, const QColor& ink) {
    const double grown = label_growth(p);
    if (grown <= 1) return paint_text(p, box.adjusted(5, 0, -5, 0), text, TextRole::Label, ink);
    constexpr double kRim = 1.5;
    const double width = (box.width() - 2 * kRim) / grown;  // long ones grow to the rim, not over it
    const QRectF room(-width / 2, -box.height() / 2, width, box.height());
    p.painter.save();
    p.painter.translate(box.center());
    p.painter.scale(grown, grown);
    p.scale *= grown;
    paint_text(p, room, text, TextRole::Label, ink);
    p.scale /= grown;
    p.painter.restore();
}

}  // namespace

void paint_reduction(Painting& p, QPointF center, double radius, bool maximum, const QColor& fill) {
    p.painter.setPen(QPen(p.theme.ink, p.width(1.3, 0.6)));
    p.painter.setBrush(fill);
    p.painter.drawEllipse(center, radius, radius);
    if (maximum) {
        const double half = radius * 0.8;
        paint_text(p, {center.x() - half, center.y() - half, 2 * half, 2 * half}, "max", TextRole::Edge,
                   p.theme.ink);
        return;
    }
    const double arm = radius * 0.55;
    p.painter.drawLine(center - QPointF(arm, 0), center + QPointF(arm, 0));
    p.painter.drawLine(center - QPointF(0, arm), center + QPointF(0, arm));
}

void paint_leaf(Painting& p, int index) {
    const Box& box = p.box(index);
    const QRectF rect = q(p.rect(index));
    if (box.kind == BoxKind::Reduction) {
        const double radius = std::min(rect.width(), rect.height()) / 2 - 0.6;
        paint_reduction(p, rect.center(), radius, box.label.find("max") != std::string::npos, p.theme.array);
    } else {
        BoxLook look = box_look(p, box, rect.height());
        if (const auto heat = heat_fill(p, index)) look.fill = *heat;
        p.painter.setPen(QPen(look.rim, p.width(look.rim_width, 0.6)));
        p.painter.setBrush(look.fill);
        p.painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), look.corner, look.corner);
        if (box.kind == BoxKind::Misc)
            paint_opaque(p, rect, box, look);
        else
            paint_label(p, rect, box.label, ink_on(p.theme, look.fill));
    }
    paint_heat_text(p, index);
    if (p.scale < 0.4) return;
    const double half_height = 1;
    if (!box.peeled.empty())
        paint_plate(p, {rect.left() + 16, rect.top() - half_height}, 1, box.peeled, p.theme.ink,
                    p.theme.canvas, p.theme.faint);
}

// Maps: dotted frames with the dimension in the bottom-right corner, ports on the rim, clouds when folded.

namespace {

constexpr double kDottedFrom = 0.15;  // smaller pictures have thin solid rims
constexpr double kDot = 1.5;          // diameter, in units; at least a pixel and a bit
constexpr double kDotPeriod = 4;

// Dots from `from` to `to`, a side of a frame or a quarter of a circle around a corner; only those in
// `visible`. Painted by hand: where a dash pattern of Qt begins depends on what is clipped.
class Dots {
public:
    Dots(const Rect& visible, double period) : visible_(visible.grown(4)), period_(period) {}

    void side(QPointF from, QPointF to) {
        const QPointF way = to - from;
        const double length = std::hypot(way.x(), way.y());
        const int count = std::max(1, static_cast<int>(std::lround(length / period_)));
        const QPointF step = way / count;
        for (int i = first(from, step); i <= count; ++i) {
            const QPointF p = from + i * step;
            if (visible_.contains({p.x(), p.y()}))
                points_.push_back(p);
            else if (!points_.isEmpty() && i > 0 && visible_.contains({(p - step).x(), (p - step).y()}))
                return;
        }
    }
    void corner(QPointF center, double from) {
        if (!visible_.grown(kFrameCorner).contains({center.x(), center.y()})) return;
        const int count = std::max(2, static_cast<int>(std::lround(kFrameCorner * M_PI / 2 / period_)));
        for (int i = 1; i < count; ++i) {
            const double angle = from + M_PI / 2 * i / count;
            points_.push_back(center + kFrameCorner * QPointF(std::cos(angle), std::sin(angle)));
        }
    }
    const QList<QPointF>& points() const { return points_; }

private:
    // The first dot of a side that runs right or down that can be visible.
    int first(QPointF from, QPointF step) const {
        double skip = 0;
        if (step.x() > 0) skip = (visible_.left() - from.x()) / step.x();
        if (step.y() > 0) skip = (visible_.top() - from.y()) / step.y();
        return std::max(0, static_cast<int>(std::floor(skip)));
    }

    Rect visible_;
    double period_;
    QList<QPointF> points_;
};

void paint_dots(Painting& p, const Rect& r) {
    // From afar every second, fourth, ... dot, so that their number depends on the pixels only.
    const double period = kDotPeriod * std::exp2(std::max(0.0, std::round(std::log2(1 / p.scale))));
    const double c = kFrameCorner;
    Dots dots(p.visible, period);
    dots.side({r.left() + c, r.top()}, {r.right() - c, r.top()});
    dots.side({r.left() + c, r.bottom()}, {r.right() - c, r.bottom()});
    dots.side({r.left(), r.top() + c}, {r.left(), r.bottom() - c});
    dots.side({r.right(), r.top() + c}, {r.right(), r.bottom() - c});
    dots.corner({r.right() - c, r.bottom() - c}, 0);
    dots.corner({r.left() + c, r.bottom() - c}, M_PI / 2);
    dots.corner({r.left() + c, r.top() + c}, M_PI);
    dots.corner({r.right() - c, r.top() + c}, 3 * M_PI / 2);
    p.painter.setPen(QPen(p.theme.frame_rim, p.width(kDot, 1.2), Qt::SolidLine, Qt::RoundCap));
    p.painter.drawPoints(dots.points().data(), static_cast<int>(dots.points().size()));
}

void paint_dotted(Painting& p, const Rect& rect, const QColor& fill) {
    const bool dotted =
        p.scale >= kDottedFrom && rect.width > 2 * kFrameCorner && rect.height > 2 * kFrameCorner;
    p.painter.setPen(dotted ? QPen(Qt::NoPen)
                            : QPen(mixed(p.theme.frame_fill, p.theme.frame_rim, 0.6), 0.6 / p.scale));
    p.painter.setBrush(fill);
    p.painter.drawRoundedRect(q(rect), kFrameCorner, kFrameCorner);
    if (dotted) paint_dots(p, rect);
}

void paint_corner(Painting& p, const Box& box, const Rect& rect) {
    const QRectF corner = q(rect).adjusted(8, 4, -8, -4);
    paint_text(p, corner, box.corner, TextRole::Corner, p.theme.ink, Qt::AlignRight | Qt::AlignBottom);
    if (box.kind == BoxKind::Frame)
        paint_text(p, corner, box.name, TextRole::Corner, p.theme.array_rim, Qt::AlignLeft | Qt::AlignBottom);
    if (!box.peeled.empty() && p.scale >= 0.4)
        paint_plate(p, {rect.left() + 24, rect.top()}, 1, box.peeled, p.theme.ink, p.theme.canvas,
                    p.theme.faint);
}

// A small arrow that runs round, in a circle: the loop carries this value.
void paint_loop(Painting& p, QPointF center, const QColor& fill) {
    constexpr double kRadius = 4.4;
    p.painter.setPen(QPen(p.theme.ink, p.width(1.3, 0.6)));
    p.painter.setBrush(fill);
    p.painter.drawEllipse(center, kSumRadius, kSumRadius);
    p.painter.setPen(QPen(p.theme.ink, p.width(1.2, 0.6), Qt::SolidLine, Qt::FlatCap));
    p.painter.setBrush(Qt::NoBrush);
    const QRectF around(center.x() - kRadius, center.y() - kRadius, 2 * kRadius, 2 * kRadius);
    p.painter.drawArc(around, 50 * 16, 285 * 16);
    const double angle = 50 * M_PI / 180;
    const QPointF tip(center.x() + kRadius * std::cos(angle), center.y() - kRadius * std::sin(angle));
    p.painter.setPen(Qt::NoPen);
    p.painter.setBrush(p.theme.ink);
    p.painter.drawPolygon(
        QPolygonF{{tip + QPointF(1.9, 2.4), tip + QPointF(-2.6, 1.0), tip + QPointF(1.7, -2.2)}});
}

void paint_port(Painting& p, const Port& port, QPointF at, bool input, const QColor& inside) {
    const bool filled =
        input ? port.mode == PortIn::Iterated && port.slot >= 0 : port.mark == PortMark::Plain;
    p.painter.setPen(QPen(p.theme.ink, p.width(1.2, 0.6)));
    p.painter.setBrush(filled ? p.theme.ink : p.theme.canvas);
    p.painter.drawEllipse(at, kPortRadius, kPortRadius);
    if (input && port.mode == PortIn::Continued) {
        p.painter.setPen(Qt::NoPen);
        p.painter.setBrush(p.theme.ink);
        const int from = p.geometry().flow == Flow::Down ? 180 : 270;  // the half inside the map
        p.painter.drawPie(
            QRectF(at.x() - kPortRadius, at.y() - kPortRadius, 2 * kPortRadius, 2 * kPortRadius), from * 16,
            180 * 16);
    }
    if (port.mark == PortMark::Plain) return;
    const double side = input ? 1 : -1;  // of the rim, on which the map's inside is
    const QPointF along = p.geometry().flow == Flow::Down ? QPointF(0, side) : QPointF(side, 0);
    const QPointF middle = at + along * kSumDistance;
    p.painter.setPen(QPen(p.theme.ink, p.width(1.2, 0.6)));
    p.painter.drawLine(middle, at + along * kPortRadius);
    if (port.mark == PortMark::Carried) return paint_loop(p, middle, inside);
    paint_reduction(p, middle, kSumRadius, port.mark == PortMark::Max, inside);
}

}  // namespace

void paint_frame(Painting& p, int index) {
    const Rect& rect = p.rect(index);
    paint_dotted(p, rect, background(p, index));
}

namespace {

QPainterPath make_cloud(const QRectF& rect) {
    // Bumps between points in equal steps around a rounded rectangle; each an arc that bulges outwards.
    const double bump = std::clamp(std::min(rect.width(), rect.height()) * 0.42, 6.0, 26.0);
    const QRectF core = rect.adjusted(bump * 0.32, bump * 0.32, -bump * 0.32, -bump * 0.32);
    const double corner = std::min(core.width(), core.height()) * 0.4;
    QPainterPath outline;
    outline.addRoundedRect(core, corner, corner);
    const int count = std::max(6, static_cast<int>(std::lround(outline.length() / bump)));
    std::vector<QPointF> points;
    for (int i = 0; i < count; ++i) points.push_back(outline.pointAtPercent((i + 0.5) / count));
    QPainterPath path(points.front());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const QPointF a = points[i];
        const QPointF b = points[(i + 1) % points.size()];
        const QPointF along = b - a;
        const QPointF out(along.y(), -along.x());  // the points run clockwise on the screen
        path.cubicTo(a + along * 0.05 + out * 0.55, b - along * 0.05 + out * 0.55, b);
    }
    path.closeSubpath();
    return path;
}

}  // namespace

// Walking along the outline takes longer than painting it, and most clouds stay where they are from one step
// to the next.
QPainterPath cloud_path(const QRectF& rect) {
    constexpr std::size_t kMostKept = 1000;
    thread_local std::map<std::array<double, 4>, QPainterPath> kept;
    if (kept.size() > kMostKept) kept.clear();
    const auto [found, is_new] =
        kept.try_emplace({rect.x(), rect.y(), rect.width(), rect.height()}, QPainterPath());
    if (is_new) found->second = make_cloud(rect);
    return found->second;
}

void paint_cloud(Painting& p, int index) {
    const Box& box = p.box(index);
    const Rect& rect = p.rect(index);
    paint_dotted(p, rect, background(p, index));
    // The dimension stands below the cloud where there is room, else beside it.
    const bool roomy = rect.height > 64;
    const QRectF inner = q(rect).adjusted(7, 8, roomy ? -7 : -22, roomy ? -20 : -7);
    p.painter.setPen(QPen(p.theme.frame_rim, p.width(1.2, 0.6), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QColor fill = heat_fill(p, index).value_or(p.theme.array);
    p.painter.setBrush(fill);
    p.painter.drawPath(cloud_path(inner));
    paint_text(p, inner.adjusted(6, 0, -6, 0), box.label, TextRole::Label, ink_on(p.theme, fill));
    paint_heat_text(p, index);
}

// The ground of a note, and what marks its block: the first is pale enough for the theme's ink.
struct NoteLook {
    QColor paper, mark;
};

NoteLook note_look(const Theme& theme, NoteColor color) {
    struct Row {
        const char *light, *dark, *light_mark, *dark_mark;
    };
    static constexpr std::array<Row, kNoteColors.size()> kLooks{{
        {"#fff3b8", "#4a4426", "#b07d00", "#e0b040"},
        {"#d6e8ff", "#23405f", "#1f66c1", "#6fb0ff"},
        {"#d9f2d9", "#22482c", "#1d7a36", "#63c97c"},
        {"#ffe3cc", "#563820", "#c05a00", "#ff9d57"},
        {"#ecdcfb", "#432f5c", "#7a3db8", "#c39af0"},
    }};
    const Row& row = kLooks.at(static_cast<std::size_t>(color));
    return {QColor(theme.dark ? row.dark : row.light), QColor(theme.dark ? row.dark_mark : row.light_mark)};
}

void paint_pinned(Painting& p, int index, const PinnedNote& note) {
    constexpr double kFold = 6, kBand = 4;
    const Rect& rect = p.rect(index);
    const double size = std::max(plate_size(p.scale), 0.92 / p.scale);  // 11 pixels at least
    const NoteLook look = note_look(p.theme, note.color);
    p.painter.fillRect(QRectF(rect.left() - kBand - 2, rect.top(), kBand, rect.height), look.mark);
    QRectF plate = plate_rect({}, size, note.text);
    plate.moveBottomLeft({rect.left() + 8, rect.top() + plate.height() / 3});
    paint_plate(p, plate.center(), size, note.text, p.theme.ink, look.paper, look.mark);
    const double fold = kFold * size;
    p.painter.setPen(Qt::NoPen);
    p.painter.setBrush(look.mark);
    p.painter.drawPolygon(
        QPolygonF{{plate.topRight() + QPointF(-fold, 0), plate.topRight() + QPointF(0, fold),
                   plate.topRight() + QPointF(-fold, fold)}});
}

void paint_rim(Painting& p, int index) {
    const Box& box = p.box(index);
    if (box.kind != BoxKind::Frame && box.kind != BoxKind::Cloud) return;
    paint_corner(p, box, p.rect(index));
    if (box.kind == BoxKind::Frame) paint_heat_text(p, index);
    if (p.scale < 0.2) return;
    const auto i = static_cast<std::size_t>(index);
    const QColor inside = background(p, index);
    for (std::size_t k = 0; k < box.in.size() && k < p.geometry().in[i].size(); ++k)
        paint_port(p, box.in[k], q(p.geometry().in[i][k]), true, inside);
    for (std::size_t k = 0; k < box.out.size() && k < p.geometry().out[i].size(); ++k)
        paint_port(p, box.out[k], q(p.geometry().out[i][k]), false, inside);
}

}  // namespace blockscope
