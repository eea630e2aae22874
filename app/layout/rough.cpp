#include "app/layout/rough.h"

#include <cmath>

namespace blockscope {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

constexpr std::size_t kMostChildren = 1500;
constexpr double kLargestBox = 30000;  // pixels; the cells of Graphviz's tables end at 65535
constexpr long kMostRanks = 2500;      // crossed by all edges of a container: what Graphviz's time grows with

// Ranks that edges cross, by longest paths.
long ranks_crossed(const Figure& figure, const Container& container) {
    std::vector<int> rank(figure.boxes.size(), 0);
    std::vector<std::vector<int>> into(figure.boxes.size());
    for (const int edge : container.edges) {
        const Edge& e = figure.edges[at(edge)];
        if (e.from.box != container.box && e.to.box != container.box)
            into[at(e.to.box)].push_back(e.from.box);
    }
    long crossed = 0;
    for (const int child : container.children)
        for (const int from : into[at(child)])
            rank[at(child)] = std::max(rank[at(child)], rank[at(from)] + 1);
    for (const int child : container.children)
        for (const int from : into[at(child)]) crossed += rank[at(child)] - rank[at(from)];
    return crossed;
}

class Rougher {
public:
    Rougher(Dot& dot, const Figure& figure, const Tree& tree) : dot_(dot), figure_(figure), tree_(tree) {
        extents_.boxes.resize(figure.boxes.size());
        extents_.in.resize(figure.boxes.size());
        extents_.out.resize(figure.boxes.size());
        places_.resize(figure.boxes.size() + 1);
    }

    std::vector<Rect> inside(int box) {
        std::vector<int> frames = {box};
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const std::vector<int>& children = tree_.of(frames[i]).children;
            frames.insert(frames.end(), children.begin(), children.end());
        }
        for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) measure(*frame);
        Rough rough;
        rough.boxes.resize(figure_.boxes.size());
        rough.lanes.resize(figure_.edges.size());
        rough.boxes[at(box)] = {0, 0, extents_.boxes[at(box)].width, extents_.boxes[at(box)].height};
        for (const int frame : frames) set(frame, rough);
        return std::move(rough.boxes);
    }

    Rough run() {
        for (int box = tree_.boxes() - 1; box >= 0; --box) measure(box);
        places_[0] = place(tree_.of(-1));
        Rough rough;
        rough.boxes.resize(figure_.boxes.size());
        rough.lanes.resize(figure_.edges.size());
        for (int box = -1; box < tree_.boxes(); ++box) set(box, rough);
        return rough;
    }

private:
    Places place(const Container& container) {
        const auto huge = [&](int child) {
            const Size& size = extents_.boxes[at(child)];
            return std::max(size.width, size.height) > kLargestBox;
        };
        const bool large = container.children.size() > kMostChildren ||
                           ranks_crossed(figure_, container) > kMostRanks ||
                           std::any_of(container.children.begin(), container.children.end(), huge);
        return large ? place_in_layers(figure_, container, extents_)
                     : dot_.place(figure_, container, extents_);
    }

    void measure(int box) {
        const Box& b = figure_.boxes[at(box)];
        Size& size = extents_.boxes[at(box)];
        size = b.size;
        if (tree_.childless(box)) {
            const auto spread = [&](std::size_t count) {
                std::vector<double> offsets;
                for (std::size_t i = 0; i < count; ++i)
                    offsets.push_back(size.width * static_cast<double>(i + 1) /
                                      static_cast<double>(count + 1));
                return offsets;
            };
            extents_.in[at(box)] = spread(b.in.size());
            extents_.out[at(box)] = spread(b.out.size());
            return;
        }
        Places& places = places_[at(box) + 1];
        places = place(tree_.of(box));
        const double more = std::max(0.0, b.size.width - places.size.width - 2 * Measures::kPadX);
        size = {places.size.width + 2 * Measures::kPadX + more, places.size.height};
        for (double x : places.in) extents_.in[at(box)].push_back(x + Measures::kPadX + more / 2);
        for (double x : places.out) extents_.out[at(box)].push_back(x + Measures::kPadX + more / 2);
    }

    void set(int box, Rough& rough) const {
        const Container& container = tree_.of(box);
        if (box >= 0 && container.children.empty()) return;
        const Places& places = places_[at(box + 1)];
        Point origin;
        if (box >= 0) {
            const Rect& rect = rough.boxes[at(box)];
            origin = {rect.x + (rect.width - places.size.width) / 2, rect.y};
        }
        for (std::size_t i = 0; i < container.children.size(); ++i) {
            const Size& size = extents_.boxes[at(container.children[i])];
            rough.boxes[at(container.children[i])] = {origin.x + places.children[i].x - size.width / 2,
                                                      origin.y + places.children[i].y - size.height / 2,
                                                      size.width, size.height};
        }
        for (std::size_t i = 0; i < container.edges.size(); ++i)
            rough.lanes[at(container.edges[i])] = origin.x + places.edges[i];
    }

    Dot& dot_;
    const Figure& figure_;
    const Tree& tree_;
    Extents extents_;
    std::vector<Places> places_;  // by container
};

}  // namespace

std::vector<Rect> rough_inside(Dot& dot, const Figure& figure, const Tree& tree, int box) {
    return Rougher(dot, figure, tree).inside(box);
}

Rough rough_places(Dot& dot, const Figure& figure, const Tree& tree) {
    return Rougher(dot, figure, tree).run();
}

}  // namespace blockscope
