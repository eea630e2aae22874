#include "app/scene/curve.h"

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

}  // namespace blockscope
