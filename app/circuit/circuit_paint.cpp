#include "app/circuit/circuit_paint.h"

#include <QPainterPath>

#include "app/circuit/circuit_text.h"

namespace blockscope {

namespace {

using namespace circuit;

constexpr double kDot = 2.6;       // radius
constexpr double kLitWidth = 3.6;  // of the wires of a lit axis
constexpr double kHalo = 7;
constexpr double kBarb = 3;

QRectF qrect(const Rect& rect) {
    return {rect.x, rect.y, rect.width, rect.height};
}

QPointF qpoint(Point p) {
    return {p.x, p.y};
}

QPainterPath path_of(const Curve& points) {
    QPainterPath path(qpoint(points.front()));
    for (std::size_t i = 1; i + 2 < points.size(); i += 3) {
        const bool level = points[i].y == points[i - 1].y && points[i + 2].y == points[i - 1].y;
        if (level)
            path.lineTo(qpoint(points[i + 2]));
        else
            path.cubicTo(qpoint(points[i]), qpoint(points[i + 1]), qpoint(points[i + 2]));
    }
    return path;
}

class Painter {
public:
    Painter(QPainter& painter, const Drawing& drawing, const CircuitLook& look, const CircuitLights& lights,
            const AnnouncePart& announce)
        : painter_(painter), drawing_(drawing), look_(look), lights_(lights), announce_(announce) {}

    void run() {
        painter_.setRenderHint(QPainter::Antialiasing);
        each(CircuitPart::Kind::Frame, drawing_.frames, [&](const DrawnFrame& f, int i) { frame(f, i); });
        say({});
        for (const DrawnSeparator& line : drawing_.separators) separator(line);
        each(CircuitPart::Kind::Wire, drawing_.wires, [&](const DrawnWire& w, int i) { wire(w, i); });
        say({});
        for (const DrawnDot& dot : drawing_.dots) filled_dot(dot);
        each(CircuitPart::Kind::Glyph, drawing_.glyphs, [&](const DrawnGlyph& g, int i) { glyph(g, i); });
        say({});
        for (const DrawnLabel& label : drawing_.labels) written(label);
        each(CircuitPart::Kind::Number, drawing_.numbers, [&](const DrawnNumber& n, int i) { number(n, i); });
        say({});
    }

private:
    template <class T, class F>
    void each(CircuitPart::Kind kind, const std::vector<T>& all, const F& draw) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            say({kind, static_cast<int>(i)});
            draw(all[i], static_cast<int>(i));
        }
    }

    void say(const CircuitPart& part) const {
        if (announce_) announce_(part);
    }

    bool hovered(CircuitPart::Kind kind, int index) const {
        return lights_.hovered == CircuitPart{kind, index};
    }

    void pen(const QColor& colour, double width) {
        painter_.setPen(QPen(colour, width));
        painter_.setBrush(Qt::NoBrush);
    }

    // ---- frames ----

    void frame(const DrawnFrame& f, int index) {
        const bool lit = lights_.frames.count(index) > 0;
        const bool pointed = hovered(CircuitPart::Kind::Frame, index);
        QColor rim = lit ? look_.theme.selected : pointed ? look_.theme.hovered : look_.theme.frame_rim;
        if (!lit && !pointed) rim = mixed(look_.theme.canvas, rim, 0.75);
        const double width = lit ? 2.2 : pointed ? 1.6 : 1;
        painter_.setBrush(Qt::NoBrush);
        switch (f.kind) {
            case FrameKind::Named:
            case FrameKind::Kernel:
                named(f, rim, width);
                break;
            case FrameKind::Repeat:
                bracket(f, rim, std::max(width, 2.0), true);
                break;
            case FrameKind::Stream:
                bracket(f, rim, std::max(width, 1.6), false);
                break;
            case FrameKind::Split: {
                QPen dots(rim, std::max(width, 1.4), Qt::CustomDashLine, Qt::RoundCap);
                dots.setDashPattern({0.1, 2.4});
                painter_.setPen(dots);
                painter_.drawPath(outline(f, 2));
                break;
            }
            case FrameKind::Groups: {
                QPen dashes(rim, width);
                dashes.setDashPattern({3, 3});
                painter_.setPen(dashes);
                painter_.drawPath(outline(f, 6));
                break;
            }
        }
        if (f.title_box.width > 0)
            paint_rich(painter_, f.title_box, f.title, LabelRole::Title,
                       lit ? look_.theme.selected : look_.theme.faint);
    }

