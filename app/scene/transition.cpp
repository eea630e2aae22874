#include "app/scene/transition.h"

#include <QDir>
#include <QSettings>
#include <QStandardPaths>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "app/scene/hit.h"

namespace blockscope {

namespace {

bool reads_off(const QString& file, const QString& group, const QString& key) {
    const QString path =
        QStandardPaths::locate(QStandardPaths::GenericConfigLocation, file, QStandardPaths::LocateFile);
    if (path.isEmpty()) return false;
    QSettings settings(path, QSettings::IniFormat);
    settings.beginGroup(group);
    const QString value = settings.value(key, QStringLiteral("1")).toString();
    bool number = false;
    const double factor = value.toDouble(&number);
    return number ? factor == 0 : value == QLatin1String("false");
}

}  // namespace

bool asks_for_less_motion() {
    if (qEnvironmentVariableIsSet("BLOCKSCOPE_REDUCED_MOTION"))
        return qEnvironmentVariable("BLOCKSCOPE_REDUCED_MOTION") != QLatin1String("0");
    for (const QString& file :
         {QStringLiteral("gtk-3.0/settings.ini"), QStringLiteral("gtk-4.0/settings.ini")})
        if (reads_off(file, QStringLiteral("Settings"), QStringLiteral("gtk-enable-animations"))) return true;
    return reads_off(QStringLiteral("kdeglobals"), QStringLiteral("KDE"),
                     QStringLiteral("AnimationDurationFactor"));
}

bool motion_reduced() {
    static const bool kReduced = asks_for_less_motion();
    return kReduced;
}

namespace {

std::size_t at_index(int i) {
    return static_cast<std::size_t>(i);
}

bool holds_others(const Box& box) {
    return box.kind == BoxKind::Frame || box.kind == BoxKind::Cloud;
}

Rect united(const Rect& a, const Rect& b) {
    const double left = std::min(a.left(), b.left());
    const double top = std::min(a.top(), b.top());
    return {left, top, std::max(a.right(), b.right()) - left, std::max(a.bottom(), b.bottom()) - top};
}

Rect centered(const Rect& size, Point center) {
    return {center.x - size.width / 2, center.y - size.height / 2, size.width, size.height};
}

// Where `p` comes to lie when `from` becomes `to`.
Point carried(Point p, const Rect& from, const Rect& to) {
    const double fx = from.width > 0 ? (p.x - from.x) / from.width : 0.5;
    const double fy = from.height > 0 ? (p.y - from.y) / from.height : 0.5;
    return {to.x + fx * to.width, to.y + fy * to.height};
}

Rect carried(const Rect& r, const Rect& from, const Rect& to) {
    const Point a = carried(Point{r.x, r.y}, from, to);
    const Point b = carried(Point{r.right(), r.bottom()}, from, to);
    return {a.x, a.y, b.x - a.x, b.y - a.y};
}

std::vector<Point> carried(const std::vector<Point>& points, const Rect& from, const Rect& to) {
    std::vector<Point> result;
    for (const Point& p : points) result.push_back(carried(p, from, to));
    return result;
}

Rect between(const Rect& a, const Rect& b, double t) {
    return {std::lerp(a.x, b.x, t), std::lerp(a.y, b.y, t), std::lerp(a.width, b.width, t),
            std::lerp(a.height, b.height, t)};
}

void between(const std::vector<Point>& a, const std::vector<Point>& b, double t, std::vector<Point>& result) {
    result.resize(b.size());
    for (std::size_t i = 0; i < b.size(); ++i)
        result[i] = {std::lerp(a[i].x, b[i].x, t), std::lerp(a[i].y, b[i].y, t)};
}

// The input that an edge leads into, and which of the edges there it is: one that leaves a nest of maps may
// do so through several ports.
using EdgeKey = std::tuple<std::uint32_t, int, int>;

class EdgeKeys {
public:
    EdgeKey next(const Edge& edge) {
        return {edge.consumer.value, edge.input, count_[{edge.consumer.value, edge.input}]++};
    }

private:
    std::map<std::pair<std::uint32_t, int>, int> count_;
};

bool same_look(const Box& a, const Box& b) {
    return a.kind == b.kind && a.label == b.label && a.corner == b.corner;
}

// By node: the box that shows it. The first wins: what stays comes before what is on its way out.
std::unordered_map<std::uint32_t, int> shown(const Figure& figure) {
    std::unordered_map<std::uint32_t, int> result;
    for (std::size_t i = 0; i < figure.boxes.size(); ++i)
        for (const NodeId id : figure.boxes[i].nodes) result.emplace(id.value, static_cast<int>(i));
    return result;
}

int look_up(const std::unordered_map<std::uint32_t, int>& map, NodeId id) {
    const auto it = map.find(id.value);
    return it == map.end() ? -1 : it->second;
}

// `curve` with its first point moved by `start`, its last by `end`, and what is between in proportion.
Curve dragged(Curve curve, Point start, Point end) {
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const Point by = mixed(start, end, static_cast<double>(i) / static_cast<double>(curve.size() - 1));
        curve[i] = {curve[i].x + by.x, curve[i].y + by.y};
    }
    return curve;
}

}  // namespace

