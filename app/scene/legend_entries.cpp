#include "app/scene/legend_entries.h"

#include <QCoreApplication>

namespace blockscope {

namespace {

constexpr double kMiddleX = kLegendCell.width / 2;
constexpr double kMiddleY = kLegendCell.height / 2;

QString text(const char* source) {
    return QCoreApplication::translate("Legend", source);
}

int add(Picture& picture, BoxKind kind, const char* label, Rect rect) {
    Box box;
    box.kind = kind;
    box.nodes = {NodeId{static_cast<std::uint32_t>(picture.figure.boxes.size() + 1)}};
    box.label = label;
    box.size = {rect.width, rect.height};
    const int index = static_cast<int>(picture.figure.boxes.size());
    picture.figure.boxes.push_back(box);
    picture.figure.roots.push_back(index);
    picture.geometry.boxes.push_back(rect);
    picture.geometry.in.emplace_back();
    picture.geometry.out.emplace_back();
    return index;
}

void add_edge(Picture& picture, int box, bool buffered, Point from, Point to, int port = -1) {
    Edge edge;
    edge.from = {box, -1};
    edge.to = {box, port};
    edge.container = port < 0 ? -1 : box;
    edge.buffered = buffered;
    picture.figure.edges.push_back(edge);
    const double bend = (to.y - from.y) / 2;
    picture.geometry.edges.push_back({from, {from.x, from.y + bend}, {to.x, to.y - bend}, to});
    picture.geometry.labels.push_back({});
}

LegendEntry leaf(BoxKind kind, const char* label, double width, const char* meaning) {
    LegendEntry entry;
    const double height = kind == BoxKind::Reduction ? 26 : 28;
    add(entry.picture, kind, label, {kMiddleX - width / 2, kMiddleY - height / 2, width, height});
    entry.text = text(meaning);
    return entry;
}

LegendEntry marked(Mark mark, const char* meaning) {
    LegendEntry entry = leaf(BoxKind::Functional, "", 46, meaning);
    entry.picture.geometry.boxes[0] = {kMiddleX - 23, kMiddleY - 9, 46, 18};
    entry.lights.boxes[0] = mark;
    return entry;
}

LegendEntry frame(BoxKind kind, const char* label, const char* corner, const char* meaning) {
    LegendEntry entry;
    const int box = add(entry.picture, kind, label, {4, 1, kLegendCell.width - 8, kLegendCell.height - 2});
    entry.picture.figure.boxes[static_cast<std::size_t>(box)].corner = corner;
    entry.text = text(meaning);
    return entry;
}

// A part of a map's upper rim with one port.
LegendEntry entry_port(PortIn mode, const char* meaning) {
    LegendEntry entry;
    const int box = add(entry.picture, BoxKind::Frame, "", {-40, kMiddleY, kLegendCell.width + 80, 80});
    entry.picture.figure.boxes[0].in.push_back({PortMark::Plain, mode, 0});
    entry.picture.geometry.in[0].push_back({kMiddleX, kMiddleY});
    add_edge(entry.picture, box, mode == PortIn::Iterated, {kMiddleX, -14}, {kMiddleX, kMiddleY - 4});
    entry.text = text(meaning);
    return entry;
}

// A part of a map's lower rim with one port.
LegendEntry exit_port(PortMark mark, const char* meaning) {
    LegendEntry entry;
    const double rim = kLegendCell.height - 7;
    const int box = add(entry.picture, BoxKind::Frame, "", {-40, rim - 80, kLegendCell.width + 80, 80});
    entry.picture.figure.boxes[0].out.push_back({mark, PortIn::Broadcast, 0});
    entry.picture.geometry.out[0].push_back({kMiddleX, rim});
    add_edge(entry.picture, box, false, {kMiddleX, -16}, {kMiddleX, rim}, 0);
    entry.text = text(meaning);
    return entry;
}

LegendEntry line(bool buffered, bool value, const char* meaning) {
    LegendEntry entry;
    add(entry.picture, BoxKind::Frame, "", {-500, -500, 1, 1});
    add_edge(entry.picture, 0, buffered, {kMiddleX - 30, 4}, {kMiddleX + 30, kLegendCell.height - 4});
    if (value) entry.lights.edges = {0};
    entry.text = text(meaning);
    return entry;
}

}  // namespace

std::vector<LegendEntry> legend_entries() {
    return {
        leaf(BoxKind::Input, "Q(M,D)", 66, QT_TRANSLATE_NOOP("Legend", "input or output, with its lists")),
        leaf(BoxKind::Functional, "dot", 50, QT_TRANSLATE_NOOP("Legend", "functional operator")),
        leaf(BoxKind::Elementwise, "exp(x)", 66, QT_TRANSLATE_NOOP("Legend", "elementwise operator")),
        leaf(BoxKind::Reduction, "+", 26, QT_TRANSLATE_NOOP("Legend", "reduction of a list: sum or max")),
        leaf(BoxKind::Misc, "sort", 66, QT_TRANSLATE_NOOP("Legend", "opaque operator: nothing fuses")),
        frame(BoxKind::Frame, "", "M,N", QT_TRANSLATE_NOOP("Legend", "map over dimensions M and N")),
        frame(BoxKind::Cloud, "dot", "N", QT_TRANSLATE_NOOP("Legend", "folded map")),
        line(true, false, QT_TRANSLATE_NOOP("Legend", "buffered: through global memory")),
        line(false, false, QT_TRANSLATE_NOOP("Legend", "unbuffered: in local memory")),
        line(false, true, QT_TRANSLATE_NOOP("Legend", "the way of the selected value")),
        entry_port(PortIn::Iterated, QT_TRANSLATE_NOOP("Legend", "iterated: one element at a time")),
        entry_port(PortIn::Broadcast, QT_TRANSLATE_NOOP("Legend", "broadcast: the whole value each time")),
        entry_port(PortIn::Continued, QT_TRANSLATE_NOOP("Legend", "continues a peeled iteration")),
        exit_port(PortMark::Plain, QT_TRANSLATE_NOOP("Legend", "collected into a list")),
        exit_port(PortMark::Sum, QT_TRANSLATE_NOOP("Legend", "summed over all iterations")),
        exit_port(PortMark::Carried, QT_TRANSLATE_NOOP("Legend", "carried to the next iteration")),
        marked(Mark::Match, QT_TRANSLATE_NOOP("Legend", "a rule matches here")),
        marked(Mark::Made, QT_TRANSLATE_NOOP("Legend", "made by the last step")),
        marked(Mark::Culprit, QT_TRANSLATE_NOOP("Legend", "why a rule does not apply")),
        marked(Mark::Search, QT_TRANSLATE_NOOP("Legend", "found by the search")),
        marked(Mark::Removed, QT_TRANSLATE_NOOP("Legend", "only in the other state: removed")),
        marked(Mark::Added, QT_TRANSLATE_NOOP("Legend", "only in this state: added")),
        marked(Mark::Moved, QT_TRANSLATE_NOOP("Legend", "in another map than before")),
        marked(Mark::Changed, QT_TRANSLATE_NOOP("Legend", "changed")),
    };
}

}  // namespace blockscope
