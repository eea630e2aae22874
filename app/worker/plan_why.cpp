#include "app/worker/plan_why.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

namespace blockscope::worker {

namespace {

using plan::FusionGroup;

constexpr int kMostCuts = 4'000;  // that are looked at
constexpr int kMostLooks = 16;    // of refining and looking again

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

bool has(const FusionGroup& kernel, int node) {
    return std::binary_search(kernel.begin(), kernel.end(), node);
}

FusionGroup without(const FusionGroup& all, const FusionGroup& some) {
    FusionGroup rest;
    std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(rest));
    return rest;
}

FusionGroup together(const FusionGroup& one, const FusionGroup& other) {
    FusionGroup all;
    std::set_union(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(all));
    return all;
}

const FusionGroup& kernel_of(const plan::Plan& plan, int node) {
    return *std::find_if(plan.kernels.begin(), plan.kernels.end(),
                         [node](const FusionGroup& kernel) { return has(kernel, node); });
}

// ---- One kernel: where it can be cut.

// Sets of the kernel's nodes that read nothing of the rest of it, and part `a` from `b`.
class Cuts {
public:
    Cuts(const plan::Dag& dag, const FusionGroup& kernel, int a, int b)
        : dag_(dag), kernel_(kernel), a_(a), b_(b) {
        for (const int node : plan::topological_order(dag))
            if (has(kernel, node)) order_.push_back(node);
    }

    void each(const std::function<void(const FusionGroup& first)>& look) {
        look_ = look;
        decide(0);
    }

private:
    void decide(std::size_t next) {
        if (looked_at_ >= kMostCuts) return;
        if (next == order_.size()) {
            if (first_.count(a_) == first_.count(b_)) return;
            ++looked_at_;
            return look_(FusionGroup(first_.begin(), first_.end()));
        }
        const int node = order_[next];
        const std::vector<int>& reads = dag_.before[at(node)];
        const bool can_be_first = std::all_of(reads.begin(), reads.end(), [&](int read) {
            return !has(kernel_, read) || first_.contains(read);
        });
        if (can_be_first && !(node == a_ && first_.contains(b_)) && !(node == b_ && first_.contains(a_))) {
            first_.insert(node);
            decide(next + 1);
            first_.erase(node);
        }
        decide(next + 1);
    }

    const plan::Dag& dag_;
    const FusionGroup& kernel_;
    int a_, b_;
    std::vector<int> order_;
    std::set<int> first_;
    std::function<void(const FusionGroup&)> look_;
    int looked_at_ = 0;
};

// An array that nodes of both read.
int both_read(const plan::OperatorGraph& graph, const FusionGroup& one, const FusionGroup& other) {
    std::set<int> read;
    for (const int node : one) read.insert(graph.reads[at(node)].begin(), graph.reads[at(node)].end());
    for (const int node : other)
        for (const int array : graph.reads[at(node)])
            if (read.contains(array)) return array;
    return -1;
}

// As kernels of plans are searched, so that one kernel has one figure wherever it stands.
const GroupCost& refined(GroupCosts& costs, const FusionGroup& kernel) {
    costs.refine(kernel);
    return costs.of(kernel);
}

PlanWhy why_together(GroupCosts& costs, const FusionGroup& kernel, int a, int b, GroupState states) {
    if (states == GroupState::Best) costs.refine(kernel);
    PlanWhy why{.kind = PlanWhy::Kind::NoSplit,
                .kernels = {kernel},
                .seconds = costs.of(kernel, states).seconds,
                .bytes = costs.of(kernel, states).bytes};
    // By first looks; the best of them is refined, until it stays the best.
    for (int round = 0; round < kMostLooks; ++round) {
        why.other_seconds = plan::kNever;
        Cuts(costs.graph(), kernel, a, b).each([&](const FusionGroup& first) {
            const FusionGroup second = without(kernel, first);
            if (!plan::is_candidate(costs.graph(), first) || !plan::is_candidate(costs.graph(), second))
                return;
            const GroupCost &one = costs.of(first), &other = costs.of(second);
            const double seconds = one.seconds + other.seconds;
            if (seconds == plan::kNever)
                why.why_not = one.seconds == plan::kNever ? one.why_not : other.why_not;
            if (seconds >= why.other_seconds) return;
            why.kind = PlanWhy::Kind::Split;
            why.others = {first, second};
            why.other_seconds = seconds;
            why.other_bytes = one.bytes + other.bytes;
            why.other_launches = one.launches + other.launches;
        });
        bool news = false;
        for (const FusionGroup& half : why.others) news = costs.refine(half) || news;
        if (!news) break;
    }
    if (!why.others.empty()) why.both_read = both_read(costs.graph(), why.others[0], why.others[1]);
    return why;
}

// ---- Two kernels: what they would be together.

// The kernels of a plan, of which two are one: who reads of whom.
class Joined {
public:
    Joined(const plan::Dag& dag, const plan::Plan& plan, const FusionGroup& one, const FusionGroup& other)
        : kernel_of_(at(dag.nodes()), 0) {
        for (const FusionGroup& kernel : plan.kernels) {
            if (kernel == one || kernel == other) continue;
            kernels_.push_back(kernel);
            for (const int node : kernel) kernel_of_[at(node)] = static_cast<int>(kernels_.size());
        }
        after_.resize(kernels_.size() + 1);
        before_.resize(kernels_.size() + 1);
        for (int node = 0; node < dag.nodes(); ++node)
            for (const int reader : dag.after[at(node)]) {
                const int from = kernel_of_[at(node)], to = kernel_of_[at(reader)];
                if (from == to) continue;
                after_[at(from)].insert(to);
                before_[at(to)].insert(from);
            }
    }