struct Transition::Matching {
    std::unordered_map<std::uint32_t, int> shown_before, shown_after;
    std::vector<int> twin_before;  // by box of `after`: its counterpart, or -1
    std::vector<int> twin_after;   // by box of `before`
    std::vector<int> index_now;    // by box of `before`: where it is now (its twin, or its own ghost)
    std::vector<int> edge_after;   // by edge of `before`: its counterpart in `after`, or -1
    std::vector<bool> edge_stays;  // and whether that looks the same
    std::unordered_map<std::uint32_t, std::vector<NodeId>> ancestors;
    std::unordered_map<std::uint32_t, NodeId> descendant;

    Matching(const Blend& before, const Picture& after, const std::vector<Lineage>& made)
        : shown_before(shown(before.picture.figure)),
          shown_after(shown(after.figure)),
          twin_before(after.figure.boxes.size(), -1),
          twin_after(before.picture.figure.boxes.size(), -1) {
        for (std::size_t i = 0; i < after.figure.boxes.size(); ++i)
            for (const NodeId id : after.figure.boxes[i].nodes) {
                const int twin = look_up(shown_before, id);
                if (twin < 0 || twin_after[at_index(twin)] >= 0) continue;
                twin_before[i] = twin;
                twin_after[at_index(twin)] = static_cast<int>(i);
                break;
            }
        for (const Lineage& lineage : made) {
            ancestors[lineage.made.value] = lineage.from;
            for (const NodeId id : lineage.from) descendant.emplace(id.value, lineage.made);
        }
    }

    // The rectangle around the boxes of `before` that showed or hid what `box` was made of; empty if there
    // are none.
    Rect ancestral(const Box& box, const Picture& before) const {
        Rect result;
        for (const NodeId id : box.nodes) {
            const auto found = ancestors.find(id.value);
            if (found == ancestors.end()) continue;
            for (const NodeId from : found->second) {
                int old = look_up(shown_before, from);
                if (old < 0) old = before.figure.find(from);
                if (old < 0) continue;
                const Rect& rect = before.geometry.boxes[at_index(old)];
                result = result.width > 0 ? united(result, rect) : rect;
            }
        }
        return result;
    }

    // The box of `after` that `box` of `before` became part of, or -1.
    int successor(const Box& box, const Picture& after) const {
        for (const NodeId id : box.nodes) {
            const auto found = descendant.find(id.value);
            if (found == descendant.end()) continue;
            const int made = look_up(shown_after, found->second);
            return made >= 0 ? made : after.figure.find(found->second);
        }
        return -1;
    }
};

Blend at_rest(const Picture& picture) {
    return {picture, std::vector<double>(picture.figure.boxes.size(), 1),
            std::vector<double>(picture.figure.edges.size(), 1)};
}

void Transition::place_boxes(const Blend& before, const Picture& after, Matching& matching) {
    const Geometry& old = before.picture.geometry;
    for (std::size_t i = 0; i < after.figure.boxes.size(); ++i) {
        const Box& box = after.figure.boxes[i];
        BoxWay way;
        way.to = after.geometry.boxes[i];
        way.in_to = after.geometry.in[i];
        way.out_to = after.geometry.out[i];
        const int twin = matching.twin_before[i];
        const Rect ancestral = twin < 0 ? matching.ancestral(box, before.picture) : Rect{};
        if (twin >= 0) {
            way.from = old.boxes[at_index(twin)];
            if (same_look(box, before.picture.figure.boxes[at_index(twin)]))
                way.opacity_from = before.box_opacity[at_index(twin)];
        } else if (ancestral.width > 0) {
            way.from = holds_others(box) ? ancestral : centered(way.to, ancestral.center());
        } else if (box.parent >= 0) {
            const BoxWay& parent = boxes_[at_index(box.parent)];
            way.from = carried(way.to, parent.to, parent.from);
        } else {
            way.from = way.to;
        }
        way.in_from = carried(way.in_to, way.to, way.from);
        way.out_from = carried(way.out_to, way.to, way.from);
        if (twin >= 0 && old.in[at_index(twin)].size() == way.in_to.size())
            way.in_from = old.in[at_index(twin)];
        if (twin >= 0 && old.out[at_index(twin)].size() == way.out_to.size())
            way.out_from = old.out[at_index(twin)];
        boxes_.push_back(std::move(way));
    }
}

