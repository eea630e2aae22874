#include "app/scene/hit.h"

#include <array>
#include <cmath>

namespace blockscope {

namespace {

using Piece = std::array<Point, 4>;

Piece piece_at(const Curve& curve, std::size_t i) {
    return {curve[i], curve[i + 1], curve[i + 2], curve[i + 3]};
}

// de Casteljau: the two halves of `piece` at `t`.
std::array<Piece, 2> split(const Piece& p, double t) {
    const Point ab = mixed(p[0], p[1], t);
    const Point bc = mixed(p[1], p[2], t);
    const Point cd = mixed(p[2], p[3], t);
    const Point abc = mixed(ab, bc, t);
    const Point bcd = mixed(bc, cd, t);
    const Point middle = mixed(abc, bcd, t);
    return {Piece{p[0], ab, abc, middle}, Piece{middle, bcd, cd, p[3]}};
}

Point at(const Piece& p, double t) {
    const double u = 1 - t;
    const double a = u * u * u;
    const double b = 3 * u * u * t;
    const double c = 3 * u * t * t;
    const double d = t * t * t;
    return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
            a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

double length(const Piece& p) {
    return distance(p[0], p[1]) + distance(p[1], p[2]) + distance(p[2], p[3]);
}

Curve reversed(Curve curve) {
    std::reverse(curve.begin(), curve.end());
    return curve;
}

double distance_to_segment(Point p, Point a, Point b) {
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    const double squared = dx * dx + dy * dy;
    const double t = squared > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / squared, 0.0, 1.0) : 0;
    return distance(p, {a.x + t * dx, a.y + t * dy});
}

}  // namespace

Point mixed(Point a, Point b, double share) {
    return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

double distance(Point a, Point b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

Curve cut_end(Curve curve, Point center, double radius) {
    while (curve.size() > 4 && distance(curve[curve.size() - 4], center) <= radius)
        curve.resize(curve.size() - 3);
    if (curve.size() < 4 || distance(curve.back(), center) > radius) return curve;
    const std::size_t start = curve.size() - 4;
    const Piece piece = piece_at(curve, start);
    double outside = 0;
    double inside = 1;
    for (int i = 0; i < 12; ++i) {
        const double middle = (outside + inside) / 2;
        (distance(at(piece, middle), center) > radius ? outside : inside) = middle;
    }
    const Piece kept = split(piece, std::max(outside, 0.5 * (outside == 0)))[0];
    std::copy(kept.begin(), kept.end(), curve.begin() + static_cast<std::ptrdiff_t>(start));
    return curve;
}

Curve cut_start(Curve curve, Point center, double radius) {
    return reversed(cut_end(reversed(std::move(curve)), center, radius));
}

Curve with_pieces(Curve curve, std::size_t pieces) {
    if (curve.size() < 4) return curve;
    while ((curve.size() - 1) / 3 < pieces) {
        std::size_t longest = 0;
        for (std::size_t i = 0; i + 3 < curve.size(); i += 3)
            if (length(piece_at(curve, i)) > length(piece_at(curve, longest))) longest = i;
        const auto halves = split(piece_at(curve, longest), 0.5);
        const Curve middle{halves[0][1], halves[0][2], halves[0][3], halves[1][1], halves[1][2]};
        const auto place = curve.begin() + static_cast<std::ptrdiff_t>(longest);
        curve.insert(curve.erase(place + 1, place + 3), middle.begin(), middle.end());
    }
    return curve;
}

double distance_to(const Curve& curve, Point p, double reach) {
    double best = 1e300;
    for (std::size_t i = 0; i + 3 < curve.size(); i += 3) {
        const Piece piece = piece_at(curve, i);
        const int samples = std::clamp(static_cast<int>(length(piece) / std::max(reach, 1.0)), 4, 64);
        Point last = piece[0];
        for (int k = 1; k <= samples; ++k) {
            const Point next = at(piece, static_cast<double>(k) / samples);
            best = std::min(best, distance_to_segment(p, last, next));
            last = next;
        }
    }
    return best;
}

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

namespace {

const Rect& rect_of(const Picture& picture, int box) {
    return picture.geometry.boxes[static_cast<std::size_t>(box)];
}

const Box& box_of(const Picture& picture, int box) {
    return picture.figure.boxes[static_cast<std::size_t>(box)];
}

// How far `to` lies from `from` in `direction`; infinite if it lies elsewhere. Sideways counts twice.
double cost(const Rect& from, const Rect& to, Direction direction) {
    const double dx = to.center().x - from.center().x;
    const double dy = to.center().y - from.center().y;
    const bool across = direction == Direction::Left || direction == Direction::Right;
    const bool backwards = direction == Direction::Left || direction == Direction::Up;
    const double along = (across ? dx : dy) * (backwards ? -1 : 1);
    const double sideways = std::abs(across ? dy : dx);
    if (along < 1 || sideways > 2 * along + (across ? from.height : from.width)) return INFINITY;
    return along + 2 * sideways;
}

// The box at the other end of an edge of `box` (forwards: that it leads to). Ends at the rim of the enclosing
// frame lead on to that frame. Of several the one that is nearest to straight on.
int along_edge(const Picture& picture, int box, bool forwards) {
    int best = -1;
    double least = INFINITY;
    for (const Edge& edge : picture.figure.edges) {
        const End& here = forwards ? edge.from : edge.to;
        const End& there = forwards ? edge.to : edge.from;
        if (here.box != box || there.box == box) continue;
        if (edge.container == box) continue;  // the inner side of the frame's own ports
        const Point a = rect_of(picture, there.box).center(), b = rect_of(picture, box).center();
        const bool down = picture.geometry.flow == Flow::Down;
        const double sideways = std::abs(down ? a.x - b.x : a.y - b.y);
        const double price = sideways + (there.box == edge.container ? 1e6 : 0);
        if (price < least) least = price, best = there.box;
    }
    return best;
}

int nearest(const Picture& picture, int box, Direction direction, bool siblings_only) {
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < static_cast<int>(picture.figure.boxes.size()); ++i) {
        if (i == box) continue;
        if (siblings_only && box_of(picture, i).parent != box_of(picture, box).parent) continue;
        const double price = cost(rect_of(picture, box), rect_of(picture, i), direction);
        if (price < least) least = price, best = i;
    }
    return best;
}

}  // namespace

int neighbour(const Picture& picture, int box, Direction direction) {
    if (picture.figure.boxes.empty()) return -1;
    if (box < 0 || box >= static_cast<int>(picture.figure.boxes.size()))
        return picture.figure.roots.empty() ? 0 : picture.figure.roots.front();
    const bool down = picture.geometry.flow == Flow::Down;
    const Direction on = down ? Direction::Down : Direction::Right;
    if (direction == on || direction == (down ? Direction::Up : Direction::Left)) {
        const int next = along_edge(picture, box, direction == on);
        if (next >= 0) return next;
    }
    const int sibling = nearest(picture, box, direction, true);
    return sibling >= 0 ? sibling : nearest(picture, box, direction, false);
}

int first_child(const Picture& picture, int box) {
    if (box < 0) return -1;
    const std::vector<int>& children = box_of(picture, box).children;
    return children.empty() ? -1 : children.front();
}

int parent_of(const Picture& picture, int box) {
    return box < 0 ? -1 : box_of(picture, box).parent;
}

}  // namespace blockscope
