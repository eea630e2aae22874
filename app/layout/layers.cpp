#include <cmath>
#include <map>

#include "app/layout/dot.h"

namespace blockscope {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

constexpr int kSweeps = 8;

// Children in rows by longest path from the inputs.
class Layers {
public:
    Layers(const Figure& figure, const Container& container, const Extents& extents)
        : figure_(figure), container_(container), extents_(extents) {
        for (const int child : container.children) {
            position_[child] = static_cast<int>(size_.size());
            size_.push_back(extents.boxes[at(child)]);
        }
        above_.resize(size_.size());
        below_.resize(size_.size());
        for (const int edge : container.edges) {
            const Edge& e = figure.edges[at(edge)];
            if (e.from.box == container.box || e.to.box == container.box) continue;
            const int u = position_.at(e.from.box), v = position_.at(e.to.box);
            above_[at(v)].push_back(u);
            below_[at(u)].push_back(v);
        }
    }

    Places run() {
        rank();
        for (int sweep = 0; sweep < kSweeps; ++sweep) order(sweep % 2 == 0 ? above_ : below_, sweep % 2 == 0);
        return places();
    }

private:
    // Children are in execution order: producers come first.
    void rank() {
        std::vector<int> ranks(size_.size(), 0);
        int last = 0;
        for (std::size_t v = 0; v < size_.size(); ++v) {
            for (const int u : above_[v]) ranks[v] = std::max(ranks[v], ranks[at(u)] + 1);
            last = std::max(last, ranks[v]);
        }
        for (std::size_t v = 0; v < size_.size(); ++v)
            if (figure_.boxes[at(container_.children[v])].kind == BoxKind::Output) ranks[v] = last;
        rows_.resize(at(last) + 1);
        for (std::size_t v = 0; v < size_.size(); ++v) rows_[at(ranks[v])].push_back(static_cast<int>(v));
        x_.assign(size_.size(), 0);
        for (const auto& row : rows_) spread(row, {});
    }

    // Side by side in the given order, about the wished centres on average.
    void spread(const std::vector<int>& row, const std::map<int, double>& wished) {
        double x = 0, off = 0;
        for (const int v : row) {
            x_[at(v)] = x + size_[at(v)].width / 2;
            x += size_[at(v)].width + Measures::kGapX;
            const auto wish = wished.find(v);
            off += (wish == wished.end() ? 0 : wish->second) - x_[at(v)];
        }
        for (const int v : row) x_[at(v)] += off / static_cast<double>(row.size());
    }

    void order(const std::vector<std::vector<int>>& neighbours, bool downwards) {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            std::vector<int>& row = rows_[downwards ? i : rows_.size() - 1 - i];
            std::map<int, double> wished;
            for (const int v : row) {
                double sum = 0;
                for (const int u : neighbours[at(v)]) sum += x_[at(u)];
                const auto count = static_cast<double>(neighbours[at(v)].size());
                wished[v] = count == 0 ? x_[at(v)] : sum / count;
            }
            std::stable_sort(row.begin(), row.end(), [&](int a, int b) { return wished[a] < wished[b]; });
            spread(row, wished);
        }
    }

    Places places() const {
        Places places;
        places.children.resize(size_.size());
        double left = 0, right = 0, y = Measures::kGapY;
        for (std::size_t v = 0; v < size_.size(); ++v) {
            left = std::min(left, x_[v] - size_[v].width / 2);
            right = std::max(right, x_[v] + size_[v].width / 2);
        }
        for (const auto& row : rows_) {
            double height = 0;
            for (const int v : row) height = std::max(height, size_[at(v)].height);
            for (const int v : row) places.children[at(v)] = {x_[at(v)] - left, y + height / 2};
            y += height + Measures::kGapY;
        }
        places.size = {right - left, y};
        for (const int edge : container_.edges)
            places.edges.push_back(middle(places, figure_.edges[at(edge)]));
        if (container_.box >= 0) add_ports(places);
        return places;
    }

    double middle(const Places& places, const Edge& edge) const {
        const bool from_rim = edge.from.box == container_.box, to_rim = edge.to.box == container_.box;
        if (from_rim && to_rim) return places.size.width / 2;
        const double to = to_rim ? 0 : places.children[at(position_.at(edge.to.box))].x;
        const double from = from_rim ? to : places.children[at(position_.at(edge.from.box))].x;
        return to_rim ? from : (from + to) / 2;
    }

    // Each port above (below) the mean of what it is connected with.
    void add_ports(Places& places) const {
        const Box& box = figure_.boxes[at(container_.box)];
        places.in.assign(box.in.size(), places.size.width / 2);
        places.out.assign(box.out.size(), places.size.width / 2);
        for (std::size_t i = 0; i < container_.edges.size(); ++i) {
            const Edge& edge = figure_.edges[at(container_.edges[i])];
            if (edge.from.box == container_.box) places.in[at(edge.from.port)] = places.edges[i];
            if (edge.to.box == container_.box) places.out[at(edge.to.port)] = places.edges[i];
        }
    }

    const Figure& figure_;
    const Container& container_;
    const Extents& extents_;
    std::map<int, int> position_;  // by box
    std::vector<Size> size_;
    std::vector<std::vector<int>> above_, below_;
    std::vector<std::vector<int>> rows_;
    std::vector<double> x_;
};

}  // namespace

Places place_in_layers(const Figure& figure, const Container& container, const Extents& extents) {
    return Layers(figure, container, extents).run();
}

}  // namespace blockscope
