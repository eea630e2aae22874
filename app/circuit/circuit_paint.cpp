#include "app/circuit/circuit_paint.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <cmath>

namespace blockscope {

namespace {

constexpr double kThin = 1.3, kWide = 1.9;

}  // namespace

QPen CircuitLook::level_pen(int level) const {
    QPen pen(level_colour(level), level == 0 ? kThin : kWide);
    pen.setCapStyle(Qt::FlatCap);
    if (level == 2) pen.setDashPattern({5, 1.4});
    if (level == 3) pen.setDashPattern({1.6, 1.4});
    if (level >= 4) pen.setDashPattern({6, 1.4, 1.2, 1.4});
    return pen;
}

// The notation's orange, green and blue, darkened on white until they can be seen well.
CircuitLook circuit_look(const Theme& theme) {
    CircuitLook look;
    look.theme = theme;
    look.levels[0] = theme.ink;
    look.separator = mixed(theme.canvas, theme.ink, 0.45);
    look.glyph = theme.array;
    if (theme.dark) {
        look.levels[1] = "#f5a623", look.levels[2] = "#7ed321", look.levels[3] = "#5aa2f0";
        look.levels[4] = "#c9a3e8";
        look.mask = "#8a4a68", look.shade = "#3a3f48", look.learned = "#3d4a42";
        look.tints[0] = "#262338", look.tints[1] = "#302338", look.tints[2] = "#1d3324";
        look.tints[3] = "#22351f", look.tints[4] = "#383320";
    } else {
        look.levels[1] = "#c26a00", look.levels[2] = "#3f7f00", look.levels[3] = "#1f66c2";
        look.levels[4] = "#7d4aa0";
        look.mask = "#f9cbdf", look.shade = "#9aa0a8", look.learned = "#e8eeeb";
        look.tints[0] = "#f0eefa", look.tints[1] = "#f6eefa", look.tints[2] = "#eaf6ed";
        look.tints[3] = "#eaf2e6", look.tints[4] = "#fdfae6";
    }
    return look;
}

QFont circuit_font(circuit::LabelRole role) {
    using circuit::LabelRole;
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setHintingPreference(QFont::PreferNoHinting);  // the same widths at every scale
    font.setPixelSize(static_cast<int>(circuit::letter_size(role)));
    font.setItalic(role == LabelRole::Axis);
    font.setBold(role == LabelRole::Bold || role == LabelRole::Name);
    return font;
}

circuit::LabelMeasure circuit_measure() {
    return [](const std::string& text, circuit::LabelRole role) { return rich_size(text, role); };
}

namespace {

using circuit::LabelRole;
using circuit::TextRun;

QFont shifted(QFont font) {
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(font.pixelSize() * circuit::kShiftedSize))));
    return font;
}

struct Fonts {
    QFont plain, small;
    double height = 0, ascent = 0;
};

const Fonts& fonts_of(LabelRole role) {
    static const auto make = [](LabelRole wanted) {
        const QFont font = circuit_font(wanted);
        const QFontMetricsF metrics(font);
        return Fonts{font, shifted(font), metrics.height(), metrics.ascent()};
    };
    static const Fonts all[] = {make(LabelRole::Axis),  make(LabelRole::Name), make(LabelRole::Title),
                                make(LabelRole::Glyph), make(LabelRole::Bold), make(LabelRole::Number),
                                make(LabelRole::Tag)};
    return all[static_cast<int>(role)];
}

double run_width(const TextRun& run, const Fonts& fonts) {
    return QFontMetricsF(run.shift == 0 ? fonts.plain : fonts.small)
        .horizontalAdvance(QString::fromStdString(run.text));
}

}  // namespace

Size rich_size(const std::string& text, LabelRole role) {
    const Fonts& fonts = fonts_of(role);
    double width = 0;
    for (const TextRun& run : circuit::rich_text(text)) width += run_width(run, fonts);
    return {width, fonts.height};
}

void paint_rich(QPainter& painter, const Rect& box, const std::string& text, LabelRole role,
                const QColor& colour, bool overline) {
    const Fonts& fonts = fonts_of(role);
    const std::vector<TextRun> runs = circuit::rich_text(text);
    double x = box.left();
    const double base = box.top() + fonts.ascent;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const TextRun& run = runs[i];
        const double y = base - run.shift * fonts.ascent * (run.shift > 0 ? 0.4 : 0.18);
        const double width = run_width(run, fonts);
        painter.setFont(run.shift == 0 ? fonts.plain : fonts.small);
        painter.setPen(colour);
        painter.drawText(QPointF(x, y), QString::fromStdString(run.text));
        const bool last_name = i + 1 == runs.size() || runs[i + 1].shift >= 0;
        if (overline && run.shift <= 0 && last_name && (i == 0 || runs[i - 1].shift == 0) &&
            run.text.find_first_not_of("()*") != std::string::npos) {
            const QFontMetricsF metrics(painter.font());
            const bool tall = run.text.find_first_not_of("acegmnopqrsuvwxyz()*'") != std::string::npos;
            const double letters =
                (tall ? metrics.capHeight() : metrics.xHeight()) + (run.shift < 0 ? 1.6 : 2.0);
            painter.setPen(QPen(colour, 0.9));
            painter.drawLine(QPointF(x + 0.5, y - letters), QPointF(x + width - 0.5, y - letters));
            overline = false;
        }
        x += width;
    }
}

using circuit::Drawing;
using circuit::DrawnDot;
using circuit::DrawnFrame;
using circuit::DrawnGlyph;
using circuit::DrawnLabel;
using circuit::DrawnNumber;
using circuit::DrawnSeparator;
using circuit::DrawnWire;
using circuit::FrameKind;
using circuit::GlyphKind;
using circuit::LabelRole;

namespace {

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

// What of a drawing is where, and what it says.

using circuit::Axis;
using circuit::Drawing;
using circuit::DrawnLabel;
using circuit::DrawnNumber;
using circuit::DrawnWire;
using circuit::NumberKind;

namespace {

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
