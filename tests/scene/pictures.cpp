#include "tests/scene/pictures.h"

namespace blockscope::test {

namespace {

std::size_t at_index(int i) {
    return static_cast<std::size_t>(i);
}

Picture two_step_picture(bool rewritten) {
    const double dx = rewritten ? 60 : 0;
    PictureMaker m;
    const int q = m.box(BoxKind::Input, 1, "Q(M,D)", {40 + dx, 10, 66, 28});
    const int k = m.box(BoxKind::Input, 2, "KT(N,D)", {150 + dx, 10, 70, 28});
    const int map = m.frame(10, "M,N", {20 + dx, 80, 240, 240});
    const int out = m.box(BoxKind::Output, 3, "O(M)", {110 + dx, 370, 60, 28});
    const int in_q = m.port_in(map, 73 + dx);
    const int in_k = m.port_in(map, 185 + dx, PortIn::Broadcast);
    const int sum = m.port_out(map, 140 + dx, PortMark::Sum);
    const int dot = m.box(BoxKind::Functional, 11, "dot", {100 + dx, 120, 60, 28}, map);
    const int second = rewritten ? m.box(BoxKind::Elementwise, 15, "exp(x/8)", {90 + dx, 190, 80, 28}, map)
                                 : m.box(BoxKind::Elementwise, 12, "x/8", {105, 190, 50, 28}, map);
    m.edge(-1, {q, -1}, {map, in_q}, true, "(M,D) block");
    m.edge(-1, {k, -1}, {map, in_k}, true, "(N,D) block");
    m.edge(map, {map, in_q}, {dot, -1}, false);
    m.edge(map, {map, in_k}, {dot, -1}, false);
    m.edge(map, {dot, -1}, {second, -1}, false);
    m.edge(map, {second, -1}, {map, sum}, false);
    m.edge(-1, {map, sum}, {out, -1}, true, "(M) block");
    return m.done();
}

}  // namespace

int PictureMaker::box(BoxKind kind, std::uint32_t node, const std::string& label, Rect rect, int parent) {
    const int index = static_cast<int>(picture_.figure.boxes.size());
    Box box;
    box.kind = kind;
    box.nodes = {NodeId{node}};
    box.parent = parent;
    box.label = label;
    box.detail = label + " n" + std::to_string(node);
    box.size = {rect.width, rect.height};
    picture_.figure.boxes.push_back(box);
    picture_.figure.box_of[node] = index;
    (parent < 0 ? picture_.figure.roots : picture_.figure.boxes[at_index(parent)].children).push_back(index);
    picture_.geometry.boxes.push_back(rect);
    picture_.geometry.in.emplace_back();
    picture_.geometry.out.emplace_back();
    return index;
}

int PictureMaker::frame(std::uint32_t node, const std::string& corner, Rect rect, int parent) {
    const int index = box(BoxKind::Frame, node, "", rect, parent);
    at(index).corner = corner;
    at(index).detail = corner + "-map n" + std::to_string(node);
    return index;
}

int PictureMaker::port_in(int box, double x, PortIn mode, PortMark mark) {
    Port port;
    port.mode = mode;
    port.mark = mark;
    port.slot = mark == PortMark::Carried ? -1 : static_cast<int>(at(box).in.size());
    at(box).in.push_back(port);
    picture_.geometry.in[at_index(box)].push_back({x, picture_.geometry.boxes[at_index(box)].top()});
    return static_cast<int>(at(box).in.size()) - 1;
}

int PictureMaker::port_out(int box, double x, PortMark mark) {
    Port port;
    port.mark = mark;
    port.slot = static_cast<int>(at(box).out.size());
    at(box).out.push_back(port);
    picture_.geometry.out[at_index(box)].push_back({x, picture_.geometry.boxes[at_index(box)].bottom()});
    return port.slot;
}

Point PictureMaker::end_point(const End& end, bool source, int container) const {
    const Rect& rect = picture_.geometry.boxes[at_index(end.box)];
    if (end.port < 0) return {rect.center().x, source ? rect.bottom() : rect.top()};
    const bool input_side = source == (end.box == container);
    return (input_side ? picture_.geometry.in : picture_.geometry.out)[at_index(end.box)][at_index(end.port)];
}

int PictureMaker::edge(int container, End from, End to, bool buffered, const std::string& label) {
    Edge edge;
    edge.container = container;
    edge.from = from;
    edge.to = to;
    const Box& consumer = at(to.box);
    edge.value = {at(from.box).id(), static_cast<std::uint16_t>(std::max(from.port, 0)), 0};
    // An edge to the inner side of an output port is consumed by a node of the map's body.
    edge.consumer = to.box == container ? NodeId{consumer.id().value + 100'000} : consumer.id();
    edge.input = static_cast<int>(std::count_if(picture_.figure.edges.begin(), picture_.figure.edges.end(),
                                                [&](const Edge& e) { return e.consumer == edge.consumer; }));
    edge.buffered = buffered;
    edge.label = label;
    const Point a = end_point(from, true, container);
    const Point b = end_point(to, false, container);
    const double bend = (b.y - a.y) / 2;
    picture_.figure.edges.push_back(edge);
    picture_.geometry.edges.push_back({a, {a.x, a.y + bend}, {b.x, b.y - bend}, b});
    picture_.geometry.labels.push_back({(a.x + b.x) / 2, (a.y + b.y) / 2});
    return static_cast<int>(picture_.figure.edges.size()) - 1;
}

Picture PictureMaker::done() const {
    Picture result = picture_;
    double right = 0, bottom = 0;
    for (const Rect& rect : result.geometry.boxes)
        right = std::max(right, rect.right()), bottom = std::max(bottom, rect.bottom());
    result.geometry.bounds = {0, 0, right + 10, bottom + 10};
    return result;
}

Picture small_picture() {
    return two_step_picture(false);
}
Picture rewritten_picture() {
    return two_step_picture(true);
}
std::vector<Lineage> rewritten_lineage() {
    return {{NodeId{15}, {NodeId{12}}}};
}

Picture large_picture(int columns, int rows) {
    constexpr int kSide = 10;
    PictureMaker m;
    std::uint32_t node = 1;
    std::vector<int> frames;
    for (int fy = 0; fy < rows; fy += kSide)
        for (int fx = 0; fx < columns; fx += kSide)
            frames.push_back(
                m.frame(node++, "M,N", {fx * 100.0 + 10, fy * 80.0 + 10, kSide * 100 - 20, kSide * 80 - 20}));
    std::vector<int> above(at_index(columns), -1);
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
            const int parent = frames[at_index(y / kSide * ((columns + kSide - 1) / kSide) + x / kSide)];
            const BoxKind kind = (x + y) % 3 ? BoxKind::Functional : BoxKind::Elementwise;
            const int here = m.box(kind, node++, (x + y) % 3 ? "row_scale" : "exp(x)",
                                   {x * 100.0 + 16, y * 80.0 + 30, 70, 28}, parent);
            if (y % kSide != 0)
                m.edge(parent, {above[at_index(x)], -1}, {here, -1}, (x + y) % 4 == 0, "(M,N) block");
            above[at_index(x)] = here;
        }
    return m.done();
}

Picture deep_picture(int depth) {
    PictureMaker m;
    int parent = -1;
    const double side = 60 + 36.0 * depth;
    for (int i = 0; i < depth; ++i)
        parent = m.frame(static_cast<std::uint32_t>(i + 1), "D" + std::to_string(i),
                         {10 + 18.0 * i, 10 + 18.0 * i, side + 40 - 36.0 * i, side - 36.0 * i}, parent);
    const double inner = 10 + 18.0 * depth;
    m.box(BoxKind::Functional, 1000, "dot", {inner + 8, inner + 16, 60, 28}, parent);
    return m.done();
}

}  // namespace blockscope::test
