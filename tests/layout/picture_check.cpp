#include "tests/layout/picture_check.h"

#include <cmath>

namespace blockscope::test {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

class Check {
public:
    Check(const Picture& picture, bool columns, bool inside)
        : figure_(picture.figure), geometry_(picture.geometry), columns_(columns), inside_(inside) {}

    std::vector<std::string> run() {
        if (geometry_.boxes.size() != figure_.boxes.size() ||
            geometry_.edges.size() != figure_.edges.size() ||
            geometry_.labels.size() != figure_.edges.size() || geometry_.in.size() != figure_.boxes.size() ||
            geometry_.out.size() != figure_.boxes.size()) {
            say("something of the figure has no place");
            return problems_;
        }
        siblings(figure_.roots);
        for (int box = 0; box < static_cast<int>(figure_.boxes.size()); ++box) one_box(box);
        for (std::size_t edge = 0; edge < figure_.edges.size(); ++edge) one_edge(edge);
        return problems_;
    }

private:
    void say(const std::string& problem) { problems_.push_back(problem); }
    std::string name(int box) const { return figure_.boxes[at(box)].detail.str(); }
    const Rect& rect(int box) const { return geometry_.boxes[at(box)]; }

    void siblings(const std::vector<int>& boxes) {
        for (std::size_t i = 0; i < boxes.size(); ++i)
            for (std::size_t j = i + 1; j < boxes.size(); ++j)
                if (rect(boxes[i]).grown(2).intersects(rect(boxes[j])))
                    say(name(boxes[i]) + " and " + name(boxes[j]) + " overlap");
    }

    void one_box(int box) {
        const Box& b = figure_.boxes[at(box)];
        const Rect& r = rect(box);
        if (!std::isfinite(r.x) || !std::isfinite(r.y) || r.width < b.size.width || r.height < b.size.height)
            say(name(box) + " has no proper place");
        const Rect& around = b.parent < 0 ? geometry_.bounds : rect(b.parent);
        if (r.left() < around.left() + 8 || r.right() > around.right() - 8 || r.top() < around.top() + 8 ||
            r.bottom() > around.bottom() - 8)
            say(name(box) + " leaves its frame");
        siblings(b.children);
        ports(box, geometry_.in[at(box)], b.in.size(), r.top());
        ports(box, geometry_.out[at(box)], b.out.size(), r.bottom());
    }

    void ports(int box, const std::vector<Point>& points, std::size_t count, double y) {
        if (points.size() != count) say(name(box) + " has not one place for each port");
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Point p = points[i];
            if (p.y != y || p.x < rect(box).left() + 8 || p.x > rect(box).right() - 8)
                say(name(box) + " has a port beside its rim");
            for (std::size_t j = 0; j < i; ++j)
                if (std::abs(points[j].x - p.x) < 8) say(name(box) + " has ports on each other");
        }
    }

    void meets(const Edge& edge, const End& end, Point p, bool starts) {
        const bool rim = end.box == edge.container;
        if (end.port >= 0) {
            const auto& ports = (starts == rim ? geometry_.in : geometry_.out)[at(end.box)];
            if (!(ports[at(end.port)] == p)) say("an edge misses a port of " + name(end.box));
            return;
        }
        const Rect& r = rect(end.box);
        if (p.y != (starts ? r.bottom() : r.top()) || p.x <= r.left() || p.x >= r.right())
            say("an edge misses " + name(end.box));
    }

    void one_edge(std::size_t index) {
        const Edge& edge = figure_.edges[index];
        const Curve& curve = geometry_.edges[index];
        if (curve.size() < 4 || curve.size() % 3 != 1) {
            say("an edge is no curve");
            return;
        }
        meets(edge, edge.from, curve.front(), true);
        meets(edge, edge.to, curve.back(), false);
        if (edge.container >= 0)
            for (const Point& p : curve)
                if (!rect(edge.container).grown(1e-6).contains(p))
                    say("an edge leaves " + name(edge.container));
        if (edge.container < 0 ? columns_ : inside_) return;
        for (std::size_t i = 1; i < curve.size(); ++i)
            if (curve[i].y < curve[i - 1].y - 1e-6) say("an edge turns upwards before " + name(edge.to.box));
        if (edge.from.box != edge.container && edge.to.box != edge.container &&
            rect(edge.from.box).bottom() > rect(edge.to.box).top())
            say(name(edge.from.box) + " is not above " + name(edge.to.box));
    }

    const Figure& figure_;
    const Geometry& geometry_;
    const bool columns_, inside_;
    std::vector<std::string> problems_;
};

Point on(const Curve& curve, std::size_t piece, double t) {
    const Point* p = &curve[3 * piece];
    const double u = 1 - t;
    const auto mix = [&](double a, double b, double c, double d) {
        return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
    };
    return {mix(p[0].x, p[1].x, p[2].x, p[3].x), mix(p[0].y, p[1].y, p[2].y, p[3].y)};
}

bool runs_through(const Curve& curve, const Rect& box) {
    const Rect inside = box.grown(-2);
    for (std::size_t piece = 0; 3 * piece + 3 < curve.size(); ++piece)
        for (int i = 0; i <= 32; ++i)
            if (inside.contains(on(curve, piece, i / 32.0))) return true;
    return false;
}

}  // namespace

std::vector<std::string> problems(const Picture& picture, bool columns, bool inside) {
    return Check(picture, columns, inside).run();
}

int edges_through_boxes(const Picture& picture) {
    int count = 0;
    for (std::size_t i = 0; i < picture.figure.edges.size(); ++i) {
        const Edge& edge = picture.figure.edges[i];
        const std::vector<int>& boxes =
            edge.container < 0 ? picture.figure.roots : picture.figure.boxes[at(edge.container)].children;
        for (const int box : boxes)
            if (box != edge.from.box && box != edge.to.box &&
                runs_through(picture.geometry.edges[i], picture.geometry.boxes[at(box)])) {
                ++count;
                break;
            }
    }
    return count;
}

bool same_geometry(const Geometry& a, const Geometry& b) {
    return a.boxes == b.boxes && a.in == b.in && a.out == b.out && a.edges == b.edges &&
           a.labels == b.labels && a.bounds == b.bounds;
}

Picture fresh_picture(Layouter& layouter, const BlockProgram& program, const Folds& folds) {
    Figure figure = make_figure(program, folds, plain_measure);
    Geometry geometry = layouter.fresh(figure);
    return {std::move(figure), std::move(geometry)};
}

}  // namespace blockscope::test
