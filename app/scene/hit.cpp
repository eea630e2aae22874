#include "app/scene/hit.h"

#include <cmath>

#include "app/scene/curve.h"

namespace blockscope {

namespace {

constexpr double kCell = 128;   // picture units, unless that makes too many cells
constexpr int kMostCells = 96;  // in each direction

// Later boxes lie inside or above earlier ones: parents come before their children.
int innermost(const Picture& picture, int best, int candidate, Point p) {
    if (candidate <= best) return best;
    return picture.geometry.boxes[static_cast<std::size_t>(candidate)].contains(p) ? candidate : best;
}

struct Nearest {
    int edge = -1;
    double distance = 0;
};

Nearest nearer(const Picture& picture, Nearest best, int edge, Point p, double reach) {
    const Curve& curve = picture.geometry.edges[static_cast<std::size_t>(edge)];
    if (curve.size() < 4) return best;
    const double d = distance_to(curve, p, reach);
    if (d > reach) return best;
    if (best.edge >= 0 && (d > best.distance || (d == best.distance && edge >= best.edge))) return best;
    return {edge, d};
}

}  // namespace

int box_at(const Picture& picture, Point p) {
    int best = -1;
    for (int i = 0; i < static_cast<int>(picture.geometry.boxes.size()); ++i)
        best = innermost(picture, best, i, p);
    return best;
}

int edge_at(const Picture& picture, Point p, double reach) {
    Nearest best;
    for (int i = 0; i < static_cast<int>(picture.geometry.edges.size()); ++i)
        best = nearer(picture, best, i, p, reach);
    return best.edge;
}

HitIndex::HitIndex(PicturePtr picture) : picture_(std::move(picture)) {
    const Geometry& geometry = picture_->geometry;
    const Rect& bounds = geometry.bounds;
    origin_ = {bounds.x, bounds.y};
    cell_ = std::max({kCell, bounds.width / kMostCells, bounds.height / kMostCells});
    columns_ = static_cast<int>(bounds.width / cell_) + 1;
    rows_ = static_cast<int>(bounds.height / cell_) + 1;
    cells_.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
    for (std::size_t i = 0; i < geometry.boxes.size(); ++i)
        spread(geometry.boxes[i], [&](Cell& cell) { cell.boxes.push_back(static_cast<int>(i)); });
    for (std::size_t i = 0; i < geometry.edges.size(); ++i)
        for (std::size_t k = 0; k + 3 < geometry.edges[i].size(); k += 3) {
            const auto from = geometry.edges[i].begin() + static_cast<std::ptrdiff_t>(k);
            const auto [left, right] = std::minmax({from[0].x, from[1].x, from[2].x, from[3].x});
            const auto [top, bottom] = std::minmax({from[0].y, from[1].y, from[2].y, from[3].y});
            spread({left, top, right - left, bottom - top}, [&](Cell& cell) {
                if (cell.edges.empty() || cell.edges.back() != static_cast<int>(i))
                    cell.edges.push_back(static_cast<int>(i));
            });
        }
}

int HitIndex::column(double x) const {
    return std::clamp(static_cast<int>(std::floor((x - origin_.x) / cell_)), 0, columns_ - 1);
}

int HitIndex::row(double y) const {
    return std::clamp(static_cast<int>(std::floor((y - origin_.y) / cell_)), 0, rows_ - 1);
}

template <class Add>
void HitIndex::spread(const Rect& rect, Add add) {
    const int last_column = column(rect.right());
    const int last_row = row(rect.bottom());
    for (int y = row(rect.top()); y <= last_row; ++y)
        for (int x = column(rect.left()); x <= last_column; ++x)
            add(cells_[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) +
                       static_cast<std::size_t>(x)]);
}

int HitIndex::box_at(Point p) const {
    if (cells_.empty()) return -1;
    int best = -1;
    const auto cell = static_cast<std::size_t>(row(p.y)) * static_cast<std::size_t>(columns_);
    for (const int i : cells_[cell + static_cast<std::size_t>(column(p.x))].boxes)
        best = innermost(*picture_, best, i, p);
    return best;
}

int HitIndex::edge_at(Point p, double reach) const {
    if (cells_.empty()) return -1;
    Nearest best;
    for (int y = row(p.y - reach); y <= row(p.y + reach); ++y)
        for (int x = column(p.x - reach); x <= column(p.x + reach); ++x) {
            const auto cell = static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_);
            for (const int i : cells_[cell + static_cast<std::size_t>(x)].edges)
                best = nearer(*picture_, best, i, p, reach);
        }
    return best.edge;
}

std::vector<int> HitIndex::boxes_in(const Rect& rect) const {
    std::vector<int> result;
    if (!picture_) return result;
    for (std::size_t i = 0; i < picture_->geometry.boxes.size(); ++i) {
        const Rect& box = picture_->geometry.boxes[i];
        if (rect.contains({box.left(), box.top()}) && rect.contains({box.right(), box.bottom()}))
            result.push_back(static_cast<int>(i));
    }
    return result;
}

}  // namespace blockscope
