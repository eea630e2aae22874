#include "app/window/picture_lights.h"

namespace blockscope {
namespace {

Mark mark_of(Glow::Kind kind) {
    switch (kind) {
        case Glow::Kind::None:
            return Mark::None;
        case Glow::Kind::Match:
            return Mark::Match;
        case Glow::Kind::Culprit:
            return Mark::Culprit;
        case Glow::Kind::Made:
            return Mark::Made;
        case Glow::Kind::Search:
            return Mark::Search;
    }
    return Mark::None;
}

void light(Lights& lights, const Picture& picture, NodeId node, Mark mark) {
    const int box = picture.figure.find(node);
    if (box >= 0) lights.boxes[box] = mark;
}

}  // namespace

Lights picture_lights(const Picture& picture, const Document& document, bool edge_labels) {
    Lights lights;
    lights.edge_labels = edge_labels;
    // Later marks win: what is pointed at is weaker than what is selected, which is weaker than a glow.
    const Spot& hover = document.hover();
    for (const NodeId node : hover.nodes) light(lights, picture, node, Mark::Hovered);
    if (hover.value) lights.hovered_edge = edge_of(picture, hover);
    const Spot& selection = document.selection();
    for (const NodeId node : selection.nodes) light(lights, picture, node, Mark::Selected);
    if (const int edge = selection.value ? edge_of(picture, selection) : -1; edge >= 0) {
        const ValuePath path = value_path(picture.figure, edge);
        lights.edges.insert(path.edges.begin(), path.edges.end());
    }
    for (const NodeId node : document.glow().nodes)
        light(lights, picture, node, mark_of(document.glow().kind));
    return lights;
}

Spot spot_at(const Picture& picture, int box, int edge) {
    Spot spot;
    if (edge >= 0) {
        const Edge& hit = picture.figure.edges[edge];
        spot.value = hit.value;
        spot.consumer = hit.consumer;
    } else if (box >= 0) {
        spot.nodes.insert(picture.figure.boxes[box].id());
    }
    return spot;
}

int edge_of(const Picture& picture, const Spot& spot) {
    if (!spot.value) return -1;
    int found = -1;
    const auto& edges = picture.figure.edges;
    for (int i = 0; i < static_cast<int>(edges.size()); ++i) {
        if (!edges[i].value.same_value(*spot.value)) continue;
        if (edges[i].consumer == spot.consumer) return i;
        if (found < 0) found = i;
    }
    return found;
}

std::optional<Rect> bounds_of(const Picture& picture, const Spot& spot) {
    std::optional<Rect> all;
    const auto add = [&](const Rect& rect) {
        if (!all) {
            all = rect;
            return;
        }
        const double left = std::min(all->left(), rect.left());
        const double top = std::min(all->top(), rect.top());
        all = Rect{left, top, std::max(all->right(), rect.right()) - left,
                   std::max(all->bottom(), rect.bottom()) - top};
    };
    for (const NodeId node : spot.nodes)
        if (const int box = picture.figure.find(node); box >= 0) add(picture.geometry.boxes[box]);
    if (const int edge = edge_of(picture, spot); edge >= 0)
        for (const int box : value_path(picture.figure, edge).boxes) add(picture.geometry.boxes[box]);
    return all;
}

}  // namespace blockscope