void Transition::add_ghost_boxes(const Blend& before, const Picture& after, Matching& matching) {
    const Figure& old = before.picture.figure;
    matching.index_now = matching.twin_after;
    for (std::size_t i = 0; i < old.boxes.size(); ++i) {
        const int twin = matching.twin_after[i];
        if (before.box_opacity[i] <= 0) {
            if (twin < 0) matching.index_now[i] = -1;
            continue;
        }
        if (twin >= 0 && same_look(old.boxes[i], after.figure.boxes[at_index(twin)])) continue;
        Box box = old.boxes[i];
        box.children.clear();
        const int parent = box.parent < 0 ? -1 : matching.index_now[at_index(box.parent)];
        box.parent = parent;
        BoxWay way;
        way.from = before.picture.geometry.boxes[i];
        way.in_from = before.picture.geometry.in[i];
        way.out_from = before.picture.geometry.out[i];
        way.opacity_from = before.box_opacity[i];
        way.opacity_to = 0;
        const int next = twin >= 0 ? twin : matching.successor(box, after);
        if (next >= 0) {
            const Rect& target = after.geometry.boxes[at_index(next)];
            const bool inside = holds_others(after.figure.boxes[at_index(next)]) && !holds_others(box);
            const Point c = way.from.center();
            const Rect room = target.grown(-std::min({30.0, target.width / 2, target.height / 2}));
            way.to = !inside ? holds_others(box) ? target : centered(way.from, target.center())
                             : centered(way.from, {std::clamp(c.x, room.left(), room.right()),
                                                   std::clamp(c.y, room.top(), room.bottom())});
        } else if (parent >= 0) {
            way.to = carried(way.from, boxes_[at_index(parent)].from, boxes_[at_index(parent)].to);
        } else {
            way.to = way.from;
        }
        way.in_to = carried(way.in_from, way.from, way.to);
        way.out_to = carried(way.out_from, way.from, way.to);
        if (twin < 0) matching.index_now[i] = static_cast<int>(boxes_.size());
        now_.picture.figure.boxes.push_back(std::move(box));
        boxes_.push_back(std::move(way));
    }
}

Point Transition::shift(const End& end, bool source, int container) const {
    const BoxWay& way = boxes_[at_index(end.box)];
    Point from = way.from.center();
    Point to = way.to.center();
    const bool input_side = source == (end.box == container);
    const std::vector<Point>& ports_from = input_side ? way.in_from : way.out_from;
    const std::vector<Point>& ports_to = input_side ? way.in_to : way.out_to;
    const bool port =
        end.port >= 0 && at_index(end.port) < ports_from.size() && at_index(end.port) < ports_to.size();
    if (port) from = ports_from[at_index(end.port)], to = ports_to[at_index(end.port)];
    return {to.x - from.x, to.y - from.y};
}

void Transition::add_edge(EdgeWay way) {
    if (way.to.size() >= 4) {
        const std::size_t pieces = (std::max(way.from.size(), way.to.size()) - 1) / 3;
        way.from = with_pieces(std::move(way.from), pieces);
        way.to = with_pieces(std::move(way.to), pieces);
    }
    edges_.push_back(std::move(way));
}

