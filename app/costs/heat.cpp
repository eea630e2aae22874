#include "app/costs/heat.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "core/cost/derivation.h"
#include "core/cost/lifetime.h"
#include "core/engine/cpu_program.h"

namespace blockscope {

Form kept_form(std::optional<ElemType> type, bool on_processor) {
    return on_processor ? Form{{}, {cpu_type(type), ElemType::F32}, LoopForm::Built} : Form{}.kept_in(type);
}

StateCostsPtr state_costs(const ProgramPtr& program, std::optional<ElemType> type, bool on_processor,
                          bool safe) {
    const State state(program, kept_form(type, on_processor));
    const State safe_state = state.in_form(computable_form(state.form()));
    const bool differs = safe_state.exponentials() > 0;
    const State& built = differs && safe ? safe_state : state;
    auto costs = std::make_shared<StateCosts>(StateCosts{.state = state, .built = built});
    if (on_processor)
        costs->engine_work = engine_work(built.loops(), built.form().stored, built.cost_basis());
    (void)costs->work();
    (void)state.counts();
    if (!differs) return costs;
    // Counted when it is shown: most readers never ask for it.
    costs->safe = std::make_shared<StateCosts>(
        StateCosts{.state = safe_state, .built = built, .engine_work = costs->engine_work, .plain = costs});
    return costs;
}

std::set<NodeId> listed_nodes(const StateCosts& costs, NodeId node) {
    std::set<NodeId> nodes{node};
    for (const ListingLine& line : costs.state.listing())
        if (costs.state.origin(line.node) == node) nodes.insert(line.node);
    return nodes;
}

ElemType cpu_type(std::optional<ElemType> type) {
    return type == ElemType::BF16 ? ElemType::BF16 : ElemType::F32;
}

std::optional<ElemType> declared_type(const BlockProgram& program) {
    std::optional<ElemType> found;
    for (const NodePtr& node : program.graph->inputs()) {
        if (node->as<Input>()->source != InputSource::Array) continue;
        const ElemType elem = node->outputs[0].elem();
        if (found && *found != elem) return {};
        found = elem;
    }
    return found;
}

namespace {

using Origins = std::map<NodeId, std::set<NodeId>>;  // nodes of the initial program, by node that was made

// Nodes that no step made stem from themselves.
std::set<NodeId> origins_of(const Origins& origins, NodeId node) {
    const auto found = origins.find(node);
    return found == origins.end() ? std::set<NodeId>{node} : found->second;
}

using Nodes = std::map<NodeId, const Node*>;

void collect(const Graph& graph, Nodes& nodes) {
    for (const NodePtr& node : graph.nodes()) {
        nodes[node->id] = node.get();
        if (const Map* map = node->as<Map>()) collect(*map->body, nodes);
    }
}

// The node and, of a map, all that it holds.
void visit(const Node& node, const std::function<void(NodeId)>& seen) {
    seen(node.id);
    if (const Map* map = node.as<Map>())
        for (const NodePtr& inner : map->body->nodes()) visit(*inner, seen);
}

// The sum or maximum that a map took over from a reduction (rule 3) is done by whatever makes the map's value
// - a product adds to it as it goes -, or at the map's port. Both stem from the reduction as well.
void hand_over_reduction(const Node& reduction, const Node& fused, const Origins& origins, Origins& made) {
    const Map* map = fused.as<Map>();
    if (!map || !reduction.is<Reduce>()) return;
    const NodePtr port = map->body->outputs().at(reduction.inputs.at(0).port);
    for (const NodeId id : {port->id, port->inputs.at(0).node}) {
        std::set<NodeId>& from = made.emplace(id, origins_of(origins, id)).first->second;
        from.merge(origins_of(origins, reduction.id));
    }
}

// What a step made stems from what its lineage names, with all that a map holds. Nodes in a map that was made
// which have no lineage of their own have the map's.
Origins made_by(const Step& step, const Origins& origins) {
    Nodes before, after;
    collect(*step.before->graph, before);
    collect(*step.after->graph, after);
    std::set<NodeId> named;
    for (const Lineage& line : step.made) named.insert(line.made);
    Origins made;
    for (const Lineage& line : step.made) {
        std::set<NodeId> from;
        for (const NodeId old : line.from)
            if (const auto node = before.find(old); node != before.end())
                visit(*node->second, [&](NodeId id) { from.merge(origins_of(origins, id)); });
        const auto node = after.find(line.made);
        if (node == after.end()) continue;
        visit(*node->second, [&](NodeId id) {
            const bool own = id == line.made || (before.count(id) == 0 && named.count(id) == 0);
            if (own) made[id].insert(from.begin(), from.end());
        });
        for (const NodeId old : line.from)
            if (const auto reduction = before.find(old); reduction != before.end())
                hand_over_reduction(*reduction->second, *node->second, origins, made);
    }
    return made;
}

Origins origins_at(const History& history, StateId state) {
    Origins origins;
    for (const StateId id : history.path(state))
        if (const auto& step = history.state(id).step)
            for (auto& [node, from] : made_by(*step, origins)) origins[node] = std::move(from);
    return origins;
}

std::map<NodeId, double> operations_by_node(const StateCosts& costs) {
    std::map<NodeId, double> operations;
    for (const NodeFlops& each : costs.state.counts().operators)
        operations[each.node] += static_cast<double>(each.flops.total());
    return operations;
}

double sum(const std::set<NodeId>& nodes, const std::map<NodeId, double>& operations) {
    double all = 0;
    for (const NodeId node : nodes)
        if (const auto found = operations.find(node); found != operations.end()) all += found->second;
    return all;
}

}  // namespace

Replicated::Replicated(const StateCosts& now, const StateCosts& unfused, const History& history,
                       StateId state)
    : now_(operations_by_node(now)), unfused_(operations_by_node(unfused)) {
    const Origins origins = origins_at(history, state);
    Origins computing;  // operators of the unfused program's listing, by what they stand for
    for (const auto& [node, operations] : unfused_) computing[unfused.state.origin(node)].insert(node);
    std::map<NodeId, std::size_t> group_of_origin;
    for (const auto& [node, operations] : now_) {
        WorkGroup joined{{node}, {}};
        std::set<std::size_t> met;
        for (const NodeId from : origins_of(origins, now.state.origin(node))) {
            joined.unfused.insert(computing[from].begin(), computing[from].end());
            for (const NodeId each : computing[from])
                if (const auto known = group_of_origin.find(each); known != group_of_origin.end())
                    met.insert(known->second);
        }
        for (const std::size_t other : met) {
            joined.now.merge(groups_[other].now);
            joined.unfused.merge(groups_[other].unfused);
            groups_[other] = {};
        }
        for (const NodeId member : joined.now) group_[member] = groups_.size();
        for (const NodeId from : joined.unfused) group_of_origin[from] = groups_.size();
        groups_.push_back(std::move(joined));
    }
}

WorkGroup Replicated::group_of(const std::set<NodeId>& nodes) const {
    std::set<std::size_t> met;
    for (const NodeId node : nodes)
        if (const auto found = group_.find(node); found != group_.end()) met.insert(found->second);
    WorkGroup all;
    for (const std::size_t index : met) {
        all.now.insert(groups_[index].now.begin(), groups_[index].now.end());
        all.unfused.insert(groups_[index].unfused.begin(), groups_[index].unfused.end());
    }
    return all;
}

double Replicated::ratio(const WorkGroup& group) const {
    const double before = sum(group.unfused, unfused_);
    return before > 0 ? sum(group.now, now_) / before : 0;
}

namespace {

bool counts_operations(Quantity quantity) {
    return quantity == Quantity::Matrix || quantity == Quantity::Vector || quantity == Quantity::Special;
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
                       : cause == Cause::Compute ? counts_operations(term.quantity)
                                                 : false;
    return asked ? static_cast<double>(value(term, costs.state.loops().dims)) : 0;
}

using LineTerms = std::vector<const Term*>;

double amount_of_all(const LineTerms& lines, Cause cause, const StateCosts& costs) {
    double sum = 0;
    for (const Term* term : lines) sum += amount_for(cause, costs, *term);
    return sum;
}

// Of each statement of the body: the terms of its lines, in their order.
std::vector<LineTerms> terms_of_body(const StateCosts& costs, const std::vector<int>& ends) {
    std::vector<LineTerms> terms(ends.size());
    for (const Term& term : costs.state.terms()) {
        const auto statement = std::upper_bound(ends.begin(), ends.end(), term.line) - ends.begin();
        if (term.line >= 0 && statement < std::ssize(terms))
            terms[static_cast<std::size_t>(statement)].push_back(&term);
    }
    return terms;
}

// The kernel that begins with line `first`.
void share_out(const StateCosts& costs, const KernelTime& kernel, int first, const LineTerms& lines,
               std::vector<TimeShare>& shares) {
    double caused = 0;
    for (const TimeTerm& term : kernel.terms)
        if (amount_of_all(lines, cause_of(term.name), costs) > 0) caused += term.seconds;
    if (caused <= 0) {
        shares.push_back({.line = first,
                          .node = kernel.node,
                          .seconds = kernel.seconds,
                          .whole = kernel.seconds,
                          .amount = 1,
                          .all = 1});
        return;
    }
    for (const TimeTerm& term : kernel.terms) {
        const Cause cause = cause_of(term.name);
        const double all = amount_of_all(lines, cause, costs);
        const double whole = term.seconds * kernel.seconds / caused;
        if (all <= 0 || whole <= 0) continue;
        for (const Term* each : lines)
            if (const double amount = amount_for(cause, costs, *each); amount > 0)
                shares.push_back({.line = each->line,
                                  .node = each->node,
                                  .value = each->value,
                                  .buffer = each->buffer,
                                  .term = term.name,
                                  .seconds = whole * amount / all,
                                  .whole = whole,
                                  .amount = amount,
                                  .all = all});
    }
}

}  // namespace

const Buffer& buffer_of(const StateCosts& costs, const Term& term) {
    return costs.state.loops().buffers.at(static_cast<std::size_t>(term.buffer));
}

double moved_bytes(const StateCosts& costs, const Term& term) {
    if (term.quantity != Quantity::LoadValues && term.quantity != Quantity::StoreValues) return 0;
    const Buffer& buffer = buffer_of(costs, term);
    if (buffer.source != InputSource::Array) return 0;
    return static_cast<double>(value(term, costs.state.loops().dims)) * bytes_per_element(buffer.type.elem());
}

std::vector<TimeShare> time_shares(const StateCosts& costs, const Prediction& predicted) {
    std::vector<int> ends;
    for (const Statement& statement : costs.state.loops().body)
        ends.push_back((ends.empty() ? 0 : ends.back()) + lines_of(statement));
    const std::vector<LineTerms> terms = terms_of_body(costs, ends);
    std::multimap<int, const KernelTime*> kernels;
    for (const KernelTime& kernel : predicted.kernels) kernels.emplace(kernel.kernel, &kernel);
    std::vector<TimeShare> shares;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const auto [begin, end] = kernels.equal_range(static_cast<int>(i));
        for (auto at = begin; at != end; ++at)
            share_out(costs, *at->second, i == 0 ? 0 : ends[i - 1], terms[i], shares);
    }
    return shares;
}

