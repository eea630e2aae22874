#include "app/layout/inputs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/layout/crossings.h"

namespace blockscope {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

constexpr std::size_t kMostInputs = 40, kMostTried = 3;
constexpr double kApart = 1;  // pixels between edges that run side by side

struct Input {
    int box;
    double x;  // centre
    std::vector<int> edges;
};

class Row {
public:
    Row(const Figure& figure, const Geometry& geometry) : figure_(figure), geometry_(geometry) {
        for (const int box : figure.roots)
            if (figure.boxes[at(box)].kind == BoxKind::Input)
                inputs_.push_back({box, geometry.boxes[at(box)].center().x, {}});
        if (inputs_.size() > kMostInputs) inputs_.clear();
        std::sort(inputs_.begin(), inputs_.end(), [](const Input& a, const Input& b) {
            return std::pair(a.x, a.box) < std::pair(b.x, b.box);
        });
        for (int edge = 0; edge < static_cast<int>(figure.edges.size()); ++edge)
            for (Input& input : inputs_)
                if (figure.edges[at(edge)].from.box == input.box) input.edges.push_back(edge);
        compare();
    }

    std::vector<Wishes> orders(const Wishes& wishes) const {
        std::vector<Move> moves;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            Move best{0, i, i};
            for (std::size_t j = 0; j < inputs_.size(); ++j)
                if (saved_by(i, j) > best.saved) best = {saved_by(i, j), i, j};
            if (best.saved > 0) moves.push_back(best);
        }
        std::stable_sort(moves.begin(), moves.end(),
                         [](const Move& a, const Move& b) { return a.saved > b.saved; });
        if (moves.size() > kMostTried) moves.resize(kMostTried);
        std::vector<Wishes> orders(moves.size(), wishes);
        for (std::size_t i = 0; i < moves.size(); ++i) move(moves[i].from, moves[i].to, orders[i]);
        return orders;
    }

private:
    struct Move {
        int saved;  // crossings
        std::size_t from, to;
    };

    // crossings_[i][j]: pairs of edges of the two that cross if i is left of j.
    void compare() {
        std::vector<std::vector<Way>> ways;
        for (const Input& input : inputs_) {
            ways.emplace_back();
            for (const int edge : input.edges) ways.back().emplace_back(geometry_.edges[at(edge)]);
        }
        crossings_.assign(inputs_.size(), std::vector<int>(inputs_.size(), 0));
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            for (std::size_t j = 0; j < inputs_.size(); ++j)
                for (const Way& a : ways[i])
                    for (const Way& b : ways[j]) {
                        const double end = std::min(a.bottom(), b.bottom());
                        if (i != j) crossings_[i][j] += a.x(end) > b.x(end) + kApart;
                    }
    }

    // Fewer crossings with i in the place of j.
    int saved_by(std::size_t i, std::size_t j) const {
        int saved = 0;
        for (std::size_t k = std::min(i, j); k <= std::max(i, j); ++k)
            saved += i < j ? crossings_[i][k] - crossings_[k][i] : crossings_[k][i] - crossings_[i][k];
        return saved;
    }

    // Above where its edges go, between its new neighbours.
    void move(std::size_t i, std::size_t j, Wishes& wishes) const {
        const Input& input = inputs_[i];
        Rect& box = wishes.boxes[at(input.box)];
        const auto left = i < j ? j : j - 1;  // j - 1 wraps around below 0: no neighbour
        const auto right = i < j ? j + 1 : j;
        double low = -std::numeric_limits<double>::infinity(), high = -low, x = 0;
        if (left < inputs_.size())
            low = geometry_.boxes[at(inputs_[left].box)].right() + Measures::kGapX + box.width / 2;
        if (right < inputs_.size())
            high = geometry_.boxes[at(inputs_[right].box)].left() - Measures::kGapX - box.width / 2;
        for (const int edge : input.edges)
            x += geometry_.edges[at(edge)].back().x / static_cast<double>(input.edges.size());
        box.x = (low <= high ? std::clamp(x, low, high) : (low + high) / 2) - box.width / 2;
        wishes.kept[at(input.box)] = false;
        for (const int edge : input.edges) wishes.lanes[at(edge)] = std::numeric_limits<double>::quiet_NaN();
    }

    const Figure& figure_;
    const Geometry& geometry_;
    std::vector<Input> inputs_;  // from left to right
    std::vector<std::vector<int>> crossings_;
};

}  // namespace

std::vector<Wishes> other_orders(const Figure& figure, const Geometry& geometry, const Wishes& wishes) {
    return Row(figure, geometry).orders(wishes);
}

}  // namespace blockscope
