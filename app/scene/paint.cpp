#include "app/scene/paint.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QStaticText>
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "app/scene/hit.h"
#include "app/scene/painting.h"

namespace blockscope {

namespace {

constexpr double kMarkReach = 16;     // how far glows, marks and tags reach over a box
constexpr double kLabelReach = 130;   // how far the type of an edge reaches from its middle
constexpr double kLeafPixels = 2.5;   // of many leaves those lower than this on the device are left out,
constexpr double kLeastPixels = 0.8;  // of few these
constexpr double kEdgePixels = 1.5;   // and edges shorter than this
constexpr std::size_t kManyBoxes = 500;
constexpr std::size_t kManyParts = 6000;

std::vector<int> depths(const Figure& figure) {
    std::vector<int> result(figure.boxes.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        const int parent = figure.boxes[i].parent;
        result[i] = parent < 0 ? 0 : result[static_cast<std::size_t>(parent)] + 1;
    }
    return result;
}

struct Seen {
    std::vector<int> boxes, edges, labels;
};

Seen seen(const Painting& p) {
    Seen result;
    for (int i = 0; i < static_cast<int>(p.figure().boxes.size()); ++i)
        if (p.opacity_of_box(i) > 0 && p.rect(i).grown(kMarkReach).intersects(p.visible))
            result.boxes.push_back(i);
    for (int i = 0; i < static_cast<int>(p.figure().edges.size()); ++i) {
        const Curve& curve = p.geometry().edges[static_cast<std::size_t>(i)];
        if (curve.size() < 4 || p.opacity_of_edge(i) <= 0) continue;
        const Rect bounds = curve_bounds(curve, 0);
        if (std::max(bounds.width, bounds.height) * p.scale < kEdgePixels) continue;
        if (bounds.grown(kMarkReach).intersects(p.visible)) result.edges.push_back(i);
        const Point label = p.geometry().labels[static_cast<std::size_t>(i)];
        if (Rect{label.x, label.y, 0, 0}.grown(kLabelReach).intersects(p.visible)) result.labels.push_back(i);
    }
    return result;
}

// Outermost first: what is on its way out comes last in a blend, but lies below what it held.
std::vector<int> frames(const Painting& p, const std::vector<int>& boxes) {
    std::vector<int> result;
    std::copy_if(boxes.begin(), boxes.end(), std::back_inserter(result),
                 [&](int i) { return p.box(i).kind == BoxKind::Frame; });
    std::stable_sort(result.begin(), result.end(), [&](int a, int b) {
        return p.depth[static_cast<std::size_t>(a)] < p.depth[static_cast<std::size_t>(b)];
    });
    return result;
}

void paint_boxes(Painting& p, const std::vector<int>& boxes) {
    const double least = boxes.size() > kManyBoxes ? kLeafPixels : kLeastPixels;
    for (const int i : boxes) {
        const Box& box = p.box(i);
        if (box.kind == BoxKind::Frame) continue;
        if (p.rect(i).height * p.scale < least) continue;
        p.painter.setOpacity(p.opacity_of_box(i));
        p.begin(Part::Kind::Glow, i);
        paint_glow(p, i);
        p.begin(Part::Kind::Box, i);
        if (box.kind == BoxKind::Cloud)
            paint_cloud(p, i);
        else
            paint_leaf(p, i);
    }
}

// A thin line around the maps of a part, each of which has its name: no loop, so it is not dotted.
void paint_parts(Painting& p) {
    constexpr double kCorner = 14;
    for (const PartRegion& region : part_regions(p.picture)) {
        if (!region.rect.intersects(p.visible)) continue;
        p.painter.setPen(QPen(mixed(p.theme.canvas, p.theme.faint, 0.6), p.width(1, 0.7)));
        p.painter.setBrush(Qt::NoBrush);
        p.painter.drawRoundedRect(q(region.rect), kCorner, kCorner);
    }
}

void paint_all(Painting& p) {
    p.painter.save();
    p.painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    const Seen what = seen(p);
    if (!p.box_opacity) paint_parts(p);
    for (const int i : frames(p, what.boxes)) {
        p.painter.setOpacity(p.opacity_of_box(i));
        p.begin(Part::Kind::Glow, i);
        paint_glow(p, i);
        p.begin(Part::Kind::Box, i);
        paint_frame(p, i);
    }
    for (const bool buffered : {false, true})  // red edges lie on top
        for (const int i : what.edges) {
            if (p.figure().edges[static_cast<std::size_t>(i)].buffered != buffered) continue;
            p.painter.setOpacity(p.opacity_of_edge(i));
            p.begin(Part::Kind::Edge, i);
            paint_edge(p, i);
        }
    const bool labels = p.lights.edge_labels && p.scale >= kLabelScale;
    for (const int i : what.labels) {  // below boxes and ports, which they must not hide
        if (!labels || i == p.lights.hovered_edge) continue;
        p.painter.setOpacity(p.opacity_of_edge(i));
        if (stands_aside(p, i)) continue;
        p.begin(Part::Kind::EdgeLabel, i);
        paint_edge_label(p, i);
    }
    for (const int i : what.edges) {
        if (p.figure().edges[static_cast<std::size_t>(i)].bundle != i) continue;
        p.painter.setOpacity(p.opacity_of_edge(i));
        p.begin(Part::Kind::EdgeLabel, i);
        paint_bundle_count(p, i);
    }
    paint_boxes(p, what.boxes);
    for (const int i : what.boxes) {
        p.painter.setOpacity(p.opacity_of_box(i));
        p.begin(Part::Kind::Ports, i);
        paint_rim(p, i);
    }
    for (const int i : p.lights.heated ? what.labels : std::vector<int>()) {
        p.painter.setOpacity(p.opacity_of_edge(i));
        p.begin(Part::Kind::EdgeLabel, i);
        paint_edge_heat_text(p, i);
    }
    p.painter.setOpacity(1);
    if (std::binary_search(what.labels.begin(), what.labels.end(), p.lights.hovered_edge)) {
        p.begin(Part::Kind::EdgeLabel, p.lights.hovered_edge);
        paint_edge_label(p, p.lights.hovered_edge);
    }
    for (const int i : what.boxes) {
        p.painter.setOpacity(p.opacity_of_box(i));
        p.begin(Part::Kind::Mark, i);
        paint_mark(p, i);
    }
    p.painter.setOpacity(1);
    for (const auto& [box, note] : p.lights.notes)
        if (std::binary_search(what.boxes.begin(), what.boxes.end(), box)) paint_pinned(p, box, note);
    p.painter.restore();
}

}  // namespace

std::map<int, PinnedNote> notes_in(const Picture& picture, const std::map<NodeId, PinnedNote>& pinned) {
    constexpr qsizetype kLongest = 40;  // letters
    std::map<int, PinnedNote> notes;
    for (const auto& [node, note] : pinned) {
        const int box = picture.figure.find(node);
        if (box < 0) continue;
        QString line = QString::fromStdString(note.text).section(QLatin1Char('\n'), 0, 0);
        if (line.size() > kLongest) line = line.left(kLongest - 1) + QChar(0x2026);
        notes.emplace(box, PinnedNote{line.toStdString(), note.color});
    }
    return notes;
}

std::vector<PartRegion> part_regions(const Picture& picture) {
    constexpr double kAround = 9;
    const Figure& figure = picture.figure;
    const auto rect_of = [&](int box) { return picture.geometry.boxes[static_cast<std::size_t>(box)]; };
    const auto name_of = [&](int box) { return figure.boxes[static_cast<std::size_t>(box)].name; };
    // In the order of execution; a part that goes on in the next column begins anew there.
    std::vector<std::vector<int>> groups;
    for (const int box : figure.roots) {
        const BoxKind kind = figure.boxes[static_cast<std::size_t>(box)].kind;
        if (kind != BoxKind::Frame && kind != BoxKind::Cloud) continue;
        const Rect rect = rect_of(box);
        const bool down = picture.geometry.flow == Flow::Down;
        const bool goes_on = !groups.empty() && name_of(groups.back().back()) == name_of(box) &&
                             (down ? rect.left() < rect_of(groups.back().back()).right() &&
                                         rect_of(groups.back().back()).left() < rect.right()
                                   : rect.top() < rect_of(groups.back().back()).bottom() &&
                                         rect_of(groups.back().back()).top() < rect.bottom());
        if (!goes_on) groups.emplace_back();
        groups.back().push_back(box);
    }
    const auto around = [&](const std::vector<int>& members) {
        Rect all = rect_of(members.front());
        for (const int box : members) {
            const Rect rect = rect_of(box);
            const double left = std::min(all.left(), rect.left()), top = std::min(all.top(), rect.top());
            all = {left, top, std::max(all.right(), rect.right()) - left,
                   std::max(all.bottom(), rect.bottom()) - top};
        }
        return all.grown(kAround);
    };
    std::vector<PartRegion> regions;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const std::vector<int>& members = groups[i];
        const std::string& name = name_of(members.front());
        const auto same = [&](std::size_t other) {
            return other < groups.size() && name_of(groups[other].front()) == name;
        };
        const bool several = members.size() > 1 || same(i + 1) || (i > 0 && same(i - 1));
        if (name.empty() || !several) continue;
        const Rect all = around(members);
        const bool alone = std::none_of(figure.roots.begin(), figure.roots.end(), [&](int other) {
            return std::find(members.begin(), members.end(), other) == members.end() &&
                   rect_of(other).intersects(all);
        });
        if (alone) regions.push_back({name, all});
    }
    return regions;
}

