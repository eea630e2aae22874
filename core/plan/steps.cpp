#include "core/plan/steps.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/cost/models/model.h"
#include "core/plan/partition.h"
#include "core/plan/ways.h"

namespace blockscope::plan {

namespace {

using Names = std::vector<std::string>;

std::vector<std::pair<int, int>> edges_in_order(const Dag& dag) {
    std::vector<std::pair<int, int>> edges;
    for (const int node : topological_order(dag))
        for (const int reader : dag.after[slot(node)]) edges.emplace_back(node, reader);
    return edges;
}

// By node.
std::vector<FusionGroup> groups_of(const Problem& problem, const Partition& partition) {
    std::vector<FusionGroup> groups;
    for (int node = 0; node < problem.nodes(); ++node)
        groups.push_back(partition.nodes(partition.kernel_of(node)));
    return groups;
}

// Each once, but those that are part of another.
std::vector<FusionGroup> largest_of(const std::vector<FusionGroup>& groups) {
    std::set<FusionGroup> largest;
    for (const FusionGroup& group : groups)
        if (std::none_of(groups.begin(), groups.end(), [&group](const FusionGroup& other) {
                return other.size() > group.size() &&
                       std::includes(other.begin(), other.end(), group.begin(), group.end());
            }))
            largest.insert(group);
    return {largest.begin(), largest.end()};
}

double saved_bytes(const Problem& problem, const FusionGroup& a, const FusionGroup& b,
                   const FusionGroup& both) {
    return problem.bytes(a) + problem.bytes(b) - problem.bytes(both);
}

// ---- Edge by edge.

Decided edge_steps(const Problem& problem, const Names& names) {
    Partition partition(problem);
    Decided decided;
    for (const auto& [node, reader] : edges_in_order(problem)) {
        const int a = partition.kernel_of(node), b = partition.kernel_of(reader);
        DecisionStep step{.nodes = {node, reader}, .together = false, .why = {}, .groups = {}};
        const std::string &from = names[slot(node)], &to = names[slot(reader)];
        if (a == b) {
            step.why = Text("%1 and %2 are in one kernel already", from, to);
        } else if (const FusionGroup both = partition.together(a, b); problem.cost(both) == kNever) {
            step.why = Text("%1 cannot be built as one kernel", names_of(both, names));
        } else if (!problem.can_fuse(both)) {
            step.why = Text("%1 would be several launches, not one kernel", names_of(both, names));
        } else if (partition.closes_cycle(a, b)) {
            step.why = Text("as one kernel, %1 would wait for another kernel that waits for it",
                            names_of(both, names));
        } else {
            step.why =
                Text("%1 are one kernel from here on, which moves %2 less", names_of(both, names),
                     bytes_text_of(saved_bytes(problem, partition.nodes(a), partition.nodes(b), both)));
            step.together = true;
            partition.join(a, b);
        }
        step.groups = groups_of(problem, partition);
        decided.steps.push_back(std::move(step));
    }
    decided.groups = partition.in_order();
    return decided;
}

bool fuses(const Problem& problem, int a, int b) {
    const FusionGroup both{std::min(a, b), std::max(a, b)};
    return is_candidate(problem, both) && problem.can_fuse(both);
}

//     if can_fuse(producer, consumer): groups[consumer] = groups[producer] | groups[consumer]
Decided printed_edge_steps(const Problem& problem, const Names& names) {
    Decided decided;
    std::vector<FusionGroup> groups;
    for (int node = 0; node < problem.nodes(); ++node) groups.push_back({node});
    for (const auto& [node, reader] : edges_in_order(problem)) {
        DecisionStep step{.nodes = {node, reader}, .together = false, .why = {}, .groups = {}};
        const std::string &from = names[slot(node)], &to = names[slot(reader)];
        if (fuses(problem, node, reader)) {
            FusionGroup both;
            std::set_union(groups[slot(node)].begin(), groups[slot(node)].end(), groups[slot(reader)].begin(),
                           groups[slot(reader)].end(), std::back_inserter(both));
            groups[slot(reader)] = std::move(both);
            step.together = true;
            step.why = Text("the group of %1 becomes %2; that of %3 stays %4", to,
                            names_of(groups[slot(reader)], names), from, names_of(groups[slot(node)], names));
        } else {
            step.why = Text("%1 and %2 cannot be one kernel", from, to);
        }
        step.groups = groups;
        decided.steps.push_back(std::move(step));
    }
    decided.groups = largest_of(groups);
    const std::set<FusionGroup> different(groups.begin(), groups.end());
    std::vector<int> in(slot(problem.nodes()), 0);
    for (const FusionGroup& group : different)
        for (const int node : group) ++in[slot(node)];
    const auto several = std::count_if(in.begin(), in.end(), [](int count) { return count > 1; });
    decided.note = Text(
        "as printed, the group of the reader alone is updated: there are %1 groups in the end, and %2 of "
        "%3 operators stand in several of them",
        static_cast<std::int64_t>(different.size()), static_cast<std::int64_t>(several), problem.nodes());
    return decided;
}

// ---- Colours.

Decided colour_steps(const Problem& problem, const Names& names) {
    Decided decided;
    const Plan plan = fewest_kernels_plan(problem);
    std::vector<FusionGroup> groups(slot(problem.nodes()));
    for (const FusionGroup& kernel : plan.kernels) {
        for (const int node : kernel) groups[slot(node)] = kernel;
        const auto colour = static_cast<std::int64_t>(decided.steps.size()) + 1;
        decided.steps.push_back({.nodes = kernel,
                                 .together = kernel.size() > 1,
                                 .why = Text("colour %1: %2, which move %3", colour, names_of(kernel, names),
                                             bytes_text_of(problem.bytes(kernel))),
                                 .groups = groups});
    }
    decided.groups = plan.kernels;
    if (!plan.bounded.empty()) decided.note = Text("bounded: %1", plan.bounded);
    return decided;
}

// Colours as printed: two operators that cannot be fused have different ones. So a colour is one operator or
// the two of an edge, and the fewest colours are the most edges without a common end.
class PrintedColours {
public:
    PrintedColours(const Problem& problem, const Names& names)
        : problem_(problem), names_(names), order_(topological_order(problem)) {}

