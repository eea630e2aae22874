// Leaf boxes: inputs and outputs, functional and elementwise operators, reductions, miscellaneous operators.
#include <QCoreApplication>

#include "app/scene/painting.h"

namespace blockscope {

namespace {

struct Look {
    QColor fill, rim;
    double corner;
    double rim_width = 1.2;
};

Look look_of(const Painting& p, const Box& box, double height) {
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
    for (double sum = kApart; sum < rect.width() + rect.height(); sum += kApart) {
        const double low = std::max(0.0, sum - rect.height());  // x where the line leaves by the bottom
        const double high = std::min(sum, rect.width());
        lines.push_back(
            {rect.left() + low, rect.top() + sum - low, rect.left() + high, rect.top() + sum - high});
    }
    p.painter.drawLines(lines);
}

void paint_opaque(Painting& p, const QRectF& rect, const Box& box, const Look& look) {
    if (p.scale > 0.3) paint_hatching(p, rect, mixed(look.fill, look.rim, 0.45));
    const bool roomy = rect.height() >= 36;
    const QRectF middle = rect.adjusted(7, roomy ? 4 : 5, -7, roomy ? -4 : -5);
    p.painter.setPen(Qt::NoPen);
    p.painter.setBrush(look.fill);
    p.painter.drawRoundedRect(middle, 3, 3);
    if (!roomy) return paint_text(p, middle, box.label, TextRole::Label, ink_on(p.theme, look.fill));
    const QRectF upper(middle.left(), middle.top(), middle.width(), middle.height() * 0.58);
    const QRectF lower(middle.left(), upper.bottom() - 1, middle.width(), middle.bottom() - upper.bottom());
    const QColor ink = ink_on(p.theme, look.fill);
    paint_text(p, upper, box.label, TextRole::Label, ink);
    paint_text(p, lower, QCoreApplication::translate("Picture", "opaque").toStdString(), TextRole::Edge, ink);
}

// How much larger than at 100 % the label of a leaf is drawn, so that it can be read from afar.
double label_growth(const Painting& p) {
    constexpr double kReadable = 6.5;  // pixels of letters
    constexpr double kMost = 1.45;
    static const int size = picture_font(TextRole::Label).pixelSize();
    return std::clamp(kReadable / (size * p.scale), 1.0, kMost);
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
        Look look = look_of(p, box, rect.height());
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

}  // namespace blockscope
