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

// A node of a peeled iteration, with what its plate says.
LegendEntry first_iteration(const char* meaning) {
    LegendEntry entry = leaf(BoxKind::Functional, "dot", 50, meaning);
    entry.picture.geometry.boxes[0] = {kMiddleX - 25, kMiddleY - 8, 50, 26};
    entry.picture.figure.boxes[0].peeled = "x=0";
    return entry;
}

LegendEntry heated() {
    LegendEntry entry = marked(Mark::None, QT_TRANSLATE_NOOP("Legend", "heat map: share of the largest"));
    entry.lights.heated = true;
    entry.lights.heat[0] = {0.6, "2 MB"};
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

LegendEntry of_operator(Sign sign) {
    switch (sign) {
        case Sign::Array:
            return leaf(BoxKind::Input, "Q(M,D)", 66, QT_TRANSLATE_NOOP("Legend", "input, output"));
        case Sign::Functional:
            return leaf(BoxKind::Functional, "dot", 50, QT_TRANSLATE_NOOP("Legend", "functional operator"));
        case Sign::Elementwise:
            return leaf(BoxKind::Elementwise, "exp(x)", 66,
                        QT_TRANSLATE_NOOP("Legend", "elementwise operator"));
        case Sign::Reduction:
            return leaf(BoxKind::Reduction, "+", 26, QT_TRANSLATE_NOOP("Legend", "reduction of a list"));
        case Sign::Misc:
            return leaf(BoxKind::Misc, "sort", 66, QT_TRANSLATE_NOOP("Legend", "opaque: nothing fuses"));
        case Sign::Frame:
            return frame(BoxKind::Frame, "", "M,N", QT_TRANSLATE_NOOP("Legend", "map over M and N"));
        case Sign::Cloud:
            return frame(BoxKind::Cloud, "dot", "N", QT_TRANSLATE_NOOP("Legend", "folded map"));
        case Sign::FirstIteration:
            return first_iteration(QT_TRANSLATE_NOOP("Legend", "peeled: iteration 0"));
        default:
            return frame(BoxKind::Frame, "", "x=1:X", QT_TRANSLATE_NOOP("Legend", "the other iterations"));
    }
}

LegendEntry of_line(Sign sign) {
    switch (sign) {
        case Sign::Buffered:
            return line(true, false, QT_TRANSLATE_NOOP("Legend", "through global memory"));
        case Sign::Unbuffered:
            return line(false, false, QT_TRANSLATE_NOOP("Legend", "in local memory"));
        case Sign::Value:
            return line(false, true, QT_TRANSLATE_NOOP("Legend", "way of the selected value"));
        case Sign::Iterated:
            return entry_port(PortIn::Iterated, QT_TRANSLATE_NOOP("Legend", "one element at a time"));
        case Sign::Broadcast:
            return entry_port(PortIn::Broadcast, QT_TRANSLATE_NOOP("Legend", "the whole value each time"));
        case Sign::Continued:
            return entry_port(PortIn::Continued, QT_TRANSLATE_NOOP("Legend", "continues iteration 0"));
        case Sign::Collected:
            return exit_port(PortMark::Plain, QT_TRANSLATE_NOOP("Legend", "collected into a list"));
        case Sign::Sum:
            return exit_port(PortMark::Sum, QT_TRANSLATE_NOOP("Legend", "summed over iterations"));
        case Sign::Max:
            return exit_port(PortMark::Max, QT_TRANSLATE_NOOP("Legend", "maximum over iterations"));
        default:
            return exit_port(PortMark::Carried, QT_TRANSLATE_NOOP("Legend", "carried to the next iteration"));
    }
}

LegendEntry of_mark(Sign sign) {
    switch (sign) {
        case Sign::Selected:
            return marked(Mark::Selected, QT_TRANSLATE_NOOP("Legend", "selected"));
        case Sign::Hovered:
            return marked(Mark::Hovered, QT_TRANSLATE_NOOP("Legend", "under the pointer"));
        case Sign::Match:
            return marked(Mark::Match, QT_TRANSLATE_NOOP("Legend", "glows: a rule matches"));
        case Sign::Made:
            return marked(Mark::Made, QT_TRANSLATE_NOOP("Legend", "glows: made by the step"));
        case Sign::Culprit:
            return marked(Mark::Culprit, QT_TRANSLATE_NOOP("Legend", "why a rule does not apply"));
        case Sign::Search:
            return marked(Mark::Search, QT_TRANSLATE_NOOP("Legend", "found"));
        case Sign::Heat:
            return heated();
        case Sign::Removed:
            return marked(Mark::Removed, QT_TRANSLATE_NOOP("Legend", "only in the other state"));
        case Sign::Added:
            return marked(Mark::Added, QT_TRANSLATE_NOOP("Legend", "only in this state"));
        case Sign::Moved:
            return marked(Mark::Moved, QT_TRANSLATE_NOOP("Legend", "in another map than before"));
        default:
            return marked(Mark::Changed, QT_TRANSLATE_NOOP("Legend", "changed"));
    }
}

}  // namespace

std::vector<LegendEntry> legend_entries(const Signs& signs) {
    std::vector<LegendEntry> entries;
    for (const Sign sign : signs)
        entries.push_back(sign < Sign::Buffered   ? of_operator(sign)
                          : sign < Sign::Selected ? of_line(sign)
                                                  : of_mark(sign));
    return entries;
}

}  // namespace blockscope
