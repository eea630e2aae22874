#include "app/costs/heat.h"

#include <algorithm>

namespace blockscope {

namespace {

bool is_operation(Quantity quantity) {
    return quantity == Quantity::Matrix || quantity == Quantity::Vector || quantity == Quantity::Special;
}

void add_value(Heat& heat, const ValueRef& value, double amount) {
    for (auto& [known, sum] : heat.values)
        if (known.same_value(value)) {
            sum += amount;
            return;
        }
    heat.values.emplace_back(value, amount);
}

void add_moved(Heat& heat, const StateCosts& costs) {
    for (const Term& term : costs.terms) {
        if (term.quantity != Quantity::LoadValues && term.quantity != Quantity::StoreValues) continue;
        const Buffer& buffer = costs.loops.buffers.at(static_cast<std::size_t>(term.buffer));
        if (buffer.source != InputSource::Array) continue;
        const double bytes =
            static_cast<double>(value(term, costs.loops.dims)) * bytes_per_element(buffer.type.elem());
        heat.lines.at(static_cast<std::size_t>(term.line)) += bytes;
        if (buffer.kind != Buffer::Kind::Intermediate) heat.nodes[buffer.node] += bytes;
        if (term.value) add_value(heat, *term.value, bytes);
    }
}

void add_operations(Heat& heat, const StateCosts& costs) {
    for (const Term& term : costs.terms) {
        if (!is_operation(term.quantity)) continue;
        const auto operations = static_cast<double>(value(term, costs.loops.dims));
        heat.lines.at(static_cast<std::size_t>(term.line)) += operations;
        heat.nodes[term.node] += operations;
    }
}

void add_alive(Heat& heat, const StateCosts& costs) {
    for (std::size_t i = 0; i < costs.alive.size(); ++i) {
        const auto bytes = static_cast<double>(costs.alive[i].bytes);
        heat.lines[i] = bytes;
        double& most = heat.nodes[costs.alive[i].node];
        most = std::max(most, bytes);
    }
}

// Of every node: its own amount, and of maps all that they hold at every depth.
class Totals {
public:
    Totals(const Heat& heat, const BlockProgram& program) : heat_(heat) { sum(*program.graph); }

    double of(NodeId node) const {
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

Heat heat_of(const StateCosts& costs, HeatMetric metric) {
    Heat heat;
    heat.metric = metric;
    heat.unit = metric == HeatMetric::Operations ? "FLOP" : "B";
    heat.lines.assign(costs.alive.size(), 0);
    if (metric == HeatMetric::Moved) add_moved(heat, costs);
    if (metric == HeatMetric::Operations) add_operations(heat, costs);
    if (metric == HeatMetric::Alive) add_alive(heat, costs);
    return heat;
}

double hottest_line(const Heat& heat) {
    return heat.lines.empty() ? 0 : *std::max_element(heat.lines.begin(), heat.lines.end());
}

FigureHeat figure_heat(const Heat& heat, const Figure& figure, const BlockProgram& program) {
    FigureHeat made;
    const Totals totals(heat, program);
    for (std::size_t i = 0; i < figure.boxes.size(); ++i) {
        if (figure.boxes[i].kind == BoxKind::Frame) continue;
        const double amount = totals.of(figure.boxes[i].id());
        if (amount <= 0) continue;
        made.boxes[static_cast<int>(i)] = amount;
        made.largest_box = std::max(made.largest_box, amount);
    }
    for (const auto& [value, amount] : heat.values)
        for (std::size_t i = 0; i < figure.edges.size(); ++i) {
            if (!figure.edges[i].value.same_value(value)) continue;
            made.edges[static_cast<int>(i)] = amount;
            made.largest_edge = std::max(made.largest_edge, amount);
        }
    return made;
}

}  // namespace blockscope
