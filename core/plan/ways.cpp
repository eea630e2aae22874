#include "core/plan/ways.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace blockscope::plan {

namespace {

// Kernels that are joined two by two.
class Partition {
public:
    explicit Partition(const Problem& problem) : problem_(problem) {
        for (int node = 0; node < problem.nodes(); ++node) {
            kernel_of_.push_back(node);
            kernels_[node] = {node};
        }
    }

    int kernel_of(int node) const { return kernel_of_[static_cast<std::size_t>(node)]; }
    const Kernel& nodes(int kernel) const { return kernels_.at(kernel); }
    const std::map<int, Kernel>& kernels() const { return kernels_; }

    Kernel together(int a, int b) const {
        Kernel both;
        std::merge(nodes(a).begin(), nodes(a).end(), nodes(b).begin(), nodes(b).end(),
                   std::back_inserter(both));
        return both;
    }

    // Whether the two as one would both lead to a third kernel and read from it.
    bool closes_cycle(int a, int b) const {
        std::set<int> seen{a, b};
        std::vector<int> open;
        const auto go = [&](int kernel, bool first) {
            for (const int node : nodes(kernel))
                for (const int next : problem_.after[static_cast<std::size_t>(node)]) {
                    const int other = kernel_of(next);
                    if (!first && (other == a || other == b)) return true;
                    if (seen.insert(other).second) open.push_back(other);
                }
            return false;
        };
        go(a, true);
        go(b, true);
        while (!open.empty()) {
            const int kernel = open.back();
            open.pop_back();
            if (go(kernel, false)) return true;
        }
        return false;
    }

    // The one with the lower number stays, which is that of its lowest node.
    int join(int a, int b) {
        if (b < a) std::swap(a, b);
        Kernel both = together(a, b);
        for (const int node : nodes(b)) kernel_of_[static_cast<std::size_t>(node)] = a;
        kernels_[a] = std::move(both);
        kernels_.erase(b);
        return a;
    }

    // Pairs with an edge between them, the lower number first.
    std::set<std::pair<int, int>> neighbours(int kernel) const {
        std::set<std::pair<int, int>> found;
        for (const int node : nodes(kernel))
            for (const auto* edges : {&problem_.before, &problem_.after})
                for (const int next : (*edges)[static_cast<std::size_t>(node)])
                    if (kernel_of(next) != kernel) found.insert(std::minmax(kernel, kernel_of(next)));
        return found;
    }

    // In an order in which they can be launched.
    std::vector<Kernel> in_order() const {
        std::map<int, std::set<int>> sources;
        for (const auto& [kernel, nodes] : kernels_)
            for (const int node : nodes)
                for (const int source : problem_.before[static_cast<std::size_t>(node)])
                    if (kernel_of(source) != kernel) sources[kernel].insert(kernel_of(source));
        std::map<int, std::vector<int>> readers;
        std::set<int> ready;
        for (const auto& [kernel, nodes] : kernels_) {
            if (sources[kernel].empty()) ready.insert(kernel);
            for (const int source : sources[kernel]) readers[source].push_back(kernel);
        }
        std::vector<Kernel> order;
        while (!ready.empty()) {
            const int kernel = *ready.begin();
            ready.erase(ready.begin());
            order.push_back(nodes(kernel));
            for (const int reader : readers[kernel]) {
                sources[reader].erase(kernel);
                if (sources[reader].empty()) ready.insert(reader);
            }
        }
        return order;
    }

private:
    const Problem& problem_;
    std::vector<int> kernel_of_;
    std::map<int, Kernel> kernels_;
};

// What can be joined: the largest saving first, then the lowest nodes.
using Ranked = std::tuple<double, int, int>;  // the saving, negative; the pair

}  // namespace

Plan plan_of(const Problem& problem, std::vector<Kernel> kernels) {
    Plan plan;
    plan.value = 0;
    for (const Kernel& kernel : kernels) plan.value += problem.cost(kernel);
    if (plan.value < kNever) plan.kernels = std::move(kernels);
    return plan;
}

Plan greedy_plan(const Problem& problem) {
    Partition partition(problem);
    std::map<int, double> costs;
    for (const auto& [kernel, nodes] : partition.kernels()) costs[kernel] = problem.cost(nodes);
    std::set<Ranked> ranked;
    std::map<std::pair<int, int>, double> rank_of;
    const auto forget = [&](int kernel) {
        for (auto it = rank_of.begin(); it != rank_of.end();) {
            const auto [a, b] = it->first;
            if (a != kernel && b != kernel) {
                ++it;
                continue;
            }
            ranked.erase({it->second, a, b});
            it = rank_of.erase(it);
        }
    };
    const auto rank = [&](const std::pair<int, int>& pair) {
        const double cost = problem.cost(partition.together(pair.first, pair.second));
        const double saving = costs[pair.first] + costs[pair.second] - cost;
        if (cost == kNever || !(saving > 0) || !rank_of.emplace(pair, -saving).second) return;
        ranked.insert({-saving, pair.first, pair.second});
    };
    for (const auto& [kernel, nodes] : partition.kernels())
        for (const auto& pair : partition.neighbours(kernel)) rank(pair);
    while (true) {
        const auto found = std::find_if(ranked.begin(), ranked.end(), [&](const Ranked& one) {
            return !partition.closes_cycle(std::get<1>(one), std::get<2>(one));
        });
        if (found == ranked.end()) break;
        const auto [saving, a, b] = *found;
        forget(a);
        forget(b);
        const int kernel = partition.join(a, b);
        costs[kernel] = problem.cost(partition.nodes(kernel));
        for (const auto& pair : partition.neighbours(kernel)) rank(pair);
    }
    return plan_of(problem, partition.in_order());
}

Plan edge_greedy_plan(const Problem& problem) {
    Partition partition(problem);
    for (const int node : topological_order(problem))
        for (const int reader : problem.after[static_cast<std::size_t>(node)]) {
            const int a = partition.kernel_of(node), b = partition.kernel_of(reader);
            if (a == b || problem.cost(partition.together(a, b)) == kNever || partition.closes_cycle(a, b))
                continue;
            partition.join(a, b);
        }
    return plan_of(problem, partition.in_order());
}

Plan one_kernel_each(const Problem& problem) {
    return plan_of(problem, Partition(problem).in_order());
}

Plan one_kernel(const Problem& problem) {
    Partition partition(problem);
    for (int node = 0; node < problem.nodes(); ++node)
        for (const int reader : problem.after[static_cast<std::size_t>(node)])
            if (partition.kernel_of(node) != partition.kernel_of(reader))
                partition.join(partition.kernel_of(node), partition.kernel_of(reader));
    return plan_of(problem, partition.in_order());
}

const std::vector<Way>& ways() {
    static const std::vector<Way> all = {
        {"exact", "exact", [](const Problem& problem) { return exact_plan(problem); }},
        {"greedy", "largest saving first", greedy_plan},
        {"edges", "edge by edge (TorchInductor, as the taxonomy has it)", edge_greedy_plan},
        {"fewest", "fewest kernels (XLA, as the taxonomy has it)",
         [](const Problem& problem) { return fewest_kernels_plan(problem); }},
        {"each", "one kernel per operator", one_kernel_each},
        {"one", "everything one kernel", one_kernel},
    };
    return all;
}

}  // namespace blockscope::plan