void Transition::place_edges(const Blend& before, const Picture& after, Matching& matching) {
    const Geometry& old = before.picture.geometry;
    const std::vector<Edge>& old_edges = before.picture.figure.edges;
    std::map<EdgeKey, std::size_t> by_key;
    EdgeKeys old_keys, new_keys;
    for (std::size_t i = 0; i < old_edges.size(); ++i)
        if (before.edge_opacity[i] > 0 && old.edges[i].size() >= 4)
            by_key.emplace(old_keys.next(old_edges[i]), i);
    matching.edge_after.assign(old_edges.size(), -1);
    matching.edge_stays.assign(old_edges.size(), false);
    for (std::size_t i = 0; i < after.figure.edges.size(); ++i) {
        const Edge& edge = after.figure.edges[i];
        const auto found = by_key.find(new_keys.next(edge));
        EdgeWay way;
        way.to = after.geometry.edges[i];
        way.label_to = after.geometry.labels[i];
        if (way.to.size() >= 4 && found != by_key.end()) {
            const std::size_t k = found->second;
            const bool stays = old_edges[k].buffered == edge.buffered;
            matching.edge_after[k] = static_cast<int>(i);
            matching.edge_stays[k] = stays;
            way.from = old.edges[k];
            way.label_from = old.labels[k];
            way.opacity_from = stays ? before.edge_opacity[k] : 0;
        } else if (way.to.size() >= 4) {
            const Point start = shift(edge.from, true, edge.container);
            const Point end = shift(edge.to, false, edge.container);
            way.from = dragged(way.to, {-start.x, -start.y}, {-end.x, -end.y});
            way.label_from = {way.label_to.x - (start.x + end.x) / 2, way.label_to.y - (start.y + end.y) / 2};
        }
        add_edge(std::move(way));
    }
}

void Transition::add_ghost_edges(const Blend& before, const Picture& after, const Matching& matching) {
    const Geometry& old = before.picture.geometry;
    for (std::size_t i = 0; i < old.edges.size(); ++i) {
        if (matching.edge_stays[i] || before.edge_opacity[i] <= 0 || old.edges[i].size() < 4) continue;
        Edge edge = before.picture.figure.edges[i];
        edge.bundle = -1;  // of the other picture's edges
        for (End* end : {&edge.from, &edge.to}) end->box = matching.index_now[at_index(end->box)];
        edge.container = edge.container < 0 ? -1 : matching.index_now[at_index(edge.container)];
        if (edge.from.box < 0 || edge.to.box < 0) continue;
        const int next = matching.edge_after[i];
        EdgeWay way;
        way.from = old.edges[i];
        way.label_from = way.label_to = old.labels[i];
        way.opacity_from = before.edge_opacity[i];
        way.opacity_to = 0;
        way.to = next >= 0 ? after.geometry.edges[at_index(next)]
                           : dragged(way.from, shift(edge.from, true, edge.container),
                                     shift(edge.to, false, edge.container));
        add_edge(std::move(way));
        now_.picture.figure.edges.push_back(std::move(edge));
    }
}

Transition::Transition(const Blend& before, const Picture& after, const std::vector<Lineage>& made) {
    now_.picture = after;
    Matching matching(before, after, made);
    place_boxes(before, after, matching);
    add_ghost_boxes(before, after, matching);
    place_edges(before, after, matching);
    add_ghost_edges(before, after, matching);
    Geometry& geometry = now_.picture.geometry;
    geometry.boxes.resize(boxes_.size());
    geometry.in.resize(boxes_.size());
    geometry.out.resize(boxes_.size());
    geometry.edges.resize(edges_.size());
    geometry.labels.resize(edges_.size());
    now_.box_opacity.resize(boxes_.size());
    now_.edge_opacity.resize(edges_.size());
}

const Blend& Transition::at(double t) {
    Geometry& geometry = now_.picture.geometry;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
        const BoxWay& way = boxes_[i];
        geometry.boxes[i] = between(way.from, way.to, t);
        between(way.in_from, way.in_to, t, geometry.in[i]);
        between(way.out_from, way.out_to, t, geometry.out[i]);
        now_.box_opacity[i] = std::lerp(way.opacity_from, way.opacity_to, t);
    }
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        const EdgeWay& way = edges_[i];
        between(way.from, way.to, t, geometry.edges[i]);
        geometry.labels[i] = {std::lerp(way.label_from.x, way.label_to.x, t),
                              std::lerp(way.label_from.y, way.label_to.y, t)};
        now_.edge_opacity[i] = std::lerp(way.opacity_from, way.opacity_to, t);
    }
    return now_;
}

Blend blend(const Picture& before, const Picture& after, const std::vector<Lineage>& made, double t) {
    return Transition(at_rest(before), after, made).at(t);
}

}  // namespace blockscope
