#include <cmath>

#include "app/layout/route.h"

namespace blockscope {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

constexpr double kBeside = 6;       // between an edge and its label
constexpr double kCharacter = 6.2;  // width of a character of a label, about
constexpr double kLine = 13;
constexpr double kCornerCharacter = 7.5;
constexpr std::size_t kRemembered = 60;  // labels that a new one must not cover
constexpr std::size_t kMany =
    150;                        // edges or boxes of a container from which on labels do not look out for them
constexpr double kOnEdge = 30;  // square pixels that a point of another edge under a label counts as

Rect beside(Point p, double width, bool right) {
    return {right ? p.x + kBeside : p.x - kBeside - width, p.y - kLine / 2, width, kLine};
}

double covered(const Rect& label, const Rect& other) {
    if (!label.intersects(other)) return 0;
    return (std::min(label.right(), other.right()) - std::max(label.left(), other.left())) *
           (std::min(label.bottom(), other.bottom()) - std::max(label.top(), other.top()));
}

// Labels of the edges of one container.
class Labels {
public:
    Labels(const Figure& figure, const Container& container, const Geometry& geometry)
        : figure_(figure), geometry_(geometry) {
        if (container.children.size() <= kMany)
            for (const int child : container.children) boxes_.push_back(geometry.boxes[at(child)]);
        if (container.edges.size() <= kMany)
            for (const int edge : container.edges) add_points(edge);
        if (container.box < 0) return;
        inside_ = &geometry.boxes[at(container.box)];
        const double width =
            kCornerCharacter * static_cast<double>(figure.boxes[at(container.box)].corner.size());
        boxes_.push_back({inside_->right() - width - 8, inside_->bottom() - kLine - 6, width, kLine});
    }

    Rect place(int edge) {
        const double width = kCharacter * static_cast<double>(figure_.edges[at(edge)].label.size());
        const Curve& curve = geometry_.edges[at(edge)];
        Rect best;
        double least = -1;
        for (const double t : {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8}) {
            for (const bool right : {true, false}) {
                const Rect label = beside(point_on(curve, t), width, right);
                const double cost = cost_of(label, edge);
                if (least >= 0 && cost >= least) continue;
                least = cost;
                best = label;
            }
            if (least == 0) break;
        }
        placed_.push_back(best);
        if (placed_.size() > kRemembered) placed_.erase(placed_.begin());
        return best;
    }

private:
    void add_points(int edge) {
        const Curve& curve = geometry_.edges[at(edge)];
        const double length = curve.back().y - curve.front().y + std::abs(curve.back().x - curve.front().x);
        const int count = std::clamp(static_cast<int>(length / 8), 6, 60);
        for (int i = 0; i <= count; ++i)
            points_.emplace_back(point_on(curve, static_cast<double>(i) / count), edge);
    }

    double cost_of(const Rect& label, int edge) const {
        double cost = 0;
        for (const Rect& box : boxes_) cost += covered(label, box);
        for (const Rect& other : placed_) cost += 3 * covered(label, other);
        if (inside_) cost += label.width * label.height - covered(label, *inside_);
        for (const auto& [point, other] : points_)
            if (other != edge && label.contains(point)) cost += kOnEdge;
        return cost;
    }

    const Figure& figure_;
    const Geometry& geometry_;
    const Rect* inside_ = nullptr;
    std::vector<Rect> boxes_, placed_;
    std::vector<std::pair<Point, int>> points_;  // on edges
};

}  // namespace

Point point_on(const Curve& curve, double t) {
    const std::size_t count = (curve.size() - 1) / 3;
    const auto pieces = static_cast<double>(count);
    const double piece = std::min(std::floor(t * pieces), pieces - 1);
    const double u = t * pieces - piece, v = 1 - u;
    const Point* p = &curve[3 * static_cast<std::size_t>(piece)];
    const double a = v * v * v, b = 3 * v * v * u, c = 3 * v * u * u, d = u * u * u;
    return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
            a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

std::vector<Rect> place_labels(const Figure& figure, const Tree& tree, Geometry& geometry) {
    geometry.labels.resize(figure.edges.size());
    std::vector<Rect> placed(figure.edges.size());
    for (int box = -1; box < tree.boxes(); ++box) {
        const Container& container = tree.of(box);
        if (container.edges.empty()) continue;
        Labels labels(figure, container, geometry);
        for (const int edge : container.edges) {
            placed[at(edge)] = labels.place(edge);
            geometry.labels[at(edge)] = placed[at(edge)].center();
        }
    }
    return placed;
}

}  // namespace blockscope