    Decided run() {
        partner_.assign(slot(problem_.nodes()), -1);
        if (best(0, {}))
            take_best();
        else
            take_first();
        Decided decided;
        std::vector<FusionGroup> groups(slot(problem_.nodes()));
        for (const int node : order_) decided.steps.push_back(colour(node, groups));
        decided.groups = largest_of(groups);
        decided.note = Text(
            "as printed, two operators that cannot be fused have different colours; the first and the "
            "third of a chain do not read each other, so that no kernel has more than two operators");
        return decided;
    }

private:
    using Taken = std::set<int>;  // later nodes that have a partner
    struct Score {
        double colours = 0, bytes = 0;
        auto operator<=>(const Score&) const = default;
    };
    struct Known {
        Score score;
        int partner = -1;
    };
    static constexpr std::size_t kMostStates = 100'000;

    // Nothing if there are too many states.
    std::optional<Score> best(std::size_t place, const Taken& taken) {
        if (place == order_.size()) return Score{};
        if (const auto found = known_.find({place, taken}); found != known_.end()) return found->second.score;
        if (known_.size() > kMostStates) return std::nullopt;
        const int node = order_[place];
        Known known{{kNever, kNever}, -1};
        const auto look = [&](int partner, double colours, double bytes, const Taken& then) {
            const std::optional<Score> rest = best(place + 1, then);
            if (!rest) return false;
            const Score score{rest->colours + colours, rest->bytes + bytes};
            if (score < known.score) known = {score, partner};
            return true;
        };
        Taken then = taken;
        if (then.erase(node) > 0) {
            if (!look(-1, 0, 0, then)) return std::nullopt;
        } else {
            if (!look(-1, 1, problem_.bytes({node}), then)) return std::nullopt;
            for (const int reader : problem_.after[slot(node)]) {
                if (taken.contains(reader) || !fuses(problem_, node, reader)) continue;
                Taken with = then;
                with.insert(reader);
                const FusionGroup both{std::min(node, reader), std::max(node, reader)};
                if (!look(reader, 1, problem_.bytes(both), with)) return std::nullopt;
            }
        }
        return known_.emplace(std::pair(place, taken), known).first->second.score;
    }