bool has_many_parts(const Picture& picture) {
    return picture.figure.boxes.size() + picture.figure.edges.size() > kManyParts;
}

QColor background(const Painting& p, int box) {
    if (box < 0) return p.theme.canvas;
    return frame_fill(p.theme, p.depth[static_cast<std::size_t>(box)]);
}

void paint(QPainter& painter, const Picture& picture, const Theme& theme, const Lights& lights,
           const Rect& visible, double scale) {
    Painting p{.painter = painter,
               .picture = picture,
               .theme = theme,
               .lights = lights,
               .visible = visible,
               .scale = scale,
               .box_opacity = nullptr,
               .edge_opacity = nullptr,
               .depth = depths(picture.figure)};
    paint_all(p);
}

void paint(QPainter& painter, const Picture& picture, const Theme& theme, const Lights& lights,
           const Rect& visible, double scale, const std::function<void(const Part&)>& part) {
    Painting p{.painter = painter,
               .picture = picture,
               .theme = theme,
               .lights = lights,
               .visible = visible,
               .scale = scale,
               .box_opacity = nullptr,
               .edge_opacity = nullptr,
               .depth = depths(picture.figure),
               .part = &part};
    paint_all(p);
}

void paint(QPainter& painter, const Blend& blend, const Theme& theme, const Lights& lights,
           const Rect& visible, double scale) {
    Painting p{.painter = painter,
               .picture = blend.picture,
               .theme = theme,
               .lights = lights,
               .visible = visible,
               .scale = scale,
               .box_opacity = &blend.box_opacity,
               .edge_opacity = &blend.edge_opacity,
               .depth = depths(blend.picture.figure)};
    paint_all(p);
}

