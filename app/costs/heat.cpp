#include "app/costs/heat.h"

#include <algorithm>
#include <optional>

#include "core/cost/lifetime.h"

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

const Buffer& buffer_of(const StateCosts& costs, const Term& term) {
    return costs.loops.buffers.at(static_cast<std::size_t>(term.buffer));
}

// What the load or store adds to the bytes moved; 0 of everything else.
double moved_bytes(const StateCosts& costs, const Term& term) {
    if (term.quantity != Quantity::LoadValues && term.quantity != Quantity::StoreValues) return 0;
    const Buffer& buffer = buffer_of(costs, term);
    if (buffer.source != InputSource::Array) return 0;
    return static_cast<double>(value(term, costs.loops.dims)) * bytes_per_element(buffer.type.elem());
}

// Bytes, or the seconds that they take, on the line, the array and the edge.
void add_transfer(Heat& heat, const StateCosts& costs, const Term& term, double amount) {
    heat.lines.at(static_cast<std::size_t>(term.line)) += amount;
    const Buffer& buffer = buffer_of(costs, term);
    if (buffer.kind != Buffer::Kind::Intermediate) heat.nodes[buffer.node] += amount;
    if (term.value) add_value(heat, *term.value, amount);
}

void add_moved(Heat& heat, const StateCosts& costs, std::optional<Buffer::Kind> kind) {
    for (const Term& term : costs.terms) {
        const double bytes = moved_bytes(costs, term);
        if (bytes > 0 && (!kind || buffer_of(costs, term).kind == *kind))
            add_transfer(heat, costs, term, bytes);
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

// Which unit or path of the machine a term of a model is about.
enum class Cause { Matrix, Vector, Special, Compute, Transfer, None };

Cause cause_of(const std::string& term) {
    if (term == "matrix") return Cause::Matrix;
    if (term == "vector") return Cause::Vector;
    if (term == "special") return Cause::Special;
    if (term == "compute") return Cause::Compute;
    for (const char* none : {"launch", "fill", "idle", "tasks", "calls"})
        if (term == none) return Cause::None;
    return Cause::Transfer;  // memory, shared memory, the caches by name, copies
}

double amount_for(Cause cause, const StateCosts& costs, const Term& term) {
    if (cause == Cause::Transfer) return moved_bytes(costs, term);
    const bool asked = cause == Cause::Matrix    ? term.quantity == Quantity::Matrix
                       : cause == Cause::Vector  ? term.quantity == Quantity::Vector
                       : cause == Cause::Special ? term.quantity == Quantity::Special
                       : cause == Cause::Compute ? is_operation(term.quantity)
                                                 : false;
    return asked ? static_cast<double>(value(term, costs.loops.dims)) : 0;
}

using LineTerms = std::vector<const Term*>;

// Seconds of one term of a model over the lines that cause it; false if none of them does.
bool spread(Heat& heat, const StateCosts& costs, const LineTerms& lines, Cause cause, double seconds) {
    double sum = 0;
    for (const Term* term : lines) sum += amount_for(cause, costs, *term);
    if (sum <= 0) return false;
    for (const Term* term : lines) {
        const double part = seconds * amount_for(cause, costs, *term) / sum;
        if (part <= 0) continue;
        if (cause == Cause::Transfer) {
            add_transfer(heat, costs, *term, part);
        } else {
            heat.lines.at(static_cast<std::size_t>(term->line)) += part;
            heat.nodes[term->node] += part;
        }
    }
    return true;
}

// The kernel whose lines are [first, end): terms overlap or leave out what no line causes, so that they are
// scaled to the kernel's time.
void add_kernel(Heat& heat, const StateCosts& costs, const KernelTime& kernel, int first, int end) {
    LineTerms lines;
    for (const Term& term : costs.terms)
        if (term.line >= first && term.line < end) lines.push_back(&term);
    Heat nothing;
    nothing.lines.resize(heat.lines.size());
    double caused = 0;
    for (const TimeTerm& term : kernel.terms)
        if (spread(nothing, costs, lines, cause_of(term.name), term.seconds)) caused += term.seconds;
    if (caused <= 0) {
        heat.lines.at(static_cast<std::size_t>(first)) += kernel.seconds;
        heat.nodes[kernel.node] += kernel.seconds;
        return;
    }
    for (const TimeTerm& term : kernel.terms)
        spread(heat, costs, lines, cause_of(term.name), term.seconds * kernel.seconds / caused);
}

void add_predicted(Heat& heat, const StateCosts& costs, const Prediction& predicted) {
    int first = 0;
    for (std::size_t i = 0; i < costs.loops.body.size(); ++i) {
        const int end = first + lines_of(costs.loops.body[i]);
        for (const KernelTime& kernel : predicted.kernels)
            if (kernel.kernel == static_cast<int>(i)) add_kernel(heat, costs, kernel, first, end);
        first = end;
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

Heat heat_of(const StateCosts& costs, HeatMetric metric, const Prediction* predicted) {
    Heat heat;
    heat.metric = metric;
    heat.unit = metric == HeatMetric::Operations ? "FLOP" : metric == HeatMetric::Predicted ? "s" : "B";
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
            if (predicted) add_predicted(heat, costs, *predicted);
            break;
    }
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