    // A node of the first kernel that reads of the two and is read by them, directly or not; -1: none.
    int closes_cycle(const plan::Dag& dag) const {
        const std::set<int> reading = reached(after_), read = reached(before_);
        for (std::size_t i = 0; i < kernels_.size(); ++i) {
            const int kernel = static_cast<int>(i) + 1;
            if (!reading.contains(kernel) || !read.contains(kernel)) continue;
            for (const int node : kernels_[i])
                for (const int from : dag.before[at(node)])
                    if (const int source = kernel_of_[at(from)]; source == 0 || reading.contains(source))
                        return node;
        }
        return -1;
    }

private:
    // From the two, which are number 0.
    static std::set<int> reached(const std::vector<std::set<int>>& next) {
        std::set<int> all;
        std::vector<int> open{0};
        while (!open.empty()) {
            const int from = open.back();
            open.pop_back();
            for (const int to : next[at(from)])
                if (to != 0 && all.insert(to).second) open.push_back(to);
        }
        return all;
    }

    std::vector<FusionGroup> kernels_;
    std::vector<int> kernel_of_;  // by node: 0 of the two, else 1 + index of kernels_
    std::vector<std::set<int>> after_, before_;
};

bool reads_of(const plan::Dag& dag, const FusionGroup& reader, const FusionGroup& from) {
    return std::any_of(reader.begin(), reader.end(), [&](int node) {
        const std::vector<int>& reads = dag.before[at(node)];
        return std::any_of(reads.begin(), reads.end(), [&](int read) { return has(from, read); });
    });
}

PlanWhy why_apart(GroupCosts& costs, const plan::Plan& plan, const FusionGroup& one, const FusionGroup& other,
                  GroupState states) {
    const plan::OperatorGraph& graph = costs.graph();
    if (states == GroupState::Best)
        for (const FusionGroup* kernel : {&one, &other}) costs.refine(*kernel);
    PlanWhy why{.kernels = {one, other},
                .seconds = costs.of(one, states).seconds + costs.of(other, states).seconds,
                .bytes = costs.of(one, states).bytes + costs.of(other, states).bytes};
    if (why.node_between = Joined(graph, plan, one, other).closes_cycle(graph); why.node_between >= 0) {
        why.kind = PlanWhy::Kind::Cycle;
        return why;
    }
    why.both_read = both_read(graph, one, other);
    if (!reads_of(graph, one, other) && !reads_of(graph, other, one)) return why;
    const FusionGroup all = together(one, other);
    const GroupCost& cost = refined(costs, all);
    why.kind = cost.seconds == plan::kNever ? PlanWhy::Kind::NoUnion : PlanWhy::Kind::Union;
    why.others = {all};
    why.other_seconds = cost.seconds;
    why.other_bytes = cost.bytes;
    why.other_launches = cost.launches;
    why.other_least_launches = cost.least_launches;
    why.why_not = cost.why_not;
    return why;
}

}  // namespace

PlanWhy why_of(GroupCosts& costs, const plan::Plan& plan, int a, int b, GroupState states) {
    const FusionGroup& one = kernel_of(plan, a);
    const FusionGroup& other = kernel_of(plan, b);
    return &one == &other ? why_together(costs, one, a, b, states)
                          : why_apart(costs, plan, one, other, states);
}

namespace {

bool holds(const FusionGroup& kernel, int node) {
    return std::binary_search(kernel.begin(), kernel.end(), node);
}

// The weakly connected parts of some nodes.
std::vector<FusionGroup> parts_of(const plan::Dag& dag, FusionGroup nodes) {
    std::vector<FusionGroup> parts;
    while (!nodes.empty()) {
        FusionGroup part{nodes.front()};
        nodes.erase(nodes.begin());
        for (std::size_t i = 0; i < part.size(); ++i)
            for (const auto* edges : {&dag.before, &dag.after})
                for (const int next : (*edges)[static_cast<std::size_t>(part[i])])
                    if (const auto found = std::find(nodes.begin(), nodes.end(), next);
                        found != nodes.end()) {
                        part.push_back(next);
                        nodes.erase(found);
                    }
        std::sort(part.begin(), part.end());
        parts.push_back(std::move(part));
    }
    return parts;
}

std::vector<FusionGroup> moved(const plan::Dag& dag, const plan::Plan& plan, int node, int other) {
    std::vector<FusionGroup> kernels;
    for (FusionGroup kernel : plan.kernels) {
        if (other >= 0 && holds(kernel, other)) {
            if (!holds(kernel, node))
                kernel.insert(std::lower_bound(kernel.begin(), kernel.end(), node), node);
            kernels.push_back(std::move(kernel));
        } else if (holds(kernel, node)) {
            std::erase(kernel, node);
            for (FusionGroup& part : parts_of(dag, std::move(kernel))) kernels.push_back(std::move(part));
        } else {
            kernels.push_back(std::move(kernel));
        }
    }
    if (other < 0) kernels.push_back({node});
    return kernels;
}

}  // namespace

MovedPlan move_operator(GroupCosts& costs, const plan::Plan& plan, int node, int other) {
    const plan::Decisions all{.kernels = moved(costs.graph(), plan, node, other), .apart = {}};
    if (const auto problem = plan::problem_with(costs.graph(), all, costs.graph().names))
        return {{}, *problem};
    for (const FusionGroup& kernel : all.kernels) {
        costs.refine(kernel);
        if (const GroupCost& cost = costs.of(kernel); cost.seconds == plan::kNever) return {{}, cost.why_not};
    }
    return {plan::decided_plan(costs.problem(), all, *plan::find_way("each")), {}};
}

}  // namespace blockscope::worker