QImage thumbnail(const Picture& picture, const Theme& theme, int width, int height,
                 double device_pixel_ratio) {
    const Rect& bounds = picture.geometry.bounds;
    const double scale =
        std::min({width / std::max(bounds.width, 1.0), height / std::max(bounds.height, 1.0), 1.0});
    const auto pixels = [&](double units) {
        return std::max(1, static_cast<int>(std::ceil(units * scale * device_pixel_ratio - 1e-6)));
    };
    QImage image(pixels(bounds.width), pixels(bounds.height), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(device_pixel_ratio);
    image.fill(theme.canvas);
    QPainter painter(&image);
    painter.scale(scale, scale);
    painter.translate(-bounds.x, -bounds.y);
    paint(painter, picture, theme, {}, bounds, scale * device_pixel_ratio);
    return image;
}

// Text of pictures. On screens each line is laid out once and kept; files get it as text.

namespace {

struct Line {
    QString text;
    QStaticText laid_out;
    QSizeF size;
    double ascent = 0;
};

const QFont& font_of(TextRole role) {
    static const QFont kFonts[] = {picture_font(TextRole::Label), picture_font(TextRole::Corner),
                                   picture_font(TextRole::Edge)};
    return kFonts[static_cast<int>(role)];
}

const Line& line_of(const std::string& text, TextRole role) {
    constexpr std::size_t kMost = 20'000;
    thread_local std::unordered_map<std::string, Line> lines[3];
    auto& known = lines[static_cast<int>(role)];
    const auto found = known.find(text);
    if (found != known.end()) return found->second;
    if (known.size() >= kMost) known.clear();
    const QFontMetricsF metrics(font_of(role));
    Line line;
    line.text = QString::fromStdString(text);
    line.laid_out = QStaticText(line.text);
    line.laid_out.setTextFormat(Qt::PlainText);
    line.laid_out.setPerformanceHint(QStaticText::AggressiveCaching);
    line.size = QSizeF(metrics.horizontalAdvance(line.text), metrics.height());
    line.ascent = metrics.ascent();
    return known.emplace(text, std::move(line)).first->second;
}

void draw_line(QPainter& painter, const Line& line, QPointF top_left) {
    if (painter.paintEngine()->type() == QPaintEngine::Raster)
        painter.drawStaticText(top_left, line.laid_out);
    else
        painter.drawText(top_left + QPointF(0, line.ascent), line.text);
}

double aligned(Qt::Alignment alignment, Qt::Alignment far, Qt::Alignment middle, double room) {
    if (alignment & far) return room;
    return alignment & middle ? room / 2 : 0;
}

double pixel_size(TextRole role) {
    return font_of(role).pixelSize();
}

}  // namespace

void paint_text(Painting& p, const QRectF& rect, const std::string& text, TextRole role, const QColor& color,
                Qt::Alignment alignment) {
    if (text.empty() || rect.width() <= 0) return;
    const Line& line = line_of(text, role);
    const double fit = std::min(1.0, rect.width() / std::max(line.size.width(), 1.0));
    const double alpha = p.text_alpha(pixel_size(role) * fit);
    if (alpha <= 0) return;
    QColor visible = color;
    visible.setAlphaF(static_cast<float>(alpha));
    p.painter.setPen(visible);
    p.painter.setFont(font_of(role));
    const QPointF at(rect.left() + aligned(alignment, Qt::AlignRight, Qt::AlignHCenter,
                                           rect.width() - line.size.width() * fit),
                     rect.top() + aligned(alignment, Qt::AlignBottom, Qt::AlignVCenter,
                                          rect.height() - line.size.height() * fit));
    if (fit >= 1) return draw_line(p.painter, line, at);
    p.painter.save();
    p.painter.translate(at);
    p.painter.scale(fit, fit);
    draw_line(p.painter, line, {});
    p.painter.restore();
}

double plate_size(double scale) {
    constexpr double kMost = 1.25;  // times its size at scale 1; closer views have more room between plates
    return std::min(1.0, kMost / scale);
}

QRectF plate_rect(QPointF center, double size, const std::string& text) {
    const QSizeF line = line_of(text, TextRole::Edge).size;
    QRectF rect(0, 0, (line.width() + 8) * size, (line.height() + 1) * size);
    rect.moveCenter(center);
    return rect;
}

void paint_plate(Painting& p, QPointF center, double size, const std::string& text, const QColor& color,
                 const QColor& fill, const QColor& rim) {
    p.painter.save();
    p.painter.translate(center);
    p.painter.scale(size, size);
    const double scale = std::exchange(p.scale, p.scale * size);
    if (p.text_alpha(pixel_size(TextRole::Edge)) > 0) {
        const QRectF rect = plate_rect({}, 1, text);
        p.painter.setPen(rim.alpha() == 0 ? QPen(Qt::NoPen) : QPen(rim, p.width(0.8, 0.5)));
        p.painter.setBrush(fill);
        p.painter.drawRoundedRect(rect, 4, 4);
        paint_text(p, rect, text, TextRole::Edge, color);
    }
    p.scale = scale;
    p.painter.restore();
}

// Edges: dark and thin in local memory, red and wide through global memory (Blockbuster section 2.1).

namespace {

constexpr double kHeadsFrom = 0.22;      // arrows have heads from this scale on
constexpr double kBufferedPixels = 2.5;  // the least width of an edge through global memory
constexpr double kOverview = 0.3;        // but in views from farther away than this scale

double least_width(double scale, bool buffered) {
    if (!buffered) return 0.5;
    return std::clamp(kBufferedPixels * scale / kOverview, 1.0, kBufferedPixels);
}

// Edges through global memory are double lines, so that they are told apart without colours too.
void paint_core(Painting& p, const QPainterPath& path, int container, double width) {
    if (width * p.scale < kBufferedPixels - 0.01) return;
    p.painter.strokePath(
        path, QPen(background(p, container), width * 0.34, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
}

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
    const double off = at_end ? -kSumDistance : kSumDistance;
    const bool down = p.geometry().flow == Flow::Down;
    const Point sign{center.x + (down ? 0 : off), center.y + (down ? off : 0)};
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

namespace {

constexpr double kBundleBar = 11;  // from a rim to where the edges of a bundle meet

// Where the edge meets the others of its bundle: beside its port, outside of the map.
QPointF bundle_meeting(const Painting& p, const Edge& edge, bool at_end) {
    const End& end = at_end ? edge.to : edge.from;
    const auto& ports = at_end ? p.geometry().in : p.geometry().out;
    const QPointF port = q(ports[static_cast<std::size_t>(end.box)][static_cast<std::size_t>(end.port)]);
    const double off = at_end ? -kBundleBar : kBundleBar;
    return port + (p.geometry().flow == Flow::Down ? QPointF(0, off) : QPointF(off, 0));
}

bool has_ports(const Painting& p, const Edge& edge) {
    const auto there = [](const std::vector<std::vector<Point>>& ports, const End& end) {
        return static_cast<std::size_t>(end.port) < ports[static_cast<std::size_t>(end.box)].size();
    };
    return there(p.geometry().out, edge.from) && there(p.geometry().in, edge.to);
}

// Draws a bundled edge from its ports to the edge that represents the bundle.
void paint_bundled(Painting& p, const Edge& edge, const Edge& representative, const QPen& pen) {
    if (!has_ports(p, edge) || !has_ports(p, representative)) return;
    for (const bool at_end : {false, true}) {
        const QPointF meeting = bundle_meeting(p, edge, at_end);
        const End& end = at_end ? edge.to : edge.from;
        const auto& ports = at_end ? p.geometry().in : p.geometry().out;
        const QPointF port = q(ports[static_cast<std::size_t>(end.box)][static_cast<std::size_t>(end.port)]);
        QPainterPath path(port);
        path.lineTo(meeting);
        path.lineTo(bundle_meeting(p, representative, at_end));
        p.painter.setBrush(Qt::NoBrush);
        p.painter.strokePath(path, pen);
    }
}

}  // namespace

bool stands_aside(const Painting& p, int index) {
    const int representative = p.figure().edges[static_cast<std::size_t>(index)].bundle;
    return representative >= 0 && representative != index && index != p.lights.hovered_edge &&
           p.lights.edges.count(index) == 0 && p.lights.edge_heat.count(index) == 0;
}

void paint_bundle_count(Painting& p, int index) {
    const Edge& edge = p.figure().edges[static_cast<std::size_t>(index)];
    const Curve& curve = p.geometry().edges[static_cast<std::size_t>(index)];
    if (edge.bundle != index || curve.size() < 4) return;
    const Point middle = p.geometry().labels[static_cast<std::size_t>(index)];
    paint_plate(p, q(middle), 1, "×" + std::to_string(edge.bundled), p.theme.ink,
                background(p, edge.container), edge.buffered ? p.theme.buffered : p.theme.faint);
}

void paint_edge(Painting& p, int index) {
    const Edge& edge = p.figure().edges[static_cast<std::size_t>(index)];
    const Curve& whole = p.geometry().edges[static_cast<std::size_t>(index)];
    const bool hovered = index == p.lights.hovered_edge;
    if (stands_aside(p, index)) {
        const double width = p.width(edge.buffered ? 2.6 : 1.1, least_width(p.scale, edge.buffered));
        const QColor color = edge.buffered ? p.theme.buffered : p.theme.ink;
        return paint_bundled(p, edge, p.figure().edges[static_cast<std::size_t>(edge.bundle)],
                             QPen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    }
    paint_edge_heat(p, index);
    if (p.lights.edges.count(index) > 0) {
        QColor halo = p.theme.value;
        halo.setAlphaF(0.55F);
        p.painter.setBrush(Qt::NoBrush);
        p.painter.strokePath(curve_path(whole),
                             QPen(halo, p.width(8, 4), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    }
    const QColor color = edge.buffered ? p.theme.buffered : p.theme.ink;
    const double width =
        p.width(edge.buffered ? 2.6 : 1.1, least_width(p.scale, edge.buffered)) * (hovered ? 1.6 : 1);
    p.painter.setBrush(Qt::NoBrush);
    const QPen pen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (p.scale < kHeadsFrom) return p.painter.strokePath(curve_path(whole), pen);

    Curve curve = cut_under_port(p, whole, edge.from, false, edge.from.box == edge.container);
    curve = cut_under_port(p, std::move(curve), edge.to, true, edge.to.box == edge.container);
    const Point tip = curve.back();
    const double size = edge.buffered ? 9 : 7.5;
    const Curve line = cut_end(curve, tip, size * 0.75);
    p.painter.strokePath(curve_path(line), pen);
    if (edge.buffered) paint_core(p, curve_path(line), edge.container, width);
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
