#include <algorithm>
#include <cmath>

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

void paint_all(Painting& p) {
    p.painter.save();
    p.painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    const Seen what = seen(p);
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
        p.begin(Part::Kind::EdgeLabel, i);
        paint_edge_label(p, i);
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
    p.painter.restore();
}

}  // namespace

bool has_many_parts(const Picture& picture) {
    return picture.figure.boxes.size() + picture.figure.edges.size() > kManyParts;
}

QColor background(const Painting& p, int box) {
    if (box < 0) return p.theme.canvas;
    return frame_fill(p.theme, p.depth[static_cast<std::size_t>(box)]);
}

void paint(QPainter& painter, const Picture& picture, const Theme& theme, const Lights& lights,
           const Rect& visible, double scale) {
    Painting p{painter, picture, theme, lights, visible, scale, nullptr, nullptr, depths(picture.figure)};
    paint_all(p);
}

void paint(QPainter& painter, const Picture& picture, const Theme& theme, const Lights& lights,
           const Rect& visible, double scale, const std::function<void(const Part&)>& part) {
    Painting p{painter, picture, theme, lights, visible, scale, nullptr, nullptr, depths(picture.figure),
               &part};
    paint_all(p);
}

void paint(QPainter& painter, const Blend& blend, const Theme& theme, const Lights& lights,
           const Rect& visible, double scale) {
    Painting p{painter,
               blend.picture,
               theme,
               lights,
               visible,
               scale,
               &blend.box_opacity,
               &blend.edge_opacity,
               depths(blend.picture.figure)};
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

}  // namespace blockscope
