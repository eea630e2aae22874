// What boxes and edges show of a heat map.
#include <algorithm>

#include "app/costs/heat.h"

namespace blockscope {

namespace {

// Of every node: its own amount, and of maps all that they hold at every depth.
class Totals {
public:
    Totals(const Heat& heat, const BlockProgram& program) : heat_(heat) {
        if (!heat.maps) sum(*program.graph);
    }

    double of(NodeId node) const {
        if (heat_.maps) {
            const auto own = heat_.nodes.find(node);
            return own == heat_.nodes.end() ? 0 : own->second;
        }
        const auto found = totals_.find(node);
        return found == totals_.end() ? 0 : found->second;
    }

private:
    double joined(double a, double b) const {
        return heat_.metric == HeatMetric::Alive ? std::max(a, b) : a + b;
    }
    double sum(const Graph& graph) {
        double all = 0;
        for (const NodePtr& node : graph.nodes()) {
            const auto own = heat_.nodes.find(node->id);
            double amount = own == heat_.nodes.end() ? 0 : own->second;
            if (const Map* map = node->as<Map>()) amount = joined(amount, sum(*map->body));
            if (amount > 0) totals_[node->id] = amount;
            all = joined(all, amount);
        }
        return all;
    }

    const Heat& heat_;
    std::map<NodeId, double> totals_;
};

}  // namespace

FigureHeat figure_heat(const Heat& heat, const Figure& figure, const BlockProgram& program) {
    FigureHeat made;
    const Totals totals(heat, program);
    for (std::size_t i = 0; i < figure.boxes.size(); ++i) {
        if (figure.boxes[i].kind == BoxKind::Frame && !heat.maps) continue;
        const double amount = totals.of(figure.boxes[i].id());
        if (amount <= 0) continue;
        made.boxes[static_cast<int>(i)] = amount;
        made.largest_box = std::max(made.largest_box, amount);
    }
    for (std::size_t i = 0; i < figure.edges.size(); ++i) {
        const auto found = heat.values.find(heat_key(figure.edges[i].value));
        if (found == heat.values.end()) continue;
        made.edges[static_cast<int>(i)] = found->second;
        made.largest_edge = std::max(made.largest_edge, found->second);
    }
    return made;
}

}  // namespace blockscope
