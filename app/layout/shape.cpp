#include "app/layout/shape.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "app/layout/arrange.h"
#include "core/support/index.h"

namespace blockscope {

namespace {

constexpr double kRimStep = 16;          // along the rim of a map, of one port
constexpr double kOperandStepSide = 16;  // along an operator's side, of one operand
constexpr double kLeastFrame = 48;       // as wide as a frame is high at least
constexpr int kMostColumns = 8;
constexpr double kMuchLarger = 1.05;  // what one more column must gain
constexpr double kGoodEnough = 0.85;  // of the best, for the columns of the picture before

Rect turned(const Rect& r) {
    return {r.y, r.x, r.height, r.width};
}
Point turned(Point p) {
    return {p.y, p.x};
}
void turn(std::vector<Point>& points) {
    for (Point& p : points) p = turned(p);
}

bool has_rim(const Box& box) {
    return box.kind == BoxKind::Frame || box.kind == BoxKind::Cloud;
}

}  // namespace

double fitting_scale(const Rect& bounds, const Size& room) {
    return std::min(
        {1.0, room.width / std::max(bounds.width, 1.0), room.height / std::max(bounds.height, 1.0)});
}

void lay_on_side(Figure& figure) {
    std::vector<int> operands(figure.boxes.size(), 0);
    for (const Edge& edge : figure.edges)
        if (edge.to.port < 0) ++operands[at(edge.to.box)];
    for (std::size_t i = 0; i < figure.boxes.size(); ++i) {
        Box& box = figure.boxes[i];
        std::swap(box.size.width, box.size.height);
        if (has_rim(box)) {
            const auto ports = static_cast<double>(std::max(box.in.size(), box.out.size()) + 1);
            box.size.width = std::max({box.size.width, kLeastFrame, ports * kRimStep});
        } else if (operands[i] > 1) {
            box.size.width = std::max(box.size.width, (operands[i] + 1) * kOperandStepSide);
        }
    }
}

Columns columns_of(const Picture& laid_out, Flow flow, const Size& view, const Columns& before,
                   const std::vector<Lineage>& made) {
    const Size room = flow == Flow::Down ? view : Size{view.height, view.width};
    if (room.width <= 0 || room.height <= 0) return {};
    const double whole = fitting_scale(laid_out.geometry.bounds, room);
    if (whole >= 1) return {};
    const Wrapper wrapper(laid_out);
    if (wrapper.sections() < 2) return {};
    const auto scale_of = [&](const std::vector<int>& starts) {
        return fitting_scale(wrapper.plan(starts).bounds, room);
    };
    double best = whole;
    std::vector<int> starts;
    for (int columns = 2; columns <= std::min(kMostColumns, wrapper.sections()); ++columns) {
        const std::vector<int> tried = wrapper.balanced(columns);
        const double scale = scale_of(tried);
        if (scale < kMuchLarger * best) continue;
        best = scale;
        starts = tried;
    }
    if (!before.empty())
        if (const auto kept = wrapper.starts(before, made); kept && scale_of(*kept) >= kGoodEnough * best)
            starts = *kept;
    return wrapper.columns(starts);
}

Picture shaped(const Picture& laid_out, Flow flow, const Columns& columns) {
    Picture picture = laid_out;
    Geometry& geometry = picture.geometry;
    if (!columns.empty()) {
        const Wrapper wrapper(laid_out);
        if (const auto starts = wrapper.starts(columns, {})) wrapper.apply(wrapper.plan(*starts), geometry);
    }
    if (flow == Flow::Right) {
        geometry.flow = Flow::Right;
        for (Box& box : picture.figure.boxes) std::swap(box.size.width, box.size.height);
        for (Rect& rect : geometry.boxes) rect = turned(rect);
        for (auto* ports : {&geometry.in, &geometry.out})
            for (std::vector<Point>& points : *ports) turn(points);
        for (Curve& curve : geometry.edges) turn(curve);
    }
    const Tree tree(picture.figure);
    geometry.bounds = extent_of(geometry, place_labels(picture.figure, tree, geometry));
    return picture;
}

}  // namespace blockscope