    void pair(int a, int b) {
        partner_[slot(a)] = b;
        partner_[slot(b)] = a;
    }

    void take_best() {
        Taken taken;
        for (std::size_t place = 0; place < order_.size(); ++place) {
            const Known& known = known_.at({place, taken});
            taken.erase(order_[place]);
            if (known.partner < 0) continue;
            pair(order_[place], known.partner);
            taken.insert(known.partner);
        }
    }

    // Where there are too many to look at: the first that is left.
    void take_first() {
        for (const int node : order_)
            for (const int reader : problem_.after[slot(node)])
                if (partner_[slot(node)] < 0 && partner_[slot(reader)] < 0 && fuses(problem_, node, reader))
                    pair(node, reader);
    }

    DecisionStep colour(int node, std::vector<FusionGroup>& groups) {
        const int partner = partner_[slot(node)];
        const bool joins = partner >= 0 && !groups[slot(partner)].empty();
        const FusionGroup own =
            joins ? FusionGroup{std::min(node, partner), std::max(node, partner)} : FusionGroup{node};
        for (const int member : own) groups[slot(member)] = own;
        colour_of_[node] = joins ? colour_of_.at(partner) : ++colours_;
        return {.nodes = {node}, .together = joins, .why = why(node, joins), .groups = groups};
    }

    Text why(int node, bool joins) const {
        const std::string& name = names_[slot(node)];
        const std::int64_t colour = colour_of_.at(node);
        if (joins)
            return Text("%1 takes colour %2, that of %3", name, colour, names_[slot(partner_[slot(node)])]);
        for (const int source : problem_.before[slot(node)]) {
            const std::int64_t its = colour_of_.at(source);
            const int other = partner_[slot(source)];
            if (!fuses(problem_, source, node)) continue;
            if (other >= 0 && other != node)
                return Text(
                    "%1 takes colour %2: %3 would suit, but its colour %4 is that of %5, too, with "
                    "which %1 cannot be fused",
                    name, colour, names_[slot(source)], its, names_[slot(other)]);
        }
        return Text("%1 takes colour %2, a new one", name, colour);
    }

    const Problem& problem_;
    const Names& names_;
    std::vector<int> order_;
    std::map<std::pair<std::size_t, Taken>, Known> known_;
    std::vector<int> partner_;  // by node; -1: none
    std::map<int, std::int64_t> colour_of_;
    std::int64_t colours_ = 0;
};

}  // namespace

const std::vector<SteppedWay>& stepped_ways() {
    static const std::vector<SteppedWay> all = {
        {"edges", "edges", false, edge_steps},
        {"edges-as-printed", "edges", true, printed_edge_steps},
        {"fewest", "fewest", false, colour_steps},
        {"fewest-as-printed", "fewest", true,
         [](const Problem& problem, const Names& names) { return PrintedColours(problem, names).run(); }},
    };
    return all;
}

const SteppedWay* find_stepped(const std::string& name) {
    const auto found = std::find_if(stepped_ways().begin(), stepped_ways().end(),
                                    [&name](const SteppedWay& one) { return one.name == name; });
    return found == stepped_ways().end() ? nullptr : &*found;
}

}  // namespace blockscope::plan
