// One value through all nesting levels: edges that share a beginning, and edges that a port joins.
#include <algorithm>
#include <map>
#include <tuple>

#include "app/figure/figure.h"

namespace blockscope {

namespace {

// Where a value is: one output of a leaf, or a port seen from one of its two sides.
using Place = std::tuple<int, int, int, int>;  // container, box, port, output of a leaf

Place start(const Edge& edge) {
    return {edge.container, edge.from.box, edge.from.port, edge.from.port < 0 ? edge.value.port : 0};
}
Place end(const Edge& edge) {
    return {edge.container, edge.to.box, edge.to.port, 0};
}

class Walker {
public:
    explicit Walker(const Figure& figure) : figure_(figure), taken_(figure.edges.size(), false) {
        for (int i = 0; i < static_cast<int>(figure.edges.size()); ++i) {
            const Edge& edge = figure.edges[static_cast<std::size_t>(i)];
            starting_[start(edge)].push_back(i);
            if (edge.to.port >= 0) ending_[end(edge)].push_back(i);
        }
    }

    ValuePath run(int edge) {
        take(edge);
        for (std::size_t at = 0; at < path_.edges.size(); ++at) {
            const Edge& here = figure_.edges[static_cast<std::size_t>(path_.edges[at])];
            take_all(starting_, start(here));
            if (here.from.port >= 0) take_all(ending_, other_side(here, here.from));
            if (here.to.port >= 0) take_all(starting_, other_side(here, here.to));
        }
        std::sort(path_.edges.begin(), path_.edges.end());
        for (const int i : path_.edges)
            for (const End& e : {figure_.edges[static_cast<std::size_t>(i)].from,
                                 figure_.edges[static_cast<std::size_t>(i)].to})
                path_.boxes.push_back(e.box);
        std::sort(path_.boxes.begin(), path_.boxes.end());
        path_.boxes.erase(std::unique(path_.boxes.begin(), path_.boxes.end()), path_.boxes.end());
        return std::move(path_);
    }

private:
    // A port of the edge's own container continues outside, one of a sibling inside.
    Place other_side(const Edge& edge, const End& port) const {
        const bool own = port.box == edge.container;
        return {own ? figure_.boxes[static_cast<std::size_t>(port.box)].parent : port.box, port.box,
                port.port, 0};
    }

    void take_all(const std::map<Place, std::vector<int>>& edges, const Place& place) {
        const auto found = edges.find(place);
        if (found == edges.end()) return;
        for (const int edge : found->second) take(edge);
    }

    void take(int edge) {
        if (taken_[static_cast<std::size_t>(edge)]) return;
        taken_[static_cast<std::size_t>(edge)] = true;
        path_.edges.push_back(edge);
    }

    const Figure& figure_;
    std::vector<bool> taken_;
    std::map<Place, std::vector<int>> starting_, ending_;
    ValuePath path_;
};

}  // namespace

ValuePath value_path(const Figure& figure, int edge) {
    if (edge < 0 || edge >= static_cast<int>(figure.edges.size())) return {};
    return Walker(figure).run(edge);
}

}  // namespace blockscope