    void named(const DrawnFrame& f, const QColor& rim, double width) {
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(look_.tints[f.depth % 5]);
        painter_.drawRect(qrect(f.rect));
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(rim, width));
        painter_.drawPath(outline(f, 3));
    }

    // Without the sides on which it goes on in another line.
    static QPainterPath outline(const DrawnFrame& f, double round) {
        QPainterPath path;
        const QRectF r = qrect(f.rect);
        if (!f.open_left && !f.open_right) {
            path.addRoundedRect(r, round, round);
            return path;
        }
        path.moveTo(f.open_left ? r.topLeft() : r.bottomLeft());
        if (!f.open_left) path.lineTo(r.topLeft());
        path.lineTo(r.topRight());
        if (f.open_right)
            path.moveTo(r.bottomRight());
        else
            path.lineTo(r.bottomRight());
        path.lineTo(r.bottomLeft());
        return path;
    }

    // Around what is repeated square, around a stream round, like the parentheses of a loop.
    void bracket(const DrawnFrame& f, const QColor& rim, double width, bool square) {
        pen(rim, width);
        const QRectF r = qrect(f.rect);
        if (!f.open_left) side(r.left(), r.top(), r.bottom(), 1, square);
        if (!f.open_right) side(r.right(), r.top(), r.bottom(), -1, square);
    }

    void side(double x, double top, double bottom, int inwards, bool square) {
        const double reach = 6.0 * inwards;
        QPainterPath path(QPointF(x + reach, top));
        if (square) {
            path.lineTo(x, top);
            path.lineTo(x, bottom);
            path.lineTo(x + reach, bottom);
        } else {
            const double bow = std::min(30.0, (bottom - top) / 3);
            path.cubicTo(x, top + bow / 3, x, top + bow * 0.7, x, top + bow);
            path.lineTo(x, bottom - bow);
            path.cubicTo(x, bottom - bow * 0.7, x, bottom - bow / 3, x + reach, bottom);
        }
        painter_.drawPath(path);
    }

    // ---- wires ----

    void separator(const DrawnSeparator& line) {
        QPen dashes(look_.separator, 1.4);
        dashes.setCapStyle(Qt::FlatCap);
        dashes.setDashPattern({3.6, 3.6});
        painter_.setPen(dashes);
        painter_.drawLine(QPointF(line.x0, line.y), QPointF(line.x1, line.y));
    }

    void wire(const DrawnWire& w, int index) {
        const QPainterPath path = path_of(w.points);
        painter_.setBrush(Qt::NoBrush);
        const bool lit = w.axis.value >= 0 && lights_.axes.count(w.axis.value) > 0;
        const bool pointed = hovered(CircuitPart::Kind::Wire, index);
        if (lit || pointed) {
            QColor halo = lit ? look_.theme.value : look_.theme.hovered;
            halo.setAlphaF(lit ? 0.45F : 0.25F);
            painter_.setPen(QPen(halo, kHalo, Qt::SolidLine, Qt::FlatCap));
            painter_.drawPath(path);
        }
        QPen line = look_.level_pen(drawing_.look_of(w.level));
        if (lit) line.setWidthF(std::min(kLitWidth, line.widthF() * 1.5));
        if (w.axis.value < 0) {  // an array without axes
            line = QPen(look_.level_colour(drawing_.look_of(w.level)), 2.6, Qt::SolidLine, Qt::RoundCap);
            line.setDashPattern({0.1, 1.8});
        }
        painter_.setPen(line);
        painter_.drawPath(path);
    }

    void filled_dot(const DrawnDot& dot) {
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(look_.level_colour(drawing_.look_of(dot.level)));
        painter_.drawEllipse(qpoint(dot.at), kDot, kDot);
    }

    // ---- glyphs ----

    void glyph(const DrawnGlyph& g, int index) {
        const bool lit = lights_.glyphs.count(index) > 0;
        const bool pointed =
            hovered(CircuitPart::Kind::Glyph, index) || lights_.pointed_glyphs.count(index) > 0;
        if (lit || pointed) glow(g, lit);
        const QColor ink = lit ? look_.theme.selected : look_.theme.ink;
        painter_.setPen(QPen(ink, lit ? 2.2 : 1.2));
        painter_.setBrush(look_.glyph);
        const QRectF box = qrect(g.box);
        switch (g.kind) {
            case GlyphKind::Transfer:
                return;
            case GlyphKind::Cup:
                return cup(g, lit);
            case GlyphKind::Triangle:
                painter_.drawPolygon(
                    QPolygonF({QPointF(box.left(), box.center().y()), box.topRight(), box.bottomRight()}));
                return;
            case GlyphKind::Norm:
                painter_.drawEllipse(box);
                return centred(g, "V", LabelRole::Glyph, ink);
            case GlyphKind::Mask:
                return mask(box);
            case GlyphKind::Box:
                painter_.drawRect(box);
                return centred(g, g.text, LabelRole::Glyph, ink);
            case GlyphKind::Tag:
                painter_.drawRoundedRect(box, box.height() / 2, box.height() / 2);
                return centred(g, g.text, LabelRole::Title, ink);
            case GlyphKind::Bold:
                return centred(g, g.text, LabelRole::Bold, ink);
            case GlyphKind::Arrow:
                return arrow(g, ink);
            case GlyphKind::Hexagon:
                painter_.drawPolygon(hexagon(box));
                return centred(g, g.text, LabelRole::Title, ink);
            case GlyphKind::Learned:
                painter_.setBrush(look_.learned);
                painter_.drawPolygon(cut_box(box));
                return centred(g, g.text, LabelRole::Bold, ink);
        }
    }

    // Long and flat, its points left and right.
    static QPolygonF hexagon(const QRectF& box) {
        const double slope = std::min(7.0, box.height() / 2);
        const double y = box.center().y();
        return {QPointF(box.left(), y),
                QPointF(box.left() + slope, box.top()),
                QPointF(box.right() - slope, box.top()),
                QPointF(box.right(), y),
                QPointF(box.right() - slope, box.bottom()),
                QPointF(box.left() + slope, box.bottom())};
    }

    // Without its lower left corner.
    static QPolygonF cut_box(const QRectF& box) {
        constexpr double kCut = 7;
        return {box.topLeft(), box.topRight(), box.bottomRight(), QPointF(box.left() + kCut, box.bottom()),
                QPointF(box.left(), box.bottom() - kCut)};
    }

    void glow(const DrawnGlyph& g, bool lit) {
        QColor halo = lit ? look_.theme.selected : look_.theme.hovered;
        halo.setAlphaF(0.22F);
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(halo);
        painter_.drawRoundedRect(qrect(g.box.grown(4)), 5, 5);
    }

    void cup(const DrawnGlyph& g, bool lit) {
        QPen line = look_.level_pen(drawing_.look_of(g.level));
        if (lit) line = QPen(look_.theme.selected, 2.6);
        painter_.setPen(line);
        painter_.setBrush(Qt::NoBrush);
        const QRectF circle(g.box.left() - g.box.height / 2, g.box.top(), g.box.height, g.box.height);
        QPainterPath path;
        path.arcMoveTo(circle, 90);
        path.arcTo(circle, 90, -180);
        painter_.drawPath(path);
    }

    void mask(const QRectF& box) {
        painter_.setBrush(look_.mask);
        painter_.drawRect(box);
        painter_.setBrush(look_.shade);
        painter_.drawPolygon(QPolygonF({box.topLeft(), box.topRight(), box.bottomRight()}));
    }

    void arrow(const DrawnGlyph& g, const QColor& ink) {
        const QRectF box = qrect(g.box);
        const double y = box.center().y();
        pen(ink, 1.2);
        for (const double x : {box.left() + 1, box.right() - 13}) {
            painter_.drawLine(QPointF(x, y), QPointF(x + 12, y));
            painter_.drawLine(QPointF(x + 12 - kBarb, y - kBarb), QPointF(x + 12, y));
            painter_.drawLine(QPointF(x + 12 - kBarb, y + kBarb), QPointF(x + 12, y));
        }
        centred(g, g.text, LabelRole::Glyph, ink);
    }

    void centred(const DrawnGlyph& g, const std::string& text, LabelRole role, const QColor& ink) {
        const Size size = rich_size(text, role);
        const Point middle = g.box.center();
        paint_rich(painter_, {middle.x - size.width / 2, middle.y - size.height / 2, size.width, size.height},
                   text, role, ink);
    }

    // ---- labels and numbers ----

    void written(const DrawnLabel& label) {
        const bool lit = label.axis.value >= 0 && lights_.axes.count(label.axis.value) > 0;
        const bool quiet = label.role == LabelRole::Title || label.role == LabelRole::Number;
        const QColor colour = lit     ? look_.theme.ink
                              : quiet ? look_.theme.faint
                                      : look_.level_colour(drawing_.look_of(label.level));
        if (label.role == LabelRole::Tag) {
            pen(mixed(look_.theme.canvas, colour, 0.55), 0.8);
            const Rect rim{label.box.x - 2.5, label.box.y - 0.5, label.box.width + 5, label.box.height + 1};
            painter_.drawRoundedRect(qrect(rim), 3, 3);
        }
        paint_rich(painter_, label.box, label.text, label.role, colour, label.overline);
    }

    void number(const DrawnNumber& n, int index) {
        const bool pointed = hovered(CircuitPart::Kind::Number, index);
        const Rect around{n.box.x - 3, n.box.y - 0.5, n.box.width + 6, n.box.height + 1};
        if (n.widest || pointed) {
            painter_.setPen(pointed ? QPen(look_.theme.hovered, 1.2) : QPen(look_.theme.buffered, 1.4));
            painter_.setBrush(Qt::NoBrush);
            painter_.drawRoundedRect(qrect(around), 3, 3);
        }
        pen(mixed(look_.theme.canvas, look_.theme.faint, 0.6), 1);
        painter_.drawLine(QPointF(n.column.x, n.column.y + 1), QPointF(n.column.x, n.column.y + 5));
        paint_rich(painter_, n.box, n.text, LabelRole::Number, look_.level_colour(drawing_.look_of(n.level)));
    }

    QPainter& painter_;
    const Drawing& drawing_;
    const CircuitLook& look_;
    const CircuitLights& lights_;
    const AnnouncePart& announce_;
};

}  // namespace

void paint_circuit(QPainter& painter, const Drawing& drawing, const CircuitLook& look,
                   const CircuitLights& lights, const AnnouncePart& announce) {
    Painter(painter, drawing, look, lights, announce).run();
}

}  // namespace blockscope
