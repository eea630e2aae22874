#include "app/costs/heat.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/costs/heat_time.h"
#include "core/cost/cost_part.h"
#include "core/cost/lifetime.h"

namespace blockscope {

namespace {

bool is_operation(Quantity quantity) {
    return quantity == Quantity::Matrix || quantity == Quantity::Vector || quantity == Quantity::Special;
}

double operations_of(const StateCosts& costs, const Term& term) {
    return is_operation(term.quantity) ? static_cast<double>(value(term, costs.loops.dims)) : 0;
}

// Bytes, or the seconds that they take, on the line, the array and the edge.
void add_transfer(Heat& heat, int line, const Buffer& buffer, const std::optional<ValueRef>& value,
                  double amount) {
    heat.lines.at(static_cast<std::size_t>(line)) += amount;
    if (buffer.kind != Buffer::Kind::Intermediate) heat.nodes[buffer.node] += amount;
    if (value) heat.values[heat_key(*value)] += amount;
}

void add_moved(Heat& heat, const StateCosts& costs, std::optional<Buffer::Kind> kind) {
    for (const Term& term : costs.terms) {
        const double bytes = moved_bytes(costs, term);
        if (bytes > 0 && (!kind || buffer_of(costs, term).kind == *kind))
            add_transfer(heat, term.line, buffer_of(costs, term), term.value, bytes);
    }
}

void add_operations(Heat& heat, const StateCosts& costs) {
    for (const Term& term : costs.terms) {
        const double operations = operations_of(costs, term);
        if (operations <= 0) continue;
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

void add_predicted(Heat& heat, const StateCosts& costs, const Prediction& predicted) {
    for (const TimeShare& share : time_shares(costs, predicted)) {
        if (share.buffer >= 0) {
            const Buffer& buffer = costs.loops.buffers.at(static_cast<std::size_t>(share.buffer));
            add_transfer(heat, share.line, buffer, share.value, share.seconds);
            continue;
        }
        heat.lines.at(static_cast<std::size_t>(share.line)) += share.seconds;
        heat.nodes[share.node] += share.seconds;
    }
}

// ---- What belongs to top-level operators

template <class AmountOf>
void add_kernels(Heat& heat, const StateCosts& costs, const AmountOf& amount_of) {
    heat.maps = true;
    const std::vector<ListedLine> listed = listed_lines(costs.loops);
    std::size_t kernel = 0;
    for (std::size_t line = 0; line < listed.size(); ++line) {
        if (listed[line].outer >= 0) continue;
        const double amount = amount_of(kernel++);
        heat.lines.at(line) += amount;
        heat.nodes[listed[line].node] += amount;
    }
}

// The fewest tasks of a map that is lowered to several loops (a peeled one) are the map's.
void add_tasks(Heat& heat, const StateCosts& costs) {
    heat.maps = true;
    int line = 0;
    for (const Statement& launch : costs.loops.body) {
        const auto found = static_cast<double>(tasks(launch, costs.loops.dims));
        heat.lines.at(static_cast<std::size_t>(line)) = found;
        const auto [fewest, is_new] = heat.nodes.emplace(launch.node, found);
        if (!is_new) fewest->second = std::min(fewest->second, found);
        line += lines_of(launch);
    }
}

// ---- Ratios: of operators and maps with all that stands in them

// The line, and the loops around it.
std::vector<int> line_and_outer(const std::vector<ListedLine>& listed, int line) {
    std::vector<int> lines;
    for (int at = line; at >= 0; at = listed[static_cast<std::size_t>(at)].outer) lines.push_back(at);
    return lines;
}

// Operations of what stands in a loop or belongs to an operator, and bytes of its loads and stores: those in
// it, those of what it reads and those of what it makes.
class Intensities {
public:
    explicit Intensities(const StateCosts& costs)
        : listed_(listed_lines(costs.loops)), transferring_(listed_), lines_(listed_.size()) {
        std::vector<double> bytes(listed_.size(), 0);
        for (const Term& term : costs.terms) {
            const double operations = operations_of(costs, term);
            if (operations > 0) add(reached({term.line}), &Work::operations, operations);
            bytes.at(static_cast<std::size_t>(term.line)) += moved_bytes(costs, term);
        }
        for (std::size_t line = 0; line < bytes.size(); ++line) {
            if (bytes[line] <= 0) continue;
            std::vector<int> users = transferring_.users(static_cast<int>(line));
            const bool load = std::holds_alternative<Load>(listed_[line].statement->what);
            users.push_back(load ? listed_[line].outer : static_cast<int>(line));
            add(reached(users), &Work::bytes, bytes[line]);
        }
    }

    void put_into(Heat& heat) const {
        heat.maps = true;
        for (std::size_t line = 0; line < lines_.size(); ++line)
            if (std::holds_alternative<LoopPtr>(listed_[line].statement->what))
                heat.lines.at(line) = lines_[line].intensity();
        for (const auto& [node, work] : nodes_)
            if (work.intensity() > 0) heat.nodes[node] = work.intensity();
    }

private:
    struct Work {
        double operations = 0;
        double bytes = 0;
        double intensity() const { return bytes > 0 ? operations / bytes : 0; }
    };
    std::set<int> reached(const std::vector<int>& from) const {
        std::set<int> lines;
        for (const int line : from)
            for (const int each : line_and_outer(listed_, line)) lines.insert(each);
        return lines;
    }
    void add(const std::set<int>& lines, double Work::*what, double amount) {
        std::set<NodeId> nodes;
        for (const int line : lines) {
            lines_[static_cast<std::size_t>(line)].*what += amount;
            nodes.insert(listed_[static_cast<std::size_t>(line)].node);
        }
        for (const NodeId node : nodes) nodes_[node].*what += amount;
    }

    std::vector<ListedLine> listed_;
    Transferring transferring_;
    std::vector<Work> lines_;
    std::map<NodeId, Work> nodes_;
};

void add_replication(Heat& heat, const StateCosts& costs, const Replicated& replicated) {
    heat.maps = true;
    const std::vector<ListedLine> listed = listed_lines(costs.loops);
    std::map<NodeId, std::set<NodeId>> held;  // by operator or map: what computes in it
    std::vector<std::set<NodeId>> by_line(listed.size());
    for (const Term& term : costs.terms) {
        if (operations_of(costs, term) <= 0) continue;
        for (const int line : line_and_outer(listed, term.line)) {
            held[listed[static_cast<std::size_t>(line)].node].insert(term.node);
            by_line[static_cast<std::size_t>(line)].insert(term.node);
        }
    }
    for (const auto& [node, nodes] : held)
        if (const double ratio = replicated.ratio(replicated.group_of(nodes)); ratio > 0)
            heat.nodes[node] = ratio;
    for (std::size_t line = 0; line < by_line.size(); ++line)
        heat.lines.at(line) = replicated.ratio(replicated.group_of(by_line[line]));
}

}  // namespace

const char* heat_unit(HeatMetric metric) {
    switch (metric) {
        case HeatMetric::Operations:
            return "FLOP";
        case HeatMetric::Predicted:
        case HeatMetric::Measured:
            return "s";
        case HeatMetric::Replication:
            return "\u00d7";
        case HeatMetric::Intensity:
            return "FLOP/B";
        case HeatMetric::Launches:
        case HeatMetric::Tasks:
            return "";
        default:
            return "B";
    }
}

Heat heat_of(const StateCosts& costs, HeatMetric metric, const HeatSource& source) {
    Heat heat;
    heat.metric = metric;
    heat.unit = heat_unit(metric);
    heat.lines.assign(costs.alive.size(), 0);
    switch (metric) {
        case HeatMetric::None:
            break;
        case HeatMetric::Moved:
            add_moved(heat, costs, {});
            break;
        case HeatMetric::Inputs:
            add_moved(heat, costs, Buffer::Kind::Input);
            break;
        case HeatMetric::Outputs:
            add_moved(heat, costs, Buffer::Kind::Output);
            break;
        case HeatMetric::Intermediates:
            add_moved(heat, costs, Buffer::Kind::Intermediate);
            break;
        case HeatMetric::Operations:
            add_operations(heat, costs);
            break;
        case HeatMetric::Alive:
            add_alive(heat, costs);
            break;
        case HeatMetric::Predicted:
            if (source.predicted) add_predicted(heat, costs, *source.predicted);
            break;
        case HeatMetric::Measured:
            if (source.measured.size() == costs.loops.body.size())
                add_kernels(heat, costs, [&](std::size_t kernel) { return source.measured.at(kernel); });
            break;
        case HeatMetric::Replication:
            if (source.replicated) add_replication(heat, costs, *source.replicated);
            break;
        case HeatMetric::Intensity:
            Intensities(costs).put_into(heat);
            break;
        case HeatMetric::Launches:
            add_kernels(heat, costs, [](std::size_t) { return 1.0; });
            break;
        case HeatMetric::Tasks:
            add_tasks(heat, costs);
            break;
    }
    return heat;
}

double hottest_line(const Heat& heat) {
    return heat.lines.empty() ? 0 : *std::max_element(heat.lines.begin(), heat.lines.end());
}

}  // namespace blockscope