namespace {

bool is_operation(Quantity quantity) {
    return quantity == Quantity::Matrix || quantity == Quantity::Vector || quantity == Quantity::Special;
}

double term_operations(const StateCosts& costs, const Term& term) {
    return is_operation(term.quantity) ? static_cast<double>(value(term, costs.state.loops().dims)) : 0;
}

// Bytes, or the seconds that they take, on the line, the array and the edge.
void add_transfer(Heat& heat, int line, const Buffer& buffer, const std::optional<ValueRef>& value,
                  double amount) {
    heat.lines.at(static_cast<std::size_t>(line)) += amount;
    if (buffer.kind != Buffer::Kind::Intermediate) heat.nodes[buffer.node] += amount;
    if (value) heat.values[heat_key(*value)] += amount;
}

void add_moved(Heat& heat, const StateCosts& costs, std::optional<Buffer::Kind> kind) {
    for (const Term& term : costs.state.terms()) {
        const double bytes = moved_bytes(costs, term);
        if (bytes > 0 && (!kind || buffer_of(costs, term).kind == *kind))
            add_transfer(heat, term.line, buffer_of(costs, term), term.value, bytes);
    }
}

void add_operations(Heat& heat, const StateCosts& costs) {
    for (const Term& term : costs.state.terms()) {
        const double operations = term_operations(costs, term);
        if (operations <= 0) continue;
        heat.lines.at(static_cast<std::size_t>(term.line)) += operations;
        heat.nodes[term.node] += operations;
    }
}

void add_alive(Heat& heat, const StateCosts& costs) {
    for (std::size_t i = 0; i < costs.state.alive().size(); ++i) {
        const auto bytes = static_cast<double>(costs.state.alive()[i].bytes);
        heat.lines[i] = bytes;
        double& most = heat.nodes[costs.state.alive()[i].node];
        most = std::max(most, bytes);
    }
}

void add_predicted(Heat& heat, const StateCosts& costs, const Prediction& predicted) {
    for (const TimeShare& share : time_shares(costs, predicted)) {
        if (share.buffer >= 0) {
            const Buffer& buffer = costs.state.loops().buffers.at(static_cast<std::size_t>(share.buffer));
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
    const std::vector<ListedLine> listed = listed_lines(costs.state.loops());
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
    for (const Statement& launch : costs.state.loops().body) {
        const auto found = static_cast<double>(tasks(launch, costs.state.loops().dims));
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
        : listed_(listed_lines(costs.state.loops())), transferring_(listed_), lines_(listed_.size()) {
        std::vector<double> bytes(listed_.size(), 0);
        for (const Term& term : costs.state.terms()) {
            const double operations = term_operations(costs, term);
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
    const std::vector<ListedLine> listed = listed_lines(costs.state.loops());
    std::map<NodeId, std::set<NodeId>> held;  // by operator or map: what computes in it
    std::vector<std::set<NodeId>> by_line(listed.size());
    for (const Term& term : costs.state.terms()) {
        if (term_operations(costs, term) <= 0) continue;
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
    heat.lines.assign(costs.state.alive().size(), 0);
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
            if (source.measured.size() == costs.state.loops().body.size())
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

// What boxes and edges show of a heat map.

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
