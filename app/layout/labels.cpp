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
constexpr std::size_t kRemembered = 60;  // labels that a new one must not cover

Rect beside(Point p, double width, bool right) {
    return {right ? p.x + kBeside : p.x - kBeside - width, p.y - kLine / 2, width, kLine};
}

double covered(const Rect& label, const Rect& other) {
    if (!label.intersects(other)) return 0;
    return (std::min(label.right(), other.right()) - std::max(label.left(), other.left())) *
           (std::min(label.bottom(), other.bottom()) - std::max(label.top(), other.top()));
}

}  // namespace

Point point_on(const Curve& curve, double t) {
    const auto pieces = static_cast<double>((curve.size() - 1) / 3);
    const double piece = std::min(std::floor(t * pieces), pieces - 1);
    const double u = t * pieces - piece, v = 1 - u;
    const Point* p = &curve[3 * static_cast<std::size_t>(piece)];
    const double a = v * v * v, b = 3 * v * v * u, c = 3 * v * u * u, d = u * u * u;
    return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
            a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

void place_labels(const Figure& figure, const Tree& tree, Geometry& geometry) {
    geometry.labels.resize(figure.edges.size());
    for (int box = -1; box < tree.boxes(); ++box) {
        const Container& container = tree.of(box);
        std::vector<Rect> placed;
        for (const int edge : container.edges) {
            const double width = kCharacter * static_cast<double>(figure.edges[at(edge)].label.size());
            const Curve& curve = geometry.edges[at(edge)];
            Rect best = beside(point_on(curve, 0.5), width, true);
            double least = -1;
            for (const double t : {0.5, 0.35, 0.65, 0.2, 0.8}) {
                for (const bool right : {true, false}) {
                    const Rect label = beside(point_on(curve, t), width, right);
                    double over = 0;
                    if (container.children.size() < 400)
                        for (const int child : container.children)
                            over += covered(label, geometry.boxes[at(child)]);
                    for (const Rect& other : placed) over += 3 * covered(label, other);
                    if (least < 0 || over < least) {
                        least = over;
                        best = label;
                    }
                    if (over == 0) break;
                }
                if (least == 0) break;
            }
            geometry.labels[at(edge)] = best.center();
            placed.push_back(best);
            if (placed.size() > kRemembered) placed.erase(placed.begin());
        }
    }
}

}  // namespace blockscope
